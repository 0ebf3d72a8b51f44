import path from 'node:path'
import { type Static, Type } from 'typebox'

import { isJsonObject, parseJson } from '#actors/values/serialization.ts'
import { mapFact } from '#actors/works/receipts/statement.ts'
import { decodeMapLeaf, isMapLeaf, type MapLeaf } from '#log/tlog/map/map_leaf.ts'
import {
  bucketEntries,
  bucketOf,
  type CutMap,
  depthFor,
  MapLayer,
  pathIn,
} from '#log/tlog/map/map_layer.ts'
import { encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { mapKey } from '#log/tlog/map/map_tree.ts'
import { addFact, decodeMapValue, type MapFact, type MapValue } from '#log/tlog/map/map_value.ts'
import { MapStore } from '#log/store/map_store.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { encodeBase64, encodeHex } from '#log/tlog/encoding.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { keep, readKept } from '#src/tlog_tools/monitor/monitor_state.ts'

const leafIndexType = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const suspectSchema = Type.Object({ ark: Type.String(), leafIndex: leafIndexType })

const faultSchema = Type.Object({
  kind: Type.Union([
    Type.Literal('bad_map'),
    Type.Literal('contradictory_work'),
    Type.Literal('unread_statement'),
  ]),
  message: Type.String(),
  leafIndex: leafIndexType,
  earlierLeaf: Type.Optional(leafIndexType),
  map: Type.Optional(
    Type.Object({ ark: Type.String(), mapLeaf: leafIndexType, proof: Type.String() }),
  ),
  suspects: Type.Array(suspectSchema),
})

const keptSchema = Type.Object(
  {
    schema: Type.Literal(1),
    leaf: Type.Optional(
      Type.Object({
        leafIndex: leafIndexType,
        keys: leafIndexType,
        fault: Type.Optional(Type.String()),
      }),
    ),
    facts: leafIndexType,
    sinceMs: Type.Optional(Type.Integer({ minimum: 0 })),
    faults: Type.Array(faultSchema),
  },
  { additionalProperties: false },
)

/**
 * What was found to be wrong with the map of a log: at a leaf, and with regard to the map leaf
 * `earlierLeaf`, if that shows it. `map` is what a right map leaf proves of it. `suspects` are
 * names, each with the leaf of its newest statement, about which the registry is asked.
 */
export type MapFault = Readonly<Static<typeof faultSchema>>

/** The map leaf that was seen last, facts after it, since when, and faults that are to be told. */
type Kept = Static<typeof keptSchema>

/** Reads the log under a head: what it gives was found in the tree. */
export type TreeReader = {
  readonly bundle: (index: number) => Promise<readonly Uint8Array[]>
  readonly rootAt: (treeSize: number) => Promise<Uint8Array>
}

/** Facts that are taken into the map at one time, and names that are asked about after a fault. */
const factsMax = 4_096
const suspectsMax = 32

const workStatements: ReadonlySet<unknown> = new Set(['registered', 'content', 'tombstoned'])

/** After so many bundles of older entries the map is written. */
const bundlesPerStep = 64

/**
 * Recomputes the map of a log from its entries, and compares every map leaf with it. It begins at
 * the first map leaf, with all entries before that; of a log without any it keeps nothing. What it
 * knows is in the state folder: `map.json`, and the map itself in `map/`, which may be lost and is
 * then made anew at the next map leaf.
 */
export class MapWatch {
  readonly #folder: string
  readonly #origin: string
  #kept: Kept
  /** The map on the disk, and what has changed since; undefined before it begins. */
  #map: OpenMap | undefined
  /** The first entry that is not in the map; of those before it some wait in `facts`. */
  #next: number
  #facts: MapFact[] = []
  /** Names that were stated since the last right map leaf. */
  #suspects: MapFault['suspects'] = []

  private constructor(folder: string, origin: string, kept: Kept, store: MapStore | undefined) {
    this.#folder = folder
    this.#origin = origin
    this.#kept = kept
    this.#map = store && layOn(store)
    this.#next = store?.state.covers ?? 0
  }

  /** Opens what the state folder has of the map of the log `origin`. Throws MonitorStateError. */
  static async open(folder: string, origin: string): Promise<MapWatch> {
    const nothing = { schema: 1 as const, facts: 0, faults: [] }
    const kept = await readKept(fileIn(folder), keptSchema)
    const store = kept && (await openStore(folder))
    return new MapWatch(folder, origin, kept ?? nothing, store)
  }

  /** What was found and has not been told. */
  get faults(): readonly MapFault[] {
    return this.#kept.faults
  }

  /** Entries that the map is made of; 0 if it has not begun. */
  get covers(): number {
    return this.#next
  }

  /** The map leaf that was seen last, with what is wrong with it. */
  get leaf(): Kept['leaf'] {
    return this.#kept.leaf
  }

  /** Since when there are statements that no map leaf covers, in milliseconds of 1970. */
  get uncoveredSinceMs(): number | undefined {
    return this.#kept.sinceMs
  }

  /**
   * Looks at the entries of the log from leaf `start` on: those that were seen before are passed
   * over. What is older and missing is read from the tree. Throws what the tree throws.
   */
  async see(start: number, entries: readonly Uint8Array[], tree: TreeReader): Promise<void> {
    try {
      for (const [offset, entry] of entries.entries()) {
        const leafIndex = start + offset
        if (leafIndex < this.#next) continue
        if (isMapLeaf(entry)) await this.#catchUp(leafIndex, tree)
        else if (this.#next === 0 || this.#next < leafIndex) continue
        await this.#take(leafIndex, entry)
      }
    } catch (error) {
      if (!(error instanceof LogError) || error.code !== 'store_corrupt') throw error
      await this.#beginAnew()
    }
  }

  /** Writes what was seen until `nowMs`, milliseconds of 1970. */
  async settle(nowMs: number, tree: Pick<TreeReader, 'rootAt'>): Promise<void> {
    if (this.#next === 0) return
    this.#add(this.#next)
    const { sinceMs, facts } = this.#kept
    const isCovered = facts === 0
    this.#kept = { ...this.#kept, ...(!isCovered && { sinceMs: sinceMs ?? nowMs }) }
    // A fault is durable before the map goes on, so that no crash in between hides it.
    await keep(fileIn(this.#folder), this.#kept)
    await this.#fold(tree)
  }

  /** Forgets faults once they are told. */
  async forget(): Promise<void> {
    if (this.#kept.faults.length === 0) return
    this.#kept = { ...this.#kept, faults: [] }
    await keep(fileIn(this.#folder), this.#kept)
  }

  /** Whether what is kept is of the log of a head: of another history it is of no use. */
  async isOf(tree: Pick<TreeReader, 'rootAt'>): Promise<boolean> {
    const { covers, treeRoot } = this.#map?.store.state ?? { covers: 0 }
    return covers === 0 || encodeHex(await tree.rootAt(covers)) === treeRoot
  }

  /** The map as it was last written; undefined if it has not begun. */
  get map(): CutMap | undefined {
    return this.#map?.store
  }

  async close(): Promise<void> {
    await this.#map?.store.close()
    this.#map = undefined
  }

  /** Takes the entries before `end` that are not in the map, as at the first map leaf. */
  async #catchUp(end: number, tree: TreeReader): Promise<void> {
    if (this.#map === undefined) await this.#begin()
    for (let bundles = 1; this.#next < end; bundles += 1) {
      const index = Math.floor(this.#next / tileWidth)
      const entries = await tree.bundle(index)
      const from = this.#next - index * tileWidth
      const some = entries.slice(from, end - index * tileWidth)
      assert(some.length > 0, 'a log has the entries before its leaf')
      for (const entry of some) await this.#take(this.#next, entry)
      if (bundles % bundlesPerStep === 0) {
        this.#add(this.#next)
        await this.#fold(tree)
      }
    }
  }

  async #take(leafIndex: number, entry: Uint8Array): Promise<void> {
    if (isMapLeaf(entry)) {
      this.#add(leafIndex)
      this.#judge(leafIndex, entry)
      this.#next = leafIndex + 1
      return
    }
    const fact = mapFact(entry, leafIndex)
    this.#next = leafIndex + 1
    if (fact === undefined) return this.#lookAtUnread(leafIndex, entry)
    this.#facts.push(fact)
    if (this.#facts.length >= factsMax) this.#add(this.#next)
  }

  /** Takes the facts that wait into the map, and looks for those that contradict others. */
  #add(covers: number): void {
    const { layer } = this.#begun
    const facts = this.#facts
    this.#facts = []
    const values = new Map<string, MapValue>()
    for (const fact of facts) {
      const before = values.get(fact.ark) ?? valueIn(layer, fact.ark)
      const after = addFact(before, fact)
      values.set(fact.ark, after)
      const isFirst = before?.state !== 'contradictory'
      // The function takes statements about content of versions that were never registered.
      const isWrong = after.state === 'contradictory' || fact.version > after.version
      if (isFirst && isWrong) this.#noteContradiction(fact, before)
    }
    layer.add(facts, covers)
    const suspects = new Map(this.#suspects.map(({ ark, leafIndex }) => [ark, leafIndex]))
    for (const { ark, leafIndex } of facts) suspects.set(ark, leafIndex)
    this.#suspects = [...suspects]
      .slice(-suspectsMax)
      .map(([ark, leafIndex]) => ({ ark, leafIndex }))
    this.#kept = { ...this.#kept, facts: this.#kept.facts + facts.length }
  }

  #noteContradiction({ ark, leafIndex }: MapFact, before: MapValue | undefined): void {
    const earlier = before === undefined ? 'and there is none' : `the last is ${before.newestLeaf}`
    const message = `entry ${leafIndex} does not follow from the statements of ${ark}: ${earlier}`
    this.#note({ kind: 'contradictory_work', message, leafIndex, suspects: [{ ark, leafIndex }] })
  }

  /**
   * Readers of receipts take a statement that says more than they know, which no map counts: with
   * one a log could register a newer version beside its map.
   */
  #lookAtUnread(leafIndex: number, entry: Uint8Array): void {
    const value = parseJson(Buffer.from(entry).toString('utf8'))
    if (!isJsonObject(value) || !workStatements.has(value['statement'])) return
    const message = `entry ${leafIndex} is a statement about a work in a form that no map counts`
    this.#note({ kind: 'unread_statement', message, leafIndex, suspects: [] })
  }

  /** A right map leaf proves by itself that statements which it covers contradict each other. */
  #proveContradictions(mapLeaf: number): void {
    const { layer } = this.#begun
    const faults = this.#kept.faults.map((fault) => {
      const [suspect] = fault.suspects
      if (fault.kind !== 'contradictory_work' || fault.map || suspect === undefined) return fault
      const key = mapKey(suspect.ark)
      const proof = encodeBase64(encodeMapProof(key, pathIn(layer, key)))
      return { ...fault, map: { ark: suspect.ark, mapLeaf, proof } }
    })
    this.#kept = { ...this.#kept, faults }
  }

  #judge(leafIndex: number, entry: Uint8Array): void {
    const leaf = readLeaf(entry)
    const fault = this.#faultOf(leafIndex, leaf)
    if (fault === undefined) {
      this.#suspects = []
      this.#proveContradictions(leafIndex)
    } else this.#note({ suspects: this.#suspects, ...fault })
    const { sinceMs: _covered, ...kept } = this.#kept
    const seenKeys = leaf instanceof LogError ? (kept.leaf?.keys ?? 0) : leaf.keys
    const seen = { leafIndex, keys: seenKeys, ...(fault && { fault: fault.message }) }
    this.#kept = { ...kept, facts: 0, leaf: seen }
  }

  #faultOf(leafIndex: number, leaf: MapLeaf | LogError): Omit<MapFault, 'suspects'> | undefined {
    const bad = (what: string) => {
      const message = `the map leaf at entry ${leafIndex} ${what}`
      return { kind: 'bad_map' as const, message, leafIndex }
    }
    if (leaf instanceof LogError) return bad('cannot be read')
    if (leaf.origin !== this.#origin) return bad(`is of ${leaf.origin}`)
    if (leaf.covers !== leafIndex) return bad(`says that it covers ${leaf.covers} entries`)
    const { leaf: before } = this.#kept
    const isLater = before !== undefined && before.leafIndex < leafIndex
    if (isLater && leaf.keys < before.keys) {
      const fault = bad(`has ${leaf.keys} ARKs, and the one before it had ${before.keys}`)
      return { ...fault, earlierLeaf: before.leafIndex }
    }
    if (isLater && before.leafIndex === leafIndex - 1) return bad('follows another one at once')
    const { keys, rootHash } = this.#begun.layer
    if (leaf.keys === keys && Buffer.compare(leaf.rootHash, rootHash) === 0) return undefined
    const told = `${leaf.keys} ARKs and the root ${encodeHex(leaf.rootHash)}`
    return bad(`has ${told}, and the entries before it lead to ${keys} and ${encodeHex(rootHash)}`)
  }

  // The first of a kind is told, and the others once that is looked into.
  #note(fault: MapFault): void {
    const { faults } = this.#kept
    if (faults.some(({ kind }) => kind === fault.kind)) return
    this.#kept = { ...this.#kept, faults: [...faults, fault] }
  }

  get #begun(): OpenMap {
    assert(this.#map !== undefined, 'the map has begun')
    return this.#map
  }

  async #begin(): Promise<void> {
    const store = await openStore(this.#folder)
    this.#map = layOn(store)
    this.#next = store.state.covers
  }

  async #beginAnew(): Promise<void> {
    await this.close()
    await MapStore.discard(mapIn(this.#folder))
    this.#facts = []
    await this.#begin()
  }

  async #fold(tree: Pick<TreeReader, 'rootAt'>): Promise<void> {
    const { store, layer } = this.#begun
    if (store.state.covers === layer.covers) return
    const treeRoot = encodeHex(await tree.rootAt(layer.covers))
    await store.fold(layer, { isCommitted: false, treeRoot })
    const depth = depthFor(store.state.keys)
    if (depth > store.depth) await store.recut(depth, rest)
    this.#map = layOn(store)
  }
}

/** A map on the disk, and what has changed since it was written. */
type OpenMap = { readonly store: MapStore; readonly layer: MapLayer }

function layOn(store: MapStore): OpenMap {
  return { store, layer: new MapLayer(store, store.state) }
}

function readLeaf(entry: Uint8Array): MapLeaf | LogError {
  try {
    return decodeMapLeaf(entry)
  } catch (error) {
    if (error instanceof LogError) return error
    throw error
  }
}

/** What a map has of a name. */
function valueIn(map: CutMap, ark: string): MapValue | undefined {
  const key = mapKey(ark)
  const entries = bucketEntries(map.bucket(bucketOf(key, map.depth)))
  const entry = entries.find((one) => Buffer.compare(one.key, key) === 0)
  return entry && decodeMapValue(entry.value)
}

async function openStore(folder: string): Promise<MapStore> {
  const dir = mapIn(folder)
  try {
    return await MapStore.open(dir, depthFor(0), rest)
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== 'store_corrupt') throw error
    await MapStore.discard(dir)
    return MapStore.open(dir, depthFor(0), rest)
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function fileIn(folder: string): string {
  return path.join(folder, 'map.json')
}

function mapIn(folder: string): string {
  return path.join(folder, 'map')
}
