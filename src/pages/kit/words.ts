import type { Item } from '#actors/people/port.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import type { Html } from '#src/pages/kit/html.ts'
import { badge, type BadgeKind } from '#src/pages/kit/parts.ts'
import { relations, standing, types } from '#src/words/english.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'

/** What readers are told of the content of a work. */
const fixityWords: Readonly<Record<FixityStatus, readonly [words: Text, BadgeKind]>> = {
  verified: [standing.verified, 'good'],
  pending: [standing.pending, 'waiting'],
  failed: [standing.failed, 'bad'],
  unreachable: [standing.unreachable, 'waiting'],
}

/**
 * Whether the content of a work still is what was registered; `reason` tells a page about the work
 * from a file that could not be read.
 */
export function fixityBadge(status: FixityStatus, reason?: string | null): Html {
  if (status === 'unreachable' && reason === 'landing_page') return badge(standing.landingPage)
  return badge(...fixityWords[status])
}

/** A type of works in words: `Review article`. */
export function typeName(workType: string): Text {
  return termOf(types, workType) ?? capitalized(workType.replaceAll('_', ' '))
}

/** How works relate, in words: `IsSupplementedBy` is `Is supplemented by`. */
export function relationName(relation: string): Text {
  const words = () => relation.replaceAll(/(?<=.)([A-Z])/g, ' $1').toLowerCase()
  return termOf(relations, relation) ?? capitalized(words())
}

/** A text with a capital at its beginning. */
function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What an item says, in one line. */
export function itemTitle(item: Item): string {
  if (item.kind === 'affiliation') {
    const { role, department, organization, start_year, end_year } = item.fields
    const years = start_year === undefined ? '' : `${start_year}–${end_year ?? ''}`
    return [role, department, organization, years].filter(Boolean).join(', ')
  }
  const { degree, institution, year } = item.fields
  return [degree, institution, year].filter(Boolean).join(', ')
}

/** Characters of a title that a list shows by default. */
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

/** A text, cut where it is too long for its place. */
export function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
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
