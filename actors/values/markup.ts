import { Type } from 'typebox'

import type { FaultList } from '#actors/values/fault_list.ts'
import { type FieldKind, mutable } from '#actors/values/field_table.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { normalForm, readText } from '#actors/values/text.ts'

/** How a piece of a text is set apart. */
export type Mark = 'italic' | 'bold' | 'sub' | 'sup'

/** A formula as its author wrote it: TeX without dollars, or an element `math` of MathML. */
export type Formula = { readonly syntax: 'tex' | 'mathml'; readonly source: string }

/** A piece of a text: plain, set apart with further pieces within, or a formula. */
export type MarkedPiece =
  | string
  | { readonly mark: Mark; readonly within: readonly MarkedPiece[] }
  | Formula

/** What is wrong with a markup, in words that follow its name. */
export type MarkupFault = { readonly wrong: string }

const depthMax = 60
const formulasMax = 500

const tagNames: Readonly<Record<Mark, string>> = {
  italic: 'i',
  bold: 'b',
  sub: 'sub',
  sup: 'sup',
}

/** The names of marks in HTML, JATS and Crossref's face markup. */
export const marksByTag: Readonly<Record<string, Mark>> = closedTable({
  i: 'italic',
  em: 'italic',
  italic: 'italic',
  b: 'bold',
  strong: 'bold',
  bold: 'bold',
  sub: 'sub',
  sup: 'sup',
})

