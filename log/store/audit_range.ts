import { crc32 } from 'node:zlib'
import { sha256 } from '@noble/hashes/sha2.js'
import { MerkleTree } from 'merkletreejs'

import { LogError, type LogErrorCode } from '#log/tlog/errors.ts'
import type { ReadStore } from '#log/store/store.ts'
import { entryKey, keyNumber, leafKeyBytes, missingRow, tileKey } from '#log/store/log_rows.ts'
import { hashBytes, leafHash } from '#log/tlog/hash.ts'
import { expandTile, tileHeight, tileNode, tileWidth } from '#log/tlog/tile.ts'

/**
 * Neighbouring entries that are audited together: from a whole tile on, up to the end of one or of
 * the log. Merkletreejs recomputes each tile whose index `foreignEvery` divides.
 */
export type AuditedRange = {
  readonly start: number
  readonly end: number
  readonly foreignEvery: number
}

/** What was recomputed of a range, as plain data. Roots are 32 bytes each, one after the other. */
export type RangeReport = {
  /** Of its full tiles. */
  readonly roots: Uint8Array
  /** Of all its tiles, as merkletreejs has them where it recomputed them. */
  readonly foreignRoots: Uint8Array
  readonly foreignTiles: number
  /** The leaf hashes of a tile that is not full, at the end. */
  readonly rest: Uint8Array
  readonly leafSum: number
  /** What is wrong with the row of a tile, by its index, in their order. */
  readonly tileProblems: readonly { readonly index: number; readonly problem: string }[]
  /** Why nothing was recomputed beyond these tiles. */
  readonly failure?: { readonly code: LogErrorCode; readonly message: string }
}

/** Audits ranges elsewhere, such as in threads: so many at a time, in whatever order they end. */
export type RangeAuditor<Range, Report> = {
  readonly threadsMax: number
  audit(range: Range): Promise<Report>
}

/** Sums are added modulo this, in any order. */
export const leafSumModulus = 2 ** 48

/** What a leaf adds to the sum: by the bytes that its row has of its hash, and by its index. */
export function leafTerm(hashStart: Uint8Array, leafIndex: number): number {
  return crc32(hashStart, leafIndex % 2 ** 32)
}

/**
 * Recomputes a range of a log from its entries, and compares the rows of its tiles with that. It
 * ends where an entry cannot be read. Throws what it cannot judge.
 */
export async function auditRange(store: ReadStore, range: AuditedRange): Promise<RangeReport> {
  const audit = new RangeAudit(store, range)
  try {
    await audit.readEntries()
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return { ...audit.report(), failure: { code: error.code, message: error.message } }
  }
  return audit.report()
}

class RangeAudit {
  readonly #store: ReadStore
  readonly #range: AuditedRange
  readonly #roots: Uint8Array[] = []
  readonly #foreignRoots: Uint8Array[] = []
  readonly #tileProblems: { index: number; problem: string }[] = []
  #foreignTiles = 0
  #leafSum = 0
  #rest: Uint8Array = new Uint8Array(0)

  constructor(store: ReadStore, range: AuditedRange) {
    this.#store = store
    this.#range = range
  }

  report(): RangeReport {
    return {
      roots: Buffer.concat(this.#roots),
      foreignRoots: Buffer.concat(this.#foreignRoots),
      foreignTiles: this.#foreignTiles,
      rest: this.#rest,
      leafSum: this.#leafSum,
      tileProblems: this.#tileProblems,
    }
  }

  async readEntries(): Promise<void> {
    const { start, end } = this.#range
    const hashes = new Uint8Array(tileWidth * hashBytes)
    let leafIndex = start
    for await (const batch of this.#store.scanBatches({
      gte: entryKey(start),
      lt: entryKey(end),
    })) {
      for (const [key, entry] of batch) {
        if (keyNumber(key) !== leafIndex) throw missingRow(`entry ${leafIndex}`)
        hashes.set(leafHash(entry), (leafIndex % tileWidth) * hashBytes)
        leafIndex += 1
        if (leafIndex % tileWidth === 0) this.#addTile(leafIndex / tileWidth - 1, hashes)
      }
    }
    if (leafIndex < end) throw missingRow(`entry ${leafIndex}`)
    const width = leafIndex % tileWidth
    if (width > 0) this.#addRest(leafIndex - width, hashes.slice(0, width * hashBytes))
  }

  #addTile(index: number, leafHashes: Uint8Array): void {
    const nodes = expandTile(leafHashes)
    const root = tileNode(nodes, tileHeight, 0)
    this.#compareTile(index, nodes)
    this.#sumLeaves(index * tileWidth, leafHashes)
    this.#roots.push(root)
    if (index % this.#range.foreignEvery === 0) this.#addForeignRoot(leafHashes)
    else this.#foreignRoots.push(root)
  }

  #addRest(start: number, leafHashes: Uint8Array): void {
    this.#rest = leafHashes
    this.#sumLeaves(start, leafHashes)
    this.#addForeignRoot(leafHashes)
  }

  #compareTile(index: number, nodes: Uint8Array): void {
    const problem = tileProblem(this.#store, { level: 0, index, nodes })
    if (problem !== undefined) this.#tileProblems.push({ index, problem })
  }

  #sumLeaves(start: number, leafHashes: Uint8Array): void {
    for (let at = 0; at < leafHashes.length; at += hashBytes) {
      const term = leafTerm(leafHashes.subarray(at, at + leafKeyBytes), start + at / hashBytes)
      this.#leafSum = (this.#leafSum + term) % leafSumModulus
    }
  }

  #addForeignRoot(leafHashes: Uint8Array): void {
    const hashes: Uint8Array[] = []
    for (let at = 0; at < leafHashes.length; at += hashBytes) {
      hashes.push(leafHashes.subarray(at, at + hashBytes))
    }
    this.#foreignRoots.push(foreignRoot(hashes))
    this.#foreignTiles += 1
  }
}

/** What is wrong with the row of a tile; undefined if nothing. Throws `store_failed`. */
export function tileProblem(
  store: ReadStore,
  { level, index, nodes }: { level: number; index: number; nodes: Uint8Array },
): string | undefined {
  try {
    const row = store.get(tileKey(level, index))
    if (row === undefined) throw missingRow(`tile ${level}/${index}`)
    return Buffer.compare(row, nodes) === 0 ? undefined : 'it has other hashes than its entries'
  } catch (error) {
    if (!(error instanceof LogError) || error.code === 'store_failed') throw error
    return error.message
  }
}

/** The first byte of what is hashed for a node (RFC 6962 §2.1). */
const nodePrefix = Uint8Array.of(1)

/**
 * Root hash over node hashes of equal height, the last of which may be lower: as `merkletreejs`
 * computes it with the SHA-256 of noble, implementations that share nothing with ours. It pairs the
 * nodes of each row and lifts an odd last one, which gives the tree of RFC 6962 §2.1.
 */
export function foreignRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const tree = new MerkleTree([...hashes], hashPair, { hashLeaves: false, sort: false })
  return tree.getRoot()
}

function hashPair(pair: Buffer): Buffer {
  return Buffer.from(sha256(Buffer.concat([nodePrefix, pair])))
}
