import { encodePath } from '#actors/values/identifier.ts'
import { type CslElement, elementsOf, readCslLocale } from '#src/discovery/csl/csl_data.ts'
import { dateWriter, ordinal } from '#src/discovery/csl/dates.ts'
import { type NameForms, type NameOptions, namesWriter } from '#src/discovery/csl/names.ts'
import {
  absent,
  type CitedItem,
  firstText,
  nothing,
  Rendering,
  type Writer,
} from '#src/discovery/csl/rendering.ts'
import { Terms } from '#src/discovery/csl/terms.ts'
import {
  append,
  closeQuote,
  type FieldReader,
  fieldReader,
  openQuote,
  printed,
  textCases,
} from '#src/discovery/csl/typography.ts'

/** A reference, and whether the style has written a variable of the item into it. */
export type Reference = { readonly text: string; readonly has: (variable: string) => boolean }

/** A style of CSL with the words of one language, ready to write references. */
export class CslStyle {
  readonly terms: Terms
  readonly locale: string
  readonly #root: CslElement
  readonly #variables: ReadonlyMap<string, number>
  readonly #layouts = new Map<string, Writer>()

  /** `variables`: what an item may have, in the order of its values. */
  constructor(root: CslElement, locale: string, variables: readonly string[]) {
    this.#root = root
    this.locale = locale
    this.terms = new Terms(locale, readCslLocale(locale), ownTerms(root, locale))
    const places = new Map(variables.map((name, place) => [name, place]))
    const pages = places.get('page')
    this.#variables = pages === undefined ? places : places.set('page-first', pages)
  }

