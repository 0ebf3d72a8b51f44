import iso6391 from 'iso-639-1'

/** All two-letter language codes of ISO 639-1. */
export const languageCodes: readonly string[] = iso6391.getAllCodes()

const known = new Set(languageCodes)

/** The stored form of a language: its ISO 639-1 code in lower case; undefined if there is none. */
export function foldLanguage(text: string): string | undefined {
  const code = text.toLowerCase()
  return known.has(code) ? code : undefined
}

/** What a text that is no such code would have to be, with the code it was likely meant to be. */
export function explainLanguage(text: string): string {
  const rule = 'a two-letter ISO 639-1 code such as en'
  const subtag = foldLanguage(text.slice(0, text.search(/[-_]|$/)))
  const meant = subtag ?? iso6391.getCode(text)
  return meant === '' ? rule : `${rule}; did you mean ${meant}?`
}
