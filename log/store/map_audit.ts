import { decodeMapLeaf, encodeMapLeaf, isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { depthFor, MapLayer } from '#log/tlog/map/map_layer.ts'
import type { MapFact } from '#log/tlog/map/map_value.ts'
import type { LiveMapOptions } from '#log/store/live_map.ts'
import { entryPrefix, keysWith } from '#log/store/log_rows.ts'
import { MapStore } from '#log/store/map_store.ts'
import type { ReadStore } from '#log/store/store.ts'
import { LogError } from '#log/tlog/errors.ts'

/** What an audit of a map needs beside the store of its log. */
export type MapAuditOptions = Pick<LiveMapOptions, 'origin' | 'factOf'> & {
  readonly treeSize: number
  /** A folder that is not there yet, for the map as it is made anew; it is left to the caller. */
  readonly scratchDir: string
  readonly progress: (done: number, total: number) => void
}

/** How many map leaves were recomputed, and which are wrong: the first of them. */
export type MapAuditReport = { readonly mapLeaves: number; readonly problems: readonly string[] }

const problemsMax = 100

/** Entries between two writes of the map. */
const foldEntries = 4_096

/** Recomputes every map leaf of a log from the entries before it; without any, it only scans. */
export async function auditMap(
  store: ReadStore,
  options: MapAuditOptions,
): Promise<MapAuditReport> {
  const { treeSize, scratchDir } = options
  if (!(await hasMapLeaf(store))) return { mapLeaves: 0, problems: [] }
  const map = await MapStore.open(scratchDir, depthFor(treeSize / 2), nextTurn)
  try {
    return await recompute(store, map, options)
  } finally {
    await map.close()
  }
}

async function hasMapLeaf(store: ReadStore): Promise<boolean> {
  for await (const rows of store.scanBatches(keysWith(entryPrefix))) {
    if (rows.some(([, entry]) => isMapLeaf(entry))) return true
  }
  return false
}

async function recompute(
  store: ReadStore,
  map: MapStore,
  { treeSize, origin, factOf, progress }: MapAuditOptions,
): Promise<MapAuditReport> {
  const problems: string[] = []
  let mapLeaves = 0
  let layer = new MapLayer(map, { covers: 0, keys: 0 })
  let facts: MapFact[] = []
  let at = 0
  for await (const [, entry] of store.scan(keysWith(entryPrefix))) {
    if (at >= treeSize) break
    if (isMapLeaf(entry)) {
      layer.add(facts, at)
      facts = []
      mapLeaves += 1
      const { keys, rootHash } = layer
      const expected = encodeMapLeaf({ origin, covers: at, keys, rootHash })
      const problem = problemOf(entry, expected)
      if (problem !== undefined && problems.length < problemsMax) {
        problems.push(`entry ${at}: ${problem}`)
      }
    } else {
      const fact = factOf(entry, at)
      if (fact !== undefined) facts.push(fact)
    }
    at += 1
    if (at % foldEntries !== 0) continue
    layer.add(facts, at)
    facts = []
    await map.fold(layer, { isCommitted: false, treeRoot: '' })
    layer = new MapLayer(map, layer)
    progress(at, treeSize)
  }
  progress(at, treeSize)
  return { mapLeaves, problems }
}

function problemOf(entry: Uint8Array, expected: Uint8Array): string | undefined {
  if (Buffer.compare(entry, expected) === 0) return undefined
  try {
    decodeMapLeaf(entry)
  } catch (error) {
    if (error instanceof LogError) return error.message
    throw error
  }
  const right = Buffer.from(expected).toString('utf8').trimEnd().replaceAll('\n', ' ')
  return `the map leaf is not what the entries before it lead to, which is ${right}`
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
