import { encodeHexPart } from '#log/tlog/encoding.ts'
import { assert } from '#log/tlog/errors.ts'
import { hashBytes, nodeHash } from '#log/tlog/hash.ts'
import {
  levelSize,
  partialWidth,
  tileHeight,
  tileNode,
  tileNodeAt,
  tileNodes,
  tileWidth,
} from '#log/tlog/tile.ts'
import { type HashReader, rootHash } from '#log/tlog/tree.ts'

/**
 * The partial tiles at the right of a tree: all that is needed to extend it and to know its root.
 * `nodes[level]` has the layout of an expanded tile, filled as far as the tile is: a width of
 * `partialWidth(level, treeSize)`, and every node above that is complete. Never changed once made.
 */
export type RightEdge = { readonly treeSize: number; readonly nodes: readonly Uint8Array[] }

/** A tile that has become full, expanded: 511 hashes, height 0 first. */
export type FullTile = {
  readonly level: number
  readonly index: number
  readonly nodes: Uint8Array
}

/** An edge that was extended, and the tiles that filled up on the way, lower levels first. */
export type Appended = { readonly edge: RightEdge; readonly tiles: readonly FullTile[] }

/** Reads a tile in its expanded layout, filled at least as far as the nodes that are asked for. */
export type TileReader = (level: number, index: number) => Uint8Array

export const emptyEdge: RightEdge = { treeSize: 0, nodes: [] }

/** Finds the nodes of a tree in its tiles, each of which holds 8 levels of them. */
function findNodes<Node>(readTile: TileReader, take: (tile: Uint8Array, at: number) => Node) {
  return (level: number, index: number): Node => {
    const height = level % tileHeight
    const nodesInTile = 2 ** (tileHeight - height)
    const tileIndex = Math.floor(index / nodesInTile)
    const tile = readTile((level - height) / tileHeight, tileIndex)
    return take(tile, tileNodeAt(height, index - tileIndex * nodesInTile))
  }
}

/** Reads the nodes of a tree out of its tiles. */
export function readNodes(readTile: TileReader): HashReader {
  return findNodes(readTile, (tile, at) => tile.subarray(at, at + hashBytes))
}

/** The same, each hash in lower-case hex. */
export function spellNodes(readTile: TileReader): (level: number, index: number) => string {
  return findNodes(readTile, (tile, at) => encodeHexPart(tile, at, at + hashBytes))
}

/**
 * Builds the right edge of a tree of `treeSize` leaves from the hashes of its partial tiles, which
 * `readHashes` gives: `width` hashes of a level, from the hash `start` on.
 */
export function buildEdge(
  treeSize: number,
  readHashes: (level: number, start: number, width: number) => readonly Uint8Array[],
): RightEdge {
  const nodes: Uint8Array[] = []
  for (let level = 0; levelSize(level, treeSize) > 0; level += 1) {
    const width = partialWidth(level, treeSize)
    const hashes = width === 0 ? [] : readHashes(level, levelSize(level, treeSize) - width, width)
    assert(hashes.length === width, 'a partial tile is read whole')
    const tile = emptyTile()
    for (const [at, hash] of hashes.entries()) addHash(tile, at, hash)
    nodes.push(tile)
  }
  return { treeSize, nodes }
}

/**
 * Extends an edge by leaf hashes, 32 bytes each, one after the other. The edge passed in stays as
 * it was. Law: appending a ‖ b gives the edge of appending a, then b, and the tiles of both.
 */
export function appendLeaves(edge: RightEdge, leafHashes: Uint8Array): Appended {
  assert(leafHashes.length % hashBytes === 0, 'a leaf hash has 32 bytes')
  const draft = new EdgeDraft(edge)
  for (let at = 0; at < leafHashes.length; at += hashBytes) {
    draft.addLeaf(leafHashes.subarray(at, at + hashBytes))
  }
  return draft.finish()
}

/**
 * Extends an edge that ends with a full tile by one more full tile of leaves, of which the root is
 * known. Law: as by its leaves, but for that tile, which is not among `tiles`.
 */
