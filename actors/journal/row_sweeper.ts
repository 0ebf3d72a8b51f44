import { ActorError, type ActorReport } from '#actors/kernel/actor_error.ts'
import { ask, type Ref } from '#actors/kernel/kernel.ts'
import { proposalAgeMsMax, type SequencerMessage } from '#actors/journal/sequencer.ts'
import { decodeRow } from '#actors/journal/rows.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { scanSound } from '#log/store/damage.ts'
import type { Store } from '#log/store/store.ts'

// A day, for a proposal that was made when its commit is planned, too.
const keptMs = 24 * 3_600_000 + proposalAgeMsMax

/** How often old rows are looked for, and how many are deleted with one batch. */
const sweepMs = 3_600_000
const sweepKeysMax = 1_000

/** A row that is kept for a day, and when that began. */
type DayRow = { readonly at: string }

/**
 * What a sweeper reads, whom it asks to delete old rows, and who hears that it could not read.
 * `prefixes` are what begins the keys of rows that are kept for a day.
 */
export type SweeperOptions = {
  readonly store: Store
  readonly prefixes: readonly string[]
  readonly sequencer: Ref<SequencerMessage>
  readonly askTimeoutMs: number
  readonly nowMs: () => number
  readonly report: (report: ActorReport) => void
}

/**
 * Has rows deleted that have had their time, some at a time: the next are looked for when those are
 * gone, so that however many are old, no batch is long and few wait. Owns its timer and nothing
 * else.
 */
export class RowSweeper {
  readonly #options: SweeperOptions
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> | undefined
  #isClosing = false

  constructor(options: SweeperOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweepOrReport()
    }, sweepMs).unref()
  }

  async #sweepOrReport(): Promise<void> {
    try {
      await this.sweep()
    } catch (error) {
      const actor = 'row sweeper'
      this.#options.report({ type: 'fault', actor, message: 'sweep', error })
    }
    this.#sweeping = undefined
  }

  /**
   * Deletes every row that is older than a day. Where nothing can be written now, as on a full disk
   * or at a node that does not lead, that is left to the next sweep.
   */
  async sweep(): Promise<void> {
    const { prefixes, nowMs } = this.#options
    const oldest = formatTimestamp(nowMs() - keptMs)
    try {
      for (const prefix of prefixes) await this.#sweepBelow(prefix, oldest)
    } catch (error) {
      if (!(error instanceof ActorError)) throw error
    }
  }

  async #sweepBelow(prefix: string, oldest: string): Promise<void> {
    const { store } = this.#options
    let keys: string[] = []
    for await (const [key, value] of scanSound(store, { gte: prefix, lt: `${prefix}~` })) {
      if (this.#isClosing) return
      const row = decodeRow<DayRow>(value)
      if (row !== undefined && row.at < oldest) keys.push(key)
      if (keys.length < sweepKeysMax) continue
      await this.#delete(keys)
      keys = []
    }
    if (keys.length > 0) await this.#delete(keys)
  }

  #delete(keys: readonly string[]): Promise<void> {
    const { sequencer, askTimeoutMs } = this.#options
    const rows = keys.map((key) => ({ type: 'del', key }) as const)
    return ask(sequencer, { type: 'keep', rows }, askTimeoutMs)
  }

  /** Stops looking, and waits for a sweep that is under way to stop. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
