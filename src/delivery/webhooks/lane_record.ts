import {
  deliveriesKeptMs,
  deliveriesMax,
  type Delivery,
  type EndpointProgress,
} from '#src/delivery/webhooks/delivery.ts'
import type { DeliveryRows, Kept } from '#src/delivery/webhooks/delivery_rows.ts'

/** How far the deliveries of an endpoint have come, and what of that is not written yet. */
export class LaneRecord {
  readonly #id: string
  readonly #rows: DeliveryRows
  #progress: EndpointProgress
  #isDirty = false
  #deliveries: Delivery[] = []
  #forgotten: number[] = []
  #sentRevocations: string[] = []

  constructor(id: string, rows: DeliveryRows, progress: EndpointProgress) {
    this.#id = id
    this.#rows = rows
    this.#progress = progress
  }

  get progress(): EndpointProgress {
    return this.#progress
  }

  /** Whether something is not written yet. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  /** Tries that are not written yet. */
  get unwritten(): number {
    return this.#deliveries.length
  }

  /** Changes some of the progress. */
  evolve(change: Partial<EndpointProgress>): void {
    this.replace({ ...this.#progress, ...change })
  }

  replace(progress: EndpointProgress): void {
    this.#progress = progress
    this.#isDirty = true
  }

  /** Notes a try; the oldest is forgotten if there are too many. */
  note(delivery: Omit<Delivery, 'number'>): void {
    const { first, next } = this.#progress.deliveries
    this.#deliveries.push({ number: next, ...delivery })
    this.#forget(Math.max(first, next + 1 - deliveriesMax), next + 1)
  }

  /** Notes that a revocation was sent, by the key of its row. */
  noteSent(key: string): void {
    this.#sentRevocations.push(key)
    this.#isDirty = true
  }

  isSent(key: string): boolean {
    return this.#sentRevocations.includes(key)
  }

  /** Forgets the tries that are too old: they are in the order of their time. */
  forgetOld(nowMs: number): void {
    const { first, next } = this.#progress.deliveries
    const [unwritten] = this.#deliveries
    const end = unwritten?.number ?? next
    let least = first
    for (; least < end; least += 1) {
      const oldest = this.#rows.read(this.#id, least)
      if (oldest !== undefined && nowMs - Date.parse(oldest.at) < deliveriesKeptMs) break
    }
    if (least > first) this.#forget(least, next)
  }

  #forget(least: number, next: number): void {
    const { first } = this.#progress.deliveries
    for (let number = first; number < least; number += 1) this.#forgotten.push(number)
    this.evolve({ deliveries: { first: least, next } })
  }

  /** What is to be written; from now on it is taken as written. */
  take(): Kept {
    const [deliveries, forgotten, sentRevocations] = [
      this.#deliveries,
      this.#forgotten,
      this.#sentRevocations,
    ]
    this.#deliveries = []
    this.#forgotten = []
    this.#sentRevocations = []
    this.#isDirty = false
    return { progress: this.#progress, deliveries, forgotten, sentRevocations }
  }

  /** Takes back what could not be written. */
  giveBack({ deliveries, forgotten, sentRevocations }: Kept): void {
    this.#deliveries = [...deliveries, ...this.#deliveries]
    this.#forgotten = [...forgotten, ...this.#forgotten]
    this.#sentRevocations = [...sentRevocations, ...this.#sentRevocations]
    this.#isDirty = true
  }
}
