import { threadId } from 'node:worker_threads'

import { assert } from '#log/base/errors.ts'
import type { TextHash } from '#src/limits/half_sip_hash.ts'

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