const tagForm =
  /<(\/?)(?:jats:|mml:|m:)?([A-Za-z][\w-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const attributeForm = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

// The marks of CSL and of HTML.
const titleTag = /(<\/?(?:i|em|b|strong|sub|sup)>)/i

/**
 * The pieces of a title that has no markup, but balanced tags as CSL has them: `H<sub>2</sub>O`.
 * Where one of these is not closed, in its order, all are text. Titles of many registries came here
 * so, and whoever reads CSL-JSON takes them for marks, too: there is no other way to write them.
 */
export function piecesInTitle(title: string): readonly MarkedPiece[] {
  if (!title.includes('</')) return [title]
  const open: { name: string; within: MarkedPiece[] }[] = [{ name: '', within: [] }]
  for (const [index, part] of title.split(titleTag).entries()) {
    const name = index % 2 === 0 ? '' : part.replaceAll(/[</>]/g, '').toLowerCase()
    if (index % 2 === 0) {
      if (part !== '') open.at(-1)?.within.push(part)
    } else if (!part.startsWith('</')) open.push({ name, within: [] })
    else {
      const last = open.pop()
      const mark = marksByTag[name]
      if (last?.name !== name || mark === undefined) return [title]
      open.at(-1)?.within.push({ mark, within: last.within })
    }
  }
  return open.length === 1 ? (open[0]?.within ?? []) : [title]
}

/**
 * The pieces of a markup: text in which `i`, `b`, `sub`, `sup` are marks, `math` and `tex-math` are
 * formulas, and `&lt;` and `&amp;` stand for their signs. Of MathML stays what shows something.
 */
export function readMarkup(source: string): readonly MarkedPiece[] | MarkupFault {
  const reader = new MarkupReader(source)
  return reader.read()
}

type Level = { readonly tag: string; readonly mark: Mark | undefined; within: MarkedPiece[] }

class MarkupReader {
  readonly #source: string
  readonly #levels: Level[] = [{ tag: '', mark: undefined, within: [] }]
  #formulas = 0

  constructor(source: string) {
    this.#source = source
  }

  read(): readonly MarkedPiece[] | MarkupFault {
    let at = 0
    while (at < this.#source.length) {
      const next = this.#source.indexOf('<', at)
      const until = next < 0 ? this.#source.length : next
      this.#push(decodeMarkup(this.#source.slice(at, until)))
      if (next < 0) break
      const read = this.#readTag(next)
      if (typeof read !== 'number') return read
      at = read
    }
    const open = this.#levels.at(-1)?.tag ?? ''
    if (open !== '') return { wrong: `has no end of <${open}>` }
    return this.#levels[0]?.within ?? []
  }

  #push(piece: MarkedPiece): void {
    const within = this.#levels.at(-1)?.within
    if (within === undefined || piece === '') return
    const last = within.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') within.splice(-1, 1, last + piece)
    else within.push(piece)
  }

  #readTag(at: number): number | MarkupFault {
    tagForm.lastIndex = at
    const found = tagForm.exec(this.#source)
    if (found === null) {
      // Nothing that is written so is a tag: `p < 0.05`.
      if (!/^<[/!?A-Za-z]/.test(this.#source.slice(at, at + 2))) {
        this.#push('<')
        return at + 1
      }
      return { wrong: `has a “<” that begins no mark ${placeOf(this.#source, at)}; write &lt;` }
    }
    const [whole, slash = '', name = '', , isEmpty] = found
    const tag = name.toLowerCase()
    const end = at + whole.length
    if (slash !== '') return this.#close(tag, end)
    if (tag === 'math' || tag === 'tex-math')
      return this.#readFormula(tag, at, end, isEmpty === '/')
    const mark = marksByTag[tag]
    if (mark === undefined) {
      const marks = 'i, b, sub, sup, math and tex-math'
      const wrong = `has <${name}> ${placeOf(this.#source, at)}, and its marks are ${marks}`
      return { wrong: `${wrong}; write &lt; for the sign` }
    }
    if (isEmpty === '/') return end
    if (this.#levels.length > depthMax)
      return { wrong: `has more than ${depthMax} marks within one another` }
    this.#levels.push({ tag, mark, within: [] })
    return end
  }

  #close(tag: string, end: number): number | MarkupFault {
    const level = this.#levels.at(-1)
    if (level?.mark === undefined || level.tag !== tag) {
      return { wrong: `has </${tag}> ${placeOf(this.#source, end)} where it does not end <${tag}>` }
    }
    this.#levels.pop()
    if (level.within.length > 0) this.#push({ mark: level.mark, within: level.within })
    return end
  }

  #readFormula(tag: string, at: number, from: number, isEmpty: boolean): number | MarkupFault {
    this.#formulas += 1
    if (this.#formulas > formulasMax) return { wrong: `has more than ${formulasMax} formulas` }
    if (isEmpty) return from
    const ending = new RegExp(`</(?:jats:|mml:|m:)?${tag}\\s*>`, 'gi')
    ending.lastIndex = from
    const closing = ending.exec(this.#source)
    if (closing === null) return { wrong: `has no end of <${tag}> ${placeOf(this.#source, at)}` }
    const end = closing.index + closing[0].length
    if (tag === 'tex-math') {
      const source = texSource(this.#source.slice(from, closing.index))
      if (source !== '') this.#push({ syntax: 'tex', source })
      return end
    }
    const source = cleanMathml(this.#source.slice(at, end))
    if (source !== undefined) this.#push({ syntax: 'mathml', source })
    return end
  }
}

/** TeX without what encloses formulas, and without the document that some journals wrap it in. */
export function texSource(content: string): string {
  const inner = content.replace(/^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/, '$1')
  const raw = inner === content ? decodeMarkup(content) : inner
  const body = /\\begin\{document\}([\s\S]*?)\\end\{document\}/.exec(raw)?.[1] ?? raw
  const [, bare] = /^(?:\$\$?|\\\(|\\\[)([\s\S]*?)(?:\$\$?|\\\)|\\\])$/.exec(body.trim()) ?? []
  return (bare ?? body).replace(/\s+/g, ' ').trim()
}

function placeOf(source: string, at: number): string {
  return `at character ${Array.from(source.slice(0, at)).length + 1}`
}

const entityForm = /&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const entitySigns: Readonly<Record<string, string>> = closedTable({
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
})

/** A text with signs in place of those entities that a markup needs. */
export function decodeMarkup(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entityForm, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return entitySigns[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const isCharacter = code >= 32 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}

/** Text as it stands between tags. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

// The elements of MathML Core (W3C) that show something, and `mfenced` of MathML 3.
const mathmlElements: ReadonlySet<string> = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub ' +
    'msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mfenced ' +
    'semantics'
  ).split(' '),
)

// Their attributes that say how something is set, and lead nowhere.
const mathmlAttributes: ReadonlySet<string> = new Set(
  (
    'display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric ' +
    'largeop ' +
    'movablelimits accent accentunder linethickness lspace rspace minsize maxsize width height ' +
    'depth voffset columnspan rowspan columnalign rowspacing columnspacing open close ' +
    'separators dir'
  ).split(' '),
)

/**
 * An element `math` with the elements and attributes of MathML Core that show something, and
 * nothing else; undefined if nothing is left of it. What is not closed is closed at the end.
 */
export function cleanMathml(source: string): string | undefined {
  const open: string[] = []
  const pieces: string[] = []
  let silent = 0
  let at = 0
  for (let next = source.indexOf('<'); next >= 0; next = source.indexOf('<', at)) {
    if (silent === 0 && open.length > 0)
      pieces.push(escapeMarkup(decodeMarkup(source.slice(at, next))))
    tagForm.lastIndex = next
    const found = tagForm.exec(source)
    if (found === null) {
      const skipped = /^<!--[\s\S]*?-->/.exec(source.slice(next))?.[0].length
      if (skipped === undefined && silent === 0 && open.length > 0) pieces.push('&lt;')
      at = next + (skipped ?? 1)
      continue
    }
    const [whole, slash = '', name = '', attributes = '', isEmpty] = found
    at = next + whole.length
    if (!mathmlElements.has(name)) {
      // What stands in an annotation, or in an element that MathML does not have, is no formula.
      if (isEmpty !== '/') silent = Math.max(0, silent + (slash === '' ? 1 : -1))
      continue
    }
    if (silent > 0) continue
    if (slash !== '') {
      const level = open.lastIndexOf(name)
      if (level >= 0)
        pieces.push(
          ...open
            .splice(level)
            .toReversed()
            .map((each) => `</${each}>`),
        )
    } else if (open.length < depthMax && (name !== 'math' || open.length === 0)) {
      pieces.push(`<${name}${cleanAttributes(attributes)}>`)
      if (isEmpty === '/') pieces.push(`</${name}>`)
      else open.push(name)
    }
    if (open.length === 0 && slash !== '') break
  }
  pieces.push(...open.toReversed().map((each) => `</${each}>`))
  const text = pieces.join('').replace(/\s+/g, ' ').replace(/> </g, '><')
  return /^<math[ >]/.test(text) && /[^\s<>]/.test(text.replace(/<[^>]*>/g, '')) ? text : undefined
}

function cleanAttributes(source: string): string {
  let written = ''
  for (const [, name = '', double, single] of source.matchAll(attributeForm)) {
    const value = decodeMarkup(double ?? single ?? '')
    if (!mathmlAttributes.has(name) || !/^[\w#.%+-]{1,40}$/.test(value)) continue
    written += ` ${name}="${value}"`
  }
  return written
}

/** A markup in its stored form, which is read as the same pieces. */
export function writeMarkup(pieces: readonly MarkedPiece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return escapeMarkup(piece)
      if ('mark' in piece) {
        const tag = tagNames[piece.mark]
        return `<${tag}>${writeMarkup(piece.within)}</${tag}>`
      }
      return piece.syntax === 'tex'
        ? `<tex-math>${escapeMarkup(piece.source)}</tex-math>`
        : piece.source
    })
    .join('')
}

/** The text of pieces, where each formula is as `write` gives it. */
export function textOfPieces(
  pieces: readonly MarkedPiece[],
  write: (formula: Formula) => string,
): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return 'mark' in piece ? textOfPieces(piece.within, write) : write(piece)
    })
    .join('')
}

// Between the texts of a markup, where a formula is: no text of ours has this character.
const gap = '\ufdd0'

/**
 * Whether a text is that of the pieces: letter by letter, whether raised and lowered signs are
 * those of Unicode or not; what stands in the place of a formula says what the formula says.
 */
export function isTextOf(text: string, pieces: readonly MarkedPiece[]): boolean {
  const parts = comparable(textOfPieces(pieces, () => gap)).split(gap)
  const whole = comparable(text)
  let at = 0
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (index === 0 && !whole.startsWith(part)) return false
    if (isLast && index > 0) return whole.length - part.length > at && whole.endsWith(part)
    // Each formula has a text of its own.
    const found = index === 0 ? 0 : whole.indexOf(part, at + 1)
    if (found < 0) return false
    at = found + part.length
  }
  return at === whole.length
}

// Signs by which texts without marks tell what is raised, lowered or set together.
function comparable(text: string): string {
  return normalForm(text, 'NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\s^_(){}[\]]+/gu, '')
}

/** Whether pieces are text alone. */
export function isPlainText(pieces: readonly MarkedPiece[]): boolean {
  return pieces.every((piece) => typeof piece === 'string')
}

/** A text with marks, of at most `max` characters; on several lines where `lines` are allowed. */
export function markupOf(max: number, lines: boolean): FieldKind<string> {
  return {
    read(value, path, faults) {
      const text = readText(value, path, { max, lines, isName: !lines }, faults)
      if (text === undefined) return undefined
      const pieces = readMarkup(text)
      if ('wrong' in pieces) {
        faults.add(path, 'bad_value', `${path} ${pieces.wrong}`)
        return undefined
      }
      return writeMarkup(pieces)
    },
    schema: (notes) => Type.String({ minLength: 1, maxLength: max, ...mutable(notes) }),
    ...(lines && { parts: { type: 'paragraphs' } }),
  }
}

/** Adds a fault if a text is not that of its markup; `name` is what the text is called. */
export function checkMarkup(
  { text, name, markup }: { readonly text: string; readonly name: string; readonly markup: string },
  path: string,
  faults: FaultList,
): void {
  const pieces = readMarkup(markup)
  if ('wrong' in pieces || isTextOf(text, pieces)) return
  const shown = textOfPieces(pieces, ({ syntax, source }) => {
    return syntax === 'tex' ? `$${source}$` : '…'
  })
  const meant = Array.from(shown).slice(0, quotedMax).join('')
  const message = `${path} has another text than ${name}, which would be “${meant}”`
  faults.add(path, 'bad_value', message)
}

const quotedMax = 200
