import { LRUCache } from 'lru-cache'

import { assert, LogError } from '#log/tlog/errors.ts'
import type { Range, ReadStore } from '#log/store/store.ts'
import type { LogHead } from '#log/store/commit.ts'
import {
  checkpointKey,
  entryKey,
  keyNumber,
  keysWith,
  leafHashPrefix,
  missingRow,
  tileKey,
} from '#log/store/log_rows.ts'
import { edgeTile, readNodes, spellNodes } from '#log/store/right_edge.ts'
import {
  type Cosigned,
  type CosignedHead,
  type ProvingHead,
  readCosigned,
  WitnessedHistory,
} from '#log/store/witnessed_history.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import { encodeEntryBundle, type Tile, tileExists, tileHeight, tileWidth } from '#log/tlog/tile.ts'
import {
  type HashReader,
  inclusionPath,
  type PathSource,
  proveConsistency,
  rangeHash,
  rootHash,
} from '#log/tlog/tree.ts'

// Expanded tiles kept in memory, of 16 kB each: the upper levels, and the leaves asked for.
const tilesCachedMax = 4096

// Trees whose ragged ends are kept in memory: the newest, and those that were proven from lately.
const treesKeptMax = 256

// More levels of tiles than a tree of 2^53 leaves has.
const levelsMax = 8

/** A checkpoint of the history: its tree size and its signed note. */
export type SignedHead = { readonly treeSize: number; readonly checkpoint: string }

/** Slices the history of checkpoints: those of sizes above `after`, `limit` of them at most. */
export type CheckpointPage = { readonly after: number; readonly limit: number }

/** The same from the other end: those of sizes below `before`. */
export type CheckpointPageBefore = { readonly before: number; readonly limit: number }

/** Hash of the ragged end of a tree, and the same in hex. */
type Rest = { readonly hash: Uint8Array; readonly text: string }

/**
 * Reads a log as of its published head: rows of a commit that has not been published yet are not
 * seen. What is asked beyond the head is `out_of_range`; a row that must be there and is not, is
 * `store_corrupt`.
 */
export class LogReader {
  readonly #store: ReadStore
  readonly #tiles: LRUCache<number, Uint8Array>
  readonly #readNode: HashReader
  readonly #nodeTexts: NodeTexts
  // The full tile of each level that was read last: the hashes of a proof lie side by side.
  readonly #lastTiles: { readonly index: number; readonly nodes: Uint8Array }[] = []
  #head: LogHead
  #cosigned: Cosigned
  readonly #witnessed: WitnessedHistory
  // Hashes of the rest of a tree by its size and where it starts: every proof needs one of them.
  readonly #rests = new LRUCache<number, Map<number, Rest>>({ max: treesKeptMax })

  /** `cosigned` is what is known of cosignatures, by default what the store keeps of it. */
  constructor(store: ReadStore, head: LogHead, cosigned: Cosigned = readCosigned(store)) {
    this.#store = store
    this.#head = head
    this.#cosigned = cosigned
    this.#witnessed = new WitnessedHistory(store)
    this.#tiles = new LRUCache({ max: tilesCachedMax })
    const readTile = (level: number, index: number) => this.#readTile(level, index)
    this.#readNode = readNodes(readTile)
    this.#nodeTexts = new NodeTexts(spellNodes(readTile))
  }

  /** The newest published head. */
  head(): LogHead {
    return this.#head
  }

