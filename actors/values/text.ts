import type { FaultList } from '#actors/values/fault_list.ts'

/** Marks in a row, at most, in a text that is normalised (Stream-Safe Text, UAX #15 §13). */
export const marksMax = 30

// Beside marks, those that are one once decomposed (UAX #15, table 20).
const longRun = new RegExp(`[\\p{M}\\uff9e\\uff9f]{${marksMax + 1}}`, 'u')

/**
 * Where more marks follow one another than any script writes, as an index; -1 if nowhere. Sorting
 * such a run, as normalising does, takes a time that grows with the square of its length: seconds
 * for 50,000 marks.
 */
export function findLongMarkRun(text: string): number {
  return text.search(longRun)
}

/** A text in a normal form; one with such a run is left as it is. */
export function normalForm(text: string, form: 'NFC' | 'NFKC'): string {
  return findLongMarkRun(text) < 0 ? text.normalize(form) : text
}

/**
 * How a text is read: its greatest length in characters, whether it may have lines, and whether it
 * is a title or name, by which things are told apart at a glance.
 */
export type TextRule = { readonly max: number; readonly lines: boolean; readonly isName: boolean }

const special = /[^\x20-\x7e]/
// All that most other texts are of: nothing of it is forbidden, removed, composed or turned round.
const usual = /^[\t\n\r\x20-\x7e\xa0-\u02ff\u2010-\u2027]*$/
// What is no character at all: lone surrogates and the code points that Unicode reserves, which
// neither XML nor I-JSON (RFC 7493 §2.1) can carry.
const forbidden = /[\p{Cs}\p{Noncharacter_Code_Point}]/u
// Control characters but TAB, LF and CR: left over from copying, and nothing can show them.
const control = /[^\P{Cc}\t\n\r]/gu
// Code units that forbidden characters have, and few others: four times as fast to look for.
const suspect = /[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd]/
// No two of these characters compose, and none decomposes: most texts need no normalising.
const normal = /^[\t\n\r\x20-\u02ff\u2010-\u2027]*$/
// Unicode's Bidi_Control: marks, which stand where two directions of writing meet, and beside them
// embeddings, overrides and isolates, which show a whole stretch in another order than it has.
const bidiControl = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const reordering = /[\u202a-\u202e\u2066-\u2069]/
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
const spaces = /[\t\n\r ]+/g
const lineBreak = /[\t\n\r]/
// Controls that part lines as well (UAX #14): what stands on their two sides must not run together.
const otherLineBreak = /[\v\f\u0085]/

/**
 * Reads a text: trimmed, in NFC, and on one line unless `lines` are allowed (TAB, LF and CR then
 * become one space). Other control characters are removed with a warning, of which VT, FF and NEL
 * part lines, and so are controls of direction. Adds a fault at `path` and gives undefined if the
 * value is no such text, if nothing of it can be seen, if it has more marks in a row than are
 * written, or if it is a name with controls that show its characters in another order.
 */
export function readText(
  value: unknown,
  path: string,
  rule: TextRule,
  faults: FaultList,
): string | undefined {
  if (typeof value !== 'string') {
    faults.addWrongType(path, 'a string', value)
    return undefined
  }
  const text = special.test(value) ? cleanText(value, path, rule, faults) : value.trim()
  if (text === undefined) return undefined
  if (text === '') {
    faults.add(path, 'empty', `${path} must not be empty; leave it out if there is none`)
    return undefined
  }
  if (text.length > rule.max && countCharacters(text) > rule.max) {
    const length = `at most ${rule.max} characters, not ${countCharacters(text)}`
    faults.add(path, 'too_long', `${path} may have ${length}`)
    return undefined
  }
  return text
}

