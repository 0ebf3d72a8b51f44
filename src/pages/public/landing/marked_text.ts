import type { Formula, Mark, MarkedPiece } from '#actors/values/markup.ts'
import { dollarPieces } from '#src/discovery/formats/latex_text.ts'
import { texMathml } from '#src/discovery/formats/tex_math.ts'
import { formulaText, textPieces, titlePieces } from '#src/discovery/formats/title_marks.ts'
import { html, type Html, nothing, trustedHtml } from '#src/pages/kit/html.ts'
import { landing } from '#src/words/english.ts'

// Formulas of one text that are set; further ones are shown as their source.
const formulasMax = 200

/** A title in HTML, with its marks, and its formulas in MathML. */
export function markedTitleHtml(title: string, markup: string | undefined): Html {
  return shownPieces(titlePieces(title, markup), markup === undefined, { formulas: 0 })
}

/** A text such as an abstract in HTML, with its marks and formulas. */
export function markedTextHtml(text: string, markup: string | undefined): Html {
  return shownPieces(textPieces(text, markup), markup === undefined, { formulas: 0 })
}

/**
 * The formulas of texts as they were written, behind a click; nothing where there are none. Of
 * plain texts, `markup` is undefined.
 */
export function formulaSources(
  texts: readonly { readonly text: string | undefined; readonly markup: string | undefined }[],
): Html {
  const sources = texts.flatMap(({ text, markup }) => {
    return text === undefined
      ? []
      : formulasIn(withDollars(textPieces(text, markup), markup === undefined))
  })
  if (sources.length === 0) return nothing
  const items = sources.slice(0, formulasMax).map(({ source, syntax }) => {
    return html`<li><code>${syntax === 'tex' ? `$${source}$` : source}</code></li>`
  })
  return html`<details class="fold formula-sources"><summary>${landing.formulaSources}</summary>
<ul>${items}</ul></details>`
}

/** In plain texts, formulas stand between dollars. */
function withDollars(pieces: readonly MarkedPiece[], isPlain: boolean): readonly MarkedPiece[] {
  if (!isPlain) return pieces
  return pieces.flatMap<MarkedPiece>((piece) => {
    return typeof piece === 'string' ? dollarPieces(piece) : [piece]
  })
}

function formulasIn(pieces: readonly MarkedPiece[]): readonly Formula[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return []
    return 'mark' in piece ? formulasIn(piece.within) : [piece]
  })
}

const tags: Readonly<Record<Mark, (within: Html) => Html>> = {
  italic: (within) => html`<i>${within}</i>`,
  bold: (within) => html`<b>${within}</b>`,
  sub: (within) => html`<sub>${within}</sub>`,
  sup: (within) => html`<sup>${within}</sup>`,
}

function shownPieces(
  pieces: readonly MarkedPiece[],
  isPlain: boolean,
  count: { formulas: number },
): Html {
  const shown = withDollars(pieces, isPlain).map((piece) => {
    if (typeof piece === 'string') return piece
    if (!('mark' in piece)) return formulaHtml(piece, count)
    return tags[piece.mark](shownPieces(piece.within, isPlain, count))
  })
  return html`${shown}`
}

function formulaHtml(formula: Formula, count: { formulas: number }): Html {
  count.formulas += 1
  const { source, syntax } = formula
  const mathml = syntax === 'tex' ? texMathml(source) : source
  // Both are of elements and attributes that a markup may have, and of nothing else.
  if (mathml !== undefined && count.formulas <= formulasMax) return trustedHtml(mathml)
  return html`<code>${formulaText(formula)}</code>`
}
