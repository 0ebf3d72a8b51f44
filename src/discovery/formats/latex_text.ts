import { type Formula, type Mark, type MarkedPiece, textOfPieces } from '#actors/values/markup.ts'
import { isAscii } from '#src/discovery/formats/group_names.ts'
import { formulaText } from '#src/discovery/formats/title_marks.ts'

// What LaTeX sets by a command. Commands that end in letters are closed by braces, so that no space
// after them is lost.
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

// BibTeX counts braces that are escaped, too: where they are no pairs, they are commands.
const loneBraces: Readonly<Record<string, string>> = {
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
}

/** Text as LaTeX sets it, sign by sign: what means something to it is escaped, all others stay. */
export function latexText(value: string): string {
  return special.test(value) || ligature.test(value) ? escapeText(value, isBalanced(value)) : value
}

/** A name: readers that look for commas in one count braces that are escaped as others. */
export function latexName(value: string): string {
  return escapeText(value, false)
}

// What means something to LaTeX, or is set as another sign. Most texts have none of it.
const special = /[\\{}%&#$_~^<>|]/
const ligature = /--|''|``|[?!]`|(?:^|[\s([{-])`\S/

function escapeText(value: string, inPairs: boolean): string {
  const escaped = special.test(value) ? escapeSigns(value, inPairs) : value
  return ligature.test(escaped)
    ? escaped.replace(/-(?=-)|'(?=')|`(?=`)|(?<![^\s([{-])`(?=\S)|[?!](?=`)/g, '$&{}')
    : escaped
}

function escapeSigns(value: string, inPairs: boolean): string {
  return value.replace(/[\\{}%&#$_~^]|[<>|]+/g, (sign) => {
    // In the classic encoding of fonts, these are other signs outside of formulas; of two formulas
    // in a row, readers take the dollars between them for one that stands apart.
    if (/[<>|]/.test(sign)) return `$${sign}$`
    return escapes[sign] ?? (inPairs ? undefined : loneBraces[sign]) ?? `\\${sign}`
  })
}

/** Whether braces are pairs. */
function isBalanced(text: string): boolean {
  if (!text.includes('{') && !text.includes('}')) return true
  let depth = 0
  for (const [sign] of text.matchAll(/[{}]/g)) {
    depth += sign === '{' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

const markCommands: Readonly<Record<Mark, string>> = {
  italic: 'textit',
  bold: 'textbf',
  sub: 'textsubscript',
  sup: 'textsuperscript',
}

/**
 * A title in pieces, of which styles put words into small letters: what has to stay as it is stands
 * in braces. Formulas of TeX and those between dollars are left to LaTeX.
 */
export function latexTitle(pieces: readonly MarkedPiece[], language: string | undefined): string {
  const text = textOfPieces(pieces, formulaText)
  const state: TitleState = {
    inPairs: isBalanced(text) || isBalanced(text.replace(formula, withoutFormula)),
    isTitleCase: isInTitleCase(text, language),
    isOneWord: /^\S+[-‐–]\S+$/.test(text),
    wordsBefore: 0,
  }
  return writePieces(pieces, state)
}

function withoutFormula(found: string): string {
  return isFormula(found) ? '' : found
}

type TitleState = {
  readonly inPairs: boolean
  /** Whether a word has a capital because it is in a title. */
  readonly isTitleCase: boolean
  readonly isOneWord: boolean
  wordsBefore: number
}

function writePieces(pieces: readonly MarkedPiece[], state: TitleState): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return writeTitleText(piece, state)
      if (!('mark' in piece)) return writeFormula(piece, state)
      return `\\${markCommands[piece.mark]}{${writePieces(piece.within, state)}}`
    })
    .join('')
}

// Between two dollars, the first with no space after it, the other with none before it.
const formula = /(?<!\\)\$(?![\s$])(?:[^$\\]|\\[^$]|\\\$)+?(?<![\s\\])\$(?!\d)/g
const asciiWord = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*/g
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

function writeTitleText(text: string, state: TitleState): string {
  if (!text.includes('$')) return writeWords(text, state)
  const pieces = dollarPieces(text).map((piece) => {
    return typeof piece === 'string' ? writeWords(piece, state) : writeFormula(piece, state)
  })
  return pieces.join('')
}

