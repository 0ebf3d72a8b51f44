import type { NameParts } from '#actors/values/author_name.ts'
import type { DescribedAuthor } from '#src/discovery/formats/described_work.ts'
import {
  groupReading,
  isTelling,
  mayBeLegalForm,
  namesGroup,
} from '#src/discovery/formats/group_names.ts'

/** A name as citations have it: in its parts, of which the given one may be '', or whole. */
export type CitedName = NameParts | { readonly literal: string }

/**
 * The parts of an author's name where they are known: given as such, or written `Family, Given`.
 * Nothing is guessed. One that has a family name alone has '' for the given names.
 */
export function nameParts({ name, family, given, suffix }: DescribedAuthor): NameParts | undefined {
  if (family !== undefined) return withSuffix({ family, given: given ?? '' }, suffix)
  if (!name.includes(',')) return undefined
  // Where semicolons part the names, a comma parts a name.
  const [before = '', after = '', ...more] = name.split(',', 3).map((part) => part.trim())
  if (before === '' || after === '' || more.length > 0) return undefined
  // A word of groups alone before the comma is a family name: `Bank, Ada`.
  const isGroup = /\s/.test(before)
    ? namesGroup(name)
    : !areInitials(after, before) && namesGroup(after)
  return isGroup ? undefined : withSuffix({ family: before, given: after }, suffix)
}

/** `J.-P.` and `C.N.`; `JRR` behind a family name that is not in capitals, too. */
function areInitials(after: string, before: string): boolean {
  if (/^\p{Lu}(?:[.-]+\p{Lu})*\.?$/u.test(after)) return true
  return /^\p{Lu}{2,4}$/u.test(after) && /\p{Ll}/u.test(before) && !isTelling(after)
}

function withSuffix(parts: NameParts, suffix: string | undefined): NameParts {
  return suffix === undefined ? parts : { ...parts, suffix }
}

/** What tells about an author: parts that are known, or guessed of a name in its natural order. */
type AuthorReading = {
  readonly known?: NameParts | undefined
  readonly guessed?: NameParts | undefined
  /** Undefined where nothing tells. */
  readonly kind: 'person' | 'group' | undefined
}

// Most names are one of these in letters of English, and none of what is asked of the others is
// true of them: a word that groups or few families have leaves them to that.
const commonWord = '[A-Z][a-z]+(?:-[A-Z][a-z]+)?'
const commonName = new RegExp(
  String.raw`^(${commonWord})((?: [A-Z]\.)*)(?: ([A-Z][a-z]+))? (${commonWord})$`,
)
const commonParts = /^([A-Z][a-z]+), ([A-Z][a-z]+)((?: [A-Z]\.)*)$/

function readCommon({ family, name, suffix }: DescribedAuthor): AuthorReading | undefined {
  if (family !== undefined || suffix !== undefined) return undefined
  if (name.includes(',')) {
    const [, last = '', given = '', initials = ''] = commonParts.exec(name) ?? []
    if (last === '' || isTelling(given)) return undefined
    return { known: { family: last, given: given + initials }, kind: 'person' }
  }
  const [, given = '', initials = '', middle = '', last = ''] = commonName.exec(name) ?? []
  if (given === '' || hasTelling(given) || hasTelling(last) || suffixForm.test(last)) {
    return undefined
  }
  if (middle === '' && initials === '') return { guessed: { family: last, given }, kind: 'person' }
  if (vietnamese.test(given)) return undefined
  if (middle === '') return { guessed: { family: last, given: given + initials }, kind: 'person' }
  const isUsual = !particles.has(middle) && !isTelling(middle) && !mayEndBefore([given, middle])
  const before = `${given}${initials} ${middle}`
  return isUsual ? { guessed: { family: last, given: before }, kind: 'person' } : undefined
}

function hasTelling(word: string): boolean {
  return word.includes('-') ? word.split('-').some(isTelling) : isTelling(word)
}

/** Reads an author once for all that is asked of them: what is said goes before any word. */
function readAuthor(author: DescribedAuthor): AuthorReading {
  const { name_type: given } = author
  if (given === 'organization') return { kind: 'group' }
  return readCommon(author) ?? readAnyAuthor(author)
}

function readAnyAuthor(author: DescribedAuthor): AuthorReading {
  const known = nameParts(author)
  if (known !== undefined) return { known, kind: 'person' }
  const { name_type, orcid, given, name } = author
  const isPerson = name_type === 'person' || orcid !== undefined || given !== undefined
  const reading = isPerson ? 'none' : groupReading(name)
  const guessed = reading === 'none' ? naturalParts(author) : undefined
  if (isPerson || guessed !== undefined) return { guessed, kind: 'person' }
  return { kind: reading === 'group' ? 'group' : undefined }
}

/**
 * The parts of an author's name where they are known, and whether the author is a person or a
 * group, for every format: what is said of them goes before any word in their name. The kind is
 * undefined where nothing tells.
 */
export function knownAuthor(author: DescribedAuthor) {
  const { known: parts, kind } = readAuthor(author)
  return { parts, kind }
}

/** `Family, Given` where the parts are known, else the name as it was given. */
export function invertedName(author: DescribedAuthor): string {
  const parts = nameParts(author)
  return parts === undefined ? author.name : invertedParts(parts)
}

/** `Family, Given` or `Family, Given, Jr.`; `Family` or `Family Jr.` where nothing is given. */
export function invertedParts({ family, given, suffix = '' }: NameParts): string {
  if (given === '') return `${family} ${suffix}`.trimEnd()
  return `${family}, ${given}${suffix === '' ? '' : `, ${suffix}`}`
}

