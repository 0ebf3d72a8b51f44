import * as fs from 'node:fs/promises'
import * as path from 'node:path'

import {
  bucketEntries,
  bucketOf,
  damagedMap,
  encodeEntries,
  entryBytes,
  type MapBase,
  type MapLayer,
  type MapSize,
} from '#log/tlog/map/map_layer.ts'
import {
  emptyNode,
  hashEntries,
  joinNodes,
  type MapNode,
  spelledInnerHash,
} from '#log/tlog/map/map_tree.ts'
import { MapSegments } from '#log/store/map_segments.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { hashBytes } from '#log/tlog/hash.ts'

/**
 * The map of a log on the disk, as it was after so many entries. It follows from the entries, so
 * it lies in files of its own beside the store, is written without a sync, and may be lost: what is
 * missing is made from the entries again. A bucket is a row: u8 kind and hash of its node, then its
 * keys and values. Each write notes where the map stands then (MapRow). LevelDB would write a row
 * fourteen times until it lies where it stays; here that is once or twice.
 *
 * All nodes down to the buckets are in memory: 33 bytes each, one for two or three keys.
 */
type MapRow = MapState & { readonly root: string }

/** What a map is as a whole. */
export type MapState = MapSize & {
  /** Whether the log has the map leaf of this very state. */
  readonly isCommitted: boolean
  /** The root of the log's tree of the entries that it covers, in hex. */
  readonly treeRoot: string
}

/** Buckets that are read or written with one step of a longer work. */
const stepBuckets = 4_096

/** Gives way to others between the steps of a longer work. */
type Rest = () => Promise<void>

const kinds = ['empty', 'leaf', 'inner'] as const

/** Nodes by their places, in memory. */
class TopNodes {
  readonly depth: number
  readonly #kinds: Uint8Array
  readonly #hashes: Buffer

