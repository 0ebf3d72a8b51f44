const asciiTitle = /^[\x20-\x7e]*$/

/**
 * A title without what differs between two spellings of it: case, accents, punctuation, spaces.
 * Two works with one DOI and one folded title are taken for one work.
 */
export function foldTitle(title: string): string {
  const words = asciiTitle.test(title)
    ? title.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
    : title
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[\u0300-\u036f]+/g, '')
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  const folded = words.trim()
  return folded === '' ? title : folded
}