/** A formula of TeX as it is, if its braces are pairs; of MathML as its signs are written. */
function writeFormula(given: Formula, state: TitleState): string {
  const written = formulaText(given)
  const isTex = given.syntax === 'tex' && isBalanced(given.source.replace(/\\[{}]/g, ''))
  return isTex ? bracedFormula(written, state) : writeWords(written, state)
}

/** The braces keep capitals of a formula from being made small. */
function bracedFormula(found: string, state: TitleState): string {
  state.wordsBefore += 1
  return `{${found.replace(/(?<!\\)[%#&]/g, '\\$&')}}`
}

/** A plain text, in which what stands between dollars is a formula if it looks like one. */
export function dollarPieces(text: string): readonly (string | Formula)[] {
  if (!text.includes('$')) return [text]
  const pieces: (string | Formula)[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(formula)) {
    if (!isFormula(found)) continue
    pieces.push(text.slice(at, index), { syntax: 'tex', source: found.slice(1, -1) })
    at = index + found.length
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== '')
}

function isFormula(text: string): boolean {
  const within = text.slice(1, -1)
  if (!isBalanced(within.replace(/\\[{}]/g, ''))) return false
  return /[\\^_{=]/.test(within) || !/\s|\p{L}{4}/u.test(within)
}

function writeWords(text: string, state: TitleState): string {
  // Behind the first word, only words with capitals are asked anything.
  if (state.wordsBefore > 0 && isSmall(text)) return escapeText(text, state.inPairs)
  const form = isAscii(text) ? asciiWord : word
  let from = 0
  let written = ''
  form.lastIndex = 0
  for (let found = form.exec(text); found !== null; found = form.exec(text)) {
    const [part] = found
    const { index } = found
    if (isKept(part, state)) {
      written += `${escapeText(text.slice(from, index), state.inPairs)}{${part}}`
      from = index + part.length
    }
    state.wordsBefore += 1
    if (state.wordsBefore === 1 && isSmall(text.slice(form.lastIndex))) break
  }
  return written + escapeText(text.slice(from), state.inPairs)
}

/** Whether a text is in small letters of ASCII. */
function isSmall(text: string): boolean {
  return !/[A-Z]|[^\x00-\x7f]/.test(text)
}

/** Whether a word, or a part of one between hyphens, would not stay as it is without braces. */
function isKept(part: string, { isOneWord, isTitleCase, wordsBefore }: TitleState): boolean {
  const isFirst = wordsBefore === 0 && !isOneWord
  // Most words are such, and are asked nothing else.
  if (!isFirst && /^[a-z]+$/.test(part)) return false
  if (/.\p{Lu}/u.test(part)) return true
  // Programs begin a title with a capital.
  if (!/\p{Lu}/u.test(part)) return isFirst && /^\p{Ll}/u.test(part)
  if (isFirst) return false
  return isTitleCase && !isOneWord ? /^\p{Lu}$/u.test(part) && part !== 'A' : true
}

// Small words by which a title is told to be in English, or in another language.
const englishWords = /(?:^|\s)(?:the|of|and|for|with|on|from|by|an|to|is|are|using|via)(?=\s|$)/i
const smallWords = [
  'der|die|das|und|von|zur?|für|eine?|im|les?|la|des|du|et|une?|el|los|las|y|il|gli',
  'della|di|het|een|van|voor|och|att|av|og|da|dos?|em|para|na|w|i|se|je',
].join('|')
const otherWords = new RegExp(`(?:^|\\s)(?:${smallWords})(?=\\s|$)`, 'i')

/** Whether most words of an English title have a capital, as its language has it of no sentence. */
function isInTitleCase(title: string, language: string | undefined): boolean {
  if (language !== undefined && language !== 'en') return false
  if (language === undefined && otherWords.test(title) && !englishWords.test(title)) return false
  if (isSmall(title.slice(1))) return false
  // The first word of a sentence has one, too.
  const long = title.replace(/^\P{L}*\p{L}+/u, '').match(/\p{L}{4,}/gu) ?? []
  const capitalized = long.filter((one) => /^\p{Lu}/u.test(one))
  return capitalized.length * 2 > long.length
}