// Normalising costs more than all other rules together: texts in ASCII never come here.
function cleanText(
  value: string,
  path: string,
  { lines, isName }: TextRule,
  faults: FaultList,
): string | undefined {
  const isUsual = usual.test(value)
  const isSuspect = !isUsual && suspect.test(value)
  const found = isSuspect ? forbidden.exec(value) : null
  if (found !== null) {
    addForbidden(value, found.index, path, faults)
    return undefined
  }
  const directed = isName && !isUsual ? reordering.exec(value) : null
  if (directed !== null) {
    addReordering(value, directed.index, path, faults)
    return undefined
  }
  const printed = isSuspect ? without(controls, value, path, faults) : value
  const isNormal = isUsual || normal.test(printed)
  const plain = isNormal ? printed : without(bidiControls, printed, path, faults)
  const line = lines ? plain : joinLines(plain)
  const text = isNormal ? line.trim() : normalForm(line.trim(), 'NFC')
  const marksAt = isNormal ? -1 : findLongMarkRun(text)
  if (marksAt >= 0) {
    const [, place] = locate(text, marksAt)
    const message = `${path} has more than ${marksMax} combining marks in a row ${place}`
    faults.add(path, 'too_many_marks', `${message}; leave out what is not written`)
    return undefined
  }
  if (visible.test(text) || value.trim() === '') return text
  faults.add(path, 'invisible', `${path} has no character that can be seen`)
  return undefined
}

function joinLines(text: string): string {
  if (!lineBreak.test(text)) return text
  return text.replace(spaces, (run) => (lineBreak.test(run) ? ' ' : run))
}

function addForbidden(value: string, index: number, path: string, faults: FaultList): void {
  const [name, place] = locate(value, index)
  const message = `${path} has ${name} ${place}, which is not a Unicode character; remove it`
  faults.add(path, 'bad_character', message)
}

function addReordering(value: string, index: number, path: string, faults: FaultList): void {
  const [name, place] = locate(value, index)
  const effect = 'which shows characters in another order than they have'
  const message = `${path} has the bidirectional control ${name} ${place}, ${effect}; remove it`
  faults.add(path, 'bidirectional_control', message)
}

/** Characters that are removed, and what the warning of it says. */
type Removal = { readonly characters: RegExp; readonly code: string; readonly called: string }

const controls: Removal = {
  characters: control,
  code: 'control_character_removed',
  called: 'control character',
}

const bidiControls: Removal = {
  characters: bidiControl,
  code: 'bidirectional_control_removed',
  called: 'bidirectional control',
}

function without(
  { characters, code, called }: Removal,
  value: string,
  path: string,
  faults: FaultList,
): string {
  const first = value.search(characters)
  if (first < 0) return value
  const [name, place] = locate(value, first)
  let others = -1
  const text = value.replace(characters, (character) => {
    others += 1
    return otherLineBreak.test(character) ? '\n' : ''
  })
  const count =
    others === 0 ? 'it was' : `it and ${others} other${others === 1 ? ' was' : 's were'}`
  faults.warn(path, code, `${path} had the ${called} ${name} ${place}; ${count} removed`)
  return text
}

/** The character at an index as `U+202E`, and its place in words. */
function locate(value: string, index: number): readonly [name: string, place: string] {
  const code = value.codePointAt(index) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return [name, `at character ${countCharacters(value.slice(0, index)) + 1}`]
}

/** Characters of a text: code points, so that one outside the BMP counts once. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const asciiTitle = /^[\x20-\x7e]*$/

/**
 * A title without what differs between two spellings of it: case, accents, punctuation, spaces.
 * Two works with one DOI and one folded title are taken for one work.
 */
export function foldTitle(title: string): string {
  // A space between two words stays as it is: to replace each would copy the title word by word.
  const words = asciiTitle.test(title)
    ? title.toLowerCase().replace(/(?! [a-z0-9])[^a-z0-9]+/g, ' ')
    : title
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[\u0300-\u036f]+/g, '')
        .replace(/(?! [\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+/gu, ' ')
  const folded = words.trim()
  return folded === '' ? title : folded
}

// The places of a chemical, of which a hyphen follows: `1,2-dichloroethane`, `1,1'-biphenyl`,
// `N,N-dimethylaniline`, `α,β-unsaturated`, `(1,3)-glucan`.
const digitPlace = String.raw`\d{1,2}['′]?`
const letterPlace = String.raw`(?:\p{Script=Greek}|[A-Zop])['′]?`
const [digitPlaces, letterPlaces] = [digitPlace, letterPlace].map((one) => `${one}(?:,${one})*`)
const chemicalPlaces = new RegExp(
  String.raw`(?<=^|[\s,(]|\d-)(?:${digitPlaces}|${letterPlaces})`,
  'gu',
)
// Digits and commas that may be a number, of which a word follows: `2,5 µm`, `10,000 years`.
const digitGroups = /\d+(?:,\d+)*/g
// Not that of `AT&amp;T`.
const semicolons = /(?<!&(?:amp|lt|gt|quot|apos|#\d{1,7}));|;(?=\s|$)|[；؛]/gi
const bullets = /\s[|·∙‧]\s|[•●▪]/
const commas = /[,，、،|·∙‧•●▪]/
const inBrackets = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g

/**
 * The keywords of a text, each once: parted by semicolons if there is one, else by bullets or bars,
 * else by commas, but for those in brackets, numbers and the names of chemicals.
 */
export function keywordsOf(text: string): string[] {
  const sign = [semicolons, bullets].find((each) => text.search(each) >= 0)
  const words = sign === undefined ? betweenCommas(text) : text.split(sign)
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ''))]
}

