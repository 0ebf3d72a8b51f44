/** Signs of a title that a list shows, unless told. */
const titleCharactersMax = 160

// Elements that publishers write into titles: of HTML, of JATS, and of MathML.
const names = [
  'i|b|u|em|strong|it|italic|bold|sub|sup|inf|small|sc|scp|tt|span|p|br|title',
  'math|mi|mn|mo|mrow|msub|msup|mtext',
].join('|')
const attribute = String.raw`\s+[\w:-]+=(?:"[^"<>]*"|'[^'<>]*')`
const tags = new RegExp(String.raw`</?(?:[a-z]+:)?(?:${names})(?:${attribute})*\s*/?>`, 'gi')

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}

/**
 * A title as one line of a list: without the markup that some publishers leave in it, and cut where
 * it is too long for a line. The page of the work has it as it was registered.
 */
export function plainTitle(title: string, charactersMax = titleCharactersMax): string {
  const plain = title
    .replaceAll(tags, '')
    .replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (sign, name: string) => entities[name] ?? sign)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = Array.from(plain)
  if (characters.length <= charactersMax) return plain === '' ? title : plain
  return `${characters.slice(0, charactersMax).join('').trimEnd()}…`
}
