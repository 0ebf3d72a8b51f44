import { threadId } from 'node:worker_threads'

import { assert } from '#log/tlog/errors.ts'
import { halfSipHash, type HashKey, type TextHash } from '#src/edge/limits/half_sip_hash.ts'

/** Clients whose hashes are remembered. */
const hashesMax = 4_096

/** The hashes that clients are known by; those who call again and again cost no second one. */
export class ClientHashes {
  readonly #key: HashKey
  readonly #hashes = new Map<string, TextHash>()

  constructor(key: HashKey) {
    this.#key = key
  }

  of(client: string): TextHash {
    const known = this.#hashes.get(client)
    if (known !== undefined) return known
    if (this.#hashes.size >= hashesMax) this.#hashes.clear()
    const hash = halfSipHash(this.#key, client)
    this.#hashes.set(client, hash)
    return hash
  }
}

/** What windows are counted by. */
export type WindowsOptions = {
  /** Zeros at first: buckets of `bucketBytes`, of which there are a power of two. */
  readonly memory: SharedArrayBuffer
  /** Under the same key on every thread that counts in this memory. */
  readonly hashes: ClientHashes
  /** A clock that only goes forward, and is the same on all these threads. */
  readonly elapsedMs: () => number
  /** What is known of the counts of other nodes; without it, no other node counts. */
  readonly nodes?: NodeCounts
}

/** What a call was counted as: calls of its window, which ends in `ttl` ms. */
export type Counted = { readonly current: number; readonly ttl: number }

/** When to come back who was refused only until the other nodes have heard of earlier calls. */
const hearingMs = 1_000

/**
 * Counts in fixed windows of one length, in memory that the threads of a process share: they count
 * as one. The clock only goes forward, so that a clock set back locks nobody out.
 */
export class Windows {
  readonly #buckets: WindowBuckets
  readonly #hashes: ClientHashes
  readonly #elapsedMs: () => number
  readonly #nodes: NodeCounts | undefined

  constructor({ memory, hashes, elapsedMs, nodes }: WindowsOptions) {
    this.#buckets = new WindowBuckets(memory)
    this.#hashes = hashes
    this.#elapsedMs = elapsedMs
    this.#nodes = nodes
  }

  /**
   * Counts calls of a client. Where other nodes count too, `current` may be more than was counted,
   * for what they may have let through unheard; and a call that goes beyond the limit (`current` is
   * more than it) is not counted, so that it tells nobody anything.
   */
  count(client: string, windowMs: number, calls = 1): Counted {
    const hash = this.#hashes.of(client)
    const bucket = this.#buckets.of(hash)
    const now = this.#elapsedMs()
    const ticket = this.#buckets.lock(bucket)
    const slot = this.#buckets.slotOf(bucket, hash)
    if (this.#buckets.endOf(bucket, slot) <= now) {
      this.#buckets.setCount(bucket, slot, 0)
      this.#buckets.setEnd(bucket, slot, now + windowMs)
      this.#nodes?.forget(bucket, slot)
    }
    // Another thread may have begun the window after this one has looked at the clock.
    const ttl = Math.min(this.#buckets.endOf(bucket, slot) - now, windowMs)
    const counted = this.#countIn(bucket, slot, ttl, calls)
    this.#buckets.unlock(bucket, ticket)
    return counted
  }

  #countIn(bucket: number, slot: number, ttl: number, calls: number): Counted {
    const current = this.#buckets.countOf(bucket, slot) + calls
    if (this.#nodes === undefined) {
      this.#buckets.setCount(bucket, slot, current)
      return { current, ttl }
    }
    const charged = this.#nodes.charge(bucket, slot, current)
    const { max } = this.#nodes
    if (current > max) return { current: max + 1, ttl }
    if (charged > max) return { current: max + 1, ttl: Math.min(ttl, hearingMs) }
    this.#buckets.setCount(bucket, slot, current)
    this.#nodes.note(bucket)
    return { current: charged, ttl }
  }
}

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
 * limit at most, or one call more for each node. A node that is out of contact has its share of the
 * limit.
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

/** Clients whose windows one bucket holds. */
export const bucketClientsMax = 25

/** A bucket: its lock, then the names, the counts and the ends of its windows. */
export const bucketBytes = 512
const bucketWords = bucketBytes / Int32Array.BYTES_PER_ELEMENT
const bucketDoubles = bucketBytes / Float64Array.BYTES_PER_ELEMENT
const namesAt = 2
const countsAt = namesAt + 2 * bucketClientsMax
const endsAt = (countsAt + bucketClientsMax + 1) / 2

// Where no other thread has died or hangs, a lock is held for less than a microsecond.
const spinsMax = 100
const waitMs = 1
const waitsMax = 200

/** How a thread calls itself in its locks; ids of threads are never used again. */
const ticketBits = 20
const ticketsMax = 1 << ticketBits

/**
 * Windows in memory that the threads of a process share. A client has a slot in the one bucket that
 * its hash says; what is read or written of a bucket, is so while it is locked.
 *
 * Where a bucket is full of windows that have not ended, the oldest of it is forgotten: so a
 * client's count is forgotten when `bucketClientsMax` others of its bucket have come after it.
 * Nobody without the key of the hashes can choose them: of n others, each falls on it by a chance
 * of one in as many as there are buckets.
 *
 * A thread that dies while it holds a bucket leaves its lock behind: who finds it unchanged for
 * 200 ms takes it over. Whatever was half written is then a window that has ended.
 */
export class WindowBuckets {
  /** How many there are: a power of two. */
  readonly length: number
  readonly #words: Int32Array
  readonly #doubles: Float64Array
  #tickets = 0

  /** `memory` is zeros at first: buckets of `bucketBytes`. */
  constructor(memory: SharedArrayBuffer) {
    this.length = memory.byteLength / bucketBytes
    assert(Number.isInteger(Math.log2(this.length)), 'buckets are a power of two')
    this.#words = new Int32Array(memory)
    this.#doubles = new Float64Array(memory)
  }

  /** The bucket of a client. */
  of({ first }: TextHash): number {
    return first & (this.length - 1)
  }

  /** The slot of a client; if it had none, that of a window that has ended. */
  slotOf(bucket: number, hash: TextHash): number {
    return this.find(bucket, hash) ?? this.#makeRoom(bucket, hash)
  }

  /** The slot of a client, whether or not its window has ended. */
  find(bucket: number, { first, last }: TextHash): number | undefined {
    let at = bucket * bucketWords + namesAt
    for (let slot = 0; slot < bucketClientsMax; slot += 1, at += 2) {
      if (word(this.#words, at) === first && word(this.#words, at + 1) === last) return slot
    }
    return undefined
  }

  /** Whose slot it is. */
  nameOf(bucket: number, slot: number): TextHash {
    const at = bucket * bucketWords + namesAt + 2 * slot
    return { first: word(this.#words, at), last: word(this.#words, at + 1) }
  }

  countOf(bucket: number, slot: number): number {
    return word(this.#words, bucket * bucketWords + countsAt + slot)
  }

  setCount(bucket: number, slot: number, count: number): void {
    this.#words[bucket * bucketWords + countsAt + slot] = count
  }

  /** When a window ends, or has ended. */
  endOf(bucket: number, slot: number): number {
    return double(this.#doubles, bucket * bucketDoubles + endsAt + slot)
  }

  setEnd(bucket: number, slot: number, end: number): void {
    this.#doubles[bucket * bucketDoubles + endsAt + slot] = end
  }

  /** Gives the slot of the window that ends first to a client, as a window that has ended. */
  #makeRoom(bucket: number, { first, last }: TextHash): number {
    let slot = 0
    for (let other = 1; other < bucketClientsMax; other += 1) {
      if (this.endOf(bucket, other) < this.endOf(bucket, slot)) slot = other
    }
    this.setEnd(bucket, slot, 0)
    const nameAt = bucket * bucketWords + namesAt + 2 * slot
    this.#words[nameAt] = first
    this.#words[nameAt + 1] = last
    return slot
  }

  /** Waits until no other thread holds a bucket, and holds it with the ticket that it returns. */
  lock(bucket: number): number {
    const at = bucket * bucketWords
    this.#tickets = (this.#tickets % ticketsMax) + 1
    const ticket = ((threadId << ticketBits) + this.#tickets) | 0
    let holder = 0
    for (let tries = 0; ; ) {
      const expected = tries > spinsMax + waitsMax ? holder : 0
      const found = Atomics.compareExchange(this.#words, at, expected, ticket)
      if (found === expected) return ticket
      tries = found === holder ? tries + 1 : 0
      holder = found
      if (tries > spinsMax) Atomics.wait(this.#words, at, holder, waitMs)
    }
  }

  unlock(bucket: number, ticket: number): void {
    // Unless it was taken over, which nobody does from a thread that runs.
    Atomics.compareExchange(this.#words, bucket * bucketWords, ticket, 0)
  }
}

function word(words: Int32Array, at: number): number {
  return words[at] as number
}

function double(doubles: Float64Array, at: number): number {
  return doubles[at] as number
}