/** A name as it is cited, with whether it is known to be that of a group. */
export type CitedAuthor = { readonly name: CitedName; readonly isGroup: boolean }

/**
 * The authors for a citation, which turns names round and shortens them. Names that are written
 * `Given Family` are parted before their last word, as others do, if that is safe for all of them:
 * one that may have its family name elsewhere leaves the others whole, too: a citation has one way
 * to name people.
 */
export function citedAuthors(authors: readonly DescribedAuthor[]): readonly CitedAuthor[] {
  const all = authors.map(readAuthor)
  const isClear = all.every(({ known, guessed, kind }) => known ?? guessed ?? kind === 'group')
  return all.map(({ known, guessed, kind }, index) => {
    const parts = known ?? (isClear ? guessed : undefined)
    const name = parts ?? { literal: authors[index]?.name ?? '' }
    return { name, isGroup: kind === 'group' }
  })
}

/** Their names alone. */
export function citedNames(authors: readonly DescribedAuthor[]): readonly CitedName[] {
  return citedAuthors(authors).map(({ name }) => name)
}

const nameWord = /^\p{Lu}[\p{L}\p{M}'’]+(?:[-‐][\p{L}][\p{L}\p{M}'’]*)*$/u
const elidedWord = /^[dlDL]['’]\p{Lu}[\p{L}\p{M}'’-]+$/u
const initials = /^\p{Lu}\.?(?:[-‐]?\p{Lu}\.)*$/u
const particles = new Set(
  (
    'van von der den de del della di da dos du la le ten ter zu af av op ’t ' +
    "'t " +
    'Van Von Der Den De Del Della Di Da Dos Du Ten Ter'
  ).split(' '),
)
// Most names are in letters of English alone, which is told sooner.
const englishName = /^[A-Za-z .,'-]+$/
const latinName = /^[\p{Script=Latin}\p{M}\p{P}\s]+$/u
const suffixForm = /^(?:II|III|IV|Jr|Sr)\.?$/
const nameWordsMax = 8

// The parts of a person's name in Latin script: given names and initials, then the last word, which
// is the family name, with its particles, as BibTeX and those who read it have them.
function naturalParts({ name: whole, suffix }: DescribedAuthor): NameParts | undefined {
  const isLast = suffix !== undefined && whole.endsWith(` ${suffix}`)
  const name = isLast ? whole.slice(0, -suffix.length).replace(/[\s,]+$/, '') : whole
  const words = name.split(/\s+/)
  if (words.length > nameWordsMax) return undefined
  if (!englishName.test(name) && !latinName.test(name)) return undefined
  // What begins a name is a given one: `Di Hu`.
  const isBefore = (one: string, at: number) =>
    at < words.length - 1 && (at === 0 || !particles.has(one))
  const from = words.findLastIndex(isBefore) + 1
  const [given, family] = [words.slice(0, from), words.slice(from)]
  const last = family.at(-1) ?? ''
  const isFamily = (nameWord.test(last) || elidedWord.test(last)) && !suffixForm.test(last)
  const isGiven = given.every((one) => nameWord.test(one) || initials.test(one))
  if (given.length === 0 || !isFamily || !isGiven || isTurned(given[0] ?? '', last))
    return undefined
  const [, ...middle] = given
  if (middle.some((one) => particles.has(one)) || mayEndBefore(given)) return undefined
  return withSuffix({ family: family.join(' '), given: given.join(' ') }, suffix)
}

// `DUPONT Jean` and `Smith JD` may have the family name first.
function isTurned(first: string, last: string): boolean {
  if (mayBeLegalForm(last)) return true
  if (/^\p{Lu}{3,}$/u.test(first)) return /\p{Ll}/u.test(last)
  return /\p{Ll}/u.test(first) && /^[B-DF-HJ-NP-TV-XZ]{2,3}$/.test(last)
}

// Who has two family names has one of these first, more often than not; without accents.
const firstOfTwo = new RegExp(
  `^(?:\\p{L}{2,}ez|${[
    'acosta|aguilar|almeida|alonso|alves|antunes|araujo|barbosa|blanco|campos|cano|carvalho',
    'castillo|castro|correia|cortes|costa|cruz|cunha|delgado|diaz|duarte|fernandes|ferreira|flores',
    'fonseca|fuentes|garcia|gil|gomes|goncalves|guerrero|herrera|ibarra|leon|lima|lopes|lozano',
    'luna|machado|marin|marques|medina|mendes|mendoza|mora|morales|moreno|moura|munoz|navarro',
    'nunes|ochoa|oliveira|ortega|ortiz|pena|pereira|pinto|prieto|ramos|reis|reyes|ribeiro|rios',
    'rivera|rocha|rodrigues|rojas|romero|rubio|ruiz|salazar|santana|santos|serrano|silva|soares',
    'soto|sousa|souza|tavares|teixeira|torres|vargas|vega|vera|vidal',
  ].join('|')})$`,
  'iu',
)

// Vietnamese family names, which some write first.
const vietnamese = /^(?:bui|dang|dinh|doan|duong|hoang|huynh|ngo|nguyen|pham|phan|tran|trinh|vu)$/i

/** Whether the family name may begin among what seems to be given names. */
function mayEndBefore(given: readonly string[]): boolean {
  if (given.length === 1) return false
  const plain = given.map((one) => one.normalize('NFD').replaceAll(/\p{M}/gu, ''))
  const [first = '', ...middle] = plain
  return (
    vietnamese.test(first) || middle.some((one) => firstOfTwo.test(one) || vietnamese.test(one))
  )
}
