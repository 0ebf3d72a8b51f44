import { halfSipHash, type HashKey, type TextHash } from '#src/limits/half_sip_hash.ts'
import type { NodeCounts } from '#src/limits/node_counts.ts'
import { WindowBuckets } from '#src/limits/window_buckets.ts'

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
   * Counts a call of a client. Where other nodes count too, `current` may be more than was counted,
   * for what they may have let through unheard; and a call that goes beyond the limit (`current` is
   * more than it) is not counted, so that it tells nobody anything.
   */
  count(client: string, windowMs: number): Counted {
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
    const counted = this.#countIn(bucket, slot, ttl)
    this.#buckets.unlock(bucket, ticket)
    return counted
  }

  #countIn(bucket: number, slot: number, ttl: number): Counted {
    const current = this.#buckets.countOf(bucket, slot) + 1
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
