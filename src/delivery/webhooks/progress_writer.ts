import type { Kept } from '#src/delivery/webhooks/delivery_rows.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import type { Lane } from '#src/delivery/webhooks/lane.ts'

/** What is written beside what lanes have done. */
export type ProgressWriterOptions = {
  /** Up to which `seq` the journal was seen. */
  readonly seen: () => number
  /** All lanes: those that have something unwritten are written before that. */
  readonly lanes: () => Iterable<Lane>
  /** The term that writes, where several nodes deliver one after the other. */
  readonly term: string | undefined
  /** Hears that another term has begun: nothing is written from then on. */
  readonly superseded: () => void
  readonly report: (error: unknown) => void
}

/**
 * How long what lanes have done is gathered: so many times as long as the write before has taken,
 * within bounds. Where the disk, or who writes for all, has much to do, deliveries ask less of it.
 */
const gatherMsMin = 100
const gatherMsMax = 1_000
const waitPerWrite = 19

/** How often it is written how far all is seen. */
const seenEveryMs = 5_000
const faultMs = 1_000

/** Lanes whose progress is written in one change. */
const batchLanes = 100

/**
 * Writes how far lanes have come, many at once: a try that is not written yet is made again after a
 * crash. How far the journal was seen is written after what lanes have heard of until then, so that
 * a lane which has nothing to do writes nothing.
 */
export class ProgressWriter {
  readonly #endpoints: EndpointStore
  readonly #options: ProgressWriterOptions
  readonly #dirty = new Set<Lane>()
  #next: Promise<void> | undefined
  #writing: Promise<void> = Promise.resolve()
  #writtenInMs = 0
  #seenTimer: NodeJS.Timeout | undefined
  #isClosed = false
  #isSuperseded = false

  constructor(endpoints: EndpointStore, options: ProgressWriterOptions) {
    this.#endpoints = endpoints
    this.#options = options
  }

  /** Has what a lane has done written; resolves when it is. */
  keep(lane: Lane): Promise<void> {
    this.#dirty.add(lane)
    this.#next ??= this.#gather()
    return this.#next
  }

  /** More was seen of the journal. */
  saw(): void {
    if (this.#isClosed) return
    this.#seenTimer ??= setTimeout(() => {
      this.#seenTimer = undefined
      void this.#enqueue(() => this.#writeSeen())
    }, seenEveryMs).unref()
  }

  /** Writes all there is. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#seenTimer)
    await this.#enqueue(() => this.#writeSeen())
  }

  async #gather(): Promise<void> {
    const waitMs = Math.min(gatherMsMax, Math.max(gatherMsMin, this.#writtenInMs * waitPerWrite))
    if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, waitMs))
    this.#next = undefined
    const beganMs = performance.now()
    await this.#enqueue(() => this.#writeAll([...this.#dirty]))
    this.#writtenInMs = performance.now() - beganMs
  }

  #enqueue(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write).catch(async (error: unknown) => {
      this.#options.report(error)
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, faultMs))
    })
    return this.#writing
  }

  async #writeSeen(): Promise<void> {
    // What lanes hear of from now on comes after this.
    const seen = this.#options.seen()
    await this.#writeAll([...this.#options.lanes()].filter(({ record }) => record.isDirty))
    await this.#write(new Map(), seen)
  }

  async #writeAll(lanes: readonly Lane[]): Promise<void> {
    for (let first = 0; first < lanes.length; first += batchLanes) {
      const batch = lanes.slice(first, first + batchLanes)
      const kept = new Map<string, Kept>()
      for (const lane of batch) {
        this.#dirty.delete(lane)
        kept.set(lane.id, lane.record.take())
      }
      try {
        await this.#write(kept)
      } catch (error) {
        for (const lane of batch) {
          const own = kept.get(lane.id)
          if (own !== undefined) lane.record.giveBack(own)
          this.#dirty.add(lane)
        }
        throw error
      }
    }
  }

  async #write(kept: ReadonlyMap<string, Kept>, seen?: number): Promise<void> {
    if (this.#isSuperseded) return
    const { term, superseded } = this.#options
    const isThere = (id: string) => this.#endpoints.get(id) !== undefined
    if (await this.#endpoints.deliveries.keep(kept, isThere, { seen, term })) return
    this.#isSuperseded = true
    superseded()
  }
}
