const prefix = /^(?:https?:\/\/(?:www\.|dx\.)?doi\.org\/|doi:\s*|info:doi\/)/i
const doiForm = /^10\.\d{4,9}\/\S+$/

/**
 * The stored form of a DOI: without `https://doi.org/` or `doi:` before it, ASCII letters in lower
 * case, because DOIs that differ in nothing else are one (ISO 26324). Undefined if it is no DOI.
 */
export function foldDoi(text: string): string | undefined {
  const doi = text.replace(prefix, '')
  if (!doiForm.test(doi)) return undefined
  return doi.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
