import { CorruptRowError } from '#log/store/damage.ts'
import type { Row, Store } from '#log/store/store.ts'

/** How a scrubber goes about its work. */
export type ScrubOptions = {
  /** Rows that are read before each pause. */
  readonly stepRows: number
  /** Waits between two steps: it sets the pace, and lets the process serve. */
  readonly pause: () => Promise<void>
  /** Told of each row that is damaged, in words for the operator. */
  readonly onProblem: (message: string) => void
}

/** What a scrubber has done since it was made. */
export type ScrubCounters = {
  readonly passes: number
  readonly rows: number
  readonly problems: number
}

// A row that a writer changes while it is looked at is looked at again, so many times in all.
const lookUpsMax = 3

/**
 * Reads a store again and again in the background, so that damage is found while there is still a
 * backup that has the row. Each row is read in order, which checks its checksum, and looked up by
 * its key, which checks that LevelDB's indexes and filters still lead to it. It owns its counters.
 */
export class Scrubber {
  readonly #store: Store
  readonly #options: ScrubOptions
  #passes = 0
  #rows = 0
  #problems = 0

  constructor(store: Store, options: ScrubOptions) {
    this.#store = store
    this.#options = options
  }

  get counters(): ScrubCounters {
    return { passes: this.#passes, rows: this.#rows, problems: this.#problems }
  }

  /** Makes pass after pass until the signal; rejects when the store cannot be read at all. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#pass(signal)
      await this.#options.pause()
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    // Each step is a scan of its own: a snapshot held for hours would keep every row since.
    let after: string | undefined = ''
    while (after !== undefined) {
      if (signal.aborted) return
      after = await this.#step(after)
      if (after !== undefined) await this.#options.pause()
    }
    this.#passes += 1
  }

  /** Checks the rows after a key; the last key of the step, or undefined at the end. */
  async #step(after: string): Promise<string | undefined> {
    let last: string | undefined
    try {
      // Row by row each would leave promises behind, which are most of what scrubbing costs.
      const batches = this.#store.scanBatches({ gt: after, limit: this.#options.stepRows })
      for await (const rows of batches) last = await this.#lookUpAll(rows)
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error
      return this.#stepByRows(last ?? after)
    }
    return last
  }

  /** A step over rows of which one is damaged, so that it takes none before that one with it. */
  async #stepByRows(after: string): Promise<string | undefined> {
    let last: string | undefined
    try {
      const rows = this.#store.scan({ gt: after, limit: this.#options.stepRows })
      for await (const row of rows) last = await this.#lookUpAll([row])
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error
      this.#report(error.message)
      // A key that is itself damaged may lie out of order; a step back would never end.
      return error.key > (last ?? after) ? error.key : undefined
    }
    return last
  }

  /** Looks rows up that were read in order; gives the key of the last one. */
  async #lookUpAll(rows: readonly Row[]): Promise<string | undefined> {
    for (const [key, scanned] of rows) {
      if (!isSame(this.#store.get(key), scanned)) await this.#lookUpAgain(key)
      this.#rows += 1
    }
    return rows.at(-1)?.[0]
  }

  // Only a row that stays as it is can be told to be damaged: one that a writer has changed between
  // two look-ups may differ from what was read meanwhile, and some change with every commit.
  async #lookUpAgain(key: string): Promise<void> {
    for (let lookUps = 1; lookUps <= lookUpsMax; lookUps += 1) {
      const before = this.#store.get(key)
      const read = await this.#scanOne(key)
      const after = this.#store.get(key)
      if (isSame(read, after)) return
      if (isSame(before, after)) return this.#reportMissed(key)
    }
  }

  #reportMissed(key: string): void {
    this.#report(
      `the row ${JSON.stringify(key)} is in the store but a look-up does not find it as it is: ` +
        'stop the service, check the disk, and restore the store from a backup',
    )
  }

  async #scanOne(key: string): Promise<Uint8Array | undefined> {
    for await (const [, value] of this.#store.scan({ gte: key, lte: key })) return value
    return undefined
  }

  #report(message: string): void {
    this.#problems += 1
    this.#options.onProblem(message)
  }
}

function isSame(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return Buffer.compare(left, right) === 0
}
