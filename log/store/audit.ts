import { setImmediate } from 'node:timers/promises'

import {
  type AuditedRange,
  auditRange,
  foreignRoot,
  leafSumModulus,
  leafTerm,
  type RangeAuditor,
  type RangeReport,
  tileProblem,
} from '#log/store/audit_range.ts'
import { checkpointIn, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { LogError } from '#log/tlog/errors.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import { LogReader } from '#log/store/log_reader.ts'
import {
  checkpointKey,
  checkpointPrefix,
  decodeLogRow,
  entryPrefix,
  keyNumber,
  keysWith,
  leafKeyHash,
  leafPrefix,
  logKey,
  missingRow,
  witnessedPrefix,
} from '#log/store/log_rows.ts'
import type { Verifier } from '#log/tlog/note.ts'
import {
  appendLeaves,
  appendLeafTile,
  edgeRoot,
  emptyEdge,
  type FullTile,
  type RightEdge,
} from '#log/store/right_edge.ts'
import type { Store } from '#log/store/store.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { uncosigned } from '#log/store/witnessed_history.ts'

/** What an audit trusts: the log's identity and its key, known from outside the store. */
export type AuditOptions = {
  readonly origin: string
  readonly verifier: Verifier
  /** Threads that audit the ranges of a long log; otherwise this one does. */
  readonly threads?: RangeAuditor<AuditedRange, RangeReport>
  /** Told now and then how many of the `total` entries a part has done. */
  readonly onProgress?: (part: 'tree' | 'leaves', done: number, total: number) => void
}

/** What an audit has read and recomputed. The store is sound if there are no problems. */
export type AuditReport = {
  /** Size and root of the tree that was recomputed. */
  readonly treeSize: number
  readonly rootHash: Uint8Array
  readonly tiles: number
  readonly checkpoints: number
  readonly leafRows: number
  /**
   * How many of the level-0 tiles merkletreejs has recomputed, the partial one among them. The tree
   * above these tiles it has recomputed whole.
   */
  readonly foreignTiles: number
  readonly leafTiles: number
  /** The first `problemsMax` problems, each with the row or part it was found in. */
  readonly problems: readonly string[]
}

/** Problems that a report lists at most: one altered entry alone contradicts all later roots. */
export const problemsMax = 100

// Merkletreejs is slow: it recomputes every tile of a small log, and so many of a large one.
const foreignTilesMax = 128

const checkpointsPerTurn = 32

/** Tiles of leaves that are audited together, in one thread. */
const rangeTiles = 32

/**
 * Recomputes what a log says from its entries: leaf hashes, every tile row, root and signature of
 * every checkpoint in its history, and the rows that find leaves by hash. Merkletreejs recomputes
 * the roots as well. A writer may be at work: what it commits after the start is not looked at.
 * Damage becomes a problem of the report; a store that fails to read is the error of that read.
 */
export async function audit(store: Store, options: AuditOptions): Promise<AuditReport> {
  return new Audit(store, options).run()
}

/**
 * A sum over the rows that find leaves; it does not depend on their order. It finds accidents only:
 * anyone who can choose the rows can make two different sets of them have the same sum.
 */
class LeafSum {
  leaves = 0
  #sum = 0

  /** Adds a leaf by the bytes that its row has of its hash, and by its index. */
  add(hashStart: Uint8Array, leafIndex: number): void {
    this.addSum(1, leafTerm(hashStart, leafIndex))
  }

  /** Adds so many leaves by the sum of their terms. */
  addSum(leaves: number, sum: number): void {
    this.leaves += leaves
    this.#sum = (this.#sum + sum) % leafSumModulus
  }

  equals(other: LeafSum): boolean {
    return this.leaves === other.leaves && this.#sum === other.#sum
  }
}

class Audit {
  readonly #store: Store
  readonly #options: AuditOptions
  readonly #problems: string[] = []
  readonly #tileRoots: Uint8Array[] = []
  readonly #leaves = new LeafSum()
  readonly #leafRows = new LeafSum()
  #treeSize = 0
  #edge: RightEdge = emptyEdge
  #tiles = 0
  #checkpoints = 0
  #foreignTiles = 0

  constructor(store: Store, options: AuditOptions) {
    this.#store = store
    this.#options = options
  }

  async run(): Promise<AuditReport> {
    await this.#attempt('log', () => this.#checkBounds())
    await this.#attempt('tree', () => this.#checkTree())
    await this.#attempt('history', () => this.#checkHistory())
    await this.#attempt('witnesses', () => this.#checkWitnessed())
    await this.#attempt('leaf rows', () => this.#checkLeafRows())
    return {
      treeSize: this.#edge.treeSize,
      rootHash: edgeRoot(this.#edge),
      tiles: this.#tiles,
      checkpoints: this.#checkpoints,
      leafRows: this.#leafRows.leaves,
      foreignTiles: this.#foreignTiles,
      leafTiles: this.#tileRoots.length,
      problems: this.#problems,
    }
  }

  // Damage that a check throws is a problem that ends this check and not the others.
  async #attempt(what: string, check: () => void | Promise<void>): Promise<void> {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof LogError) || error.code === 'store_failed') throw error
      this.#report(what, error.message)
    }
  }

  #report(what: string, problem: string): void {
    if (this.#problems.length < problemsMax) this.#problems.push(`${what}: ${problem}`)
  }

  /** Finds out what log it is and how far it goes. */
  async #checkBounds(): Promise<void> {
    const row = this.#store.get(logKey)
    if (row === undefined) throw missingRow('the row that says what log this is')
    const { origin } = decodeLogRow(row)
    if (origin !== this.#options.origin) this.#report('log', `the store holds the log ${origin}`)
    // In this order: a writer that is at work commits an entry together with its checkpoint.
    const entry = await this.#newest(entryPrefix)
    const treeSize = await this.#newest(checkpointPrefix)
    if (treeSize === undefined) throw missingRow('every checkpoint')
    if (entry !== undefined && entry >= treeSize) {
      this.#report(`entry ${entry}`, `it follows the newest checkpoint, of ${treeSize} entries`)
    }
    this.#treeSize = treeSize
  }

  async #newest(prefix: string): Promise<number | undefined> {
    const rows = this.#store.scan({ ...keysWith(prefix), reverse: true, limit: 1 })
    for await (const [key] of rows) return keyNumber(key)
    return undefined
  }

  /** Entries and tiles, by one range after the other. */
  async #checkTree(): Promise<void> {
    for await (const report of this.#auditRanges()) {
      this.#addTiles(report)
      this.#foreignTiles += report.foreignTiles
      this.#leaves.addSum(this.#edge.treeSize - this.#leaves.leaves, report.leafSum)
      this.#tileRoots.push(...hashesOf(report.foreignRoots))
      if (report.failure === undefined) continue
      throw new LogError(report.failure.code, report.failure.message)
    }
    this.#recomputeRoot()
  }

  /** The reports of the ranges in their order. As many are under way as threads can be at. */
  async *#auditRanges(): AsyncGenerator<RangeReport> {
    const { threads } = this.#options
    const total = this.#treeSize
    const entries = rangeTiles * tileWidth
    const isLong = threads !== undefined && total > entries
    const foreignEvery = Math.ceil(Math.ceil(total / tileWidth) / foreignTilesMax)
    const underWay: Promise<RangeReport>[] = []
    for (let start = 0; start < total || underWay.length > 0; ) {
      while (start < total && underWay.length < (isLong ? 2 * threads.threadsMax : 1)) {
        const range = { start, end: Math.min(start + entries, total), foreignEvery }
        const auditing = isLong ? threads.audit(range) : auditRange(this.#store, range)
        // After the end of this one nobody waits for those behind it.
        auditing.catch(() => undefined)
        underWay.push(auditing)
        start = range.end
      }
      const next = await underWay.shift()
      if (next !== undefined) yield next
    }
  }

  /** Extends the tree by the tiles of a range, and checks the tiles above that fill up. */
  #addTiles({ roots, rest, tileProblems }: RangeReport): void {
    const problems = new Map(tileProblems.map(({ index, problem }) => [index, problem]))
    for (const root of hashesOf(roots)) {
      const index = this.#edge.treeSize / tileWidth
      const { edge, tiles } = appendLeafTile(this.#edge, root)
      this.#addTile({ level: 0, index }, problems.get(index))
      for (const tile of tiles) this.#addTile(tile, tileProblem(this.#store, tile))
      this.#extend(edge)
    }
    if (rest.length > 0) this.#extend(appendLeaves(this.#edge, rest).edge)
  }

  #addTile({ level, index }: Pick<FullTile, 'level' | 'index'>, problem: string | undefined): void {
    this.#tiles += 1
    if (problem !== undefined) this.#report(`tile ${level}/${index}`, problem)
  }

  #extend(edge: RightEdge): void {
    this.#edge = edge
    this.#options.onProgress?.('tree', edge.treeSize, this.#treeSize)
  }

  #recomputeRoot(): void {
    if (this.#tileRoots.length === 0) return
    if (Buffer.compare(foreignRoot(this.#tileRoots), edgeRoot(this.#edge)) === 0) return
    this.#report('tree', 'merkletreejs computes another root')
  }

  /** The checkpoints of all sizes, against the tiles, which have been checked before. */
  async #checkHistory(): Promise<void> {
    const { treeSize } = this.#edge
    const head = { edge: this.#edge, treeSize, rootHash: edgeRoot(this.#edge), checkpoint: '' }
    const log = new LogReader(this.#store, head)
    const range = { gte: checkpointKey(0), lte: checkpointKey(treeSize) }
    for await (const [key, note] of this.#store.scan(range)) {
      const size = keyNumber(key)
      const name = `checkpoint ${size}`
      await this.#attempt(name, () => this.#checkCheckpoint(name, note, size, log))
      this.#checkpoints += 1
      // Signatures are slow to verify: a process that serves meanwhile gets its turn.
      if (this.#checkpoints % checkpointsPerTurn === 0) await setImmediate()
    }
  }

  /** The witnessed checkpoints: each of the log, of its tree then, and no smaller than before. */
  async #checkWitnessed(): Promise<void> {
    const { treeSize } = this.#edge
    const head = { edge: this.#edge, treeSize, rootHash: edgeRoot(this.#edge), checkpoint: '' }
    const log = new LogReader(this.#store, head, uncosigned)
    let sizeBefore = 0
    for await (const [key, note] of this.#store.scan(keysWith(witnessedPrefix))) {
      const name = `witnessed checkpoint ${keyNumber(key)}`
      await this.#attempt(name, () => {
        const size = checkpointIn(note).treeSize
        if (size < sizeBefore) this.#report(name, 'it is smaller than the one before it')
        sizeBefore = size
        // A writer may be at work: what it has witnessed since the start is not looked at.
        if (size <= treeSize) this.#checkCheckpoint(name, note, size, log)
      })
      await setImmediate()
    }
  }

  #checkCheckpoint(name: string, note: Uint8Array, size: number, log: LogReader): void {
    const { origin, verifier } = this.#options
    const { treeSize, rootHash } = openCheckpoint(note, origin, [verifier])
    if (treeSize === size && Buffer.compare(rootHash, log.rootAt(size)) === 0) return
    this.#report(name, 'it is signed, but for another tree than that of its entries')
  }

  /** The rows that find a leaf by its hash: one for each entry, and none besides. */
  async #checkLeafRows(): Promise<void> {
    const { treeSize } = this.#edge
    for await (const batch of this.#store.scanBatches(keysWith(leafPrefix))) {
      for (const [key] of batch) {
        const leafIndex = keyNumber(key)
        if (leafIndex < treeSize) this.#leafRows.add(leafKeyHash(key), leafIndex)
      }
      this.#options.onProgress?.('leaves', this.#leafRows.leaves, treeSize)
    }
    if (this.#leafRows.equals(this.#leaves)) return
    const rows = this.#leafRows.leaves
    this.#report('leaf rows', `${rows} rows do not match the hashes of ${treeSize} entries`)
  }
}

/** The hashes that stand one after the other. */
function hashesOf(bytes: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += hashBytes) {
    hashes.push(bytes.subarray(at, at + hashBytes))
  }
  return hashes
}
