import { assert } from '#log/base/errors.ts'
import type { TextHash } from '#src/limits/half_sip_hash.ts'
import { bucketClientsMax, WindowBuckets } from '#src/limits/window_buckets.ts'

/** Beside each bucket: of how many calls of each client others were told, and have heard. */
const slotsWords = 64
const heardAt = 32

/** Bytes that the counts of other nodes take beside so many buckets. */
export function nodeCountsBytes(buckets: number): number {
  return (buckets * slotsWords + Math.ceil(buckets / 32)) * Int32Array.BYTES_PER_ELEMENT
}

/** What is common to all limits: how many nodes count, and whether there is something to tell. */
export const nodeControlBytes = 8
const nodesAt = 0
const notifiedAt = 1

/** Of a limit, what nodes that do not know of each other's calls may exceed it by: 1/5. */
const excessParts = 5

/** Calls of a client that others are told of; `end` is that of its window, on this clock. */
export type Growth = { readonly hash: TextHash; readonly calls: number; readonly end: number }

/** Where the windows of a limit are, and what is known of the counts of other nodes. */
export type NodeCountsOptions = {
  /** Calls in a window. */
  readonly max: number
  readonly windowMs: number
  /** The windows. */
  readonly memory: SharedArrayBuffer
  /** `nodeCountsBytes` for them, zeros at first. */
  readonly counts: SharedArrayBuffer
  /** `nodeControlBytes`, zeros at first. */
  readonly control: SharedArrayBuffer
}

/**
 * The counts of one limit as several nodes have them together. Each has in its windows its own
 * calls and those that it was told of; here it has how many of its own calls the others were told
 * of, and how many all of them have heard of. Threads share it as they share the windows.
 *
 * Nobody is asked before a call is let through. Instead, a node charges each call that not all have
 * heard of once for each node: as if all of them had let through as many, at the same time. But for
 * a few, by which the limit may be exceeded. So however the calls of a client are spread, and
 * whether or not the nodes hear each other, all nodes together let through a fifth more than the
 * limit at most, or one call more for each node. Who is out of contact has its share of the limit.
 */
export class NodeCounts {
  readonly max: number
  readonly #windowMs: number
  readonly #buckets: WindowBuckets
  readonly #words: Int32Array
  readonly #control: Int32Array
  readonly #changedAt: number

  constructor({ max, windowMs, memory, counts, control }: NodeCountsOptions) {
    this.max = max
    this.#windowMs = windowMs
    this.#buckets = new WindowBuckets(memory)
    assert(counts.byteLength === nodeCountsBytes(this.#buckets.length), 'each bucket has its own')
    this.#words = new Int32Array(counts)
    this.#control = new Int32Array(control)
    this.#changedAt = this.#buckets.length * slotsWords
  }

  /** What the first `count` calls of a client are charged as; the bucket is locked. */
  charge(bucket: number, slot: number, count: number): number {
    const others = Math.max(0, Atomics.load(this.#control, nodesAt) - 1)
    if (others === 0) return count
    const unheard = count - this.#wordOf(bucket, heardAt + slot)
    const free = Math.max(1, Math.floor(this.max / (excessParts * others)))
    return count + others * Math.max(0, unheard - free)
  }

  /** Notes that there is something to tell of a bucket. */
  note(bucket: number): void {
    Atomics.or(this.#words, this.#changedAt + (bucket >>> 5), 1 << (bucket & 31))
    if (Atomics.load(this.#control, notifiedAt) === 0) Atomics.store(this.#control, notifiedAt, 1)
  }

  /** A window begins in a slot; the bucket is locked. */
  forget(bucket: number, slot: number): void {
    this.#words[bucket * slotsWords + slot] = 0
    this.#words[bucket * slotsWords + heardAt + slot] = 0
  }

  /** What others have not been told of yet, of as many clients at most or a few more. */
  takeGrowth(clientsMax: number, nowMs: number): Growth[] {
    const taken: Growth[] = []
    for (let at = this.#changedAt; at < this.#words.length; at += 1) {
      if (taken.length >= clientsMax) return taken
      if (Atomics.load(this.#words, at) === 0) continue
      const changed = Atomics.exchange(this.#words, at, 0)
      for (let bit = 0; bit < 32; bit += 1) {
        if ((changed & (1 << bit)) === 0) continue
        this.#takeOf((at - this.#changedAt) * 32 + bit, nowMs, taken)
      }
    }
    return taken
  }

  #takeOf(bucket: number, nowMs: number, taken: Growth[]): void {
    const ticket = this.#buckets.lock(bucket)
    for (let slot = 0; slot < bucketClientsMax; slot += 1) {
      const count = this.#buckets.countOf(bucket, slot)
      const calls = count - this.#wordOf(bucket, slot)
      const end = this.#buckets.endOf(bucket, slot)
      if (calls <= 0 || end <= nowMs) continue
      this.#words[bucket * slotsWords + slot] = count
      taken.push({ hash: this.#buckets.nameOf(bucket, slot), calls, end })
    }
    this.#buckets.unlock(bucket, ticket)
  }

  /**
   * Counts calls at another node. Windows of nodes begin within moments of each other: one that
   * ends much later is the client's next one, and one that ends much sooner is over here.
   */
  add({ hash, calls, end }: Growth, nowMs: number): void {
    const bucket = this.#buckets.of(hash)
    const ticket = this.#buckets.lock(bucket)
    const slot = this.#buckets.slotOf(bucket, hash)
    const own = this.#buckets.endOf(bucket, slot)
    if (own <= nowMs || end - own > this.#windowMs / 2) {
      this.#buckets.setCount(bucket, slot, 0)
      this.#buckets.setEnd(bucket, slot, Math.min(end, nowMs + this.#windowMs))
      this.forget(bucket, slot)
    }
    if (own <= nowMs || own - end <= this.#windowMs / 2) {
      this.#buckets.setCount(bucket, slot, this.#buckets.countOf(bucket, slot) + calls)
      this.#raise(bucket, slot, calls)
      this.#raise(bucket, heardAt + slot, calls)
    }
    this.#buckets.unlock(bucket, ticket)
  }

  /** Notes that all other nodes have heard of calls. */
  confirm({ hash, calls, end }: Growth): void {
    const bucket = this.#buckets.of(hash)
    const ticket = this.#buckets.lock(bucket)
    const slot = this.#buckets.find(bucket, hash)
    if (slot !== undefined && this.#buckets.endOf(bucket, slot) === end) {
      this.#raise(bucket, heardAt + slot, calls)
    }
    this.#buckets.unlock(bucket, ticket)
  }

  #wordOf(bucket: number, at: number): number {
    return this.#words[bucket * slotsWords + at] as number
  }

  #raise(bucket: number, at: number, calls: number): void {
    this.#words[bucket * slotsWords + at] = this.#wordOf(bucket, at) + calls
  }
}

/** Says how many nodes count, this one included. */
export function setNodes(control: SharedArrayBuffer, nodes: number): void {
  Atomics.store(new Int32Array(control), nodesAt, nodes)
}

/** Whether there may be something to tell since this was last asked. */
export function takeNotification(control: SharedArrayBuffer): boolean {
  return Atomics.exchange(new Int32Array(control), notifiedAt, 0) === 1
}

/** Has the next look taken as notified: not all was told. */
export function notify(control: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(control), notifiedAt, 1)
}
