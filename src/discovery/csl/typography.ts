// How the parts of a reference are put together: marks that meet, quotation marks, capitals.

/** Signs that stand for quotation marks until it is known how deep they are. */
export const openQuote = '\uE000'
export const closeQuote = '\uE001'
/** Signs for marks of the pair that stands within quotations, which titles have by themselves. */
const openWithin = '\uE002'
const closeWithin = '\uE003'
/** A sign before a word whose letters no title case changes. */
export const keptWord = '\uE004'

/** What remains of two marks that meet, where it is not both. */
const metMarks: Readonly<Record<string, string>> = {
  '..': '.',
  ',,': ',',
  ';;': ';',
  '::': ':',
  '!!': '!',
  '??': '?',
  '!.': '!',
  '!:': '!',
  '?.': '?',
  '?:': '?',
  ':.': ':',
  ':!': '!',
  ':?': '?',
  ';.': ';',
  ';:': ';',
  ';!': '!',
  ';?': '?',
  ',:': ',',
  '….': '…',
}

/** Puts a part after another one, as `isInQuote` says with periods and commas before a quote. */
export function append(left: string, right: string, isInQuote: boolean): string {
  if (left === '' || right === '') return left + right
  const first = right.charCodeAt(0)
  // Letters and digits stand behind whatever there is.
  if (first > lastMark) return left + right
  if (first === space) return isEnding(left, space) ? left + right.slice(1) : left + right
  const mark = right.charAt(0)
  if (!punctuation.includes(mark)) return left + right
  if (left.charCodeAt(left.length - 1) < firstSign) return meet(left, mark) + right.slice(1)
  const end = left.search(/[\uE001\uE003]+$/)
  if (end < 0) return meet(left, mark) + right.slice(1)
  const [inner, quotes] = [left.slice(0, end), left.slice(end)]
  const isMoved = isInQuote && (mark === '.' || mark === ',')
  if (isMoved) return meet(inner, mark) + quotes + right.slice(1)
  return (mark === '.' || mark === ':') && /[.!?]$/.test(inner)
    ? left + right.slice(1)
    : left + right
}

const space = 0x20
const punctuation = '.,:;!?'
const lastMark = 0x3f
const firstSign = 0xe000

function isEnding(text: string, code: number): boolean {
  return text.charCodeAt(text.length - 1) === code
}

function meet(left: string, mark: string): string {
  const last = left.charAt(left.length - 1)
  if (last !== '…' && !punctuation.includes(last)) return left + mark
  const met = metMarks[last + mark]
  return met === undefined ? left + mark : left.slice(0, -1) + met
}

/** The quotation marks of a language: the outer pair, and the pair within. */
export type Quotes = readonly [open: string, close: string, openInner: string, closeInner: string]

/** Reads the texts of fields for references in one language. */
export type FieldReader = (value: string) => string

/**
 * How fields are read: straight quotation marks, and those of the language, become signs for them;
 * those of other languages stay.
 */
