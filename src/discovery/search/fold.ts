const ascii = /^[\x00-\x7f]*$/

// Marks of letters that are written without them too. Those of kana and of Indic scripts stay:
// there they make another letter.
const marks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670\u0640]+/g

// Letters that no decomposition makes plain.
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
}
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')

const beyondAscii = /[^\x00-\x7f]+/g

// Marks within words, such as `CO<sub>2</sub>`: HTML's, those of JATS, and of MathML.
const inlineMark =
  /<\/?(?:jats:)?(?:i|b|em|strong|u|sub|sup|sc|italic|bold|(?:mml:)?m[a-z]{1,11})(?: [^<>]*)?\/?>/gi

/**
 * A text without what differs between two spellings of it: case, diacritics, forms of width, and
 * marks. The same is done to what is indexed and to what is looked for.
 */
export function foldText(given: string): string {
  const text = given.includes('</') ? given.replace(inlineMark, '') : given
  // oxlint-disable-next-line no-control-regex -- all of ASCII is plain
  if (ascii.test(text)) return text.toLowerCase()
  // Most texts have few other letters, and what is done to them takes long. No mark that is kept
  // makes another letter of one of ASCII.
  return text.replace(beyondAscii, foldLetters).toLowerCase()
}

// Letters of Latin, Greek and Cyrillic that stand alone between those of ASCII, as nearly all do,
// and what became of them.
const foldedLetters = new Map<string, string>()
const commonLetter = /^[\x80-\u052f]$/

function foldLetters(text: string): string {
  if (!commonLetter.test(text)) return foldAll(text)
  let folded = foldedLetters.get(text)
  if (folded === undefined) foldedLetters.set(text, (folded = foldAll(text)))
  return folded
}

function foldAll(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(marks, '')
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')
}

// Scripts that part no words: their words are found by the pairs of their characters.
const unparted =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\u30fc]'
const unpartedRuns = new RegExp(`${unparted}+`, 'gu')
const unpartedPieces = new RegExp(`(${unparted}+)`, 'u')
const hasUnparted = new RegExp(unparted, 'u')
const allUnparted = new RegExp(`^(?:${unparted}|\\s)+$`, 'u')

// Where they begin; most texts have no such character, which is seen at once.
const hasDistant = /[\u02ea\u02eb\u0e00-\uffff]/

/** Whether a text has characters of a script that parts no words. */
export function hasUnpartedWords(text: string): boolean {
  return hasDistant.test(text) && hasUnparted.test(text)
}

/**
 * A text as it is indexed: folded, and scripts that part no words as the pairs of neighbouring
 * characters: `量子力学` is `量子 子力 力学 学`. The last character stands alone, so that each
 * character begins a word.
 */
export function indexedText(text: string): string {
  const folded = foldText(text)
  if (!hasUnpartedWords(folded)) return folded
  return folded.replace(unpartedRuns, (run) => ` ${[...pairsOf(run), lastOf(run)].join(' ')} `)
}

/**
 * What a word or phrase is looked for by: each piece must be found, the words of one piece next to
 * one another. A piece of several characters of such a script is its pairs.
 */
export function lookedForPieces(text: string): string[] {
  const pieces = foldText(text).split(unpartedPieces)
  return pieces
    .filter((piece) => character.test(piece))
    .map((piece) => {
      if (!hasUnparted.test(piece)) return piece
      const pairs = pairsOf(piece)
      return pairs.length === 0 ? piece : pairs.join(' ')
    })
}

/** Whether a text has nothing but characters of scripts that part no words, and spaces. */
export function isAllUnparted(text: string): boolean {
  return hasDistant.test(text) && allUnparted.test(text)
}

/** Whether a text consists of a script that parts no words. */
export function isUnparted(text: string): boolean {
  return hasUnparted.test(text)
}

/** The words of a text, as it is indexed. */
export function indexedWords(text: string): string[] {
  return indexedText(text).match(wordForm) ?? []
}

/** The words by which each word of a text is looked for. */
export function lookedForWords(text: string): string[] {
  return lookedForPieces(text).flatMap((piece) => piece.match(wordForm) ?? [])
}

/** Words of a folded text. */
export const wordForm = /[\p{L}\p{N}\p{M}\p{Co}]+/gu
const character = /[\p{L}\p{N}\p{Co}]/u

/** The characters of a text, each whole. */
export function charactersOf(text: string): string[] {
  return Array.from(text)
}

/** Whether there is anything in a text that can be looked for: `ـ` or `ﾞ` alone is nothing. */
export function hasCharacters(text: string): boolean {
  return character.test(foldText(text))
}

function pairsOf(run: string): string[] {
  const characters = charactersOf(run)
  return characters.slice(1).map((next, index) => (characters[index] ?? '') + next)
}

function lastOf(run: string): string {
  return charactersOf(run).at(-1) ?? ''
}
