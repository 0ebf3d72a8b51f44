import { type CslElement, elementsOf, textOf } from '#src/discovery/csl/csl_data.ts'
import type { Quotes } from '#src/discovery/csl/typography.ts'

/** A term in the singular and the plural. */
type Term = { readonly single: string; readonly multiple: string }

/** The words and habits of a language, as a style has them. */
export class Terms {
  readonly #terms: ReadonlyMap<string, Term>
  readonly #dates: ReadonlyMap<string, CslElement>
  readonly quotes: Quotes
  /** Whether periods and commas stand before a closing quotation mark. */
  readonly isInQuote: boolean
  readonly hasOrdinalOnFirstDayOnly: boolean
  readonly isEnglish: boolean
  readonly rangeSign: string

  /** `own`: what the style says for this language, which goes before what all styles share. */
  constructor(language: string, shared: CslElement, own: readonly CslElement[]) {
    const levels = [shared, ...own]
    const terms = levels.flatMap((level) => elementsOf(elementsOf(level, 'terms')[0], 'term'))
    this.#terms = new Map(terms.map((term) => [termKey(term), readTerm(term)]))
    const dates = levels.flatMap((level) => elementsOf(level, 'date'))
    this.#dates = new Map(dates.map((date) => [date.attributes['form'] ?? 'text', date]))
    const options = levels.flatMap((level) => elementsOf(level, 'style-options'))
    const isSet = (name: string) =>
      options.findLast((one) => name in one.attributes)?.attributes[name] === 'true'
    this.isInQuote = isSet('punctuation-in-quote')
    this.hasOrdinalOnFirstDayOnly = isSet('limit-day-ordinals-to-day-1')
    this.isEnglish = language.startsWith('en')
    this.rangeSign = this.term('page-range-delimiter') || '–'
    const [open, close] = [this.term('open-quote'), this.term('close-quote')]
    this.quotes = [open, close, this.term('open-inner-quote'), this.term('close-inner-quote')]
  }

  /** A term in a form, or in the next longer one; '' where the language has none. */
  term(name: string, form = 'long', isPlural = false): string {
    for (let each: string | undefined = form; each !== undefined; each = longerForms[each]) {
      const term = this.#terms.get(`${name}/${each}`)
      if (term !== undefined) return isPlural ? term.multiple : term.single
    }
    return ''
  }

  /** Whether the language has a term at all. */
  has(name: string): boolean {
    return this.#terms.has(`${name}/long`)
  }

  /** How dates are written as text, or as numbers. */
  date(form: string): CslElement | undefined {
    return this.#dates.get(form)
  }
}

const longerForms: Readonly<Record<string, string>> = {
  'verb-short': 'verb',
  symbol: 'short',
  verb: 'long',
  short: 'long',
}

function termKey({ attributes }: CslElement): string {
  return `${attributes['name']}/${attributes['form'] ?? 'long'}`
}

function readTerm(term: CslElement): Term {
  const [single] = elementsOf(term, 'single')
  if (single === undefined) {
    // The spaces at the ends of marks and eras are a part of them: `« `.
    const text = textOf(term)
    return { single: text, multiple: text }
  }
  const [multiple] = elementsOf(term, 'multiple')
  return { single: textOf(single), multiple: textOf(multiple) }
}
