import {
  cleanMathml,
  escapeMarkup,
  isPlainText,
  isTextOf,
  type Mark,
  type MarkedPiece,
  marksByTag,
  readMarkup,
  texSource,
  writeMarkup,
} from '#actors/values/markup.ts'
import { type FieldNotes, shorten } from '#src/discovery/citation_files/citation_file.ts'
import { decodeEntities } from '#src/discovery/citation_files/entities.ts'
import { bracket, inSigns, lowered, mathText, raised } from '#src/discovery/formats/math_text.ts'

/** Whether a text may have several lines, such as an abstract, or is one line, such as a title. */
type TextForm = 'line' | 'paragraphs'

/** Rounds in which entities are read that were escaped again and again, at most. */
const roundsMax = 3
const textCharactersMax = 500_000

// Marks that stand for nothing else in a text of ours; other things in angle brackets are text.
const inlineTags =
  'i|b|em|strong|u|s|sub|sup|scp|sc|small|tt|code|pre|font|span|a|ovl|italic|bold|underline|' +
  'overline|strike|monospace|roman|sans-serif|styled-content|named-content|ext-link|email|uri|' +
  'xref|inline-formula|tex-math|alternatives|abbrev|mark|ins|del|cite|q|bdi|bdo|abbr|dfn|var|kbd|' +
  'samp|big'
const blockTags =
  'p|div|br|break|hr|title|sec|list|list-item|label|disp-formula|disp-quote|ul|ol|li|dl|dt|dd|' +
  'h[1-6]|blockquote|table|tr|abstract|caption|section|article|body|html'
const voidTags = 'inline-graphic|graphic|img|wbr|x'

const attributes = String.raw`(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))*\s*`
const openingForm = new RegExp(
  `<(jats:)?(${inlineTags}|${blockTags}|${voidTags})(${attributes})(/?)>`,
  'giy',
)
const closingForm = new RegExp(`</(?:jats:)?(${inlineTags}|${blockTags}|${voidTags})\\s*>`, 'giy')
// Footnotes, and the signs that lead to them, are no part of a text.
const noteStart = /(?:<|&lt;)(?:jats:)?fn(?:\s[^<>&]*)?(?:>|&gt;)/gi
const noteEnd = /(?:<|&lt;)\/(?:jats:)?fn\s*(?:>|&gt;)/gi
const noteTypes = 'fn|table-fn|author-notes|corresp|aff'
const noteSign = new RegExp(
  String.raw`<(?:jats:)?xref\s[^<>]*\bref-type\s*=\s*["'](?:${noteTypes})["'][^<>]*>`,
  'gi',
)
const noteSignEnd = /<\/(?:jats:)?xref\s*>/gi
const mathStart = /<(?:mml:)?math\b[^<>]*>/gi
const mathEnd = /<\/(?:mml:)?math\s*>/gi
const isBlock = new RegExp(`^(?:${blockTags})$`)

const blockForm = new RegExp(`(?:<|&lt;)(?:jats:)?(?:${blockTags})(?:\\s[^<>]*)?/?(?:>|&gt;)`, 'i')
// Of the forms of one formula, the one in MathML is read.
const choiceStart = /<(?:jats:)?alternatives>/gi
const choiceEnd = /<\/(?:jats:)?alternatives>/gi

// Where a paragraph ends, until the spaces are put in order.
const paragraphEnd = '\u2029'

