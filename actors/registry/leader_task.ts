import type { Follower, JournalEvent } from '#actors/journal/journal.ts'

/**
 * What only one of the nodes of a registry does at a time: it is made when this node takes it over,
 * and ended when another one does. It owns what was made.
 */
export class LeaderTask<F extends Follower> implements Follower {
  readonly #make: () => F
  #current: F | undefined
  #ending: Promise<void> = Promise.resolve()
  #isClosed = false

  /** `make` gives one that begins with what the store says is to be done. */
  constructor(make: () => F) {
    this.#make = make
  }

  /** What does it here; undefined while another node does it. */
  get current(): F | undefined {
    return this.#current
  }

  /** Takes it over, or leaves it to another node. */
  set(isOurs: boolean): void {
    if (isOurs === (this.#current !== undefined) || this.#isClosed) return
    if (isOurs) {
      this.#current = this.#make()
      return
    }
    const ended = this.#current
    this.#current = undefined
    this.#ending = Promise.all([this.#ending, ended?.close?.()]).then(() => undefined)
  }

  published(newest: readonly JournalEvent[], events: number): void {
    this.#current?.published(newest, events)
  }

  /** Ends it here for good. */
  async close(): Promise<void> {
    this.set(false)
    this.#isClosed = true
    await this.#ending
  }
}