  /** Shows the head that a commit has led to, once its batch is written. */
  publish(next: LogHead): void {
    assert(next.treeSize >= this.#head.treeSize, 'a log only grows')
    this.#head = next
  }

  /** What is known of the cosignatures of its checkpoints. */
  cosigned(): Cosigned {
    return this.#cosigned
  }

  /** Shows what has become known of cosignatures, once the rows of it are written. */
  publishCosigned(next: Cosigned): void {
    assert(next.count >= this.#cosigned.count, 'a checkpoint that was witnessed stays so')
    this.#cosigned = next
  }

  /** The newest checkpoint, with the cosignatures that it has by now. */
  newestCheckpoint(): CosignedHead {
    const { latest } = this.#cosigned
    return latest?.treeSize === this.#head.treeSize ? latest : this.#head
  }

  /**
   * The head by which a leaf is proven: the oldest witnessed checkpoint that covers it or, as long
   * as there is none, the newest head. The same head is the same object, as long as it is known.
   */
  provingHead(leafIndex: number): ProvingHead {
    this.#checkRange(leafIndex, leafIndex + 1)
    return this.#witnessed.covering(leafIndex, this.#cosigned) ?? this.#head
  }

  /**
   * The SHA-256 in hex of the newest checkpoint that has reached its quorum, as it is kept, and
   * that no witness signed later than `untilMs`, in milliseconds of 1970; undefined if there is
   * none. Nobody can know it before the witnesses have signed.
   */
  witnessedDigest(untilMs: number): string | undefined {
    return this.#witnessed.newestDigest(this.#cosigned, untilMs)
  }

  /** The witnessed checkpoint of such a digest, from before a leaf; undefined if there is none. */
  witnessedBefore(leafIndex: number, digest: string): ProvingHead | undefined {
    return this.#witnessed.before(leafIndex, digest, this.#cosigned)
  }

  entry(leafIndex: number): Uint8Array {
    this.#checkRange(leafIndex, leafIndex + 1)
    const entry = this.#store.get(entryKey(leafIndex))
    if (entry === undefined) throw missingRow(`entry ${leafIndex}`)
    return entry
  }

  /** The bytes of the entries from leaf index `from` up to, not including, `to`. */
  async *entries(from: number, to: number): AsyncGenerator<Uint8Array> {
    this.#checkRange(from, to)
    let leafIndex = from
    for await (const [key, entry] of this.#store.scan({ gte: entryKey(from), lt: entryKey(to) })) {
      if (keyNumber(key) !== leafIndex) break
      leafIndex += 1
      yield entry
    }
    if (leafIndex < to) throw missingRow(`entry ${leafIndex}`)
  }

  /** The bytes of a tile, full or partial: 32 for each hash of its width (C2SP tlog-tiles). */
  tile(tile: Tile): Uint8Array {
    this.#checkTile(tile)
    return this.#readTile(tile.level, tile.index).subarray(0, tile.width * hashBytes)
  }

  /** The entries below a level-0 tile as a bundle, `width` of them (C2SP tlog-tiles). */
  async entryBundle(index: number, width: number): Promise<Uint8Array> {
    this.#checkTile({ level: 0, index, width })
    const start = index * tileWidth
    return encodeEntryBundle(await Array.fromAsync(this.entries(start, start + width)))
  }

  /** Inclusion proof of a leaf in the tree of `treeSize` leaves, by default the newest. */
  inclusion(leafIndex: number, treeSize: number = this.#head.treeSize): Uint8Array[] {
    this.#checkSize(treeSize)
    return inclusionPath(leafIndex, treeSize, {
      node: this.#readNode,
      rest: (start) => this.#rest(start, treeSize).hash,
    })
  }

  /** The same, each hash in lower-case hex. */
  inclusionTexts(leafIndex: number, treeSize: number = this.#head.treeSize): string[] {
    this.#checkSize(treeSize)
    const texts: PathSource<string> = {
      node: this.#nodeText,
      rest: (start) => this.#rest(start, treeSize).text,
    }
    return inclusionPath(leafIndex, treeSize, texts)
  }

  readonly #nodeText = (level: number, index: number) => this.#nodeTexts.read(level, index)

  #rest(start: number, treeSize: number): Rest {
    let rests = this.#rests.get(treeSize)
    if (rests === undefined) this.#rests.set(treeSize, (rests = new Map()))
    const known = rests.get(start)
    if (known !== undefined) return known
    const hash = rangeHash(start, treeSize, this.#readNode)
    const rest = { hash, text: encodeHex(hash) }
    rests.set(start, rest)
    return rest
  }

  /** Consistency proof between two sizes of the log. */
  consistency(from: number, to: number): Uint8Array[] {
    this.#checkSize(to)
    return proveConsistency(from, to, this.#readNode)
  }

  /** Root hash of the log when it had `treeSize` leaves, whether or not that size was signed. */
  rootAt(treeSize: number): Uint8Array {
    this.#checkSize(treeSize)
    return rootHash(treeSize, this.#readNode)
  }

  /** The lowest leaf index with this 32-byte leaf hash, or undefined. */
  async findLeaf(leafHash: Uint8Array): Promise<number | undefined> {
    assert(leafHash.length === hashBytes, 'a leaf hash has 32 bytes')
    for await (const [key] of this.#store.scan(keysWith(leafHashPrefix(leafHash)))) {
      const leafIndex = keyNumber(key)
      if (leafIndex >= this.#head.treeSize) continue
      // The key has half of the hash only.
      if (Buffer.compare(this.#readNode(0, leafIndex), leafHash) === 0) return leafIndex
    }
    return undefined
  }

  /** The signed checkpoint of a size, or undefined if the log never signed that size. */
  checkpointAt(treeSize: number): string | undefined {
    this.#checkSize(treeSize)
    const checkpoint = this.#store.get(checkpointKey(treeSize))
    return checkpoint && Buffer.from(checkpoint).toString('utf8')
  }

  /** A page of the log's history, smallest size first. */
  async checkpoints({ after, limit }: CheckpointPage): Promise<SignedHead[]> {
    const { treeSize } = this.#head
    if (after >= treeSize) return []
    return this.#signedHeads({ gt: checkpointKey(after), lte: checkpointKey(treeSize), limit })
  }

  /** The same backwards, largest size first: those of sizes below `before`. */
  async checkpointsBefore({ before, limit }: CheckpointPageBefore): Promise<SignedHead[]> {
    const lt = checkpointKey(Math.min(before, this.#head.treeSize + 1))
    return this.#signedHeads({ gt: checkpointKey(0), lt, reverse: true, limit })
  }

  async #signedHeads(range: Range): Promise<SignedHead[]> {
    const heads: SignedHead[] = []
    for await (const [key, checkpoint] of this.#store.scan(range)) {
      heads.push({
        treeSize: keyNumber(key),
        checkpoint: Buffer.from(checkpoint).toString('utf8'),
      })
    }
    return heads
  }

  #readTile(level: number, index: number): Uint8Array {
    const last = this.#lastTiles[level]
    if (last?.index === index) return last.nodes
    const partial = edgeTile(this.#head.edge, level, index)
    if (partial !== undefined) return partial
    const nodes = this.#readFullTile(level, index)
    this.#lastTiles[level] = { index, nodes }
    return nodes
  }

  #readFullTile(level: number, index: number): Uint8Array {
    // One number for both: no log has so many tiles that it would not be exact.
    const place = index * levelsMax + level
    const known = this.#tiles.get(place)
    if (known !== undefined) return known
    const nodes = this.#store.get(tileKey(level, index))
    if (nodes === undefined) throw missingRow(`tile ${level}/${index}`)
    this.#tiles.set(place, nodes)
    return nodes
  }

  #checkSize(treeSize: number): void {
    const { treeSize: newest } = this.#head
    if (Number.isSafeInteger(treeSize) && treeSize >= 0 && treeSize <= newest) return
    throw new LogError(
      'out_of_range',
      `a size of ${treeSize} was asked of a log of ${newest} entries`,
    )
  }

  #checkRange(from: number, to: number): void {
    const { treeSize } = this.#head
    const isWithin = from >= 0 && from <= to && to <= treeSize
    if (isWithin && Number.isSafeInteger(from) && Number.isSafeInteger(to)) return
    const message = `entries from ${from} to ${to} were asked of a log of ${treeSize}`
    throw new LogError('out_of_range', message)
  }

  #checkTile(tile: Tile): void {
    const { treeSize } = this.#head
    if (tileExists(tile, treeSize)) return
    const name = `tile ${tile.level}/${tile.index} of width ${tile.width}`
    throw new LogError('out_of_range', `a log of ${treeSize} entries has no ${name}`)
  }
}

// Texts that are kept, a power of two: all of a log of two million entries, in 2 MB.
const slots = 16_384

/**
 * Nodes of a tree in lower-case hex. Those of full tiles and above are parts of many proofs and
 * never change, so their texts are kept: each has one slot, which the last one read takes.
 */
class NodeTexts {
  readonly #spell: ReturnType<typeof spellNodes>
  /** The node in each slot: its index, and beside it its level; -1 if there is none. */
  readonly #indexes = new Float64Array(slots).fill(-1)
  readonly #levels = new Uint8Array(slots)
  readonly #texts = Array.from({ length: slots }, () => '')

  constructor(spell: ReturnType<typeof spellNodes>) {
    this.#spell = spell
  }

  /** The hash of a complete subtree. Errors as those of the reader. */
  read(level: number, index: number): string {
    if (level < tileHeight) return this.#spell(level, index)
    const slot = (index + level * 2_654_435_761) & (slots - 1)
    if (this.#indexes[slot] === index && this.#levels[slot] === level) {
      return this.#texts[slot] as string
    }
    const text = this.#spell(level, index)
    this.#indexes[slot] = index
    this.#levels[slot] = level
    this.#texts[slot] = text
    return text
  }
}