  /** The reference to an item, a line of plain text. */
  cite(item: CitedItem): Reference {
    const { language } = item
    const isEnglish = language === undefined ? this.terms.isEnglish : /^en(?:-|$)/i.test(language)
    const rendering = new Rendering(item, isEnglish)
    const text = printed(this.#layout(item.type)(rendering), this.terms.quotes)
    return { text, has: (variable) => this.#isWritten(rendering, variable) }
  }

  #isWritten({ written }: Rendering, variable: string): boolean {
    const place = this.#variables.get(variable)
    return place !== undefined && written.includes(place)
  }

  // Most of a style is about other types, and about what our items never have.
  #layout(type: string): Writer {
    const known = this.#layouts.get(type)
    if (known !== undefined) return known
    const [bibliography] = elementsOf(this.#root, 'bibliography')
    // Styles of notes that list nothing have a reference as it stands in the first note.
    const listing = bibliography ?? elementsOf(this.#root, 'citation')[0]
    const item = { type, variables: this.#variables, isInText: bibliography === undefined }
    const layout = new Layout(this.#root, listing, { terms: this.terms, item })
    const writer = layout.writer()
    this.#layouts.set(type, writer)
    return writer
  }
}

/** Makes what writes the items of one type. */
class Layout {
  readonly terms: Terms
  readonly #known: KnownItem
  readonly #listing: CslElement | undefined
  readonly #macros = new Map<string, CslElement>()
  readonly #writers = new Map<string, Writer>()
  // Whether what is made stands in a macro whose texts lose their periods.
  #isStripped = false
  readonly #names: NameOptions
  readonly #pages: PageRangeFormat
  readonly #readField: FieldReader

  constructor(
    root: CslElement,
    listing: CslElement | undefined,
    { terms, item }: { readonly terms: Terms; readonly item: KnownItem },
  ) {
    this.terms = terms
    this.#known = item
    for (const macro of elementsOf(root, 'macro')) {
      this.#macros.set(macro.attributes['name'] ?? '', macro)
    }
    this.#listing = listing
    this.#names = { ...root.attributes, ...listing?.attributes }
    this.#readField = fieldReader(terms.quotes)
    this.#pages = root.attributes['page-range-format'] as PageRangeFormat
  }

  writer(): Writer {
    const [layout] = elementsOf(this.#listing, 'layout')
    if (layout === undefined) throw new Error('a style lists nothing')
    return this.#finish(layout, this.#sequence(elementsOf(layout), ''))
  }

  #sequence(elements: readonly CslElement[], delimiter: string, names?: CslElement): Writer {
    const all = new Set(elements.map((element) => this.#writer(element, delimiter, names)))
    all.delete(nothing)
    const parts = [...all]
    const [first = nothing] = parts
    return parts.length < 2 ? first : this.#joined(parts, delimiter)
  }

  /** What several write, with the delimiter between. */
  #joined(parts: readonly Writer[], delimiter: string): Writer {
    const { isInQuote } = this.terms
    return (rendering) => {
      let text = ''
      for (const part of parts) {
        const next = part(rendering)
        if (next === '') continue
        text = text === '' ? next : append(append(text, delimiter, isInQuote), next, isInQuote)
      }
      return text
    }
  }

  /** The writer of an element; `names`: the element whose form names within it have. */
  #writer(element: CslElement, delimiter: string, names?: CslElement): Writer {
    switch (element.name) {
      case 'text':
        return this.#text(element)
      case 'group':
        return this.#group(
          element,
          this.#sequence(elementsOf(element), element.attributes['delimiter'] ?? '', names),
        )
      case 'choose':
        // What stands in a branch is parted as what stands beside the choice.
        return this.#choose(element, (branch) =>
          this.#sequence(elementsOf(branch), delimiter, names),
        )
      case 'names':
        return this.#finish(element, this.#namesOf(element, names))
      case 'date':
        return this.#finish(element, this.#date(element))
      case 'number':
        return this.#finish(element, this.#number(element))
      case 'label':
        return this.#finish(element, this.#label(element))
      default:
        throw new Error(`a style has an element that is not known: ${element.name}`)
    }
  }

  /** What stands together: it is left out if it has variables, and none of them has a value. */
  #group(element: CslElement, write: Writer): Writer {
    if (isSilent(write)) return write
    return this.#finish(element, (rendering) => rendering.together(write))
  }

  #choose(element: CslElement, writerOf: (branch: CslElement) => Writer): Writer {
    const branches: { readonly isMet: Condition; readonly write: Writer }[] = []
    for (const branch of elementsOf(element)) {
      const condition = conditionOf(branch, this.#known)
      if (condition === false) continue
      const write = writerOf(branch)
      if (condition === true && branches.length === 0) return write
      branches.push({ isMet: condition === true ? () => true : condition, write })
      if (condition === true) break
    }
    if (branches.every(({ write }) => write === nothing)) return nothing
    return (rendering) => {
      for (const { isMet, write } of branches) if (isMet(rendering)) return write(rendering)
      return ''
    }
  }

  #text(element: CslElement): Writer {
    const { macro, variable, term, value, form, plural } = element.attributes
    if (macro !== undefined) return this.#group(element, this.#macroOf(element, macro))
    if (term !== undefined) {
      const text = this.terms.term(term, form, plural === 'true')
      return this.#finish(element, () => text)
    }
    if (value !== undefined) return this.#finish(element, () => value)
    if (variable === undefined) throw new Error('a text of a style is of nothing')
    return this.#finish(element, this.#variable(variable, element))
  }

