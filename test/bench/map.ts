import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { depthFor, MapLayer, pathIn } from '#log/tlog/map/map_layer.ts'
import { checkMapProof, encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { mapKey } from '#log/tlog/map/map_tree.ts'
import type { MapFact } from '#log/tlog/map/map_value.ts'
import { MapStore } from '#log/store/map_store.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { readCounters } from '#test/bench/_process.ts'
import { seededRandom } from '#test/bench/_works.ts'

const batchFacts = 1_000
const batches = 100
const proofs = 5_000

/** Bytes of all buffers that something refers to: what nothing does is collected before. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // What the first collection finds is given back by the second.
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

/** The map of a log by itself: as many names as an index has works, then changes, then proofs. */
export async function benchMap({ indexedWorks: names }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const dir = await newFolder(cleanup)
  const rest = () => new Promise<void>((resolve) => setImmediate(resolve))
  const before = heldBytes()
  const map = await MapStore.open(dir, depthFor(names), rest)
  let covers = 0
  const add = async (facts: readonly MapFact[]) => {
    const layer = new MapLayer(map, map.state)
    covers += facts.length
    layer.add(facts, covers)
    await map.fold(layer, { isCommitted: true, treeRoot: '' })
  }
  const factOf = (name: number, version: number): MapFact => {
    const leafIndex = covers + name
    const entry = Buffer.from(`${name} ${version}`)
    return { ark: arkOf(name), kind: 'registered', version, leafIndex, leafHash: leafHash(entry) }
  }
  for (let from = 0; from < names; from += 20_000) {
    const count = Math.min(20_000, names - from)
    await add(Array.from({ length: count }, (_, at) => factOf(from + at, 1)))
  }
  const random = seededRandom(names)
  const start = await readCounters(process.pid)
  const cpu = process.cpuUsage()
  for (let batch = 0; batch < batches; batch += 1) {
    await add(Array.from({ length: batchFacts }, () => factOf(Math.floor(random() * names), 2)))
  }
  const { user, system } = process.cpuUsage(cpu)
  const { writtenBytes } = await readCounters(process.pid)
  const after = heldBytes()
  const proving = process.cpuUsage()
  let proofBytes = 0
  for (let at = 0; at < proofs; at += 1) {
    const key = mapKey(arkOf(Math.floor(random() * 2 * names)))
    const proof = encodeMapProof(key, pathIn(map, key))
    checkMapProof(proof, key, map.node(1).hash)
    proofBytes += proof.length
  }
  const proved = process.cpuUsage(proving)
  await map.close()
  const opening = process.cpuUsage()
  const opened = await MapStore.open(dir, 0, rest)
  const { user: openUser, system: openSystem } = process.cpuUsage(opening)
  await opened.close()
  const bench = 'map'
  const updates = batches * batchFacts
  const bytes = writtenBytes - start.writtenBytes
  return [
    { bench, name: 'names', value: names, unit: '' },
    { bench, name: 'CPU of an update', value: (user + system) / updates, unit: 'µs' },
    { bench, name: 'written for an update', value: bytes / updates, unit: 'bytes' },
    { bench, name: 'on the disk for a name', value: (await sizeOf(dir)) / names, unit: 'bytes' },
    {
      bench,
      name: 'memory of nodes',
      value: (after - before) / 1_048_576,
      unit: 'MiB',
    },
    { bench, name: 'CPU of opening', value: (openUser + openSystem) / 1_000, unit: 'ms' },
    { bench, name: 'proof', value: proofBytes / proofs, unit: 'bytes' },
    { bench, name: 'CPU of a proof', value: (proved.user + proved.system) / proofs, unit: 'µs' },
  ]
}

function arkOf(name: number): string {
  return `ark:/12345/k2${name.toString(29)}`
}

async function sizeOf(dir: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(dir)).map(async (file) => (await stat(path.join(dir, file))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