// All that \s matches but a space: one class of signs is looked through much faster than a choice.
const spacing = /[\t-\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/

/** Whether a text has space in it that is more than a single space between words. */
export function hasSpacing(text: string): boolean {
  return text.includes('  ') || spacing.test(text)
}

/** A text with one space in place of each run of white space, and none around it. */
export function onOneLine(text: string): string {
  return hasSpacing(text) ? text.replace(spaceRun, ' ').trim() : text.trim()
}

/**
 * A text with the marks of JATS, HTML and MathML in it as text alone: raised and lowered signs as
 * Unicode has them, entities as what they stand for however often they were escaped, paragraphs on
 * lines of their own. Anything else in angle brackets stays as it is.
 */
export function plainText(source: string, form: TextForm = 'line'): string {
  const isPlain = !source.includes('<') && !source.includes('&') && !hasSpacing(source)
  if (isPlain || source.length > textCharactersMax) {
    return source.trim()
  }
  return readMarks(source, form, undefined)
}

/** A text as `plainText` reads it, and a markup of it where it has marks or formulas. */
export type MarkedText = { readonly text: string; readonly markup?: string }

/** Reads a text with the marks that it has. */
export function markedText(source: string, form: TextForm = 'line'): MarkedText {
  const text = plainText(source, form)
  if (!markStart.test(source) || source.length > textCharactersMax) return { text }
  const kept: string[] = []
  const read = readMarks(source.replace(keptForm, ''), form, kept)
  return { text, ...withMarkup(text, withKept(read, kept)) }
}

/** The markup of a text, if it says more than that and nothing else. */
export function withMarkup(text: string, source: string): { readonly markup?: string } {
  const pieces = readMarkup(source)
  if ('wrong' in pieces || isPlainText(pieces) || !isTextOf(text, pieces)) return {}
  return { markup: writeMarkup(pieces) }
}

const markStart = /(?:<|&lt;)(?:jats:|mml:)?(?:i|em|italic|b|strong|bold|su[bp]|math|tex-math)\b/i

// What stands for a mark or a formula until all else is read: the place of its text in a list,
// between two signs that no text of ours has.
const keptForm = /[\ufdd0\ufdd1]/g
const keptText = /\ufdd0(\d+)\ufdd1/g

/** A sign for something that is put back by `withKept`. */
export function keepAside(markup: string, kept: string[]): string {
  kept.push(markup)
  return `\ufdd0${kept.length - 1}\ufdd1`
}

/** A text as markup, with what was kept aside in its places. */
export function withKept(text: string, kept: readonly string[]): string {
  return escapeMarkup(text).replace(keptText, (_sign, place: string) => kept[Number(place)] ?? '')
}

function readMarks(source: string, form: TextForm, kept: string[] | undefined): string {
  let text = source.replace(/\r\n?/g, '\n')
  text = replaceSpans(text, /<!\[CDATA\[/g, /\]\]>/g, (content) => content)
  text = replaceSpans(text, /<!--/g, /-->/g, () => '')
  // Where the marks say what a paragraph is, line breaks say nothing; else they say it.
  const hasLines = form === 'paragraphs' && !blockForm.test(text)
  if (!hasLines && hasSpacing(text)) text = text.replace(spaceRun, ' ')
  for (let round = 0; round < roundsMax; round += 1) {
    const read = decodeEntities(withoutTags(text, round > 0, kept))
    if (read === text) break
    text = read
  }
  return tidySpaces(text, form)
}

/** Tells that the footnotes of a text are left out. */
export function noteFootnotes(source: string, at: FieldNotes): void {
  if (!source.includes('fn')) return
  replaceSpans(source, noteStart, noteEnd, (note) => {
    at.add('left_out', `${at.field}: the footnote “${shorten(plainText(note))}” is left out.`)
    return ''
  })
}

/**
 * Tells that footnotes of a text are left out, and that its signs were escaped again, as
 * `&amp;lt;`, and are read nonetheless.
 */
export function noteMarks(source: string, at: FieldNotes): void {
  noteFootnotes(source, at)
  const [again] = /&amp;(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});/i.exec(source) ?? []
  if (again === undefined) return
  at.add('taken_as', `${at.field} has ${again}, which was escaped twice: it is read as a sign.`)
}

