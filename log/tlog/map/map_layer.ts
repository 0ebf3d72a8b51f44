import {
  hashEntries,
  hashedEntry,
  type HashedEntry,
  joinNodes,
  keyBytes,
  type MapEntry,
  mapKey,
  type MapNode,
  type MapPath,
  keyBit,
  pathTo,
} from '#log/tlog/map/map_tree.ts'
import {
  addFact,
  decodeMapValue,
  encodeMapValue,
  type MapFact,
  mapValueBytes,
} from '#log/tlog/map/map_value.ts'
import { assert, LogError } from '#log/tlog/errors.ts'

/**
 * A map that is cut at a depth. Above it there are all nodes, by their places: 1 is the root, and
 * below the place p are 2p and 2p + 1. Below it there are buckets: what keys with the same first
 * bits have, each its key and its value, in the order of the keys. Bucket b is at the place
 * 2^depth + b.
 */
export type CutMap = {
  readonly depth: number
  node(place: number): MapNode
  bucket(index: number): Uint8Array
}

/** A cut map that changes can lie on. */
export type MapBase = CutMap & {
  /** Whether the node of a place above the buckets is what the two below it lead to. */
  isJoined(place: number): boolean
}

/** What a map has as a whole after so many entries of its log. */
export type MapSize = { readonly covers: number; readonly keys: number }

/** Bytes of an entry of a bucket. */
export const entryBytes = keyBytes + mapValueBytes

/** Depth at which a map of so many keys is cut: three to six of them share a bucket. */
export function depthFor(keys: number): number {
  const depth = Math.ceil(Math.log2(Math.max(1, keys) / 6))
  return Math.min(Math.max(depth, depthMin), depthMax)
}

const depthMin = 10
const depthMax = 26

/** The entries of a bucket. */
export function bucketEntries(bucket: Uint8Array): MapEntry[] {
  assert(bucket.length % entryBytes === 0, 'a bucket has whole entries')
  return Array.from({ length: bucket.length / entryBytes }, (_, at) => {
    const start = at * entryBytes
    const end = start + entryBytes
    const middle = start + keyBytes
    return { key: bucket.subarray(start, middle), value: bucket.subarray(middle, end) }
  })
}

/** The bucket of entries. */
export function encodeEntries(entries: readonly MapEntry[]): Uint8Array {
  const bucket = Buffer.allocUnsafe(entries.length * entryBytes)
  for (const [at, { key, value }] of entries.entries()) {
    bucket.set(key, at * entryBytes)
    bucket.set(value, at * entryBytes + keyBytes)
  }
  return bucket
}

/** The bucket of a key in a map that is cut at a depth of at most 30. */
export function bucketOf(key: Uint8Array, depth: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = key
  const first = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  return Math.floor(first / 2 ** (32 - depth))
}

/** The whole way from the root of a cut map to a key. */
export function pathIn(map: CutMap, key: Uint8Array): MapPath {
  const siblings: MapNode[] = []
  let place = 1
  for (let depth = 0; depth < map.depth; depth += 1) {
    const { kind } = map.node(place)
    if (kind !== 'inner') return { siblings, entry: loneEntry(map, place) }
    const bit = keyBit(key, depth)
    siblings.push(map.node(2 * place + 1 - bit))
    place = 2 * place + bit
  }
  const entries = bucketEntries(map.bucket(place - 2 ** map.depth))
  const below = pathTo(key, entries, map.depth)
  return { siblings: [...siblings, ...below.siblings], entry: below.entry }
}

/** The only entry below a place; undefined if there is none. */
function loneEntry(map: CutMap, start: number): MapEntry | undefined {
  let place = start
  if (map.node(place).kind === 'empty') return undefined
  while (place < 2 ** map.depth) {
    const isLeft = map.node(2 * place).kind !== 'empty'
    place = 2 * place + (isLeft ? 0 : 1)
  }
  return bucketEntries(map.bucket(place - 2 ** map.depth))[0]
}

/**
 * What has changed of a map since another state of it, on which it lies. Each change is checked to
 * begin at nodes that lead to one another: what has flipped in memory or in a row ends in no root.
 */
export class MapLayer implements MapBase {
  readonly depth: number
  readonly buckets = new Map<number, Uint8Array>()
  readonly nodes = new Map<number, MapNode>()
  #below: MapBase
  #covers: number
  #keys: number

  constructor(below: MapBase, { covers, keys }: MapSize) {
    this.#below = below
    this.depth = below.depth
    this.#covers = covers
    this.#keys = keys
  }

