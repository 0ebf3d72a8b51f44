/**
 * The names in an `authors` text, in order: parted by semicolons if there is one, else by commas.
 */
export function splitAuthors(authors: string): string[] {
  const names = authors.split(authors.includes(';') ? ';' : ',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
