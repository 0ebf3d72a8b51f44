/** Messages in the order in which they came. Taking one costs the same however many there are. */
export class Mailbox<M> {
  #messages: M[] = []
  #next = 0

  get isEmpty(): boolean {
    return this.#next === this.#messages.length
  }

  put(message: M): void {
    this.#messages.push(message)
  }

  /** The oldest message; undefined if there is none. */
  take(): M | undefined {
    if (this.isEmpty) return undefined
    const message = this.#messages[this.#next]
    this.#next += 1
    if (this.isEmpty) this.#clear()
    return message
  }

  /** All messages, which are then no longer here. */
  takeAll(): readonly M[] {
    const messages = this.#messages.slice(this.#next)
    this.#clear()
    return messages
  }

  #clear(): void {
    this.#messages = []
    this.#next = 0
  }
}
