import { batchWorksMax, type UsageBatch, type UseCounts } from '#src/usage/usage_batch.ts'
import { UsagePool, type WorkDay } from '#src/usage/usage_pool.ts'

/** How often it is looked at what was gathered; what is little goes on at once. */
const lookMs = 5_000

/** The pause between two batches, in which others have the thread. */
const pauseMs = 10

/** How uses are gathered. */
export type GatheringOptions = {
  /** How long more than a batch is gathered, about: the same work is told once in that time. */
  readonly gatherMs: number
  /** Takes a batch; it is kept no longer here. */
  readonly send: (batch: UsageBatch) => void
}

/**
 * Gathers counts in bounded memory and sends them on in batches, one at a time: the same work that
 * is used many times in a minute costs whoever writes it once. It owns what is gathered.
 */
export class UsageGathering {
  readonly #options: GatheringOptions
  readonly #pool = new UsagePool()
  readonly #looking: NodeJS.Timeout
  #sending: NodeJS.Timeout | undefined
  #looks = 0

  constructor(options: GatheringOptions) {
    this.#options = options
    this.#looking = setInterval(() => this.#look(), lookMs).unref()
  }

  add(work: WorkDay, counts: UseCounts): void {
    if (this.#pool.isOverfull) this.#send()
    this.#pool.add(work, counts)
    if (this.#pool.isFull) this.#sendAll()
  }

  /** Adds what another thread has gathered. */
  addBatch({ day, works }: UsageBatch): void {
    for (const [environment, ark, organization, counts] of works) {
      this.add({ day, environment, ark, organization: organization ?? undefined }, counts)
    }
  }

  /** Sends what was gathered now, as far as that holds up nobody. */
  flush(): void {
    if (this.#pool.works <= batchWorksMax) this.#sendNow()
  }

  /** Sends all that was gathered, and nothing more by itself. */
  close(): void {
    clearInterval(this.#looking)
    clearTimeout(this.#sending)
    this.#sendNow()
  }

  #look(): void {
    this.#looks += 1
    if (this.#pool.works <= batchWorksMax) this.#sendNow()
    else if (this.#looks * lookMs >= this.#options.gatherMs) this.#sendAll()
  }

  #sendNow(): void {
    this.#looks = 0
    while (this.#pool.works > 0) this.#send()
  }

  /** Sends what is there when it begins, with pauses. */
  #sendAll(): void {
    if (this.#sending !== undefined) return
    this.#looks = 0
    let left: number | undefined
    const step = () => {
      left = (left ?? this.#pool.works) - this.#send()
      this.#sending = left > 0 ? setTimeout(step, pauseMs).unref() : undefined
    }
    this.#sending = setTimeout(step, 0).unref()
  }

  #send(): number {
    const batch = this.#pool.take()
    if (batch === undefined) return Number.POSITIVE_INFINITY
    this.#options.send(batch)
    return batch.works.length
  }
}
