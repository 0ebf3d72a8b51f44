/**
 * A JSON value and its text, which is the member `serialized` of a message. Where the message goes
 * to another side, the text goes beside it as it is: nobody serializes the value again, and the
 * very text that was hashed is stored. There the value is parsed when it is asked for.
 */
export class SerializedValue<T extends object> {
  readonly text: string
  #value: T | undefined

  /** `value` is what `text` parses to, where it is at hand. */
  constructor(text: string, value?: T) {
    this.text = text
    this.#value = value
  }

  get value(): T {
    this.#value ??= JSON.parse(this.text) as T
    return this.#value
  }

  /** The JSON of a message leaves it out. */
  toJSON(): undefined {
    return undefined
  }
}