  /** How many entries of the log it covers. */
  get covers(): number {
    return this.#covers
  }

  get keys(): number {
    return this.#keys
  }

  get rootHash(): Uint8Array {
    return this.node(1).hash
  }

  node(place: number): MapNode {
    return this.nodes.get(place) ?? this.#below.node(place)
  }

  isJoined(place: number): boolean {
    const own = this.nodes.get(place)
    if (own === undefined) return this.#below.isJoined(place)
    return Buffer.compare(this.#join(place).hash, own.hash) === 0
  }

  bucket(index: number): Uint8Array {
    return this.buckets.get(index) ?? this.#below.bucket(index)
  }

  /**
   * Goes on to `covers` entries of the log, of which these are the facts, in their order. Errors:
   * `store_corrupt` if what it lies on is damaged; then nothing has changed.
   */
  add(facts: readonly MapFact[], covers: number): void {
    assert(covers >= this.#covers, 'a map covers more and more')
    const touched = new Map<number, HashedEntry[]>()
    let added = 0
    for (const fact of facts) {
      const key = mapKey(fact.ark)
      const index = bucketOf(key, this.depth)
      const entries = touched.get(index) ?? this.#soundEntries(index)
      if (addTo(entries, key, fact)) added += 1
      touched.set(index, entries)
    }
    const levels = this.#levelsAbove([...touched.keys()])
    for (const [index, entries] of touched) {
      this.buckets.set(index, encodeEntries(entries))
      this.nodes.set(2 ** this.depth + index, hashEntries(entries, this.depth))
    }
    for (const level of levels) for (const place of level) this.nodes.set(place, this.#join(place))
    this.#keys += added
    this.#covers = covers
  }

  /** Lies on another map of the same state from now on. */
  rest(below: MapBase): void {
    this.#below = below
  }

  /** Goes on over an entry of the log that changes nothing. */
  skip(): void {
    this.#covers += 1
  }

  /** Takes over the changes of a layer that lies on this one. */
  absorb(above: MapLayer): void {
    for (const [index, bucket] of above.buckets) this.buckets.set(index, bucket)
    for (const [place, node] of above.nodes) this.nodes.set(place, node)
    this.#covers = above.covers
    this.#keys = above.keys
  }

  #soundEntries(index: number): HashedEntry[] {
    const entries = bucketEntries(this.bucket(index)).map(hashedEntry)
    // What this layer has changed before is its own.
    if (this.buckets.has(index)) return entries
    const { hash } = hashEntries(entries, this.depth)
    const place = 2 ** this.depth + index
    if (Buffer.compare(hash, this.node(place).hash) !== 0) throw damagedMap(`bucket ${index}`)
    return entries
  }

  /** The places above buckets, the deepest first; what is there leads to the root. */
  #levelsAbove(buckets: readonly number[]): readonly (readonly number[])[] {
    let level = buckets.map((index) => 2 ** this.depth + index).sort((a, b) => a - b)
    return Array.from({ length: this.depth }, () => {
      const above: number[] = []
      for (const below of level) {
        const place = Math.floor(below / 2)
        if (place === above.at(-1)) continue
        above.push(place)
        const isSound = this.nodes.has(place) || this.#below.isJoined(place)
        if (!isSound) throw damagedMap(`node ${place}`)
      }
      level = above
      return above
    })
  }

  #join(place: number): MapNode {
    return joinNodes(this.node(2 * place), this.node(2 * place + 1))
  }
}

/** The fault of a part of the map that is not what its log leads to. */
export function damagedMap(part: string): LogError {
  return new LogError(
    'store_corrupt',
    `the map of the log is damaged at ${part}: it is made anew from the entries`,
  )
}

/** Adds to the entries of a bucket what a fact leads to; gives whether its key is new. */
function addTo(entries: HashedEntry[], key: Uint8Array, fact: MapFact): boolean {
  const found = entries.findIndex((entry) => Buffer.compare(entry.key, key) >= 0)
  const at = found === -1 ? entries.length : found
  const entry = entries[at]
  const isNew = entry === undefined || Buffer.compare(entry.key, key) !== 0
  const before = isNew ? undefined : decodeMapValue(entry.value)
  if (!isNew && before === undefined) throw damagedMap('a value')
  const value = encodeMapValue(addFact(before, fact))
  entries.splice(at, isNew ? 0 : 1, hashedEntry({ key, value }))
  return isNew
}