  constructor(depth: number) {
    this.depth = depth
    const places = 2 ** (depth + 1)
    this.#kinds = new Uint8Array(places)
    this.#hashes = Buffer.alloc(places * hashBytes)
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

  /** Whether the node of a place is what the two below it lead to, which lie side by side. */
  isJoined(place: number): boolean {
    const [left, right] = [2 * place, 2 * place + 1]
    if (this.#kinds[left] === 0 || this.#kinds[right] === 0) {
      const { kind, hash } = joinNodes(this.get(left), this.get(right))
      const found = this.get(place)
      return kind === found.kind && Buffer.compare(hash, found.hash) === 0
    }
    const start = place * hashBytes
    const stored = this.#hashes.toString('latin1', start, start + hashBytes)
    return spelledInnerHash(this.#hashes, left * hashBytes) === stored
  }

  /** Computes the nodes above the buckets, in steps. */
  async join(rest: Rest): Promise<void> {
    for (let place = 2 ** this.depth - 1; place > 0; place -= 1) {
      const [left, right] = [this.get(2 * place), this.get(2 * place + 1)]
      if (left.kind !== 'empty' || right.kind !== 'empty') this.set(place, joinNodes(left, right))
      if (place % stepBuckets === 0) await rest()
    }
  }
}

/** The map of a log as it lies on the disk. It owns its folder. */
export class MapStore implements MapBase {
  readonly #dir: string
  #rows: MapSegments
  #top: TopNodes
  #state: MapState = nothingCovered

  private constructor(dir: string, depth: number) {
    this.#dir = dir
    this.#top = new TopNodes(depth)
    this.#rows = MapSegments.create(dir, prefixOf(depth), 2 ** depth)
  }

  /**
   * Opens the map in a directory, which is made if there is none; `rest` gives way to others.
   * Errors: `store_corrupt` if it is damaged: then `discard` it, and it begins anew.
   */
  static async open(dir: string, depth: number, rest: Rest): Promise<MapStore> {
    await fs.mkdir(dir, { recursive: true })
    const names = (await fs.readdir(dir)).sort()
    const depths = [...new Set(names.map(depthOf))].filter((one) => one !== undefined).reverse()
    const store = new MapStore(dir, depths.at(-1) ?? depth)
    // What was being cut deeper at the end may not be whole.
    for (const found of depths) {
      try {
        if (await store.#load(found, names, rest)) break
      } catch (error) {
        if (!(error instanceof LogError) || found === depths.at(-1)) throw error
      }
    }
    await store.#removeOthers(names)
    return store
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

  isJoined(place: number): boolean {
    return this.#top.isJoined(place)
  }

  bucket(index: number): Uint8Array {
    return this.#rows.get(index)?.subarray(nodeBytes) ?? noBytes
  }

  /**
   * Goes on to the state of a layer that lies on this one, by one write: until it resolves, the map
   * is to be read through the layer.
   */
  async fold(layer: MapLayer, told: Pick<MapState, 'isCommitted' | 'treeRoot'>): Promise<void> {
    assert(layer.depth === this.depth, 'a layer lies on what is cut as it is')
    const { covers, keys, rootHash } = layer
    const state = { covers, keys, ...told }
    const rows = new Map<number, Uint8Array>()
    for (const [index, bucket] of layer.buckets) {
      rows.set(index, encodeRow(layer.node(2 ** this.depth + index), bucket))
    }
    const note = encodeMapRow(state, rootHash)
    await this.#rows.append({ note, rows }, liveBytes(keys, this.depth))
    for (const [place, node] of layer.nodes) this.#top.set(place, node)
    this.#state = state
  }

  /** Cuts the map deeper. Nobody may read it meanwhile. */
  async recut(depth: number, rest: Rest): Promise<void> {
    assert(depth > this.depth, 'a map that grows is cut deeper')
    const next = new MapStore(this.#dir, depth)
    try {
      await this.#cutInto(next, rest)
    } catch (error) {
      await next.close()
      throw error
    }
    await this.close()
    this.#rows = next.#rows
    this.#top = next.#top
    await this.#removeOthers(await fs.readdir(this.#dir))
  }

  async close(): Promise<void> {
    await this.#rows.close()
  }

  async #cutInto(next: MapStore, rest: Rest): Promise<void> {
    const { depth } = next
    const note = encodeMapRow(this.#state, this.node(1).hash)
    let rows = new Map<number, Uint8Array>()
    const buckets = 2 ** this.depth
    for (let index = 0; index < buckets; index += 1) {
      const entries = bucketEntries(this.bucket(index))
      for (const [part, some] of Map.groupBy(entries, ({ key }) => bucketOf(key, depth))) {
        const node = hashEntries(some, depth)
        rows.set(part, encodeRow(node, encodeEntries(some)))
        next.#top.set(2 ** depth + part, node)
      }
      if ((index + 1) % stepBuckets !== 0 && index + 1 < buckets) continue
      await next.#rows.append({ note, rows }, Number.POSITIVE_INFINITY)
      rows = new Map()
      await rest()
    }
    await next.#top.join(rest)
    if (Buffer.compare(next.node(1).hash, this.node(1).hash) !== 0) throw damagedMap('its buckets')
    await next.#rows.sync()
  }

  /** Reads all buckets, and compares the root that they lead to; false if nothing is whole. */
  async #load(depth: number, names: readonly string[], rest: Rest): Promise<boolean> {
    const top = new TopNodes(depth)
    let note: Uint8Array = noBytes
    const own = names.filter((name) => depthOf(name) === depth)
    const files = { dir: this.#dir, prefix: prefixOf(depth), count: 2 ** depth }
    const rows = await MapSegments.open(files, own, async (frame) => {
      note = frame.note
      for (const [index, row] of frame.rows) top.set(2 ** depth + index, nodeOf(row))
      await rest()
    })
    try {
      await top.join(rest)
      if (note.length > 0) this.#state = stateOf(note, top.get(1).hash)
    } catch (error) {
      await rows.close()
      throw error
    }
    await this.#rows.close()
    this.#rows = rows
    this.#top = top
    return note.length > 0
  }

  /** Removes the files of another cut, and what is no file of a map. */
  async #removeOthers(names: readonly string[]): Promise<void> {
    const others = names.filter((name) => depthOf(name) !== this.depth)
    await Promise.all(others.map((name) => fs.rm(path.join(this.#dir, name), { recursive: true })))
  }
}

const noBytes = new Uint8Array(0)

const nothingCovered: MapState = { covers: 0, keys: 0, isCommitted: false, treeRoot: '' }

/** Bytes of a node in a row. */
const nodeBytes = 1 + hashBytes

function encodeRow({ kind, hash }: MapNode, bucket: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(kinds.indexOf(kind)), hash, bucket])
}

function nodeOf(row: Uint8Array): MapNode {
  return { kind: kinds[row[0] ?? 0] ?? 'empty', hash: row.subarray(1, nodeBytes) }
}

/** About what all buckets have together on the disk. */
function liveBytes(keys: number, depth: number): number {
  return keys * entryBytes + Math.min(keys, 2 ** depth) * (nodeBytes + 20)
}

const fileName = /^([0-9a-f]{2})-[0-9a-f]{8}$/

function prefixOf(depth: number): string {
  return `${depth.toString(16).padStart(2, '0')}-`
}

/** The depth at which the map is cut of which a file is; undefined if it is of none. */
function depthOf(name: string): number | undefined {
  const [, depth] = fileName.exec(name) ?? []
  return depth === undefined ? undefined : Number.parseInt(depth, 16)
}

function encodeMapRow(state: MapState, rootHash: Uint8Array): Uint8Array {
  const row: MapRow = { ...state, root: encodeHex(rootHash) }
  return Buffer.from(JSON.stringify(row))
}

/** The state that a note tells of, if the buckets lead to its root. */
function stateOf(note: Uint8Array, rootHash: Uint8Array): MapState {
  const { root, ...state } = JSON.parse(Buffer.from(note).toString('utf8')) as MapRow
  if (root !== encodeHex(rootHash)) throw damagedMap('its buckets')
  const { covers, keys, isCommitted, treeRoot } = state
  return { covers, keys, isCommitted, treeRoot }
}
