import { encodePath, hasDotSegment } from '#actors/values/url.ts'

const label = /^(?:doi:\s*|info:doi\/)/i
const address = /^https?:\/\/(?:www\.|dx\.)?doi\.org\//i
// The number of a registrant may be divided (ISO 26324): `10.1000.10`.
const prefix = String.raw`10\.\d{4,9}(?:\.\d{1,9}){0,8}`
const doiForm = new RegExp(`^${prefix}/\\S+$`)
const namedAtEnd = new RegExp(`${prefix}/\\S+$`)
const prefixForm = new RegExp(`^(?:doi:)?(${prefix}/)$`, 'i')
// What would lead out of the path of an address, or not be seen in it, however it is encoded. DOIs
// may have some of them by their standard; those few cannot be given.
const unfit = /[\\\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * The stored form of a DOI: without `https://doi.org/` or `doi:` before it, ASCII letters in lower
 * case, because DOIs that differ in nothing else are one (ISO 26324). In an address it may be
 * percent-encoded, and `#` and `?` must be: bare ones end its path. Undefined if it is no DOI, or
 * none that an address can carry safely.
 */
export function foldDoi(text: string): string | undefined {
  const doi = withoutLabel(text)
  if (doi === undefined || !doiForm.test(doi) || !isSafe(doi)) return undefined
  return doi.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** What a text that `foldDoi` does not take would have to be. */
export function explainDoi(text: string): string {
  const path = text.replace(address, '')
  if (path !== text && /[#?]/.test(path)) {
    return 'a DOI; in an address write %23 for a # and %3F for a ? of the DOI, and leave out others'
  }
  const doi = withoutLabel(text)
  return doi !== undefined && doiForm.test(doi) && !isSafe(doi)
    ? 'a DOI without \\, invisible characters and the segments "." and ".."'
    : 'a DOI such as 10.1234/abc'
}

/** The DOI that ends a text, such as a path; in its stored form. Undefined if none does. */
export function doiAtEnd(text: string): string | undefined {
  const [named] = namedAtEnd.exec(text) ?? []
  return named === undefined ? undefined : foldDoi(named)
}

/** A prefix of DOIs with its slash, `10.1234/` or `doi:10.1234.5/`, in its stored form. */
export function foldDoiPrefix(text: string): string | undefined {
  return prefixForm.exec(text)?.[1]
}

function isSafe(doi: string): boolean {
  return !unfit.test(doi) && !hasDotSegment(doi)
}

function withoutLabel(text: string): string | undefined {
  const path = text.replace(address, '')
  if (path === text) return text.replace(label, '')
  if (/[#?]/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The address of a DOI in its stored form. */
export function doiUrl(doi: string): string {
  return `https://doi.org/${encodePath(doi)}`
}

/** The address as people read it: only what they could not follow is percent-encoded. */
export function shownDoiUrl(doi: string): string {
  const plain = `https://doi.org/${doi}`
  return foldDoi(plain) === doi ? plain : doiUrl(doi)
}
