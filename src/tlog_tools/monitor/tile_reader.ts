import { LRUCache } from 'lru-cache'

import { assert, LogError } from '#log/tlog/errors.ts'
import { type Checkpoint, openForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { hashBytes, nodeHash } from '#log/tlog/hash.ts'
import { parseNote, type Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import { edgeTiles, levelSize, type Tile, tileHeight, tileWidth } from '#log/tlog/tile.ts'
import { type HashReader, inclusionPath, rangeHash, rootHash } from '#log/tlog/tree.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'

/** The head that vouches for tiles; its signature has been verified. */
export type VerifiedHead = { readonly treeSize: number; readonly rootHash: Uint8Array }

const tilesCached = 64

/**
 * Reads tiles and trusts none: the partial tiles of the right edge must together hash to the head,
 * and every other tile to its hash in the tile above it. So each tile is checked whole, by a tile
 * that was checked before it. What does not hash is a LogAlarm `bad_tile`.
 */
export class TileReader {
  readonly treeSize: number
  readonly #head: VerifiedHead
  readonly #fetch: (tile: Tile) => Promise<Uint8Array>
  readonly #verified = new LRUCache<string, Uint8Array>({ max: tilesCached })
  #edge: Promise<ReadonlyMap<number, Uint8Array>> | undefined

  constructor(head: VerifiedHead, fetch: (tile: Tile) => Promise<Uint8Array>) {
    this.treeSize = head.treeSize
    this.#head = head
    this.#fetch = fetch
  }

  /** The hashes of a tile that the tree of this head has, 32 bytes each, verified. */
  async tile({ level, index, width }: Tile): Promise<Uint8Array> {
    const hashes = levelSize(level, this.treeSize)
    assert(index * tileWidth + width <= hashes, 'the tree has the tile')
    const isFull = (index + 1) * tileWidth <= hashes
    const bytes = isFull
      ? await this.#fullTile(level, index)
      : ((await this.#rightEdge()).get(level) ?? new Uint8Array(0))
    return bytes.subarray(0, width * hashBytes)
  }

  /** The root hash of the log when it had `treeSize` entries, if it has only grown since. */
  async rootAt(treeSize: number): Promise<Uint8Array> {
    const tiles = new Map<number, Uint8Array>()
    for (const tile of edgeTiles(treeSize)) tiles.set(tile.level, await this.tile(tile))
    return rootHash(treeSize, readEdge(tiles))
  }

  /** The inclusion proof of a leaf in the tree of this head, from the leaf upwards (RFC 6962). */
  async inclusionProof(leafIndex: number): Promise<Uint8Array[]> {
    const edge = readEdge(await this.#rightEdge())
    return Promise.all(
      inclusionPath<Promise<Uint8Array>>(leafIndex, this.treeSize, {
        node: (level, index) => this.#node(level, index),
        rest: async (start) => rangeHash(start, this.treeSize, edge),
      }),
    )
  }

  async #node(level: number, index: number): Promise<Uint8Array> {
    const height = level % tileHeight
    const nodes = 2 ** height
    const offset = (index % (tileWidth / nodes)) * nodes
    const tile = await this.tile({
      level: (level - height) / tileHeight,
      index: Math.floor((index * nodes) / tileWidth),
      width: offset + nodes,
    })
    return subtreeRoot(tile.subarray(offset * hashBytes))
  }

  async #fullTile(level: number, index: number): Promise<Uint8Array> {
    const key = `${level}/${index}`
    const known = this.#verified.get(key)
    if (known !== undefined) return known
    const offset = index % tileWidth
    const above = { level: level + 1, index: Math.floor(index / tileWidth), width: offset + 1 }
    const expected = (await this.tile(above)).subarray(offset * hashBytes)
    const bytes = await this.#fetchWhole({ level, index, width: tileWidth })
    if (!equalBytes(subtreeRoot(bytes), expected)) {
      throw new LogAlarm('bad_tile', `tile ${key} does not hash to the tile above it`)
    }
    this.#verified.set(key, bytes)
    return bytes
  }

  #rightEdge(): Promise<ReadonlyMap<number, Uint8Array>> {
    this.#edge ??= this.#readRightEdge()
    return this.#edge
  }

  async #readRightEdge(): Promise<ReadonlyMap<number, Uint8Array>> {
    const tiles = new Map<number, Uint8Array>()
    for (const tile of edgeTiles(this.treeSize)) tiles.set(tile.level, await this.#fetchWhole(tile))
    const root = rootHash(this.treeSize, readEdge(tiles))
    if (equalBytes(root, this.#head.rootHash)) return tiles
    throw new LogAlarm('bad_tile', 'the tiles of the right edge do not hash to the signed head')
  }

  async #fetchWhole(tile: Tile): Promise<Uint8Array> {
    const bytes = await this.#fetch(tile)
    if (bytes.length === tile.width * hashBytes) return bytes
    const { level, index, width } = tile
    throw new LogAlarm('bad_tile', `tile ${level}/${index} has not the ${width} hashes asked for`)
  }
}

// The complete subtrees that make up a tree of any size all lie in its right edge.
function readEdge(tiles: ReadonlyMap<number, Uint8Array>): HashReader {
  return (level, index) => {
    const height = level % tileHeight
    const nodes = 2 ** height
    const start = (index % (tileWidth / nodes)) * nodes * hashBytes
    const tile = tiles.get((level - height) / tileHeight)
    assert(tile !== undefined, 'the subtree lies in the right edge')
    return subtreeRoot(tile.subarray(start, start + nodes * hashBytes))
  }
}

/** The root of 1, 2, 4, … 256 hashes of 32 bytes. */
export function subtreeRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length === hashBytes) return hashes
  const middle = hashes.length / 2
  return nodeHash(subtreeRoot(hashes.subarray(0, middle)), subtreeRoot(hashes.subarray(middle)))
}

/**
 * Opens a checkpoint that must be of the log of `verifier` and signed by it. Otherwise LogAlarm:
 * `key_changed` if another key of its name has signed it, else `bad_checkpoint`.
 */
export function openHead(message: Uint8Array | string, verifier: Verifier): Checkpoint {
  try {
    return openForeignCheckpoint(message, verifier)
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    const isOther = error.code === 'unverified_note' && isByAnotherKey(message, verifier)
    const said = isOther ? 'another key than the trusted one signs as the log' : error.message
    throw new LogAlarm(isOther ? 'key_changed' : 'bad_checkpoint', said, { cause: error })
  }
}

function isByAnotherKey(message: Uint8Array | string, { keyName, keyId }: Verifier): boolean {
  const ofName = parseNote(message).signatures.filter((line) => line.keyName === keyName)
  return ofName.length > 0 && ofName.every((line) => line.keyId !== keyId)
}
