import { foldTitle } from '#actors/values/text.ts'

// What a company is by law. Those that may be somebody's initials, `S.A.`, are not among them.
const legalForms = [
  String.raw`[Ii]nc|Incorporated|INC|[Ll]td|LTD|Limited|(?:Pty|Pvt|Co)\.? Ltd|Co(?=\.)`,
  String.raw`[Cc]orp|CORP|g?GmbH(?: & Co\.? KG)?|LLC|L\.L\.C|LLP|L\.L\.P`,
  String.raw`PLC|plc|S\.r\.l|S\.p\.A|e\.V`,
].join('|')
const legalForm = new RegExp(String.raw`^(?:${legalForms})\.?$`)
const legalFormAfterComma = new RegExp(String.raw`,\s*(?:${legalForms})\.?\s*(?:,|$)`)

/** Whether a text is what a company is by law, which is a part of its name: `Inc.`, `GmbH`. */
export function isLegalForm(text: string): boolean {
  return legalForm.test(text)
}

/**
 * The names in an `authors` text, in order: parted by semicolons if there is one, else by commas,
 * but for that before a company's legal form: `Free Software Foundation, Inc.`.
 */
export function splitAuthors(authors: string): string[] {
  const isList = authors.includes(';')
  const parts = authors.split(isList ? ';' : ',')
  const names = parts.map((name) => name.trim()).filter((name) => name !== '')
  return isList || !legalFormAfterComma.test(authors) ? names : withLegalForms(names)
}

function withLegalForms(parts: readonly string[]): string[] {
  const names: string[] = []
  for (const part of parts) {
    const before = isLegalForm(part) ? names.pop() : undefined
    names.push(before === undefined ? part : `${before}, ${part}`)
  }
  return names
}

/**
 * Names as an `authors` text that is parted into them again. With one name alone, a comma in it
 * would part it: a semicolon at its end says that it does not.
 */
export function joinAuthors(names: readonly string[]): string {
  const [only = '', ...others] = names.map((name) => name.replaceAll(';', ','))
  return others.length === 0 && only.includes(',') ? `${only};` : [only, ...others].join('; ')
}

/**
 * The first two of names that are parted by commas, if they may have been meant as one, its family
 * name first as in `Lovelace, Ada`: of the names every other one is a single word. `names` are
 * those of the text.
 */
export function invertedName(
  authors: string,
  names: readonly string[] = splitAuthors(authors),
): readonly [family: string, given: string] | undefined {
  if (authors.includes(';')) return undefined
  const [family, given] = names
  if (family === undefined || given === undefined || names.length % 2 === 1) return undefined
  const isInverted = names.every((name, index) => index % 2 === 1 || !/\s/.test(name))
  return isInverted ? [family, given] : undefined
}

// `Jr.` after a comma is a suffix, always; `II`, `IV` and degrees may be initials as well, and are
// none only after more than one name.
const suffixForm = /^(?:jr|sr|jnr|snr|esq)\.?$/i
const numeralForm = /^(?:II|III|IV|2nd|3rd|4th|2d|3d)\.?$/
const degrees = 'phd|dphil|md|dsc|msc|bsc|mph|mba|edd|dds|dvm'
// With points after its letters, or a space.
const degreeForm = new RegExp(
  `^(?:${degrees.replace(/[a-z](?=[a-z])/g, String.raw`$&\.?\s?`)})\\.?$`,
  'i',
)

/** A name as it is written, without the degrees after it, and its parts as far as commas tell. */
export type ReadName = Partial<NameParts> & { readonly name: string }

/**
 * Reads a name that may have a suffix or degrees after a comma: `Martin Luther King, Jr.`, `King,
 * Martin Luther, Jr.`, `King, Jr., Martin Luther`, `Ann Alpha, PhD`. Another one is as it was.
 */
export function readName(name: string): ReadName {
  if (!name.includes(',')) return { name }
  const [first = '', ...others] = name.split(',').map((part) => part.trim())
  const isLong = /^\p{Lu}\S*\s+\S/u.test(first) || others.length > 1
  const isSuffix = (part: string) => suffixForm.test(part) || (isLong && numeralForm.test(part))
  const suffixes = others.filter(isSuffix)
  const rest = others.filter((part) => !isSuffix(part) && !(isLong && degreeForm.test(part)))
  const [suffix] = suffixes
  const [given] = rest
  if (rest.length === others.length || suffixes.length > 1 || rest.length > 1) return { name }
  const parts = given === undefined ? undefined : { family: first, given }
  const plain = parts === undefined ? first : wholeName(parts)
  if (suffix === undefined) return { name: plain, ...parts }
  return { name: `${plain} ${suffix}`, ...parts, suffix }
}

// `others` without a name before it, and what has one before it.
const restForm = /^(?:(?:et\.?\s+)?(?:al\.?|alii)|(?:and )?others|u\.?\s?a\.?)$/i
const nameAndRest = /\s(?:(?:et\.?|&)\s+(?:al\.?|alii)|and others|u\.\s?a\.)$/i

/** Whether a text is, or ends with, a word for names that it does not have: `Ann Alpha et al.`. */
export function namesRest(text: string): boolean {
  return restForm.test(text) || nameAndRest.test(text)
}

