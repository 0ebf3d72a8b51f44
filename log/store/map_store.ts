import * as fs from 'node:fs/promises'

import {
  bucketEntries,
  bucketOf,
  type CutMap,
  damagedMap,
  type MapLayer,
  type MapSize,
} from '#log/map/map_layer.ts'
import {
  emptyNode,
  hashEntries,
  joinNodes,
  type MapEntry,
  type MapNode,
} from '#log/map/map_tree.ts'
import { decodeRow, encodeRow } from '#log/store/damage.ts'
import { type LevelRows, openLevelRows } from '#log/store/level_rows.ts'
import { assert } from '#log/tlog/errors.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { hashBytes } from '#log/tlog/hash.ts'

/**
 * The map of a log on the disk, as it was after so many entries. It follows from the entries, so
 * it lies in a database of its own beside the store, is written without a sync, and may be lost:
 * what is missing is made from the entries again. Its rows:
 *
 *     map                                   where it stands (MapRow)
 *     <2 hex: depth>/<8 hex: bucket>        kind and hash of a bucket's node, its keys and values
 *
 * All nodes down to the buckets are in memory: 33 bytes each, about half as many as there are keys.
 */
type MapRow = MapState & {
  readonly schema: 1
  readonly depth: number
  readonly root: string
}

/** What a map is as a whole. */
export type MapState = MapSize & {
  /** Whether the log has the map leaf of this very state. */
  readonly isCommitted: boolean
  /** The root of the log's tree of the entries that it covers, in hex. */
  readonly treeRoot: string
}

const mapKeyRow = 'map'

// A smaller one is merged with what lies on the disk more often: most of what is written.
const writeBufferBytes = 16 * 1024 * 1024
const cacheBytes = 2 * 1024 * 1024

/** Rows that are read or written with one step of a longer work. */
const stepRows = 4_096

/** Gives way to others between the steps of a longer work. */
type Rest = () => Promise<void>

const kinds = ['empty', 'leaf', 'inner'] as const

/** Nodes by their places, in memory. */
class TopNodes {
  readonly depth: number
  readonly #kinds: Uint8Array
  readonly #hashes: Uint8Array

  constructor(depth: number) {
    this.depth = depth
    const places = 2 ** (depth + 1)
    this.#kinds = new Uint8Array(places)
    this.#hashes = new Uint8Array(places * hashBytes)
  }

