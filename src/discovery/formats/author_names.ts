import type { NameParts } from '#actors/values/author_name.ts'
import type { DescribedAuthor } from '#src/discovery/formats/described_work.ts'
import { namesGroup } from '#src/discovery/formats/group_names.ts'

/** A name as citations have it: in its parts, of which the given one may be '', or whole. */
export type CitedName = NameParts | { readonly literal: string }

/**
 * The parts of an author's name where they are known: given as such, or written `Family, Given`.
 * Nothing is guessed. One that has a family name alone has '' for the given names.
 */
export function nameParts({ name, family, given, suffix }: DescribedAuthor): NameParts | undefined {
  if (family !== undefined) return withSuffix({ family, given: given ?? '' }, suffix)
  // Where semicolons part the names, a comma parts a name.
  const [before = '', after = '', ...more] = name.split(',', 3).map((part) => part.trim())
  if (before === '' || after === '' || more.length > 0) return undefined
  // A word of groups alone before the comma is a family name: `Bank, Ada`.
  const isGroup = /\s/.test(before) ? namesGroup(name) : namesGroup(after)
  return isGroup ? undefined : withSuffix({ family: before, given: after }, suffix)
}

function withSuffix(parts: NameParts, suffix: string | undefined): NameParts {
  return suffix === undefined ? parts : { ...parts, suffix }
}

/**
 * Whether an author is a person or a group, for every format: what is said of them goes before any
 * word in their name. Undefined where nothing tells.
 */
export function authorKind(author: DescribedAuthor): 'person' | 'group' | undefined {
  const { name, orcid, given } = author
  if (orcid !== undefined || given !== undefined) return 'person'
  if (nameParts(author) !== undefined) return 'person'
  if (namesGroup(name)) return 'group'
  return naturalParts(author) === undefined ? undefined : 'person'
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

/**
 * The names of the authors for a citation, which turns names round and shortens them. Names that
 * are written `Given Family` are parted before their last word, as others do, if that is safe for
 * all of them: one that may have its family name elsewhere leaves the others whole, too: a citation
 * has one way to name people.
 */
export function citedNames(authors: readonly DescribedAuthor[]): readonly CitedName[] {
  const names = authors.map((author) => {
    const parts = nameParts(author) ?? naturalParts(author)
    return parts ?? { literal: author.name, isClear: authorKind(author) === 'group' }
  })
  const isClear = names.every((name) => !('isClear' in name) || name.isClear)
  return authors.map((author, index) => {
    const parts = isClear ? names[index] : nameParts(author)
    return parts !== undefined && 'family' in parts ? parts : { literal: author.name }
  })
}

const nameWord = /^\p{Lu}[\p{L}\p{M}'’]+(?:[-‐][\p{L}][\p{L}\p{M}'’]*)*$/u
const elidedWord = /^[dlDL]['’]\p{Lu}[\p{L}\p{M}'’-]+$/u
const initials = /^\p{Lu}\.?(?:[-‐]?\p{Lu}\.)*$/u
const particle = /^(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|zu|af|av)$/
const particleInCapitals = /^(?:Van|Von|Der|Den|De|Del|Della|Di|Da|Dos|Du|Ten|Ter)$/
const suffixForm = /^(?:II|III|IV|Jr|Sr)\.?$/
const nameWordsMax = 8

// The parts of a name in Latin script: given names and initials, then the last word, which is the
// family name, with its particles, as BibTeX and those who read it have them.
function naturalParts({ name: whole, suffix }: DescribedAuthor): NameParts | undefined {
  const isLast = suffix !== undefined && whole.endsWith(` ${suffix}`)
  const name = isLast ? whole.slice(0, -suffix.length).replace(/[\s,]+$/, '') : whole
  const words = name.split(/\s+/)
  if (words.length > nameWordsMax || namesGroup(name)) return undefined
  if (!/^[\p{Script=Latin}\p{M}\p{P}\s]+$/u.test(name)) return undefined
  // What begins a name is a given one: `Di Hu`.
  const isBefore = (one: string, at: number) =>
    at < words.length - 1 && (at === 0 || !isParticle(one))
  const from = words.findLastIndex(isBefore) + 1
  const [given, family] = [words.slice(0, from), words.slice(from)]
  const last = family.at(-1) ?? ''
  const isFamily = (nameWord.test(last) || elidedWord.test(last)) && !suffixForm.test(last)
  const isGiven = given.every((one) => nameWord.test(one) || initials.test(one))
  if (given.length === 0 || !isFamily || !isGiven) return undefined
  if (given.slice(1).some(isParticle) || mayEndBefore(given)) return undefined
  return withSuffix({ family: family.join(' '), given: given.join(' ') }, suffix)
}

function isParticle(word: string): boolean {
  return particle.test(word) || particleInCapitals.test(word)
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
  const plain = given.map((one) => one.normalize('NFD').replaceAll(/\p{M}/gu, ''))
  const [first = '', ...middle] = plain
  if (middle.length === 0) return false
  return (
    vietnamese.test(first) || middle.some((one) => firstOfTwo.test(one) || vietnamese.test(one))
  )
}
