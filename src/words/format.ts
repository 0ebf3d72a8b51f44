import { english, type Language, type TimePrecision, type TimeUnit } from '#src/words/language.ts'
import { escapeHtml, type Text, textIn, TextWording } from '#src/words/wording.ts'

/** A text that each language makes for itself. */
class Formed extends TextWording {
  readonly #form: (language: Language) => string

  constructor(form: (language: Language) => string) {
    super()
    this.#form = form
  }

  text(language: Language): string {
    return this.#form(language)
  }
}

/** A number as readers write it: `12,345`. */
export function number(count: number): TextWording {
  return new Formed((language) => language.number(count))
}

/** A time in UTC, in words: `21 Nov 2026, 17:30 UTC`. `timestamp` is one of ISO 8601. */
export function dateTime(timestamp: string, precision: TimePrecision = 'minute'): TextWording {
  return new Formed((language) => language.time(Date.parse(timestamp), precision))
}

/** Texts in a row, with `and` before the last one, `or`, or commas alone. */
export function list(
  items: readonly Text[],
  type: 'conjunction' | 'disjunction' | 'unit' = 'conjunction',
): TextWording {
  return new Formed((language) =>
    language.list(
      items.map((item) => textIn(language, item)),
      type,
    ),
  )
}

/** Texts with something such as ` · ` between them. */
export function joined(items: readonly Text[], separator: string): TextWording {
  return new Formed((language) => items.map((item) => textIn(language, item)).join(separator))
}

/** What the language of a tag is called. */
export function languageName(tag: string): TextWording {
  return new Formed((language) => language.nameOf('language', tag))
}

/** What the region of a code such as `DE` is called. */
export function regionName(code: string): TextWording {
  return new Formed((language) => language.nameOf('region', code))
}

/** How long ago something was: `3 hours ago`. */
export function ago(count: number, unit: TimeUnit): TextWording {
  return new Formed((language) => language.ago(count, unit))
}

/** A text with a capital at its beginning, where the letters have any. */
export function capitalized(text: Text): TextWording {
  return new Formed((language) => {
    const [first = '', ...rest] = textIn(language, text)
    return first.toLocaleUpperCase(language.tag) + rest.join('')
  })
}

/** What differs between languages in some other way than by a message. */
export function inLanguage(form: (language: Language) => string): TextWording {
  return new Formed(form)
}

/** Texts by their names as JSON, for the script of a page. */
export function jsonOf(texts: Readonly<Record<string, TextWording>>): TextWording {
  return new Formed((language) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, each.text(language)])),
    ),
  )
}

/** A text that there is in English alone, such as a message of the API. */
export function inEnglish(text: string): TextWording {
  return new EnglishText(text)
}

class EnglishText extends TextWording {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  text(): string {
    return this.#text
  }

  override html(language: Language): string {
    const text = escapeHtml(this.#text)
    return language === english ? text : `<span lang="en" dir="ltr">${text}</span>`
  }
}