  get(place: number): MapNode {
    const kind = kinds[this.#kinds[place] ?? 0] ?? 'empty'
    if (kind === 'empty') return emptyNode
    const start = place * hashBytes
    return { kind, hash: this.#hashes.subarray(start, start + hashBytes) }
  }

  set(place: number, { kind, hash }: MapNode): void {
    this.#kinds[place] = kinds.indexOf(kind)
    this.#hashes.set(hash, place * hashBytes)
  }

  /** Computes the nodes above the buckets, in steps. */
  async join(rest: Rest): Promise<void> {
    for (let place = 2 ** this.depth - 1; place > 0; place -= 1) {
      const [left, right] = [this.get(2 * place), this.get(2 * place + 1)]
      if (left.kind !== 'empty' || right.kind !== 'empty') this.set(place, joinNodes(left, right))
      if (place % stepRows === 0) await rest()
    }
  }
}

/** The map of a log as it lies on the disk. It owns its database. */
export class MapStore implements CutMap {
  readonly #rows: LevelRows
  #top: TopNodes
  #state: MapState

  private constructor(rows: LevelRows, top: TopNodes, state: MapState) {
    this.#rows = rows
    this.#top = top
    this.#state = state
  }

  /**
   * Opens the map in a directory, which is made if there is none; `rest` gives way to others.
   * Errors: `store_corrupt` if it is damaged: then `discard` it, and it begins anew.
   */
  static async open(dir: string, depth: number, rest: Rest): Promise<MapStore> {
    await fs.mkdir(dir, { recursive: true })
    const rows = await openLevelRows(dir, {
      create: true,
      writeBufferBytes,
      cacheBytes,
      release: () => undefined,
    })
    try {
      const bytes = rows.get(mapKeyRow)
      const row = bytes && decodeMapRow(bytes)
      if (row === undefined) return new MapStore(rows, new TopNodes(depth), nothingCovered)
      const { covers, keys, isCommitted, treeRoot } = row
      const state = { covers, keys, isCommitted, treeRoot }
      const store = new MapStore(rows, new TopNodes(row.depth), state)
      await store.#load(row, rest)
      return store
    } catch (error) {
      await rows.close()
      throw error
    }
  }

  /** Removes the map in a directory: it follows from the entries of its log. */
  static async discard(dir: string): Promise<void> {
    await fs.rm(dir, { recursive: true, force: true })
  }

  get state(): MapState {
    return this.#state
  }

  get depth(): number {
    return this.#top.depth
  }

  node(place: number): MapNode {
    return this.#top.get(place)
  }

  bucket(index: number): Uint8Array {
    const key = bucketKey(this.depth, index)
    const bytes = this.#rows.get(key)
    return bytes === undefined ? noBytes : decodeBucket(key, bytes).bucket
  }

  /**
   * Goes on to the state of a layer that lies on this one, by one write: until it resolves, the map
   * is to be read through the layer.
   */
  async fold(layer: MapLayer, told: Pick<MapState, 'isCommitted' | 'treeRoot'>): Promise<void> {
    assert(layer.depth === this.depth, 'a layer lies on what is cut as it is')
    const { covers, keys, rootHash } = layer
    const state = { covers, keys, ...told }
    const batch = this.#rows.newBatch()
    for (const [index, bucket] of layer.buckets) {
      const key = bucketKey(this.depth, index)
      batch.put(key, encodeBucket(key, layer.node(2 ** this.depth + index), bucket))
    }
    batch.put(mapKeyRow, encodeMapRow(state, this.depth, rootHash))
    await this.#rows.write(batch, { sync: false })
    for (const [place, node] of layer.nodes) this.#top.set(place, node)
    this.#state = state
  }

  /** Cuts the map at another depth. Nobody may read it meanwhile. */
  async recut(depth: number, rest: Rest): Promise<void> {
    const before = this.depth
    await this.#deleteRows(depth, rest)
    const top = new TopNodes(depth)
    const root = this.node(1).hash
    let open: { index: number; entries: MapEntry[] } | undefined
    let batch = this.#rows.newBatch()
    const close = () => {
      if (open === undefined) return
      const { index, entries } = open
      const key = bucketKey(depth, index)
      const node = hashEntries(entries, depth)
      const bucket = Buffer.concat(entries.flatMap((one) => [one.key, one.value]))
      batch.put(key, encodeBucket(key, node, bucket))
      top.set(2 ** depth + index, node)
    }
    for await (const rows of this.#bucketRows(before)) {
      for (const { bucket } of rows) {
        for (const entry of bucketEntries(bucket)) {
          const index = bucketOf(entry.key, depth)
          if (open?.index !== index) {
            close()
            open = { index, entries: [] }
          }
          open.entries.push(entry)
        }
      }
      await this.#rows.write(batch, { sync: false })
      batch = this.#rows.newBatch()
      await rest()
    }
    close()
    await top.join(rest)
    if (Buffer.compare(top.get(1).hash, root) !== 0) throw damagedMap('its buckets')
    batch.put(mapKeyRow, encodeMapRow(this.#state, depth, root))
    await this.#rows.write(batch, { sync: false })
    this.#top = top
    await this.#deleteRows(before, rest)
  }

  async close(): Promise<void> {
    await this.#rows.close()
  }

  /** Reads all buckets, and compares the root that they lead to. */
  async #load({ depth, root, keys }: MapRow, rest: Rest): Promise<void> {
    let found = 0
    for await (const rows of this.#bucketRows(depth)) {
      for (const { index, node, bucket } of rows) {
        found += bucketEntries(bucket).length
        this.#top.set(2 ** depth + index, node)
      }
      await rest()
    }
    await this.#top.join(rest)
    if (found !== keys || encodeHex(this.node(1).hash) !== root) throw damagedMap('its buckets')
  }

  async *#bucketRows(depth: number): AsyncGenerator<readonly BucketRow[]> {
    for await (const rows of this.#rows.read(rangeOf(depth))) {
      yield rows.map(([key, bytes]) => ({ index: indexOf(key), ...decodeBucket(key, bytes) }))
    }
  }

  async #deleteRows(depth: number, rest: Rest): Promise<void> {
    for await (const rows of this.#rows.read(rangeOf(depth))) {
      const batch = this.#rows.newBatch()
      for (const [key] of rows) batch.del(key)
      await this.#rows.write(batch, { sync: false })
      await rest()
    }
  }
}

const noBytes = new Uint8Array(0)

const nothingCovered: MapState = { covers: 0, keys: 0, isCommitted: false, treeRoot: '' }

type BucketRow = { readonly index: number; readonly node: MapNode; readonly bucket: Uint8Array }

function encodeBucket(key: string, { kind, hash }: MapNode, bucket: Uint8Array): Buffer {
  return encodeRow(key, Buffer.concat([Buffer.of(kinds.indexOf(kind)), hash, bucket]))
}

function decodeBucket(key: string, bytes: Uint8Array): Omit<BucketRow, 'index'> {
  const row = decodeRow(key, bytes)
  const kind = kinds[row[0] ?? 0] ?? 'empty'
  const hash = row.subarray(1, 1 + hashBytes)
  return { node: { kind, hash }, bucket: row.subarray(1 + hashBytes) }
}

const depthDigits = 2
const indexDigits = 8

function bucketKey(depth: number, index: number): string {
  return `${depthPart(depth)}/${index.toString(16).padStart(indexDigits, '0')}`
}

function depthPart(depth: number): string {
  return depth.toString(16).padStart(depthDigits, '0')
}

function indexOf(key: string): number {
  return Number.parseInt(key.slice(depthDigits + 1), 16)
}

function rangeOf(depth: number): { readonly gte: string; readonly lt: string } {
  return { gte: `${depthPart(depth)}/`, lt: `${depthPart(depth)}/~` }
}

function encodeMapRow(state: MapState, depth: number, rootHash: Uint8Array): Uint8Array {
  const row: MapRow = { schema: 1, depth, ...state, root: encodeHex(rootHash) }
  return encodeRow(mapKeyRow, Buffer.from(JSON.stringify(row)))
}

function decodeMapRow(bytes: Uint8Array): MapRow {
  const row = JSON.parse(Buffer.from(decodeRow(mapKeyRow, bytes)).toString('utf8')) as MapRow
  if (row.schema !== 1) throw damagedMap('the row that says where it stands')
  return row
}
