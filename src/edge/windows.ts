import { threadId } from 'node:worker_threads'

import { assert } from '#log/errors.ts'
import { halfSipHash, type HashKey, type TextHash } from '#src/edge/half_sip_hash.ts'

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
}

/**
 * Counts in fixed windows of one length, in memory that the threads of a process share: they count
 * as one. The clock only goes forward, so that a clock set back locks nobody out.
 *
 * A client is in the one bucket that its hash says. Where a bucket is full of windows that have not
 * ended, the oldest of it is forgotten: so a client's count is forgotten when `bucketClientsMax`
 * others of its bucket have come after it. Nobody without the key of the hashes can choose them: of
 * n others, each falls on it by a chance of one in as many as there are buckets.
 *
 * A thread that dies while it holds a bucket leaves its lock behind: who finds it unchanged for
 * 200 ms takes it over. Whatever was half written is then a window that has ended.
 */
export class Windows {
  readonly #words: Int32Array
  readonly #doubles: Float64Array
  readonly #lastBucket: number
  readonly #hashes: ClientHashes
  readonly #elapsedMs: () => number
  #tickets = 0

  constructor({ memory, hashes, elapsedMs }: WindowsOptions) {
    const buckets = memory.byteLength / bucketBytes
    assert(Number.isInteger(Math.log2(buckets)), 'buckets are a power of two')
    this.#words = new Int32Array(memory)
    this.#doubles = new Float64Array(memory)
    this.#lastBucket = buckets - 1
    this.#hashes = hashes
    this.#elapsedMs = elapsedMs
  }

  /** Counts a call of a client. `current` are those of its window, which ends in `ttl` ms. */
  count(client: string, windowMs: number): { readonly current: number; readonly ttl: number } {
    const hash = this.#hashes.of(client)
    const bucket = hash.first & this.#lastBucket
    const now = this.#elapsedMs()
    const ticket = this.#lock(bucket)
    const slot = this.#find(bucket, hash) ?? this.#makeRoom(bucket, hash)
    const countAt = bucket * bucketWords + countsAt + slot
    const endAt = bucket * bucketDoubles + endsAt + slot
    if (double(this.#doubles, endAt) <= now) {
      this.#words[countAt] = 0
      this.#doubles[endAt] = now + windowMs
    }
    const current = word(this.#words, countAt) + 1
    this.#words[countAt] = current
    // Another thread may have begun the window after this one has looked at the clock.
    const ttl = Math.min(double(this.#doubles, endAt) - now, windowMs)
    this.#unlock(bucket, ticket)
    return { current, ttl }
  }

  /** The place of a client's window, whether or not it has ended. */
  #find(bucket: number, { first, last }: TextHash): number | undefined {
    let at = bucket * bucketWords + namesAt
    for (let slot = 0; slot < bucketClientsMax; slot += 1, at += 2) {
      if (word(this.#words, at) === first && word(this.#words, at + 1) === last) return slot
    }
    return undefined
  }

  /** Gives the place of the window that ends first to a client, as a window that has ended. */
  #makeRoom(bucket: number, { first, last }: TextHash): number {
    const ends = bucket * bucketDoubles + endsAt
    let slot = 0
    for (let other = 1; other < bucketClientsMax; other += 1) {
      if (double(this.#doubles, ends + other) < double(this.#doubles, ends + slot)) slot = other
    }
    this.#doubles[ends + slot] = 0
    const nameAt = bucket * bucketWords + namesAt + 2 * slot
    this.#words[nameAt] = first
    this.#words[nameAt + 1] = last
    return slot
  }

  /** Waits until no other thread holds a bucket, and holds it with the ticket that it returns. */
  #lock(bucket: number): number {
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

  #unlock(bucket: number, ticket: number): void {
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