export function fieldReader([open, close, openInner, closeInner]: Quotes): FieldReader {
  const outer = [pairForm(open, close), pairForm('"', '"'), pairForm("'", "'")]
  const within = pairForm(openInner, closeInner)
  return (value) => {
    if (!/["'‘’“”„«»‹›]/.test(value)) return value
    const quoted = outer.reduce(
      (shown, form) => shown.replace(form, `${openQuote}$1${closeQuote}`),
      value.replace(within, `${openWithin}$1${closeWithin}`),
    )
    return quoted.replaceAll("'", '’')
  }
}

/** What stands between two marks; a single one may be an apostrophe as well. */
function pairForm(open: string, close: string): RegExp {
  const marks = `${open.trim()}${close.trim()}`
  const plain = `[^${marks}]*`
  if (close !== '’' && close !== "'") return new RegExp(`${open}(${plain})${close}`, 'g')
  const inner = `${plain}(?:${close}(?=\\p{L})${plain})*`
  return new RegExp(`(?<![\\p{L}\\p{N}])${open}(${inner})${close}(?![\\p{L}\\p{N}])`, 'gu')
}

/** A reference as it is read: with quotation marks, and no space too many. */
export function printed(text: string, quotes: Quotes): string {
  const quoted = /[\uE000-\uE004]/.test(text) ? withQuotes(text, quotes) : text
  return (quoted.includes('  ') ? quoted.replace(/ {2,}/g, ' ') : quoted).trim()
}

function withQuotes(text: string, [open, close, openInner, closeInner]: Quotes): string {
  let depth = 0
  return text.replace(/[\uE000-\uE004]/g, (sign) => {
    if (sign === keptWord) return ''
    if (sign === openWithin) return openInner
    if (sign === closeWithin) return closeInner
    if (sign === openQuote) {
      depth += 1
      return depth % 2 === 1 ? open : openInner
    }
    depth -= 1
    return depth % 2 === 0 ? close : closeInner
  })
}

export type TextCase = (text: string, isEnglish: boolean) => string

/** The cases that a style can ask for, by their names in CSL. */
export const textCases: Readonly<Record<string, TextCase>> = {
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  'capitalize-first': capitalizeFirst,
  'capitalize-all': (text) => text.replace(/(?<![\p{L}\p{M}’'])\p{Ll}/gu, upper),
  // What is in capitals alone keeps the first of them.
  sentence: (text) => capitalizeFirst(/\p{Ll}/u.test(text) ? text : text.toLowerCase()),
  title: (text, isEnglish) => (isEnglish ? titleCase(text) : text),
}

function upper(letter: string): string {
  return letter.toLocaleUpperCase('en')
}

function capitalizeFirst(text: string): string {
  // Most texts begin with a sign of English, of which letters are told sooner.
  const [first, second] = [text.charCodeAt(0), text.charCodeAt(1)]
  if ((first >= 0x41 && first <= 0x5a) || (first >= 0x30 && first <= 0x39)) return text
  if (first >= 0x61 && first <= 0x7a && !(second > 0x7f)) {
    const isOwn = second >= 0x41 && second <= 0x5a
    return isOwn ? text : String.fromCharCode(first - 0x20) + text.slice(1)
  }
  return text.replace(
    /^([^\p{L}\p{N}]*)(\p{Ll})(?!\p{Lu})/u,
    (_all, before: string, letter: string) => before + upper(letter),
  )
}

// Words that title case leaves small: articles, conjunctions, short prepositions.
const smallWords = new Set(
  (
    'a across afore after against along alongside amid amidst among amongst an and ' +
    'anenst apropos around as aside astride at athwart atop barring before behind below ' +
    'beneath beside besides between beyond but by c ca circa d de despite down during et ' +
    'except for forenenst from given in inside into lest like modulo near next nor ' +
    'notwithstanding of off on onto or out over per plus pro qua sans since so than the ' +
    'through throughout till to toward towards under until up upon v van versus via von ' +
    'vs with within without yet'
  ).split(' '),
)

/**
 * A title of English with capitals: on the first word, on one after a colon, and on all but small
 * words. Capitals that are there stay.
 */
function titleCase(title: string): string {
  const words = title.split(isAscii(title) ? asciiWordEnd : wordEnd)
  // What parts words stands between them.
  return words.map((word, at) => (at % 2 === 1 ? word : titleWord(word, words, at))).join('')
}

const wordEnd = /(\s+|(?<=\p{L})[-–—/](?=\p{L}))/u
const asciiWordEnd = /( +|(?<=[A-Za-z])[-/](?=[A-Za-z]))/

function isAscii(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text)
}

function titleWord(word: string, words: readonly string[], index: number): string {
  // What has a capital is told sooner where it is in letters of English.
  if (/^[A-Z][A-Za-z]*$/.test(word)) return word
  const isPlain = /^[a-z]+$/.test(word)
  if (!isPlain && (!/\p{Ll}/u.test(word) || /\p{Lu}/u.test(word) || hasOwnCase(word))) return word
  const before = words[index - 2] ?? ''
  if (before.endsWith('.') && isOfSpecies(word, before)) return word
  const isFirst = index === 0 || /[:?!][\uE001\uE003”’"']?$/.test(before)
  if (isPlain) {
    const isKept = !isFirst && word.length === 1 && word !== 'a'
    const isLow = !isFirst && index < words.length - 1 && smallWords.has(word)
    return isKept || isLow ? word : word.charAt(0).toUpperCase() + word.slice(1)
  }
  const plain = word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  if (!isFirst && index < words.length - 1 && smallWords.has(plain)) return word
  // Neither `p` of a formula nor `d’Arc`, nor the ending of `3rd`.
  const isSmall =
    !isFirst && /^\P{L}*\p{L}(?:$|[’']\p{L}{2})/u.test(word) && !/^\P{L}*a$/u.test(word)
  return isSmall ? word : word.replace(/(?<![\p{L}\p{N}])\p{L}/u, upper)
}

// `p53`, a formula, an address, `α:`: in other letters they are something else.
const ownCase = /\p{Ll}\d|[\uE004$\\{}^_@]|:\/\/|\p{Ll}\.\p{Ll}{2}/u
const loneLetter = /^\P{L}*(?!\p{Script=Latin})\p{L}\P{L}*$/u

function hasOwnCase(word: string): boolean {
  return ownCase.test(word) || loneLetter.test(word)
}

/** `coli` behind `E.`. */
function isOfSpecies(word: string, before: string): boolean {
  return /^\P{L}*\p{Lu}\.$/u.test(before) && /^\p{Ll}{3}/u.test(word) && !smallWords.has(word)
}
