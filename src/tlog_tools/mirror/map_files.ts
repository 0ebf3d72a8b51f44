import { bucketEntries, bucketOf, type CutMap, pathIn } from '#log/tlog/map/map_layer.ts'
import { decodeMapLeaf, type MapLeaf } from '#log/tlog/map/map_leaf.ts'
import { encodeMapProof } from '#log/tlog/map/map_proof.ts'
import {
  emptyNode,
  hashEntries,
  joinNodes,
  type MapEntry,
  mapKey,
  type MapNode,
  type MapPath,
} from '#log/tlog/map/map_tree.ts'
import { mapValueBytes } from '#log/tlog/map/map_value.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import type { MapProof } from '#src/client/verify/types.ts'
import { type CopyFolder, folderSource } from '#src/tlog_tools/mirror/copy_folder.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { getBytes, httpLogSource, type LogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { followMap } from '#src/tlog_tools/monitor/map_follow.ts'
import type { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/**
 * The map of one checkpoint as files, which any web server can serve. All of one map leaf are below
 * its index S, and never change:
 *
 *     map/newest                  S
 *     map/<S>/checkpoint          the checkpoint that ends with that map leaf
 *     map/<S>/tile/0              256 nodes of depth 8, each a byte for its kind and its hash
 *     map/<S>/tile/1/<2 hex>      256 nodes of depth 16 below one of those
 *     map/<S>/bucket/<hex>        keys and values, those of one node of the deepest tiles
 *
 * A map of at most 256 keys has no tiles and one bucket; one of at most 65,536 has the first tile
 * alone. So the number of keys in the map leaf says what is there.
 */
export const newestMapFile = 'map/newest'

const tileDepth = 8
const tileNodes = 2 ** tileDepth
const nodeBytes = 1 + hashBytes
const kinds = ['empty', 'leaf', 'inner'] as const

/** Depth of the buckets of a map of so many keys. */
function bucketDepth(keys: number): 0 | 8 | 16 {
  if (keys <= 256) return 0
  return keys <= 65_536 ? 8 : 16
}

function bucketFile(leafIndex: number, depth: number, bucket: number): string {
  return `map/${leafIndex}/bucket/${bucket.toString(16).padStart(depth / 4, '0')}`
}

function tileFile(leafIndex: number, depth: number, nth: number): string {
  const place = depth === tileDepth ? '0' : `1/${nth.toString(16).padStart(2, '0')}`
  return `map/${leafIndex}/tile/${place}`
}

/** Whether a path is one of the files of a map, in its one spelling. */
export function isMapFile(path: string): boolean {
  if (path === newestMapFile) return true
  return mapFilePattern.test(path)
}

const mapFilePattern =
  /^map\/(?:0|[1-9]\d{0,15})\/(?:checkpoint|tile\/(?:0|1\/[0-9a-f]{2})|bucket\/[0-9a-f]{1,4})$/

/** A file of a map, by its path. */
export type MapFile = readonly [path: string, bytes: Uint8Array]

/**
 * The files of a map, whose leaf ends the tree of `checkpoint`; the last one says that it is the
 * newest. Nothing may change the map meanwhile.
 */
export function* mapFiles(map: CutMap, { covers, keys }: MapLeaf, checkpoint: string) {
  const depth = bucketDepth(keys)
  const nodes: MapNode[] = []
  for (const [bucket, entries] of cutAt(map, depth)) {
    nodes.push(hashEntries(entries, depth))
    if (entries.length === 0 && depth > 0) continue
    const bytes = Buffer.concat(entries.flatMap(({ key, value }) => [key, value]))
    yield [bucketFile(covers, depth, bucket), bytes] satisfies MapFile
  }
  let level = nodes
  for (let at = depth; at > 0; at -= tileDepth) {
    for (let nth = 0; nth * tileNodes < level.length; nth += 1) {
      const tile = level.slice(nth * tileNodes, (nth + 1) * tileNodes)
      yield [tileFile(covers, at, nth), encodeTile(tile)] satisfies MapFile
    }
    for (let up = 0; up < tileDepth; up += 1) level = joinPairs(level)
  }
  yield [`map/${covers}/checkpoint`, Buffer.from(checkpoint)] satisfies MapFile
  yield [newestMapFile, Buffer.from(`${covers}\n`)] satisfies MapFile
}

/** The entries below each node of a depth, in the order of the keys. */
function* cutAt(map: CutMap, depth: number): Generator<readonly [number, MapEntry[]]> {
  let entries: MapEntry[] = []
  let bucket = 0
  for (let index = 0; index < 2 ** map.depth; index += 1) {
    for (const entry of bucketEntries(map.bucket(index))) {
      const place = depth === 0 ? 0 : bucketOf(entry.key, depth)
      for (; bucket < place; bucket += 1) {
        yield [bucket, entries]
        entries = []
      }
      entries.push(entry)
    }
  }
  for (; bucket < 2 ** depth; bucket += 1) {
    yield [bucket, entries]
    entries = []
  }
}

function joinPairs(nodes: readonly MapNode[]): MapNode[] {
  return Array.from({ length: nodes.length / 2 }, (_, at) =>
    joinNodes(nodes[2 * at] ?? emptyNode, nodes[2 * at + 1] ?? emptyNode),
  )
}

function encodeTile(nodes: readonly MapNode[]): Uint8Array {
  return Buffer.concat(nodes.flatMap(({ kind, hash }) => [Buffer.of(kinds.indexOf(kind)), hash]))
}

function decodeTile(bytes: Uint8Array): MapNode[] {
  if (bytes.length !== tileNodes * nodeBytes) throw unread('a tile of the map has another length')
  return Array.from({ length: tileNodes }, (_, at) => {
    const start = at * nodeBytes
    const kind = kinds[bytes[start] ?? kinds.length]
    if (kind === undefined) throw unread('a node of the map is of no kind')
    return { kind, hash: bytes.subarray(start + 1, start + nodeBytes) }
  })
}

/** Where the files of a map are read: a mirror, or any copy of one. */
export type MapFileSource = LogSource & {
  /** A file by its path. Throws SourceError. */
  readonly file: (path: string) => Promise<Uint8Array>
}

// A bucket has 86 bytes for each of its keys.
const mapFileBytesMax = 16_000_000

/** A mirror that serves its map as files, at its address. */
export function httpMapFiles(url: string, signal: AbortSignal): MapFileSource {
  const base = url.replace(/\/+$/, '')
  return {
    ...httpLogSource(base, signal),
    file: (path) => getBytes(`${base}/${path}`, mapFileBytesMax, signal),
  }
}

/**
 * Puts together from the files of a mirror what a registry answers about an ARK: it is verified as
 * that answer is, and so proves nothing before. Throws SourceError, and LogAlarm `bad_reply` for
 * files that do not fit together.
 */
export async function proveFromFiles(
  source: MapFileSource,
  verifier: Verifier,
  ark: string,
): Promise<MapProof> {
  const text = Buffer.from(await source.file(newestMapFile)).toString('utf8')
  const leafIndex = parseDecimal(text.replace(/\n$/, ''))
  if (leafIndex === undefined) throw unread(`${newestMapFile} has no number`)
  const checkpoint = Buffer.from(await source.file(`map/${leafIndex}/checkpoint`)).toString('utf8')
  const head = openHead(checkpoint, verifier)
  if (head.treeSize !== leafIndex + 1) throw unread('the checkpoint of the map is of another size')
  const tiles = new TileReader(head, (tile) => source.tile(tile))
  const bundle = await readBundle(source, tiles, Math.floor(leafIndex / tileWidth))
  const leaf = bundle[leafIndex % tileWidth] ?? new Uint8Array(0)
  try {
    const path = await wayTo(source, decodeMapLeaf(leaf), mapKey(ark))
    const hashes = await tiles.inclusionProof(leafIndex)
    return {
      map_leaf: Buffer.from(leaf).toString('utf8'),
      proof: Buffer.from(encodeMapProof(mapKey(ark), path)).toString('base64'),
      inclusion_proof: hashes.map((hash) => Buffer.from(hash).toString('hex')),
      checkpoint,
    }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw unread(error.message)
  }
}

/** A file that is needed to go on. */
class NeedsFile extends Error {
  readonly path: string

  constructor(path: string) {
    super(path)
    this.path = path
  }
}

/** The way to a key, by as few files as lead there: two tiles and a bucket, mostly. */
async function wayTo(
  { file }: Pick<MapFileSource, 'file'>,
  { covers, keys }: MapLeaf,
  key: Uint8Array,
): Promise<MapPath> {
  const files = new Map<string, Uint8Array>()
  const map = new ReadMap(files, covers, bucketDepth(keys))
  for (;;) {
    try {
      return pathIn(map, key)
    } catch (error) {
      if (!(error instanceof NeedsFile) || files.size === filesMax) throw error
      files.set(error.path, await file(error.path))
    }
  }
}

// Two tiles lead to a key, and two more to the only other key there is.
const filesMax = 5

/** A map by those of its files that were read. */
class ReadMap implements CutMap {
  readonly depth: number
  readonly #covers: number
  readonly #files: ReadonlyMap<string, Uint8Array>
  readonly #tiles = new Map<string, readonly (readonly MapNode[])[]>()

  constructor(files: ReadonlyMap<string, Uint8Array>, covers: number, depth: number) {
    this.depth = depth
    this.#files = files
    this.#covers = covers
  }

  node(place: number): MapNode {
    const depth = Math.floor(Math.log2(place))
    const index = place - 2 ** depth
    const isUpper = depth <= tileDepth
    const height = (isUpper ? tileDepth : 2 * tileDepth) - depth
    const nth = isUpper ? 0 : Math.floor(index / 2 ** (tileDepth - height))
    const levels = this.#tile(tileFile(this.#covers, isUpper ? tileDepth : 2 * tileDepth, nth))
    const level = levels[height]
    return level?.[index % level.length] ?? emptyNode
  }

  bucket(index: number): Uint8Array {
    if (this.depth > 0 && this.node(2 ** this.depth + index).kind === 'empty') return noBytes
    const bytes = this.#read(bucketFile(this.#covers, this.depth, index))
    if (bytes.length % entryBytes !== 0) throw unread('a bucket of the map has another length')
    const keys = bucketEntries(bytes).map(({ key }) => key)
    const isOrdered = keys.every((key, at) => Buffer.compare(keys[at - 1] ?? noBytes, key) < 0)
    if (!isOrdered) throw unread('a bucket of the map is not in the order of its keys')
    return bytes
  }

  /** The nodes of a tile, from its deepest level up to its root. */
  #tile(file: string): readonly (readonly MapNode[])[] {
    const known = this.#tiles.get(file)
    if (known !== undefined) return known
    const levels = [decodeTile(this.#read(file))]
    for (let height = 0; height < tileDepth; height += 1)
      levels.push(joinPairs(levels[height] ?? []))
    this.#tiles.set(file, levels)
    return levels
  }

  #read(file: string): Uint8Array {
    const bytes = this.#files.get(file)
    if (bytes === undefined) throw new NeedsFile(file)
    return bytes
  }
}

const noBytes = new Uint8Array(0)
const entryBytes = hashBytes + mapValueBytes

function unread(message: string): LogAlarm {
  return new LogAlarm('bad_reply', message)
}

/** What a mirror writes the files of maps with. */
export type MapFilesOptions = {
  readonly folder: CopyFolder
  readonly verifier: Verifier
  /** The map at the checkpoint that the copy shows; its folder is for this alone. */
  readonly maps: MapWatch
  /** Least time between two maps, in milliseconds. */
  readonly intervalMs: number
}

/** Writes the map of the checkpoint that a copy shows as files, once in an interval. */
export class MapFiles {
  readonly #options: MapFilesOptions
  #writtenMs = Number.NEGATIVE_INFINITY

  constructor(options: MapFilesOptions) {
    this.#options = options
  }

  /**
   * Writes the map if it is time and the checkpoint ends with a map leaf that is right. The map
   * before stays, for those who are reading it. Throws LogAlarm and SourceError.
   */
  async publish(nowMs: number): Promise<void> {
    const { folder, verifier, maps, intervalMs } = this.#options
    const note = (await folder.checkpoint())?.toString('utf8')
    if (note === undefined || nowMs - this.#writtenMs < intervalMs) return
    const head = openHead(note, verifier)
    const leafIndex = head.treeSize - 1
    const before = (await folder.mapLeaves()).toSorted((a, b) => a - b)
    if (before.at(-1) === leafIndex && (await this.#newest()) === leafIndex) return
    const source = folderSource(folder)
    const { type } = await followMap(maps, source, head, nowMs)
    if (type !== 'right' || maps.map === undefined) return
    const tiles = new TileReader(head, (tile) => source.tile(tile))
    const bundle = await readBundle(source, tiles, Math.floor(leafIndex / tileWidth))
    const leaf = decodeMapLeaf(bundle[leafIndex % tileWidth] ?? new Uint8Array(0))
    for (const [file, bytes] of mapFiles(maps.map, leaf, note)) {
      if (file === newestMapFile) await folder.settle()
      await folder.writeMapFile(file, bytes)
    }
    await folder.settle()
    for (const old of before.slice(0, -1)) await folder.dropMap(old)
    this.#writtenMs = nowMs
  }

  async #newest(): Promise<number | undefined> {
    const text = (await this.#options.folder.file(newestMapFile))?.toString('utf8')
    return text === undefined ? undefined : parseDecimal(text.replace(/\n$/, ''))
  }
}
