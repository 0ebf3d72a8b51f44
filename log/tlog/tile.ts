import { parseDecimal } from '#log/tlog/encoding.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { hashBytes, nodeHash } from '#log/tlog/hash.ts'

/** Hashes in a full tile, and entries in a full bundle (C2SP tlog-tiles). */
export const tileWidth = 256

/** Levels of the tree that one tile spans: 2^8 = 256. */
export const tileHeight = 8

/** The highest tile level a path can name. */
export const tileLevelMax = 63

/** All nodes of a full tile: 256 hashes, then 128, … then 1. */
export const tileNodes = 2 * tileWidth - 1

/**
 * A tile of hashes: at `level` L and `index` N its hash i is
 * MTH(D[(256·N+i)·256^L : (256·N+i+1)·256^L]). `width` is 256, or 1 to 255 for a partial tile.
 */
export type Tile = { readonly level: number; readonly index: number; readonly width: number }

/** A bundle of the entries below the level-0 tile of the same index and width. */
export type Bundle = { readonly index: number; readonly width: number }

/** The path of a tile: `tile/0/x001/x234/067`, and `tile/0/x001/x234/068.p/5` while partial. */
export function formatTilePath({ level, index, width }: Tile): string {
  assert(Number.isInteger(level) && level >= 0 && level <= tileLevelMax, 'a tile level is 0 to 63')
  return `tile/${level}/${formatIndex(index)}${formatWidth(width)}`
}

/** Reads a tile's path; anything but its one canonical spelling is `malformed_tile_path`. */
export function parseTilePath(path: string): Tile {
  const [, levelText = '', rest = ''] = /^tile\/([0-9]+)\/(.+)$/.exec(path) ?? []
  const level = parseDecimal(levelText)
  const bundle = parsePlace(rest)
  if (level === undefined || level > tileLevelMax || bundle === undefined) throw malformed(path)
  return { level, ...bundle }
}

/** The path of an entry bundle: `tile/entries/x001/067`, and with `.p/5` while partial. */
export function formatEntriesPath(bundle: Bundle): string {
  return `tile/entries/${formatIndex(bundle.index)}${formatWidth(bundle.width)}`
}

/** Reads an entry bundle's path; errors as `parseTilePath`. */
export function parseEntriesPath(path: string): Bundle {
  const [, rest = ''] = /^tile\/entries\/(.+)$/.exec(path) ?? []
  const bundle = parsePlace(rest)
  if (bundle === undefined) throw malformed(path)
  return bundle
}

function formatIndex(index: number): string {
  assert(Number.isSafeInteger(index) && index >= 0, 'a tile index is a count')
  const digits = index.toString()
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? []
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
}

function formatWidth(width: number): string {
  assert(Number.isInteger(width) && width >= 1 && width <= tileWidth, 'a width is 1 to 256')
  return width === tileWidth ? '' : `.p/${width}`
}

