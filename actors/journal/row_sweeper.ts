import type { ActorReport } from '#actors/kernel/actor_error.ts'
import { type Ref, tell } from '#actors/kernel/kernel.ts'
import { proposalAgeMsMax, type SequencerMessage } from '#actors/journal/sequencer.ts'
import { decodeRow } from '#actors/journal/rows.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { scanSound } from '#log/store/damage.ts'
import type { Store } from '#log/store/store.ts'

// A day, for a proposal that was made when its commit is planned, too.
const keptMs = 24 * 3_600_000 + proposalAgeMsMax

/** How often old rows are looked for, and how many are forgotten with one batch. */
const sweepMs = 3_600_000
const sweepKeysMax = 1_000

/** A row that is kept for a day, and when that began. */
type DayRow = { readonly at: string }

/**
 * What a sweeper reads, whom it tells which rows are old, and who hears that it could not read.
 * `prefixes` are what begins the keys of rows that are kept for a day.
 */
export type SweeperOptions = {
  readonly store: Store
  readonly prefixes: readonly string[]
  readonly sequencer: Ref<SequencerMessage>
  readonly nowMs: () => number
  readonly report: (report: ActorReport) => void
}

/** Forgets rows that have had their time. Owns its timer and nothing else. */
export class RowSweeper {
  readonly #options: SweeperOptions
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> | undefined

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

  /** Tells the sequencer to forget every row that is older than a day. */
  async sweep(): Promise<void> {
    const { prefixes, nowMs } = this.#options
    const oldest = formatTimestamp(nowMs() - keptMs)
    for (const prefix of prefixes) await this.#sweepBelow(prefix, oldest)
  }

  async #sweepBelow(prefix: string, oldest: string): Promise<void> {
    const { store, sequencer } = this.#options
    let keys: string[] = []
    for await (const [key, value] of scanSound(store, { gte: prefix, lt: `${prefix}~` })) {
      const row = decodeRow<DayRow>(value)
      if (row !== undefined && row.at < oldest) keys.push(key)
      if (keys.length < sweepKeysMax) continue
      tell(sequencer, { type: 'forget', keys })
      keys = []
    }
    if (keys.length > 0) tell(sequencer, { type: 'forget', keys })
  }

  /** Stops looking, and waits for a sweep that is under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