/** What stands between the semicolons of a text, in any script. */
export function betweenSemicolons(text: string): string[] {
  return text.split(semicolons)
}

// As `keywords` are headed in the languages of most works, in a text that is copied with it.
const heading = new RegExp(
  String.raw`^\s*(?:(?:author )?key ?words?|index terms|mots[- ]cl[ée]s|schl(?:ag|üssel)wörter|` +
    String.raw`palabras clave|palavras-chave|parole chiave|ключевые слова|关键词|キーワード)\s*[:：—–]\s*`,
  'i',
)
const quoted = /"[^"]*"|“[^“”]*”|«[^«»]*»/g
const quotedInList = /"[^"]*"|'[^']*'/g

/**
 * The keywords that a text means which has one on each line, all of them in quotation marks, or the
 * word for them at its beginning. Undefined if it does not.
 */
export function recognizeKeywords(text: string): string | undefined {
  const list = text.replace(heading, '')
  const marks = /^\s*\[/.test(list) ? quotedInList : quoted
  const words = list.match(marks) ?? []
  const isQuoted = words.length > 0 && /^\s*\[?[\s,;]*\]?\s*$/.test(list.replaceAll(marks, ''))
  if (isQuoted) return joinKeywords(words.map((word) => word.slice(1, -1))) || undefined
  if (/[\r\n]/.test(list) && list.search(semicolons) < 0 && !commas.test(list)) {
    return joinKeywords(list.split(/[\r\n]/)) || undefined
  }
  return list === text ? undefined : list || undefined
}

function betweenCommas(text: string): string[] {
  const isSplit = /[,，、،]/
  if (!isSplit.test(text)) return [text]
  // What is passed over is never looked at again, or a long list would take its square.
  const masked = text
    .replaceAll(inBrackets, keepCommas)
    .replaceAll(chemicalPlaces, (part, at: number, whole: string) => {
      return /^\)?-/.test(whole.slice(at + part.length, at + part.length + 2))
        ? keepCommas(part)
        : part
    })
    .replaceAll(digitGroups, (part, at: number, whole: string) => {
      const next = whole.slice(at + part.length, at + part.length + 3)
      return /^\s?[\p{L}%°]/u.test(next) ? keepInNumber(part) : part
    })
  return masked.split(isSplit).map((word) => word.replaceAll('\0', ','))
}

// Stored texts have no such character.
function keepCommas(part: string): string {
  return part.replaceAll(',', '\0')
}

/** Keeps the commas of the number at the end of digits: before three, and before its decimals. */
function keepInNumber(digits: string): string {
  const groups = digits.split(',')
  const lengthOf = (at: number) => groups[at]?.length ?? 0
  let first = groups.length - 1
  if (lengthOf(first) > 6) return digits
  while (first > 0 && lengthOf(first - 1) <= 3) {
    first -= 1
    if (lengthOf(first) < 3) break
  }
  return [...groups.slice(0, first), groups.slice(first).join('\0')].join(',')
}

/**
 * Keywords as a text that is parted into them again. With one keyword alone, a comma in it would
 * part it: a semicolon at its end says that it does not.
 */
export function joinKeywords(keywords: readonly string[]): string {
  const words = keywords.map((word) => word.replace(semicolons, ',').trim())
  const [only = '', ...others] = words.filter((word) => word !== '')
  if (others.length === 0) return commas.test(only) ? `${only};` : only
  return [only, ...others].join([only, ...others].some((word) => commas.test(word)) ? '; ' : ', ')
}
