import { type Ref, tell } from '#actors/kernel.ts'
import type { SequencerMessage } from '#actors/sequencer.ts'
import { decodeRow, type IdempotencyRow } from '#actors/view_row.ts'
import type { Store } from '#log/store.ts'

// How long a request is remembered by its idempotency key, at least.
const idempotencyMs = 24 * 3_600_000

/** How often old keys are looked for, and how many are forgotten with one batch. */
const sweepMs = 3_600_000
const sweepKeysMax = 1_000

/** Forgets idempotency keys that have had their time. Owns its timer and nothing else. */
export class IdempotencySweeper {
  readonly #store: Store
  readonly #sequencer: Ref<SequencerMessage>
  readonly #nowMs: () => number
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> | undefined

  constructor(store: Store, sequencer: Ref<SequencerMessage>, nowMs: () => number) {
    this.#store = store
    this.#sequencer = sequencer
    this.#nowMs = nowMs
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.sweep().finally(() => {
        this.#sweeping = undefined
      })
    }, sweepMs).unref()
  }

  /** Tells the sequencer to forget every key that is older than a day. */
  async sweep(): Promise<void> {
    const oldest = new Date(this.#nowMs() - idempotencyMs).toISOString()
    let keys: string[] = []
    for await (const [key, value] of this.#store.scan({
      gte: 'idempotency/',
      lt: 'idempotency0',
    })) {
      const row = decodeRow<IdempotencyRow>(value)
      if (row !== undefined && row.at < oldest) keys.push(key)
      if (keys.length < sweepKeysMax) continue
      tell(this.#sequencer, { type: 'forget', keys })
      keys = []
    }
    if (keys.length > 0) tell(this.#sequencer, { type: 'forget', keys })
  }

  /** Stops looking, and waits for a sweep that is under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
