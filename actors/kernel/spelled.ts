/**
 * A JSON value and its text, which is the member `spelled` of a message. Where the message goes to
 * another side, the text goes beside it as it is: nobody spells the value again, and it is the very
 * text that was hashed which is stored. There the value is read when it is asked for.
 */
export class Spelled<T extends object> {
  readonly text: string
  #value: T | undefined

  /** `value` is what `text` spells, where it is at hand. */
  constructor(text: string, value?: T) {
    this.text = text
    this.#value = value
  }

  get value(): T {
    this.#value ??= JSON.parse(this.text) as T
    return this.#value
  }

  /** A message is spelled without it. */
  toJSON(): undefined {
    return undefined
  }
}
