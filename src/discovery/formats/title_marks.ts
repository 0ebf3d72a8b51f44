import { closedTable } from '#actors/values/lazy_table.ts'

/** A piece of a title: text, or marked text that may have further pieces within. */
export type TitlePiece = string | { readonly mark: Mark; readonly within: readonly TitlePiece[] }

export type Mark = 'italic' | 'bold' | 'sub' | 'sup'

const marks: Readonly<Record<string, Mark>> = closedTable({
  i: 'italic',
  em: 'italic',
  b: 'bold',
  strong: 'bold',
  sub: 'sub',
  sup: 'sup',
})

const tag = /(<\/?(?:i|em|b|strong|sub|sup)>)/i

/**
 * The pieces of a title whose marks are written as CSL has them: `H<sub>2</sub>O`. Where one of
 * them is not closed, in its order, all are text.
 */
export function titlePieces(title: string): readonly TitlePiece[] {
  if (!title.includes('</')) return [title]
  const open: { name: string; within: TitlePiece[] }[] = [{ name: '', within: [] }]
  for (const [index, part] of title.split(tag).entries()) {
    const name = index % 2 === 0 ? '' : part.replaceAll(/[</>]/g, '').toLowerCase()
    if (index % 2 === 0) {
      if (part !== '') open.at(-1)?.within.push(part)
    } else if (!part.startsWith('</')) open.push({ name, within: [] })
    else {
      const last = open.pop()
      const mark = marks[name]
      if (last?.name !== name || mark === undefined) return [title]
      open.at(-1)?.within.push({ mark, within: last.within })
    }
  }
  return open.length === 1 ? (open[0]?.within ?? []) : [title]
}

const plain = '0123456789+-−=()n'
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ'
const lowered = '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ'

/** A title for formats without marks: raised and lowered signs are those of Unicode. */
export function unmarkedTitle(title: string): string {
  return textOf(titlePieces(title))
}

function textOf(pieces: readonly TitlePiece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : markedText(piece))).join('')
}

function markedText({ mark, within }: Exclude<TitlePiece, string>): string {
  const text = textOf(within)
  if (mark !== 'sup' && mark !== 'sub') return text
  const signs = mark === 'sup' ? raised : lowered
  const found = Array.from(text, (sign) => signs[plain.indexOf(sign)] ?? '')
  return found.includes('') ? text : found.join('')
}
