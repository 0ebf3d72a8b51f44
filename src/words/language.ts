/** Messages of a language by their place and key; whatever is not there is English. */
export type Translations = Readonly<
  Record<string, Readonly<Record<string, string | undefined>> | undefined>
>

type LanguageParts = {
  /** The tag of BCP 47 by which pages name it. */
  readonly tag: string
  /** What it is called by those who speak it. */
  readonly name: string
  readonly direction?: 'ltr' | 'rtl'
  /** The locale of numbers and dates, where it is not the tag. */
  readonly locale?: string
  readonly translations?: Translations
  /** The messages of the desks of publishers and administrators. */
  readonly desks?: Translations
  /** Changes every text, so that a text which is not of the catalogue stands out. */
  readonly disguise?: (text: string) => string
}

/** A language that pages and mails are written in, with what `Intl` knows of it. */
export class Language {
  readonly tag: string
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  readonly disguise: ((text: string) => string) | undefined
  /** Whether the desks of publishers and administrators are written in it. */
  readonly hasDesks: boolean
  readonly #locale: string
  readonly #parts: LanguageParts
  /** What no place has taken yet; undefined before the first one does. */
  #left: Record<string, Translations[string]> | undefined
  readonly #formats = new Map<string, unknown>()

  constructor(parts: LanguageParts) {
    const { tag, name, direction = 'ltr', locale = tag, disguise, desks } = parts
    this.tag = tag
    this.name = name
    this.direction = direction
    this.disguise = disguise
    // Messages are English first; a disguise is English in other letters.
    this.hasDesks = tag === 'en' || disguise !== undefined || desks !== undefined
    this.#locale = locale
    this.#parts = parts
  }

  /** All its messages, by their place and key. The bundle reads them from a file each time. */
  get translations(): Record<string, Translations[string]> {
    return { ...this.#parts.translations, ...this.#parts.desks }
  }

  /**
   * The messages of a place, for the one that keeps them from now on: this language does not. The
   * texts of all languages are read by few, and each thread has its own.
   */
  takeTexts(place: string): Translations[string] {
    const left = (this.#left ??= this.translations)
    const texts = left[place]
    delete left[place]
    return texts
  }

  /** The form of a number: `one`, `few`, `other` (CLDR). */
  pluralOf(count: number): string {
    return this.#format('plural', (locale) => new Intl.PluralRules(locale)).select(count)
  }

  number(count: number): string {
    return this.#format('number', (locale) => new Intl.NumberFormat(locale)).format(count)
  }

  /** A part of all, such as `4.5 %`. */
  percentage(part: number): string {
    const options = {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    } as const
    return this.#format('percent', (locale) => new Intl.NumberFormat(locale, options)).format(part)
  }

  /** The size of a file, of which three digits are told: `1.2 MB`. */
  bytes(count: number): string {
    const power = count < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3))
    const unit = byteUnits[power] ?? 'byte'
    const options = {
      style: 'unit',
      unit,
      unitDisplay: power === 0 ? 'long' : 'short',
      minimumSignificantDigits: power === 0 ? 1 : 3,
      maximumSignificantDigits: 3,
    } as const
    const made = (locale: string) => new Intl.NumberFormat(locale, options)
    return this.#shown(this.#format(unit, made).format(count / 1_000 ** power))
  }

  /** A time in UTC, `21 Nov 2026, 17:30 UTC`; a date alone has no time of the day. */
  time(atMs: number, precision: TimePrecision): string {
    const made = (locale: string) => new Intl.DateTimeFormat(locale, timeOptions[precision])
    return this.#shown(this.#format(precision, made).format(atMs))
  }

  /** How long ago something was: `3 hours ago`. */
  ago(count: number, unit: TimeUnit): string {
    const made = (locale: string) => new Intl.RelativeTimeFormat(locale)
    return this.#shown(this.#format('ago', made).format(-count, unit))
  }

  /** `title, abstract and DOI`. */
  list(items: readonly string[], type: 'conjunction' | 'disjunction' | 'unit'): string {
    const made = (locale: string) => new Intl.ListFormat(locale, { type, style: 'long' })
    return this.#format(type, made).format(items)
  }

  /** What a language, a region or a script of a code is called; the code if nobody knows it. */
  nameOf(type: 'language' | 'region', code: string): string {
    const made = (locale: string) => new Intl.DisplayNames(locale, { type })
    try {
      // A tag can say more than a name can, such as an order of letters.
      const named = type === 'language' ? new Intl.Locale(code).baseName : code
      return this.#shown(this.#format(`name of ${type}`, made).of(named) ?? code)
    } catch {
      // What was typed into an address need not be a code at all.
      return code
    }
  }

  #shown(text: string): string {
    return this.disguise?.(text) ?? text
  }

  #format<F>(name: string, make: (locale: string) => F): F {
    const known = this.#formats.get(name) as F | undefined
    if (known !== undefined) return known
    const made = make(this.#locale)
    this.#formats.set(name, made)
    return made
  }
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export type TimePrecision = 'day' | 'minute' | 'second'
export type TimeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'

const day = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
const minute = {
  ...day,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const

const timeOptions: Readonly<Record<TimePrecision, Intl.DateTimeFormatOptions>> = {
  day,
  minute,
  second: { ...minute, second: '2-digit' },
}

/** The language that everything is written in first, and that stands in for every other one. */
export const english = new Language({ tag: 'en', name: 'English', locale: 'en-GB' })
