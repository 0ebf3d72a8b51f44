import { readFileSync } from 'node:fs'

import {
  elementsOf,
  textOf,
  type XmlElement,
  XmlRecordReader,
} from '#src/discovery/citation_files/xml_tree.ts'
import type { Quotes } from '#src/discovery/csl/typography.ts'

/** Reads a file of styles or of a language, which came with the program. */
export function readCslFile(name: string): XmlElement {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  const reader = new XmlRecordReader((_, parent) => (parent === undefined ? 'record' : undefined))
  const [record] = [...reader.push(text), ...reader.end()]
  if (record?.type !== 'read') throw new Error(`${name} cannot be read: ${record?.message}`)
  return record.element
}

/** A term in the singular and the plural. */
type Term = { readonly single: string; readonly multiple: string }

/** The words and habits of a language, as a style has them. */
export class Terms {
  readonly #terms: ReadonlyMap<string, Term>
  readonly #dates: ReadonlyMap<string, XmlElement>
  readonly quotes: Quotes
  /** Whether periods and commas stand before a closing quotation mark. */
  readonly isInQuote: boolean
  readonly hasOrdinalOnFirstDayOnly: boolean
  readonly isEnglish: boolean
  readonly rangeSign: string

  /** `own`: what the style says for this language, which goes before what all styles share. */
  constructor(language: string, shared: XmlElement, own: readonly XmlElement[]) {
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
  date(form: string): XmlElement | undefined {
    return this.#dates.get(form)
  }
}

const longerForms: Readonly<Record<string, string>> = {
  'verb-short': 'verb',
  symbol: 'short',
  verb: 'long',
  short: 'long',
}

function termKey({ attributes }: XmlElement): string {
  return `${attributes['name']}/${attributes['form'] ?? 'long'}`
}

function readTerm(term: XmlElement): Term {
  const [single] = elementsOf(term, 'single')
  if (single === undefined) {
    // The spaces at the ends of marks and eras are a part of them: `« `.
    const text = term.children.filter((child) => typeof child === 'string').join('')
    return { single: text, multiple: text }
  }
  const [multiple] = elementsOf(term, 'multiple')
  return { single: textOf(single) ?? '', multiple: textOf(multiple) ?? '' }
}
