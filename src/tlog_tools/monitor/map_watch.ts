import path from 'node:path'
import { type Static, Type } from 'typebox'

import { mapFact } from '#actors/works/receipts/statement.ts'
import { decodeMapLeaf, encodeMapLeaf, isMapLeaf } from '#log/map/map_leaf.ts'
import { bucketEntries, bucketOf, depthFor, isOutgrown, MapLayer } from '#log/map/map_layer.ts'
import { mapKey } from '#log/map/map_tree.ts'
import { decodeMapValue, type MapFact } from '#log/map/map_value.ts'
import { MapStore } from '#log/store/map_store.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { keep, readKept } from '#src/tlog_tools/monitor/monitor_state.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

const faultSchema = Type.Object(
  {
    kind: Type.Union([Type.Literal('bad_map'), Type.Literal('contradictory_work')]),
    leafIndex: Type.Integer({ minimum: 0 }),
    message: Type.String(),
    /** Statements of which the map may be wrong: those since the map leaf before. */
    suspects: Type.Array(Type.Object({ ark: Type.String(), leafIndex: Type.Integer() })),
  },
  { additionalProperties: false },
)

const stateSchema = Type.Object(
  {
    schema: Type.Literal(1),
    newestLeaf: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Since when entries have waited for a map leaf, in milliseconds of 1970. */
    uncoveredMs: Type.Optional(Type.Integer({ minimum: 0 })),
    faults: Type.Array(faultSchema),
  },
  { additionalProperties: false },
)

/** What is wrong with a map leaf, or with the statements about one work. */
export type MapFault = Readonly<Static<typeof faultSchema>>

/** Faults that are kept of one log, and suspects of one fault. */
const faultsMax = 100
const suspectsMax = 64

/**
 * Computes the map of a log from the entries that a monitor has found in its tree, and judges every
 * map leaf by it. The map lies in a folder of the state folder, which it owns until it is closed:
 * so a later round goes on where this one ended. What it lost is read again.
 */
export class MapWatch {
  readonly #folder: string
  readonly #origin: string
  #store: MapStore
  #layer: MapLayer
  #state: Omit<Static<typeof stateSchema>, 'schema'>
  /** Facts of entries that the layer does not cover yet. */
  #facts: MapFact[] = []
  #suspects: MapFault['suspects'] = []
  #next: number
  #nowMs = 0

  private constructor(
    { folder, origin }: { readonly folder: string; readonly origin: string },
    store: MapStore,
    state: Static<typeof stateSchema> | undefined,
  ) {
    this.#folder = folder
    this.#origin = origin
    this.#store = store
    this.#layer = new MapLayer(store, store.state)
    this.#next = store.state.covers
    this.#state = state ?? { faults: [] }
  }

  /** Opens the map in a state folder; one that is damaged begins anew. Throws MonitorStateError. */
  static async open(folder: string, origin: string): Promise<MapWatch> {
    const dir = path.join(folder, 'map')
    const state = await readKept(stateFile(folder), stateSchema)
    const store = await openStore(dir).catch(async (error: unknown) => {
      if (!(error instanceof LogError) || error.code !== 'store_corrupt') throw error
      await MapStore.discard(dir)
      return openStore(dir)
    })
    return new MapWatch({ folder, origin }, store, state)
  }

  /** How many entries of the log, from the first on, have been taken. */
  get covers(): number {
    return this.#next
  }

  /** The index of the newest map leaf that was taken; undefined before the first. */
  get newestLeaf(): number | undefined {
    return this.#state.newestLeaf
  }

  get faults(): readonly MapFault[] {
    return this.#state.faults
  }

  /** Tells the time of the round that begins, in milliseconds of 1970. */
  begin(nowMs: number): void {
    this.#nowMs = nowMs
  }

