import type { IdentityStore } from '#src/identity/store/identity_store.ts'

/** What gathering needs. `report` is told of a write that failed. */
export type GatheredWritesOptions = {
  readonly store: Pick<IdentityStore, 'isShared'>
  /** Writes all that has gathered. */
  readonly write: () => Promise<void>
  readonly report: (fault: unknown) => void
}

/**
 * How long notes gather where each write is a message to all nodes: who uses what, and when, is
 * much and worth little. A node that is killed loses those of as long.
 */
const gatheredMs = 60_000

/** Writes down what is only noted: at once, or, where nodes share the store, once a minute. */
export class GatheredWrites {
  readonly #options: GatheredWritesOptions
  #isDue = false

  constructor(options: GatheredWritesOptions) {
    this.#options = options
  }

  /** Says that there is something; one write takes all that has gathered until then. */
  request(): void {
    if (this.#isDue) return
    this.#isDue = true
    if (this.#options.store.isShared) setTimeout(() => this.#write(), gatheredMs).unref()
    else this.#write()
  }

  /** What gathers from now on is for the next write. Called by the one that is under way. */
  begin(): void {
    this.#isDue = false
  }

  #write(): void {
    this.#options.write().catch((fault: unknown) => {
      this.#isDue = false
      this.#options.report(fault)
    })
  }
}
