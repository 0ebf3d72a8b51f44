import type { Language } from '#src/words/language.ts'
import { escapeHtml, Wording } from '#src/words/wording.ts'

/**
 * HTML that may be sent as it is. The tag `html` makes it, and pages take nothing else: a text is
 * not HTML, whatever stands in it, and the compiler tells the two apart. It does not turn into a
 * text by itself, so that HTML which was joined or added up as text does not pass unnoticed. What
 * its words are is known when it is written in a language (`html`).
 */
class HtmlText extends Wording {
  readonly #literals: readonly string[]
  readonly #contents: readonly HtmlContent[]

  constructor(literals: readonly string[], contents: readonly HtmlContent[]) {
    super()
    this.#literals = literals
    this.#contents = contents
  }

  html(language: Language): string {
    const literals = this.#literals
    let text = literals[0] ?? ''
    let place = 0
    for (const content of this.#contents) {
      place += 1
      text += written(content, language) + (literals[place] ?? '')
    }
    return text
  }
}

export type Html = HtmlText

/**
 * What a template takes: HTML as it is; words, which are written in the language of the reader, and
 * text, both escaped; lists of all of them, in a row; null and undefined, which show nothing.
 */
export type HtmlContent = Wording | string | number | null | undefined | readonly HtmlContent[]

/** HTML that shows nothing. */
export const nothing: Html = new HtmlText([''], [])

/** Writes HTML. What is put into it is escaped unless it is HTML itself. */
export function html(literals: TemplateStringsArray, ...contents: readonly HtmlContent[]): Html {
  return new HtmlText(literals, contents)
}

function written(content: HtmlContent, language: Language): string {
  if (typeof content === 'string') return content === '' ? '' : escapeHtml(content)
  if (typeof content === 'number') return `${content}`
  if (content === undefined || content === null) return ''
  if (content instanceof Wording) return content.html(language)
  let text = ''
  for (const each of content) text += written(each, language)
  return text
}

/** Writes pieces of HTML in a row, with a text such as `, ` between them. */
export function joinHtml(pieces: readonly Wording[], separator: string): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : [separator, piece]))}`
}

/**
 * Takes a text for HTML without looking at it. Its callers answer for the text: a library that
 * escapes has written it, or it is data that cannot end the element around it.
 */
export function trustedHtml(text: string): Html {
  return new HtmlText([text], [])
}