/** What stands among names and is none: a suffix, a degree, or a word for more of them. */
export function isNoName(text: string): boolean {
  return (
    restForm.test(text) || suffixForm.test(text) || numeralForm.test(text) || degreeForm.test(text)
  )
}

const nameWord = String.raw`\p{Lu}[\p{L}\p{M}.'’-]*`
const particles = 'van|von|de|der|den|del|di|da|do|dos|du|la|le|ter|zu|zur'
const person = String.raw`${nameWord}(?:\s+(?:${nameWord}|${particles})){1,4}`

/** The words by which people join two names, as the alternatives of a pattern. */
export const joiningWords = 'and|und|et|y|e|i|en|og|och|ja|ve|и|і|та|και'
const joining = String.raw`(?:\s+(?:${joiningWords}|AND|UND|&|\+)\s+|\s*[/|]\s*)`
const twoPersons = new RegExp(`^${person}${joining}${person}$`, 'u')
const fullName = new RegExp(String.raw`^${person}(?<=\p{L}{2})$`, 'u')

/**
 * Whether what commas part in a name may be persons, as in `Ann Alpha, Bob Beta`, and not the parts
 * of one: `Garcia Marquez, Gabriel Jose` has the same form.
 */
export function mayBePersons(name: string): boolean {
  const parts = name.split(/,\s*/)
  return parts.length > 1 && parts.every((part) => fullName.test(part))
}

const joiningFirst = new RegExp(String.raw`^(?:${joiningWords}|&)\s`, 'u')
const joiningMark = new RegExp(joining, 'u')

/**
 * Whether a text seems to name several: `Ann Alpha and Bob Beta`, `Alpha, Ann y Beta, Bob`, `Ann
 * Alpha et al.`.
 */
export function namesSeveral(text: string): boolean {
  if (twoPersons.test(text) || joiningFirst.test(text) || nameAndRest.test(text)) return true
  if (!text.includes(',')) return false
  const sides = text.split(joiningMark)
  return sides.length > 1 && sides.every((side) => /^[^,]*[^,\s][^,]*,[^,]*[^,\s][^,]*$/.test(side))
}

/** The parts of a person's name; one of which only one is known has it as the family name. */
export type NameParts = {
  readonly family: string
  readonly given: string
  /** What follows the whole name, such as `Jr.`. */
  readonly suffix?: string
}

/**
 * Whether both parts are in Chinese, Japanese or Korean script: such names have their family name
 * first, everywhere.
 */
export function isEastAsian({ family, given }: NameParts): boolean {
  // Most names begin with a letter of another script, which is told sooner.
  if (family.charCodeAt(0) < 0x1100) return false
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u.test(
    family + given,
  )
}

/** A name of its parts as it is written where nothing is turned round: `Ada Lovelace`, `山田 太郎`. */
export function wholeName({ family, given, suffix = '' }: NameParts): string {
  const parts = isEastAsian({ family, given }) ? [family, given] : [given, family, suffix]
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
  return canBeSameWords(nameWords(one), nameWords(other))
}

/** A name in words that can be compared: folded, its family name last if a comma says so. */
export type NameWords = readonly string[]

/** The words of a name. */
export function nameWords(name: string): NameWords {
  const folded = foldTitle(natural(name))
  return folded === '' ? [] : folded.split(' ')
}

/** As `canBeSameName`, of names in words. */
export function canBeSameWords(one: NameWords, other: NameWords): boolean {
  if (one.length === other.length && isSameSet(one, other)) return true
  if (one.length < 2 || other.length < 2 || one.at(-1) !== other.at(-1)) return false
  const [first = '', second = ''] = [one[0], other[0]]
  return first === second || isInitial(first, second) || isInitial(second, first)
}

function isSameSet(one: NameWords, other: NameWords): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ')
}

/** The parts of a person's name in words; without a given name it is not known. */
export type PartWords = { readonly family: NameWords; readonly given: NameWords }

/**
 * Whether a name can be written for a person of these parts: with initials or without given names,
 * in any order, as in "Tolkien JR" and "山田太郎".
 */
export function canHaveParts(name: NameWords, { family, given }: PartWords): boolean {
  if (canBeSameWords(name, [...given, ...family])) return true
  if (name.join('') === [...family, ...given].join('')) return true
  const rest = [...name]
  for (const word of family) {
    const at = rest.indexOf(word)
    if (at < 0) return false
    rest.splice(at, 1)
  }
  const initials = given.map((word) => word.slice(0, 1)).join('')
  return given.length === 0 || initials.startsWith(rest.join(''))
}

/** Whether two names have their last word and their first letter in common. */
export function resembles(one: NameWords, other: NameWords): boolean {
  return one.at(-1) === other.at(-1) && one[0]?.charAt(0) === other[0]?.charAt(0)
}

function isInitial(short: string, long: string): boolean {
  return short.length === 1 && long.startsWith(short)
}

function spell(name: string): string {
  return natural(name).normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** A name with its family name last, if a comma says where that is. */
function natural(name: string): string {
  const { name: plain } = readName(name)
  const [family = '', given, ...more] = plain.split(',')
  return given === undefined || more.length > 0 ? plain : `${given} ${family}`
}