/** Replaces what stands between two marks; a mark without its end stays. */
function replaceSpans(
  text: string,
  start: RegExp,
  end: RegExp,
  write: (content: string) => string,
): string {
  const pieces: string[] = []
  let at = 0
  for (const opening of text.matchAll(start)) {
    if (opening.index < at) continue
    end.lastIndex = opening.index + opening[0].length
    const closing = end.exec(text)
    if (closing === null) break
    const content = text.slice(opening.index + opening[0].length, closing.index)
    pieces.push(text.slice(at, opening.index), write(content))
    at = closing.index + closing[0].length
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

// A single space stays as it is: to put it in its own place would cost more than all others.
const spaceRun = /\s{2,}|[^\S ]/g

function tidySpaces(text: string, form: TextForm): string {
  if (form === 'line') return onOneLine(text)
  const paragraphs = text.split(paragraphEnd).map((each) => tidyLines(each.trim()))
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n')
}

function tidyLines(paragraph: string): string {
  if (!hasSpacing(paragraph)) return paragraph
  return paragraph
    .replace(/[^\S\n]{2,}|[^\S \n]/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
}

function chooseMath(forms: string): string {
  const [math] = /<(?:mml:)?math\b[\s\S]*/i.exec(forms) ?? []
  return math?.replace(/(<\/(?:mml:)?math\s*>)[\s\S]*$/i, '$1') ?? forms
}

type OpenTag = { readonly name: string; readonly at: number }

/**
 * Reads the marks of a text. Those that were escaped as text is are marks only in pairs, so that
 * `a &lt;b&gt; c` keeps its signs.
 */
function withoutTags(source: string, isEscaped: boolean, kept: string[] | undefined): string {
  if (!source.includes('<')) return source
  const unnoted = source.includes('fn')
    ? replaceSpans(source, noteStart, noteEnd, () => '')
    : source
  const unsigned = unnoted.includes('ref-type')
    ? replaceSpans(unnoted, noteSign, noteSignEnd, () => '')
    : unnoted
  const chosen = replaceSpans(unsigned, choiceStart, choiceEnd, chooseMath)
  const text = replaceSpans(chosen, mathStart, mathEnd, (content) => {
    const said = mathText(content)
    const formula = kept && cleanMathml(`<math>${content}</math>`)
    return formula === undefined || kept === undefined ? said : keepAside(formula, kept)
  })
  const pieces: string[] = []
  const open: OpenTag[] = []
  const hasEnd = new Set(
    [...text.matchAll(/<\/(?:jats:)?([\w-]+)\s*>/gi)].map(([, name = '']) => name.toLowerCase()),
  )
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    if (next < 0) break
    pieces.push(text.slice(at, next))
    at = next + readTag(text, next, { pieces, open, hasEnd, isEscaped, kept })
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

type TagContext = {
  readonly pieces: string[]
  readonly open: OpenTag[]
  readonly hasEnd: ReadonlySet<string>
  readonly isEscaped: boolean
  /** The marks and formulas that are kept; undefined where a text alone is read. */
  readonly kept: string[] | undefined
}

/** Reads what begins with `<`; gives how many characters it has. */
function readTag(text: string, at: number, context: TagContext): number {
  const { pieces, open, hasEnd, isEscaped, kept } = context
  closingForm.lastIndex = at
  const closing = closingForm.exec(text)
  if (closing !== null) {
    const name = (closing[1] ?? '').toLowerCase()
    const from = open.findLastIndex((each) => each.name === name)
    if (from < 0 && isEscaped) return keep(pieces)
    trimBefore(pieces, text.charAt(at + closing[0].length))
    if (from >= 0) closeTag(name, open.splice(from)[0]?.at ?? 0, pieces, kept)
    return closing[0].length
  }
  openingForm.lastIndex = at
  const opening = openingForm.exec(text)
  if (opening === null) return keep(pieces)
  const [whole, prefix, given = '', , slash] = opening
  const name = given.toLowerCase()
  if (isBlock.test(name)) pieces.push(paragraphEnd)
  const isAlone = slash === '/' || /^(?:br|break|hr|img|wbr|x|graphic|inline-graphic)$/.test(name)
  if (isAlone) return whole.length
  // A mark that nothing ends is none.
  if (!hasEnd.has(name) && prefix === undefined && !isBlock.test(name)) {
    return !isEscaped && beginsFace(text, at, whole) ? whole.length : keep(pieces)
  }
  open.push({ name, at: pieces.length })
  return whole.length
}

/** Whether a mark that nothing ends was cut off from its end: `<i>Homo sapiens`, `CO<sub>2`. */
function beginsFace(text: string, at: number, whole: string): boolean {
  const isBefore = /[\p{L}\d]/u.test(text.charAt(at + whole.length))
  const isFace = /^<(?:i|b|em|strong|scp)>$/.test(whole) && !/\S/.test(text.charAt(at - 1))
  return isBefore && (isFace || /^<su[bp]>$/.test(whole))
}

function keep(pieces: string[]): number {
  pieces.push('<')
  return 1
}

function closeTag(name: string, from: number, pieces: string[], kept: string[] | undefined): void {
  const mark = marksByTag[name]
  if (kept !== undefined && (mark !== undefined || name === 'tex-math')) {
    const content = pieces.splice(from).join('')
    pieces.push(mark === undefined ? keptTex(content, kept) : keptMark(mark, content, kept))
    return
  }
  if (isBlock.test(name)) {
    const content = pieces.slice(from).join('')
    // The heading of an abstract says nothing.
    if (name === 'title' && /^\W*(?:abstract|summary)\W*$/i.test(content)) pieces.length = from
    pieces.push(paragraphEnd)
    return
  }
  if (name !== 'sub' && name !== 'sup') return
  const content = decodeEntities(pieces.splice(from).join(''))
  const before = pieces.findLast((piece) => piece !== '')?.slice(-1) ?? ''
  pieces.push(name === 'sup' ? superscript(content, before) : subscript(content))
}

function keptTex(content: string, kept: string[]): string {
  const source = texSource(content)
  if (source === '' || source.includes('\ufdd0')) return content
  return keepAside(writeMarkup([{ syntax: 'tex', source }]), kept)
}

/** Marked text, whose ends alone are kept aside: what is within is read as all else is. */
export function keptMark(mark: Mark, content: string, kept: string[]): string {
  const [start = '', end = ''] = writeMarkup([
    { mark, within: ['\n'] } satisfies MarkedPiece,
  ]).split('\n')
  if (content.trim() === '') return content
  return keepAside(start, kept) + content + keepAside(end, kept)
}

// Marks that were set on lines of their own have a space before the comma that follows them.
function trimBefore(pieces: string[], next: string): void {
  const last = pieces.at(-1)
  if (last?.endsWith(' ') && /[.,;:)\]]/.test(next)) pieces.splice(-1, 1, last.trimEnd())
}

/**
 * A raised text in Unicode's signs. As it stands if one of them is missing, but for an exponent,
 * which would become another number; and where it ends an ordinal number, as in `1st`.
 */
function superscript(text: string, before = ''): string {
  if (/^\p{L}{2,}$/u.test(text) && /\d/.test(before)) return text
  const written = inSigns(text.trim(), raised)
  if (written !== undefined) return written
  return /\d/.test(before) && /^[+−–-]?\d/.test(text) ? `^${bracket(text)}` : text
}

/** A lowered text in Unicode's signs, as LaTeX is read; as it stands if one of them is missing. */
function subscript(text: string): string {
  return inSigns(text.trim(), lowered) ?? text
}