export function appendLeafTile(edge: RightEdge, root: Uint8Array): Appended {
  assert(edge.treeSize % tileWidth === 0, 'the tiles before it are full')
  const draft = new EdgeDraft(edge)
  draft.addLeafTile(root)
  return draft.finish()
}

/** The partial tile of the edge at that level and index; undefined for a full tile left of it. */
export function edgeTile(edge: RightEdge, level: number, index: number): Uint8Array | undefined {
  const fullTiles = Math.floor(levelSize(level, edge.treeSize) / tileWidth)
  assert(index <= fullTiles, 'no tile lies right of the edge')
  if (index < fullTiles) return undefined
  const nodes = edge.nodes[level]
  assert(nodes !== undefined, 'the edge has a tile for each level')
  return nodes
}

/** Root hash of the whole tree: the edge alone determines it. */
export function edgeRoot(edge: RightEdge): Uint8Array {
  return rootHash(edge.treeSize, readAppended({ edge, tiles: [] }))
}

/**
 * Reads the nodes of an extended edge and of the tiles that filled up, which is all that roots and
 * consistency proofs need for any size from that of the edge before.
 */
export function readAppended({ edge, tiles }: Appended): HashReader {
  return readNodes((level, index) => {
    const partial = edgeTile(edge, level, index)
    if (partial !== undefined) return partial
    const full = tiles.find((tile) => tile.level === level && tile.index === index)
    assert(full !== undefined, 'the tile lies in what was appended')
    return full.nodes
  })
}

/** An edge in the making. A tile's nodes are copied before the first change to them. */
class EdgeDraft {
  readonly #nodes: Uint8Array[]
  readonly #isOwn: boolean[] = []
  readonly #tiles: FullTile[] = []
  #treeSize: number

  constructor(edge: RightEdge) {
    this.#nodes = [...edge.nodes]
    this.#treeSize = edge.treeSize
  }

  addLeaf(leafHash: Uint8Array): void {
    this.#add(0, leafHash)
    this.#treeSize += 1
  }

  addLeafTile(root: Uint8Array): void {
    this.#nodes[0] ??= emptyTile()
    this.#add(1, root)
    this.#treeSize += tileWidth
  }

  /** Adds a hash at a level, and the roots of the tiles that it fills at those above. */
  #add(from: number, added: Uint8Array): void {
    let hash = added
    for (let level = from; ; level += 1) {
      const size = levelSize(level, this.#treeSize)
      const nodes = this.#ownNodes(level)
      addHash(nodes, size % tileWidth, hash)
      if (size % tileWidth < tileWidth - 1) break
      this.#tiles.push({ level, index: Math.floor(size / tileWidth), nodes })
      this.#nodes[level] = emptyTile()
      hash = tileNode(nodes, tileHeight, 0)
    }
  }

  #ownNodes(level: number): Uint8Array {
    const nodes = this.#nodes[level]
    if (nodes !== undefined && this.#isOwn[level] === true) return nodes
    const own = nodes === undefined ? emptyTile() : new Uint8Array(nodes)
    this.#nodes[level] = own
    this.#isOwn[level] = true
    return own
  }

  finish(): Appended {
    return { edge: { treeSize: this.#treeSize, nodes: this.#nodes }, tiles: this.#tiles }
  }
}

function emptyTile(): Uint8Array {
  return new Uint8Array(tileNodes * hashBytes)
}

/** Sets hash `at` of a tile, and every node above that becomes complete with it. */
function addHash(nodes: Uint8Array, at: number, hash: Uint8Array): void {
  nodes.set(hash, tileNodeAt(0, at))
  let index = at
  for (let height = 0; index % 2 === 1; height += 1) {
    const parent = nodeHash(tileNode(nodes, height, index - 1), tileNode(nodes, height, index))
    index = (index - 1) / 2
    nodes.set(parent, tileNodeAt(height + 1, index))
  }
}
