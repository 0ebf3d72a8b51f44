import { foldTitle } from '#actors/values/title.ts'

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

/** The parts of a person's name; one of which only one is known has it as the family name. */
export type NameParts = { readonly family: string; readonly given: string }

/**
 * Whether both parts are in Chinese, Japanese or Korean script: such names have their family name
 * first, everywhere.
 */
export function isEastAsian({ family, given }: NameParts): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u.test(
    family + given,
  )
}

/** A name of its parts as it is written where nothing is turned round: `Ada Lovelace`, `山田 太郎`. */
export function wholeName({ family, given }: NameParts): string {
  const parts = isEastAsian({ family, given }) ? [family, given] : [given, family]
  return parts.filter((part) => part !== '').join(' ')
}

/** Whether two texts are one name: in either order, "Lovelace, Ada" and "ada LOVELACE". */
export function isSameName(one: string, other: string): boolean {
  return spell(one) === spell(other)
}

/**
 * Whether two names can be of one person, as a reader would say: with accents or without, in either
 * order, with initials for given names, or with some of them left out. "A. Lovelace" can be "Ada
 * King Lovelace", and "Ada Byron" cannot.
 */
export function canBeSameName(one: string, other: string): boolean {
  const a = wordsOf(one)
  const b = wordsOf(other)
  if (a.toSorted().join(' ') === b.toSorted().join(' ')) return true
  if (a.length < 2 || b.length < 2 || a.at(-1) !== b.at(-1)) return false
  const [first = '', second = ''] = [a[0], b[0]]
  return first === second || isInitial(first, second) || isInitial(second, first)
}

function isInitial(short: string, long: string): boolean {
  return short.length === 1 && long.startsWith(short)
}

function wordsOf(name: string): readonly string[] {
  return foldTitle(natural(name)).split(' ')
}

function spell(name: string): string {
  return natural(name).normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** A name with its family name last, if a comma says where that is. */
function natural(name: string): string {
  const [family = '', given, ...more] = name.split(',')
  return given === undefined || more.length > 0 ? name : `${given} ${family}`
}
