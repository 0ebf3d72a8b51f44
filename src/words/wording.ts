import { html as escape } from 'ghtml'

import type { Language } from '#src/words/language.ts'

/** What is shown to readers: it is written in a language when it is sent, and not before. */
export abstract class Wording {
  /** As HTML, in which everything that is not HTML itself is escaped. */
  abstract html(language: Language): string
}

/** A wording that is plain text: for titles, attributes and mails too. */
export abstract class TextWording extends Wording {
  abstract text(language: Language): string

  html(language: Language): string {
    return escapeHtml(this.text(language))
  }
}

/** A text that readers see: in their language, or as somebody has typed it. */
export type Text = string | TextWording

/** A text as it is in a language. */
export function textIn(language: Language, text: Text): string {
  return typeof text === 'string' ? text : text.text(language)
}

/** A text whose characters mean nothing to HTML, in an element or between the quotes of a value. */
export function escapeHtml(text: string): string {
  return escape`${text}`
}