function parsePlace(text: string): Bundle | undefined {
  const match = /^((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/.exec(text)
  if (match === null) return undefined
  const index = Number((match[1] ?? '').replaceAll(/[x/]/g, ''))
  const width = match[2] === undefined ? tileWidth : parseDecimal(match[2])
  if (!Number.isSafeInteger(index) || width === undefined || width < 1) return undefined
  if (match[2] !== undefined && width >= tileWidth) return undefined
  // Leading groups of zeros have a shorter spelling, which is the only one.
  return formatIndex(index) === match[1] ? { index, width } : undefined
}

function malformed(path: string): LogError {
  return new LogError('malformed_tile_path', `${JSON.stringify(path)} is not the path of a tile`)
}

/** How many hashes the level has in a tree of `treeSize` leaves: ⌊treeSize / 256^level⌋. */
export function levelSize(level: number, treeSize: number): number {
  return Math.floor(treeSize / tileWidth ** level)
}

/** Width of the newest tile of a level: 0 when its last tile is full or there is none. */
export function partialWidth(level: number, treeSize: number): number {
  return levelSize(level, treeSize) % tileWidth
}

/** Whether a log of `treeSize` leaves serves the tile, the partials of smaller sizes included. */
export function tileExists(tile: Tile, treeSize: number): boolean {
  return tile.index * tileWidth + tile.width <= levelSize(tile.level, treeSize)
}

/** The partial tiles of a tree, its right edge: at most one on each level, the lowest first. */
export function edgeTiles(treeSize: number): Tile[] {
  const tiles: Tile[] = []
  for (let level = 0; levelSize(level, treeSize) > 0; level += 1) {
    const width = partialWidth(level, treeSize)
    const index = levelSize(level + 1, treeSize)
    if (width > 0) tiles.push({ level, index, width })
  }
  return tiles
}

/**
 * All nodes of a full tile from its 256 hashes: height 0 first, then the 128 nodes above, up to the
 * one at height 8, which is a hash of the tile above. 511 hashes of 32 bytes.
 */
export function expandTile(hashes: Uint8Array): Uint8Array {
  assert(hashes.length === tileWidth * hashBytes, 'only a full tile is expanded')
  const nodes = new Uint8Array(tileNodes * hashBytes)
  nodes.set(hashes)
  // Node i of the whole sequence, from 256 on, is the parent of nodes 2·(i-256) and the next.
  for (let node = tileWidth; node < tileNodes; node += 1) {
    const left = 2 * (node - tileWidth) * hashBytes
    const middle = left + hashBytes
    const hash = nodeHash(nodes.subarray(left, middle), nodes.subarray(middle, middle + hashBytes))
    nodes.set(hash, node * hashBytes)
  }
  return nodes
}

/** Where in an expanded tile the node `index` at `height` (0 to 8) begins. */
export function tileNodeAt(height: number, index: number): number {
  assert(height >= 0 && height <= tileHeight, 'a tile has heights 0 to 8')
  assert(index >= 0 && index < tileWidth / 2 ** height, 'the node is in the tile')
  return (2 * tileWidth - 2 ** (tileHeight + 1 - height) + index) * hashBytes
}

/** That node. */
export function tileNode(nodes: Uint8Array, height: number, index: number): Uint8Array {
  const at = tileNodeAt(height, index)
  return nodes.subarray(at, at + hashBytes)
}

/** Bytes of an entry at most: its length is written in 16 bits (C2SP tlog-tiles). */
export const entryBytesMax = 65_535

const lengthBytes = 2

/** Encodes entries as a bundle: each is its length in two bytes, big-endian, then its bytes. */
export function encodeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  const size = entries.reduce((sum, entry) => sum + lengthBytes + entry.length, 0)
  const bundle = Buffer.allocUnsafe(size)
  let at = 0
  for (const entry of entries) {
    assert(entry.length <= entryBytesMax, 'an entry that was accepted fits a bundle')
    at = bundle.writeUInt16BE(entry.length, at)
    bundle.set(entry, at)
    at += entry.length
  }
  return bundle
}

/**
 * Decodes a bundle of exactly `width` entries. Missing or left-over bytes are
 * `malformed_entry_bundle`.
 */
export function decodeEntryBundle(bundle: Uint8Array, width: number): Uint8Array[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length)
  const entries: Uint8Array[] = []
  let at = 0
  while (entries.length < width) {
    const start = at + lengthBytes
    if (start > bytes.length) throw malformedBundle(width)
    at = start + bytes.readUInt16BE(at)
    entries.push(bundle.subarray(start, at))
  }
  // An entry that was cut leads behind the end, too.
  if (at !== bytes.length) throw malformedBundle(width)
  return entries
}

function malformedBundle(width: number): LogError {
  return new LogError('malformed_entry_bundle', `the bundle does not hold exactly ${width} entries`)
}

/** Refuses an entry that no bundle could hold: `entry_too_large`. */
export function checkEntry(entry: Uint8Array): void {
  if (entry.length > entryBytesMax) {
    throw new LogError(
      'entry_too_large',
      `an entry has at most ${entryBytesMax} bytes, this one has ${entry.length}`,
    )
  }
}
