import type { DateParts } from '#src/discovery/csl/dates.ts'
import type { CslName } from '#src/discovery/csl/names.ts'
import type { Terms } from '#src/discovery/csl/terms.ts'

/** What is cited, as CSL-JSON has it. */
export type CitedItem = Readonly<Record<string, unknown>> & { readonly type: string }

/** Writes a part of a reference; '' where there is nothing to write. */
export type Writer = (rendering: Rendering) => string

/** Writes nothing. */
export const nothing: Writer = () => ''

/** Writes a variable that no item has. */
export const absent: Writer = (rendering) => rendering.ask()

/** One reference while it is written. */
export class Rendering {
  readonly item: CitedItem
  /** Whether titles are English, and have capitals where a style wants them. */
  readonly isEnglish: boolean
  /** Variables that have been written. */
  readonly written = new Set<string>()
  /** Variables that stand in the place of names, and are not written again. */
  #done: Set<string> | undefined
  #wasAsked = false
  #hasValue = false
  #substituted: string[] | undefined

  constructor(item: CitedItem, { isEnglish }: Terms) {
    this.item = item
    const { language } = item
    this.isEnglish = typeof language === 'string' ? /^en(?:-|$)/i.test(language) : isEnglish
  }

  /** The text of a variable; undefined without one. */
  textOf(variable: string, form?: string): string | undefined {
    if (this.#done?.has(variable) === true) return undefined
    const short = form === 'short' ? this.item[`${variable}-short`] : undefined
    const value = short ?? this.item[variable]
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** Whether a variable of any kind has a value. */
  has(variable: string): boolean {
    return this.item[variable] !== undefined
  }

  /** Writes the text of a variable. */
  take(variable: string, write: (value: string) => string, form?: string): string {
    const value = this.textOf(variable, form)
    return this.#note(variable, value === undefined ? '' : write(value))
  }

  /** Writes a date. */
  takeDate(variable: string, write: (date: DateParts) => string): string {
    const value = this.item[variable] as
      | { readonly 'date-parts'?: readonly DateParts[] }
      | undefined
    const date = this.#done?.has(variable) === true ? undefined : value?.['date-parts']?.[0]
    return this.#note(variable, date === undefined ? '' : write(date))
  }

  /** Writes the names of a variable. */
  takeNames(variable: string, write: (names: readonly CslName[]) => string): string {
    const names = this.#done?.has(variable) === true ? undefined : this.item[variable]
    const isThere = Array.isArray(names) && names.length > 0
    return this.#note(variable, isThere ? write(names as readonly CslName[]) : '')
  }

  /** Notes that a variable was asked for which has no value. */
  ask(): string {
    this.#wasAsked = true
    return ''
  }

  #note(variable: string, text: string): string {
    this.#wasAsked = true
    if (text === '') return ''
    this.#hasValue = true
    this.written.add(variable)
    this.#substituted?.push(variable)
    return text
  }

  /** What stands together: '' if variables were asked for, and none had a value. */
  together(write: Writer): string {
    const [wasAsked, hasValue] = [this.#wasAsked, this.#hasValue]
    this.#wasAsked = false
    this.#hasValue = false
    const text = write(this)
    const isLeftOut = text === '' || (this.#wasAsked && !this.#hasValue)
    this.#wasAsked ||= wasAsked
    this.#hasValue = hasValue || !isLeftOut
    return isLeftOut ? '' : text
  }

  /** The first text that there is, in the place of names: its variables are not written again. */
  substitute(others: readonly Writer[]): string {
    if (others.length === 0) return ''
    const outer = this.#substituted
    this.#substituted = []
    try {
      for (const write of others) {
        const text = write(this)
        if (text === '') continue
        this.#done = new Set([...(this.#done ?? []), ...this.#substituted])
        return text
      }
      return ''
    } finally {
      this.#substituted = outer
    }
  }
}
