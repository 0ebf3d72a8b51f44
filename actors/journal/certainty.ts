import { setTimeout as sleep } from 'node:timers/promises'

import { notLeading } from '#actors/journal/journal_error.ts'
import type { SharedStream } from '#actors/journal/shared_stream.ts'

/** How often a leader looks whether another one has gone on with the journal. */
const lookMs = 500

/** What the certainty of a leader rests on. */
export type CertaintyOptions = {
  readonly shared: Pick<SharedStream, 'newest'>
  /** The place of the newest message that is carried out here. */
  readonly sequence: () => number
  /** Resolves when the batch that is being appended is written here, or is not to be. */
  readonly appending: () => Promise<void> | undefined
  /** Whether this node holds the lead at this very moment, as far as leases tell. */
  readonly holdsLead: () => boolean
  /** Ends with the leading. */
  readonly signal: AbortSignal
  /** Hears that another leader has gone on with the journal. */
  readonly superseded: () => void
}

/**
 * Whether a leader knows all that anybody was told. What it accepts is fenced by the journal; what
 * it refuses is not, and it may have been replaced, or the one before it may have had one more
 * batch on the way. So before it says no, it looks for the newest message, once for all who wait,
 * and whether it still holds the lead then.
 */
export class Certainty {
  readonly #options: CertaintyOptions
  #look: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(options: CertaintyOptions) {
    this.#options = options
  }

  /**
   * Resolves if all is carried out here that was in the journal when it was asked. Otherwise, and
   * where nobody can say: ActorError `stopped`, as of a node that does not lead.
   */
  confirm(): Promise<void> {
    // A look that is under way may have begun before what is to be known.
    this.#next ??= this.#lookAfter(this.#look)
    return this.#next
  }

  /**
   * Looks again and again until the leading ends. A leader that appends finds out by that if
   * another one has gone on, but one that has nothing to write would never do.
   */
  async watch(): Promise<void> {
    const { signal } = this.#options
    while (!signal.aborted) {
      try {
        await sleep(lookMs, undefined, { signal, ref: false })
        await this.confirm()
      } catch {
        // Who has to know was told by `superseded`.
      }
    }
  }

  async #lookAfter(last: Promise<void>): Promise<void> {
    await last.catch(() => undefined)
    this.#look = this.#next ?? last
    this.#next = undefined
    const { sequence, signal, holdsLead } = this.#options
    const known = sequence()
    const newest = await this.#newest(known)
    if (newest > sequence()) await this.#settle(newest)
    const isKnown = newest >= known && newest <= sequence()
    if (!isKnown || signal.aborted || !holdsLead()) throw notLeading()
  }

  async #newest(known: number): Promise<number> {
    const { shared, signal } = this.#options
    try {
      return await shared.newest(signal, known)
    } catch {
      // What is wrong with the journal, its next batch or the next check finds and says.
      throw notLeading()
    }
  }

  /** What is newer is the batch that is being appended, or another leader's. */
  async #settle(newest: number): Promise<void> {
    const { sequence, appending, superseded } = this.#options
    for (let batch = appending(); newest > sequence(); batch = appending()) {
      if (batch === undefined) return superseded()
      await batch
    }
  }
}
