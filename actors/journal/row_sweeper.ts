import type { ActorReport } from '#actors/kernel/actor_report.ts'
import { type Ref, tell } from '#actors/kernel/kernel.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { decodeRow } from '#actors/journal/rows.ts'
import type { IdempotencyRow } from '#actors/journal/idempotency.ts'
import { scanSound } from '#log/damage.ts'
import type { Store } from '#log/store.ts'

// How long a request is remembered by its idempotency key, at least.
const idempotencyMs = 24 * 3_600_000

/** How often old keys are looked for, and how many are forgotten with one batch. */
const sweepMs = 3_600_000
const sweepKeysMax = 1_000

/** What a sweeper reads, whom it tells which keys are old, and who hears that it could not read. */
export type SweeperOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly nowMs: () => number
  readonly report: (report: ActorReport) => void
}

/** Forgets idempotency keys that have had their time. Owns its timer and nothing else. */
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
      const actor = 'idempotency sweeper'
      this.#options.report({ type: 'fault', actor, message: 'sweep', error })
    }
    this.#sweeping = undefined
  }

  /** Tells the sequencer to forget every key that is older than a day. */
  async sweep(): Promise<void> {
    const { store, sequencer, nowMs } = this.#options
    const oldest = new Date(nowMs() - idempotencyMs).toISOString()
    let keys: string[] = []
    const range = { gte: 'idempotency/', lt: 'idempotency0' }
    for await (const [key, value] of scanSound(store, range)) {
      const row = decodeRow<IdempotencyRow>(value)
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
