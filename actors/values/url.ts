import { foldedText } from '#actors/values/field_table.ts'

/** Characters of an address, in its stored form too. */
export const urlCharactersMax = 2_048

// A host without credentials before it, then anything but white space.
const httpUrl = /^https?:\/\/[^\s/?#\\@]+(?:[/?#\\]\S*)?$/i
const withCredentials = /^https?:\/\/[^\s/?#\\]*@/i
const uriCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/

/**
 * The stored form of an http or https address without credentials: as given, except that
 * characters which no URI may have are percent-encoded (RFC 3986 §2). Undefined if it is no URL.
 */
export function foldUrl(text: string): string | undefined {
  if (!httpUrl.test(text) || !URL.canParse(text)) return undefined
  const url = uriCharacters.test(text) ? text : new URL(text).href
  return url.length <= urlCharactersMax ? url : undefined
}

/** A text as the path of an address, slashes and all: what would end a path is encoded, too. */
export function encodePath(text: string): string {
  return encodeURI(text).replace(/[?#]/g, encodeURIComponent)
}

/** Whether a path has a segment `.` or `..`, encoded or not: no encoding makes it a plain one. */
export function hasDotSegment(path: string): boolean {
  return /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)
}

/** What a text that is no such address would have to be. */
function explainUrl(text: string): string {
  if (withCredentials.test(text)) return 'an address without user name and password'
  if (/\s/.test(text)) return 'an address without spaces; write %20 for a space'
  if (httpUrl.test(text) && URL.canParse(text)) {
    return `an address of at most ${urlCharactersMax} characters when percent-encoded`
  }
  return 'an http or https address such as https://example.org/paper.pdf'
}

/** The kind of an http or https address. */
export const urlKind = foldedText({ max: urlCharactersMax, fold: foldUrl, right: explainUrl })
