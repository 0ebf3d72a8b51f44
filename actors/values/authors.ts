/**
 * The names in an `authors` text, in order: parted by semicolons if there is one, else by commas.
 */
export function splitAuthors(authors: string): string[] {
  const names = authors.split(authors.includes(';') ? ';' : ',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/**
 * The first two of names that are parted by commas, if they may have been meant as one, its family
 * name first as in `Lovelace, Ada`: of the names every other one is a single word.
 */
export function invertedName(
  authors: string,
): readonly [family: string, given: string] | undefined {
  if (authors.includes(';')) return undefined
  const names = splitAuthors(authors)
  const [family, given] = names
  if (family === undefined || given === undefined || names.length % 2 === 1) return undefined
  const isInverted = names.every((name, index) => index % 2 === 1 || !/\s/.test(name))
  return isInverted ? [family, given] : undefined
}