  /** What a macro writes where an element asks for it: without periods, where that is asked for. */
  #macroOf({ attributes }: CslElement, name: string): Writer {
    const wasStripped = this.#isStripped
    this.#isStripped ||= isStripping(attributes)
    const writer = this.#macroWriter(name)
    this.#isStripped = wasStripped
    return writer
  }

  #macroWriter(name: string): Writer {
    const key = `${name} ${this.#isStripped}`
    const known = this.#writers.get(key)
    if (known !== undefined) return known
    const macro = this.#macros.get(name)
    if (macro === undefined) throw new Error(`a style has no macro ${name}`)
    const writer = this.#sequence(elementsOf(macro), '')
    this.#writers.set(key, writer)
    return writer
  }

  #variable(variable: string, { attributes: { form, prefix = '' } }: CslElement): Writer {
    if (ofLists.has(variable)) return nothing
    if (variable === 'page-first') return this.#reading(variable, firstPage)
    const { rangeSign } = this.terms
    const pages = this.#pages
    if (variable === 'page') {
      return this.#reading(variable, (value) => pageText(value, pages, rangeSign))
    }
    if (numberVariables.has(variable)) {
      return this.#reading(variable, (value) => numberText(value, rangeSign))
    }
    if (variable === 'URL') return this.#reading(variable, String)
    if (variable === 'DOI') {
      return this.#reading(variable, prefix.endsWith('doi.org/') ? encodePath : String)
    }
    const short = `${variable}-short`
    const whole = this.#reading(variable, this.#readField)
    if (form !== 'short' || !this.#known.variables.has(short)) return whole
    const shortened = this.#reading(short, this.#readField)
    return (rendering) => shortened(rendering) || whole(rendering)
  }

  /** Writes the text of a variable. */
  #reading(variable: string, write: (value: string) => string): Writer {
    const place = this.#known.variables.get(variable)
    return place === undefined ? absent : (rendering) => rendering.take(place, write)
  }

  #number({ attributes: { variable = '', form = '' } }: CslElement): Writer {
    const { terms } = this
    const writeOne = numberForms[form]
    return this.#reading(variable, (value) =>
      writeOne !== undefined && /^\d+$/.test(value)
        ? writeOne(Number(value), terms)
        : numberText(value, terms.rangeSign),
    )
  }

  #label({ attributes: { variable = '', form, plural } }: CslElement): Writer {
    const place = this.#known.variables.get(variable)
    if (place === undefined) return nothing
    const name = labelTerms[variable] ?? variable
    const [one, several] = [this.terms.term(name, form), this.terms.term(name, form, true)]
    const isFirst = variable === 'page-first'
    return (rendering) => {
      const value = rendering.textOf(place)
      if (value === '') return ''
      if (isFirst && plural !== 'always') return one
      const isPlural =
        plural === undefined || plural === 'contextual' ? areSeveral(value) : plural === 'always'
      return isPlural ? several : one
    }
  }

  #date(element: CslElement): Writer {
    const place = this.#known.variables.get(element.attributes['variable'] ?? '')
    if (place === undefined) return absent
    const write = dateWriter(element, this.terms)
    return (rendering) => rendering.takeDate(place, write)
  }

  #namesOf(element: CslElement, outer: CslElement | undefined): Writer {
    const { variable = '', delimiter = this.#names['names-delimiter'] ?? '' } = element.attributes
    const hasForm =
      elementsOf(element, 'name').length > 0 || elementsOf(element, 'label').length > 0
    const form = hasForm || outer === undefined ? element : outer
    const lists = variable.split(' ').map((name) => this.#nameList(name, form))
    const [substitute] = elementsOf(element, 'substitute')
    const others = elementsOf(substitute)
      .map((other) => this.#substitute(other, form))
      .filter((other) => !isSilent(other))
    if (others.length === 0 && lists.every((list) => list === absent)) return absent
    const listed = this.#joined(lists, delimiter)
    return (rendering) => {
      const text = listed(rendering)
      return text === '' ? rendering.substitute(others) : text
    }
  }

  /** What may stand in the place of names: of a choice, the first text of its branch. */
  #substitute(element: CslElement, form: CslElement): Writer {
    if (element.name !== 'choose') return this.#writer(element, '', form)
    return this.#choose(element, (branch) => {
      const others = elementsOf(branch)
        .map((other) => this.#substitute(other, form))
        .filter((other) => !isSilent(other))
      return others.length === 0 ? nothing : (rendering) => firstText(others, rendering)
    })
  }

  #nameList(variable: string, form: CslElement): Writer {
    const place = this.#known.variables.get(variable)
    if (place === undefined) return absent
    const [name] = elementsOf(form, 'name')
    const [rest] = elementsOf(form, 'et-al')
    const { delimiter, form: nameForm, ...own } = name?.attributes ?? {}
    const options = {
      ...this.#names,
      ...(delimiter !== undefined && { 'name-delimiter': delimiter }),
      ...(nameForm !== undefined && { 'name-form': nameForm }),
      ...own,
    }
    const restTerm = rest?.attributes['term']
    const write = namesWriter(options, this.terms, {
      forms: this.#nameForms(name),
      ...(restTerm !== undefined && { restTerm }),
    })
    const label = this.#nameLabel(variable, form)
    const isBefore = isLabelFirst(form)
    return (rendering) =>
      rendering.takeNames(place, (names) => {
        const [text, role] = [write(names), label(names.length)]
        return isBefore ? append(role, text, false) : append(text, role, false)
      })
  }

  #nameForms(name: CslElement | undefined): NameForms {
    if (name === undefined) return {}
    const forms = elementsOf(name, 'name-part').flatMap((part) => {
      const { name: kind = '', prefix = '', suffix = '', ...inner } = part.attributes
      if (kind !== 'given') return [[kind, this.#nameForm(part)] as const]
      const around = { ...part, attributes: { prefix, suffix } }
      return [
        [kind, this.#nameForm({ ...part, attributes: inner })] as const,
        ['aroundGiven', this.#nameForm(around)] as const,
      ]
    })
    const all = [...forms, ['whole', this.#nameForm(name)] as const]
    return Object.fromEntries(all.filter(([, form]) => form !== undefined))
  }

  #nameForm(element: CslElement): ((text: string) => string) | undefined {
    const finished = this.#finished(element)
    // Names have the case that is asked for in every language.
    return finished && ((text) => (text === '' ? '' : finished(text, true)))
  }

  #nameLabel(variable: string, form: CslElement): (count: number) => string {
    const [label] = elementsOf(form, 'label')
    if (label === undefined) return () => ''
    const { form: length, plural } = label.attributes
    const finished = this.#finished(label)
    const texts = [false, true].map((isPlural) => {
      const text = this.terms.term(variable, length, isPlural)
      return finished === undefined || text === '' ? text : finished(text, true)
    })
    return (count) => {
      const isPlural = plural === 'always' || (plural !== 'never' && count > 1)
      return texts[isPlural ? 1 : 0] ?? ''
    }
  }

  /** What is done with the text of every element: its case, its marks, and what is around it. */
  #finish(element: CslElement, write: Writer): Writer {
    const finished = this.#finished(element)
    if (isSilent(write) || finished === undefined) return write
    return (rendering) => {
      const text = write(rendering)
      return text === '' ? '' : finished(text, rendering.isEnglish)
    }
  }

  /** Undefined where nothing is done. */
  #finished(element: CslElement): Finish | undefined {
    const { attributes } = element
    const { display } = attributes
    const { isInQuote } = this.terms
    // What begins a line, or stands beside a margin, follows a space in one line.
    const prefix = `${isBlock(display) ? ' ' : ''}${attributes['prefix'] ?? ''}`
    const { suffix = '' } = attributes
    const marked = markedText(attributes, this.#losesPeriods(element))
    if (marked === undefined) {
      if (prefix === '' && suffix === '') return undefined
      if (suffix === '') return (text) => append(prefix, text, isInQuote)
      if (prefix === '') return (text) => append(text, suffix, isInQuote)
      return (text) => append(append(prefix, text, isInQuote), suffix, isInQuote)
    }
    return (text, isEnglish) => {
      const shown = marked(text, isEnglish)
      return shown === '' ? '' : append(append(prefix, shown, isInQuote), suffix, isInQuote)
    }
  }

  // The periods of what a style puts around texts stay: those of the texts within are lost.
  #losesPeriods({ name, attributes }: CslElement): boolean {
    const isWhole = wholes.has(name) || attributes['macro'] !== undefined
    const isAddress = attributes['variable'] === 'DOI' || attributes['variable'] === 'URL'
    return !isWhole && !isAddress && (this.#isStripped || isStripping(attributes))
  }
}

/** Elements that hold others, or names, whose initials keep their periods. */
const wholes: ReadonlySet<string> = new Set(['group', 'layout', 'names', 'name', 'name-part'])

function isStripping(attributes: CslElement['attributes']): boolean {
  return attributes['strip-periods'] === 'true'
}

function isBlock(display: string | undefined): boolean {
  return display === 'block' || display === 'indent' || display === 'right-inline'
}

/** What is done with a text that is there. */
type Finish = (text: string, isEnglish: boolean) => string

/** Case and marks; undefined where a text stays as it is. */
function markedText(attributes: CslElement['attributes'], isStripped: boolean): Finish | undefined {
  const inCase = textCases[attributes['text-case'] ?? '']
  const isQuoted = attributes['quotes'] === 'true'
  if (inCase === undefined && !isStripped && !isQuoted) return undefined
  return (text, isEnglish) => {
    let shown = isStripped ? text.replaceAll('.', '') : text
    if (shown === '') return ''
    if (inCase !== undefined) shown = inCase(shown, isEnglish)
    return isQuoted ? `${openQuote}${shown}${closeQuote}` : shown
  }
}

/** Whether a writer has nothing to write, whatever the item. */
function isSilent(write: Writer): boolean {
  return write === nothing || write === absent
}

// What a reference has by its place in a list alone.
const ofLists: ReadonlySet<string> = new Set(['year-suffix', 'citation-number'])

/** What a style says in its own words for a language: for all first, then for few. */
function ownTerms(root: CslElement, locale: string): readonly CslElement[] {
  const [language] = locale.split('-')
  const locales = elementsOf(root, 'locale')
  return [undefined, language, locale].flatMap((lang) =>
    locales.filter(({ attributes }) => attributes['lang'] === lang),
  )
}

function isLabelFirst(form: CslElement): boolean {
  const names = elementsOf(form).map(({ name }) => name)
  return names.includes('name') && names.indexOf('label') < names.indexOf('name')
}

const numberVariables = new Set(
  (
    'chapter-number collection-number edition issue number number-of-pages ' +
    'number-of-volumes volume'
  ).split(' '),
)

const numberForms: Readonly<Record<string, (value: number, terms: Terms) => string>> = {
  ordinal,
  'long-ordinal': (value, terms) =>
    terms.term(`long-ordinal-${String(value).padStart(2, '0')}`) || ordinal(value, terms),
  roman: romanNumber,
}

const labelTerms: Readonly<Record<string, string>> = {
  'page-first': 'page',
  'number-of-pages': 'page',
  'number-of-volumes': 'volume',
}

/** Whether a branch of a style is the one for an item. */
type Condition = (rendering: Rendering) => boolean

/** What is known of an item before it is read. */
type KnownItem = {
  readonly type: string
  /** The variables that it may have, each with its place. */
  readonly variables: ReadonlyMap<string, number>
  /** Whether it is cited in a text, for the first time, and not listed at its end. */
  readonly isInText: boolean
}

type Test = (value: string, known: KnownItem) => boolean | Condition

const tests: Readonly<Record<string, Test>> = {
  // An item has one type: a test of several asks for one of them, however it is matched.
  type: (value, { type }) => value.split(/\s+/).includes(type),
  variable: (value, { variables }) => {
    const place = variables.get(value)
    return place !== undefined && ((rendering) => rendering.has(place))
  },
  'is-numeric': (value, { variables }) => {
    const place = variables.get(value)
    return place !== undefined && ((rendering) => isNumeric(rendering.textOf(place)))
  },
  // A reference alone has no place among others, and our dates are certain.
  'is-uncertain-date': () => false,
  locator: () => false,
  position: (value, { isInText }) => isInText && value === 'first',
  disambiguate: () => false,
}

/** The condition of an `if`, an `else-if` or an `else`; what is known is decided at once. */
function conditionOf({ name, attributes }: CslElement, known: KnownItem): boolean | Condition {
  if (name === 'else') return true
  const { match = 'all', ...asked } = attributes
  const found = Object.entries(asked).flatMap(([test, values]) => {
    const make = tests[test]
    if (make === undefined) throw new Error(`a style asks what is not known: ${test}`)
    const asOne = test === 'type' ? [values] : values.split(/\s+/)
    return asOne.map((value) => make(value, known))
  })
  const open = found.filter((one) => typeof one !== 'boolean')
  const [only] = open
  if (match === 'all') {
    if (found.includes(false)) return false
    if (open.length === 1 && only !== undefined) return only
    return only === undefined || ((rendering) => open.every((isMet) => isMet(rendering)))
  }
  if (found.includes(true)) return match === 'any'
  if (only === undefined) return match === 'none'
  if (match === 'any' && open.length === 1) return only
  if (match === 'any') return (rendering) => open.some((isMet) => isMet(rendering))
  return (rendering) => !open.some((isMet) => isMet(rendering))
}

/** The forms in which a style writes the last page of a range. */
type PageRangeFormat =
  | 'expanded'
  | 'minimal'
  | 'minimal-two'
  | 'chicago'
  | 'chicago-15'
  | 'chicago-16'
  | undefined

// Small Roman letters are numbers, as pages of a preface have them; capitals may be initials.
const roman = '(?=[a-z])m{0,4}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})(?![a-z])'
const numberForm = String.raw`(?:\p{L}{0,3}\d+(?:\.\d+)?\p{L}{0,3}|${roman})`
const numericForm = new RegExp(
  String.raw`^${numberForm}(?:\s*(?:[-–,&]|and)\s*${numberForm})*$`,
  'u',
)

const plainNumber = /^\d+$/

/** Whether a value is a number, a range of numbers, or several of them. */
function isNumeric(value: string): boolean {
  return plainNumber.test(value) || numericForm.test(value.trim())
}

/** Whether a value is more than one number. */
function areSeveral(value: string): boolean {
  return /[\p{L}\d]\s*(?:[-–,&]|\band\b)\s*[\p{L}\d]/iu.test(value)
}

/** Numbers with the sign of ranges between them, other texts as they are. */
function numberText(value: string, rangeSign: string): string {
  if (plainNumber.test(value) || !isNumeric(value)) return value
  return value.replace(/\s*[-–]\s*/g, rangeSign).replace(/\s*([,&])\s*/g, spacedSign)
}

function spacedSign(_all: string, sign: string): string {
  return sign === ',' ? ', ' : ' & '
}

const pageRange = /^(\p{L}*)(\d+)(\p{L}*)\s*[-–]\s*(\p{L}*)(\d+)(\p{L}*)$/u

/** Pages as a style has them: `100-115` is `100–15` in some. */
function pageText(value: string, format: PageRangeFormat, sign: string): string {
  if (!/[,;]/.test(value)) return onePageRange(value, format, sign)
  const parts = value.split(/\s*[,;]\s*/)
  return parts.map((part) => onePageRange(part, format, sign)).join(', ')
}

function onePageRange(value: string, format: PageRangeFormat, sign: string): string {
  const [, before = '', first, after = '', beforeLast = '', last, afterLast = ''] =
    pageRange.exec(value) ?? []
  if (first === undefined || last === undefined) return value.replace(/\s*[-–]+\s*/g, sign)
  const isPlain = after === '' && afterLast === '' && (beforeLast === '' || beforeLast === before)
  if (format === undefined || !isPlain)
    return `${before}${first}${after}${sign}${beforeLast}${last}${afterLast}`
  const whole = expandedPage(first, last)
  if (Number(whole) < Number(first)) return `${before}${first}${sign}${beforeLast}${last}`
  const shown = shortPage(first, whole, format)
  return `${before}${first}${sign}${format === 'expanded' ? before : ''}${shown}`
}

function expandedPage(first: string, last: string): string {
  return last.length < first.length ? first.slice(0, first.length - last.length) + last : last
}

function shortPage(first: string, last: string, format: PageRangeFormat): string {
  if (format === 'expanded' || first.length !== last.length) return last
  if (format === 'minimal') return minimalPage(first, last, 1)
  if (format === 'minimal-two') return minimalPage(first, last, 2)
  return format === 'chicago-16' ? chicagoPage(first, last) : oldChicagoPage(first, last)
}

/** The digits of the last page that differ from those of the first, `least` of them at least. */
function minimalPage(first: string, last: string, least: number): string {
  let same = 0
  while (same < last.length - least && first[same] === last[same]) same += 1
  return last.slice(same)
}

// The Chicago Manual, 9.61: below 100 and after multiples of 100 all digits, after 101 to 109 the
// changed part alone, else two digits or more.
function chicagoPage(first: string, last: string): string {
  const number = Number(first)
  if (number < 100 || number % 100 === 0) return last
  return minimalPage(first, last, number % 100 < 10 ? 1 : 2)
}

// Before its 16th edition, all digits of a number of four stood where three of them changed.
function oldChicagoPage(first: string, last: string): string {
  const shown = chicagoPage(first, last)
  return first.length === 4 && shown.length === 3 ? last : shown
}

/** The first of some pages. */
function firstPage(value: string): string {
  return /^[^\s,;&–-]+/.exec(value)?.[0] ?? value
}

const romanSigns = 'm cm d cd c xc l xl x ix v iv i'.split(' ')
const romanValues = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
const romanMax = 4999

/** A number in small Roman letters; one that has none as it is. */
function romanNumber(value: number): string {
  if (value > romanMax) return String(value)
  let rest = value
  let written = ''
  for (const [index, sign] of romanSigns.entries()) {
    const each = romanValues[index] ?? 1
    while (rest >= each) {
      written += sign
      rest -= each
    }
  }
  return written
}
