/**
 * The keywords of a stored text, each once: parted by semicolons if there is one, else by commas.
 */
export function keywordsOf(stored: string): string[] {
  const words = stored.split(stored.includes(';') ? ';' : ',').map((word) => word.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}

/**
 * Keywords as a text that is parted into them again. With one keyword alone, a comma in it would
 * part it: a semicolon at its end says that it does not.
 */
export function joinKeywords(keywords: readonly string[]): string {
  const words = keywords.map((word) => word.replaceAll(';', ',').trim())
  const [only = '', ...others] = words.filter((word) => word !== '')
  if (others.length === 0) return only.includes(',') ? `${only};` : only
  return [only, ...others].join([only, ...others].some((word) => word.includes(',')) ? '; ' : ', ')
}
