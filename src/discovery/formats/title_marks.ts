import {
  decodeMarkup,
  type Formula,
  type Mark,
  type MarkedPiece,
  piecesInTitle,
  readMarkup,
  textOfPieces,
} from '#actors/values/markup.ts'
import {
  citedTitle,
  type DescribedMetadata,
  markedTitle,
  subtitleOf,
} from '#src/discovery/formats/described_work.ts'
import { mathText } from '#src/discovery/formats/math_text.ts'

/** The pieces of a title: those of its markup or, without one, of the title itself. */
export function titlePieces(title: string, markup?: string): readonly MarkedPiece[] {
  return markup === undefined ? piecesInTitle(title) : markupPieces(markup)
}

/** The pieces of a text that is no title: of its markup, if there is one. */
export function textPieces(text: string, markup: string | undefined): readonly MarkedPiece[] {
  return markup === undefined ? [text] : markupPieces(markup)
}

function markupPieces(markup: string): readonly MarkedPiece[] {
  const pieces = readMarkup(markup)
  return 'wrong' in pieces ? [] : pieces
}

/** The title of a work as it is cited, in pieces: `citedTitle` with its marks. */
export function citedPieces(metadata: DescribedMetadata): readonly MarkedPiece[] {
  const { work_title, work_title_markup, titles } = metadata
  const whole = citedTitle(metadata)
  const subtitle = subtitleOf(metadata)
  const subtitleMarkup = titles?.find(({ kind }) => kind === 'subtitle')?.markup
  if (work_title_markup === undefined && (subtitle === undefined || subtitleMarkup === undefined)) {
    return piecesInTitle(whole)
  }
  const at = whole.indexOf(work_title)
  const after = whole.slice(at + work_title.length)
  return [
    whole.slice(0, at),
    ...titlePieces(work_title, work_title_markup),
    ...(subtitle === undefined
      ? [after]
      : [after.slice(0, -subtitle.length), ...titlePieces(subtitle, subtitleMarkup)]),
  ].filter((piece) => piece !== '')
}

/** The title without its subtitle, in pieces; of a work that was retracted it begins so. */
export function mainPieces(metadata: DescribedMetadata): readonly MarkedPiece[] {
  const { work_title, work_title_markup } = metadata
  const marked = markedTitle(work_title, metadata)
  if (work_title_markup === undefined) return piecesInTitle(marked)
  const prefix = marked.slice(0, marked.length - work_title.length)
  return [...(prefix === '' ? [] : [prefix]), ...markupPieces(work_title_markup)]
}

const plain = '0123456789+-−=()n'
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ'
const lowered = '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ'

/**
 * A title for formats without marks. One with a markup is text as it is; in others, raised and
 * lowered signs are those of Unicode.
 */
export function unmarkedTitle(title: string, markup?: string): string {
  return markup !== undefined || !title.includes('</') ? title : textOf(piecesInTitle(title))
}

/** The title of a work for formats without marks. */
export function plainTitle({ work_title, work_title_markup }: PlainTitled): string {
  return unmarkedTitle(work_title, work_title_markup)
}

type PlainTitled = Pick<DescribedMetadata, 'work_title' | 'work_title_markup'>

/** The cited title for formats without marks. */
export function unmarkedCitedTitle(metadata: DescribedMetadata): string {
  return unmarkedTitle(citedTitle(metadata), metadata.work_title_markup)
}

/** A formula as text: MathML by its signs, TeX between dollars. */
export function formulaText({ syntax, source }: Formula): string {
  return syntax === 'tex' ? `$${source}$` : decodeMarkup(mathText(source))
}

function textOf(pieces: readonly MarkedPiece[]): string {
  return pieces.map(textOfPiece).join('')
}

function textOfPiece(piece: MarkedPiece): string {
  if (typeof piece === 'string') return piece
  if (!('mark' in piece)) return formulaText(piece)
  const { mark, within } = piece
  const text = textOf(within)
  if (mark !== 'sup' && mark !== 'sub') return text
  const signs = mark === 'sup' ? raised : lowered
  const found = Array.from(text, (sign) => signs[plain.indexOf(sign)] ?? '')
  return found.includes('') ? text : found.join('')
}

const cslTags: Readonly<Record<Mark, string>> = { italic: 'i', bold: 'b', sub: 'sub', sup: 'sup' }

/** Pieces as the rich text of CSL-JSON, which has no sign for a `<` that is none of its marks. */
export function cslText(pieces: readonly MarkedPiece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      if (!('mark' in piece)) return formulaText(piece)
      const name = cslTags[piece.mark]
      return `<${name}>${cslText(piece.within)}</${name}>`
    })
    .join('')
}

/** The lines of a text in pieces: marks that go on over the end of a line are in both lines. */
export function linesOfPieces(pieces: readonly MarkedPiece[]): readonly (readonly MarkedPiece[])[] {
  const lines: MarkedPiece[][] = [[]]
  const add = (piece: MarkedPiece) => lines.at(-1)?.push(piece)
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      for (const [index, line] of piece.split(/\n+/).entries()) {
        if (index > 0) lines.push([])
        if (line !== '') add(line)
      }
    } else if (!('mark' in piece)) add(piece)
    else {
      for (const [index, within] of linesOfPieces(piece.within).entries()) {
        if (index > 0) lines.push([])
        add({ mark: piece.mark, within })
      }
    }
  }
  return lines.filter((line) => textOfPieces(line, ({ source }) => source).trim() !== '')
}