  /** Takes an entry that was found in the tree; those that it has taken change nothing. */
  see(leafIndex: number, entry: Uint8Array): void {
    if (leafIndex !== this.#next) return
    if (isMapLeaf(entry)) this.#judge(leafIndex, entry)
    else this.#take(leafIndex, entry)
    this.#next = leafIndex + 1
  }

  /** Begins anew if what it has taken is not the beginning of this tree. */
  async goOn(tiles: TileReader): Promise<void> {
    const { covers, treeRoot } = this.#store.state
    const isOfTree = covers <= tiles.treeSize && encodeHex(await tiles.rootAt(covers)) === treeRoot
    if (covers === 0 || isOfTree) return
    const dir = path.join(this.#folder, 'map')
    await this.#store.close()
    await MapStore.discard(dir)
    this.#store = await openStore(dir)
    this.#layer = new MapLayer(this.#store, this.#store.state)
    this.#facts = []
    this.#next = 0
    this.#state = { faults: [] }
  }

  /** Writes what was taken of this tree: what is told of later rests on it. */
  async settle(tiles: TileReader): Promise<void> {
    this.#apply(this.#next)
    const layer = this.#layer
    const treeRoot = encodeHex(await tiles.rootAt(layer.covers))
    await keep(stateFile(this.#folder), { schema: 1, ...this.#state })
    await this.#store.fold(layer, { isCommitted: false, treeRoot })
    const { keys } = layer
    if (isOutgrown(keys, this.#store.depth)) await this.#store.recut(depthFor(2 * keys), nextTurn)
    this.#layer = new MapLayer(this.#store, this.#store.state)
  }

  /**
   * Demands that entries do not wait for a map leaf longer than `withinMs`, once the log has had
   * one. Throws LogAlarm `map_missed`.
   */
  demandLeaf(withinMs: number, nowMs: number): void {
    const { newestLeaf, uncoveredMs } = this.#state
    if (newestLeaf === undefined || uncoveredMs === undefined) return
    if (nowMs - uncoveredMs <= withinMs) return
    const since = new Date(uncoveredMs).toISOString()
    const message = `entries since ${since} have no map leaf: the newest is entry ${newestLeaf}`
    throw new LogAlarm('map_missed', message)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #take(leafIndex: number, entry: Uint8Array): void {
    const fact = mapFact(entry, leafIndex)
    if (fact !== undefined) {
      this.#facts.push(fact)
      this.#suspects = [...this.#suspects, { ark: fact.ark, leafIndex }].slice(-suspectsMax)
    }
    this.#state.uncoveredMs ??= this.#nowMs
  }

  /** Judges a map leaf: it must be the one that the entries before it lead to. */
  #judge(leafIndex: number, entry: Uint8Array): void {
    this.#apply(leafIndex)
    const { keys, rootHash } = this.#layer
    const right = encodeMapLeaf({ origin: this.#origin, covers: leafIndex, keys, rootHash })
    const isRepeated = this.#state.newestLeaf === leafIndex - 1 && leafIndex > 0
    if (Buffer.compare(right, entry) !== 0) {
      this.#note('bad_map', leafIndex, `the map leaf ${leafIndex} is wrong: ${fault(entry, right)}`)
    } else if (isRepeated) {
      this.#note('bad_map', leafIndex, `the map leaf ${leafIndex} follows another one at once`)
    }
    this.#layer.skip()
    this.#suspects = []
    const { faults } = this.#state
    this.#state = { newestLeaf: leafIndex, faults }
  }

  #apply(covers: number): void {
    const facts = this.#facts
    this.#facts = []
    this.#layer.add(facts, covers)
    for (const { ark, leafIndex } of facts) {
      if (this.#stateOf(ark) !== 'contradictory') continue
      const message = `the statements about ${ark} do not follow each other: see entry ${leafIndex}`
      this.#note('contradictory_work', leafIndex, message)
    }
  }

  #stateOf(ark: string): string | undefined {
    const key = mapKey(ark)
    const entries = bucketEntries(this.#layer.bucket(bucketOf(key, this.#layer.depth)))
    const found = entries.find((entry) => Buffer.compare(entry.key, key) === 0)
    return found && decodeMapValue(found.value)?.state
  }

  #note(kind: MapFault['kind'], leafIndex: number, message: string): void {
    const { faults } = this.#state
    // What was read again after a crash is known already.
    const isKnown = faults.some((one) => one.kind === kind && one.leafIndex === leafIndex)
    if (isKnown || faults.length >= faultsMax) return
    const suspects = kind === 'bad_map' ? this.#suspects : []
    this.#state = { ...this.#state, faults: [...faults, { kind, leafIndex, message, suspects }] }
  }
}

function stateFile(folder: string): string {
  return path.join(folder, 'map.json')
}

function openStore(dir: string): Promise<MapStore> {
  return MapStore.open(dir, depthFor(0), nextTurn)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** How a map leaf differs from the right one. */
function fault(entry: Uint8Array, right: Uint8Array): string {
  try {
    const [found, made] = [decodeMapLeaf(entry), decodeMapLeaf(right)]
    if (found.origin !== made.origin) return `it is of ${found.origin}`
    if (found.covers !== made.covers) return `it covers ${found.covers} entries`
    if (found.keys !== made.keys) return `it has ${found.keys} ARKs, and they are ${made.keys}`
    return 'the entries before it lead to another root'
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return error.message
  }
}
