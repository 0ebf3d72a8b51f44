import { html as escape } from 'ghtml'

/**
 * HTML that may be sent as it is. The tag `html` makes it, and pages take nothing else: a text is
 * not HTML, whatever stands in it, and the compiler tells the two apart. It does not turn into a
 * text by itself, so that HTML which was joined or added up as text does not pass unnoticed.
 */
class HtmlText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }
}

export type Html = HtmlText

/**
 * What a template takes: HTML as it is; text, which is escaped; lists of both, in a row; null and
 * undefined, which show nothing.
 */
export type HtmlContent = Html | string | number | null | undefined | readonly HtmlContent[]

/** HTML that shows nothing. */
export const nothing: Html = new HtmlText('')

/** Writes HTML. What is put into it is escaped unless it is HTML itself. */
export function html(literals: TemplateStringsArray, ...contents: readonly HtmlContent[]): Html {
  let text = literals[0] ?? ''
  for (const [index, content] of contents.entries()) {
    text += written(content) + (literals[index + 1] ?? '')
  }
  return new HtmlText(text)
}

function written(content: HtmlContent): string {
  if (content instanceof HtmlText) return content.text
  if (typeof content === 'string') return escape`${content}`
  if (typeof content === 'number') return `${content}`
  return content?.map(written).join('') ?? ''
}

/** Writes pieces of HTML in a row, with a text such as `, ` between them. */
export function joinHtml(pieces: readonly Html[], separator: string): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : [separator, piece]))}`
}

/**
 * Takes a text for HTML without looking at it. Its callers answer for the text: a library that
 * escapes has written it, or it is data that cannot end the element around it.
 */
export function trustedHtml(text: string): Html {
  return new HtmlText(text)
}
