import type { DateParts, DateWriter } from '#src/discovery/csl/dates.ts'
import type { CslName } from '#src/discovery/csl/names.ts'

/** What is cited: the values of its variables, as CSL-JSON has them, each at its place. */
export type CitedItem = {
  readonly type: string
  readonly language: string | undefined
  readonly values: readonly unknown[]
}

/** Writes a part of a reference; '' where there is nothing to write. */
export type Writer = (rendering: Rendering) => string

/** Writes nothing. */
export const nothing: Writer = () => ''

/** Writes a variable that no item has. */
export const absent: Writer = (rendering) => rendering.ask()

/** The first text that one of several writes; '' where none does. */
export function firstText(writers: readonly Writer[], rendering: Rendering): string {
  for (const write of writers) {
    const text = write(rendering)
    if (text !== '') return text
  }
  return ''
}

/** One reference while it is written. Variables are told by their places in the item. */
export class Rendering {
  /** Whether titles are English, and have capitals where a style wants them. */
  readonly isEnglish: boolean
  /** Variables that have been written. */
  readonly written: number[] = []
  readonly #values: readonly unknown[]
  /** Variables that stand in the place of names, and are not written again. */
  #done: readonly number[] = []
  #wasAsked = false
  #hasValue = false

  constructor({ values }: CitedItem, isEnglish: boolean) {
    this.#values = values
    this.isEnglish = isEnglish
  }

  /** The text of a variable; '' without one. */
  textOf(variable: number): string {
    const value = this.#values[variable]
    return typeof value === 'string' && !this.#done.includes(variable) ? value : ''
  }

  /** Whether a variable of any kind has a value. */
  has(variable: number): boolean {
    return this.#values[variable] !== undefined
  }

  /** Writes the text of a variable. */
  take(variable: number, write: (value: string) => string): string {
    const value = this.textOf(variable)
    return this.#note(variable, value === '' ? '' : write(value))
  }

  /** Writes a date, or a range. */
  takeDate(variable: number, write: DateWriter): string {
    const value = this.#done.includes(variable) ? undefined : this.#values[variable]
    const [date, end] =
      (value as { readonly 'date-parts'?: readonly DateParts[] } | undefined)?.['date-parts'] ?? []
    return this.#note(variable, date === undefined ? '' : write(date, end))
  }

  /** Writes the names of a variable. */
  takeNames(variable: number, write: (names: readonly CslName[]) => string): string {
    const value = this.#done.includes(variable) ? undefined : this.#values[variable]
    const names = value as readonly CslName[] | undefined
    return this.#note(variable, names === undefined || names.length === 0 ? '' : write(names))
  }

  /** Notes that a variable was asked for which has no value. */
  ask(): string {
    this.#wasAsked = true
    return ''
  }

  #note(variable: number, text: string): string {
    this.#wasAsked = true
    if (text === '') return ''
    this.#hasValue = true
    this.written.push(variable)
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
    const before = this.written.length
    const text = firstText(others, this)
    if (text !== '') this.#done = [...this.#done, ...this.written.slice(before)]
    return text
  }
}
