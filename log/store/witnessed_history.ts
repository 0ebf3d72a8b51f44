import { LRUCache } from 'lru-cache'

import { checkpointIn } from '#log/tlog/checkpoint.ts'
import { latestCosignature } from '#log/tlog/cosigned_checkpoint.ts'
import { assert } from '#log/tlog/errors.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { sha256 } from '#log/tlog/hash.ts'
import { cosignedKey, missingRow, witnessedKey } from '#log/store/log_rows.ts'
import type { Operation, ReadStore } from '#log/store/store.ts'

/** A signed checkpoint, with the cosignatures that it has so far. */
export type CosignedHead = { readonly treeSize: number; readonly checkpoint: string }

/** What a witness has signed last: a tree size, and when, in seconds since 1970. */
export type WitnessMark = {
  readonly vkey: string
  readonly treeSize: number
  readonly timestamp: number
}

/**
 * What is known of a log's cosignatures; plain, so that it can go to other threads. Its witnessed
 * checkpoints are numbered as they came; their sizes never go back.
 */
export type Cosigned = {
  /** How many checkpoints have reached the quorum, and the number of the first of this policy. */
  readonly count: number
  readonly first: number
  /** Which policy that is; empty before there was any. */
  readonly policy: string
  /** The newest checkpoint that has reached the quorum, with its newest cosignatures. */
  readonly witnessed: CosignedHead | undefined
  /** The newest that any witness has signed: not kept, so that it begins anew at each start. */
  readonly latest: CosignedHead | undefined
  readonly witnesses: readonly WitnessMark[]
}

/** The cosignatures of a log that no witness knows. */
export const uncosigned: Cosigned = {
  count: 0,
  first: 0,
  policy: '',
  witnessed: undefined,
  latest: undefined,
  witnesses: [],
}

/** A head that proofs can lead to. `number` is that of a witnessed checkpoint. */
export type ProvingHead = CosignedHead & {
  readonly rootHash: Uint8Array
  readonly number?: number
}

/** The row of what is known of a log's cosignatures; undefined is no row: nothing is known. */
export function readCosigned(store: Pick<ReadStore, 'get'>): Cosigned {
  const row = store.get(cosignedKey)
  if (row === undefined) return uncosigned
  return { ...uncosigned, ...(JSON.parse(Buffer.from(row).toString('utf8')) as Cosigned) }
}

/**
 * The rows that keep what is known now: `added` is a checkpoint that has reached the quorum and is
 * the newest of `next.count`; undefined if only the newest cosignatures of the last one changed.
 */
export function cosignedRows(next: Cosigned, added: CosignedHead | undefined): Operation[] {
  const { latest: _, ...kept } = next
  const row = { type: 'put', key: cosignedKey, value: Buffer.from(JSON.stringify(kept)) } as const
  if (added === undefined) return [row]
  const value = Buffer.from(added.checkpoint)
  return [row, { type: 'put', key: witnessedKey(next.count - 1), value }]
}

/** How many witnessed checkpoints before a leaf one is looked for among. */
const lookBackMax = 1_024

/** Among how many one is looked for that a statement can name: what is named is found again. */
const namedBackMax = lookBackMax / 2

/** A witnessed checkpoint: its SHA-256 in hex, and the second of its latest cosignature, in ms. */
type WitnessedNote = { readonly digest: string; readonly signedMs: number }

// Numbers and sizes that are kept: those by which a search among millions begins, again and again.
// A cache with `max` has memory for all of them at once; this one grows.
const sizesKept = { maxSize: 16_384, sizeCalculation: () => 1 }
const headsKeptMax = 256

/**
 * Finds witnessed checkpoints among the rows of a store: one row each, written once. It reads what
 * `cosigned` of its owner counts, and nothing beyond.
 */
export class WitnessedHistory {
  readonly #store: Pick<ReadStore, 'get'>
  readonly #sizes = new LRUCache<number, number>(sizesKept)
  readonly #heads = new LRUCache<number, ProvingHead>({ max: headsKeptMax })
  readonly #notes = new LRUCache<number, WitnessedNote>(sizesKept)

  constructor(store: Pick<ReadStore, 'get'>) {
    this.#store = store
  }

  /**
   * The oldest witnessed checkpoint that covers a leaf: of the policy that holds now or, as long as
   * none of it does, of those before; undefined if there is none.
   */
  covering(leafIndex: number, { first, count }: Cosigned): ProvingHead | undefined {
    const number = this.#find(leafIndex, first, count) ?? this.#find(leafIndex, 0, first)
    return number === undefined ? undefined : this.head(number)
  }

  /**
   * The SHA-256 in hex of the newest witnessed checkpoint whose cosignatures are all of a time
   * until `untilMs`; undefined if none of the newest is. A witness whose clock is ahead makes it
   * older.
   */
  newestDigest({ count }: Cosigned, untilMs: number): string | undefined {
    for (let number = count - 1; number >= Math.max(0, count - namedBackMax); number -= 1) {
      const { digest, signedMs } = this.#note(number)
      if (signedMs <= untilMs) return digest
    }
    return undefined
  }

  /**
   * The witnessed checkpoint with this SHA-256 among the newest that do not cover a leaf; undefined
   * if none of them has it.
   */
  before(leafIndex: number, digest: string, { count }: Cosigned): ProvingHead | undefined {
    const end = this.#find(leafIndex, 0, count) ?? count
    for (let number = end - 1; number >= Math.max(0, end - lookBackMax); number -= 1) {
      if (this.#note(number).digest === digest) return this.head(number)
    }
    return undefined
  }

  #note(number: number): WitnessedNote {
    const known = this.#notes.get(number)
    if (known !== undefined) return known
    const { checkpoint } = this.head(number)
    const digest = encodeHex(sha256(Buffer.from(checkpoint)))
    const note = { digest, signedMs: latestCosignature(checkpoint) * 1_000 }
    this.#notes.set(number, note)
    return note
  }

  /** The witnessed checkpoint of a number. */
  head(number: number): ProvingHead {
    const known = this.#heads.get(number)
    if (known !== undefined) return known
    const row = this.#store.get(witnessedKey(number))
    if (row === undefined) throw missingRow(`the witnessed checkpoint ${number}`)
    const checkpoint = Buffer.from(row).toString('utf8')
    const { treeSize, rootHash } = checkpointIn(checkpoint)
    const head = { number, treeSize, rootHash, checkpoint }
    this.#heads.set(number, head)
    this.#sizes.set(number, treeSize)
    return head
  }

  /** The first of the numbers from `from` up to `to` whose tree has the leaf. */
  #find(leafIndex: number, from: number, to: number): number | undefined {
    let low = from
    let high = to
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2)
      if (this.#size(middle) > leafIndex) high = middle
      else low = middle + 1
    }
    assert(low <= to, 'a search by halves stays within its bounds')
    return low < to ? low : undefined
  }

  #size(number: number): number {
    return this.#sizes.get(number) ?? this.head(number).treeSize
  }
}
