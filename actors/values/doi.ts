import { encodePath, hasDotSegment } from '#actors/values/url.ts'

const label = /^(?:doi:\s*|info:doi\/)/i
const address = /^https?:\/\/(?:www\.|dx\.)?doi\.org\//i
const doiForm = /^10\.\d{4,9}\/\S+$/
// What would end the path of an address, lead out of it or not be seen in it. DOIs may have some of
// them by their standard; those few cannot be given.
const unfit = /[#?\\\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * The stored form of a DOI: without `https://doi.org/` or `doi:` before it, ASCII letters in lower
 * case, because DOIs that differ in nothing else are one (ISO 26324). In an address it may be
 * percent-encoded. Undefined if it is no DOI, or none that an address can carry safely.
 */
export function foldDoi(text: string): string | undefined {
  const doi = withoutLabel(text)
  if (doi === undefined || !doiForm.test(doi) || !isSafe(doi)) return undefined
  return doi.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** What a text that `foldDoi` does not take would have to be. */
export function explainDoi(text: string): string {
  const doi = withoutLabel(text)
  return doi !== undefined && doiForm.test(doi) && !isSafe(doi)
    ? 'a DOI without #, ?, \\, invisible characters and the segments "." and ".."'
    : 'a DOI such as 10.1234/abc'
}

function isSafe(doi: string): boolean {
  return !unfit.test(doi) && !hasDotSegment(doi)
}

function withoutLabel(text: string): string | undefined {
  const path = text.replace(address, '')
  if (path === text) return text.replace(label, '')
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
