import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { decodeMapLeaf, isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { hashEntries, mapKey } from '#log/tlog/map/map_tree.ts'
import { checkMapProof } from '#log/tlog/map/map_proof.ts'
import { decodeMapValue, type MapFact } from '#log/tlog/map/map_value.ts'
import { planCommit } from '#log/store/commit.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { LiveMap, type LiveMapOptions } from '#log/store/live_map.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { cosignedRows } from '#log/store/witnessed_history.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'
import type { LogError } from '#log/tlog/errors.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { logOptions, origin, signer } from '#test/log/_log.ts'
import { entriesAfter } from '#test/log/tlog/map/_map_entries.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { toHex } from '#test/log/_vectors.ts'
import { until } from '#test/_until.ts'

/** Entries of these tests are `<kind> <name> <version>`. */
function factOf(entry: Uint8Array, leafIndex: number): MapFact | undefined {
  const [kind, ark, version] = Buffer.from(entry).toString().split(' ')
  if (ark === undefined) return undefined
  const fact = { ark, version: Number(version), leafIndex, leafHash: leafHash(entry) }
  return { kind: kind as MapFact['kind'], ...fact }
}

/** A log with its map, on real files, as a service has them. */
class MappedLog {
  readonly damage: string[] = []
  readonly failures: LogError[] = []
  readonly store: Store
  readonly log: LogReader
  readonly mapDir: string
  map: LiveMap
  nowMs = 0

  constructor(dir: string, store: Store, log: LogReader, options: Partial<LiveMapOptions>) {
    this.mapDir = path.join(dir, 'map')
    this.store = store
    this.log = log
    this.map = this.openMap(options)
  }

  openMap(options: Partial<LiveMapOptions> = {}, dir = this.mapDir): LiveMap {
    return new LiveMap({
      dir,
      origin,
      log: this.log,
      factOf,
      intervalMs: 1_000,
      isWitnessed: false,
      elapsedMs: () => this.nowMs,
      wake: () => {},
      damaged: (message) => this.damage.push(message),
      failed: (error) => this.failures.push(error),
      ...options,
    })
  }

  /** Commits entries, after a map leaf if one is due; gives whether one was. */
  async commit(...lines: readonly string[]): Promise<boolean> {
    const leaf = this.map.nextLeaf(this.log.head().treeSize)
    const entries = lines.map((line) => Buffer.from(line))
    let head = this.log.head()
    for (const part of [leaf === undefined ? [] : [leaf], entries]) {
      const { operations, next } = planCommit(head, part, signer)
      if (operations.length > 0) await this.store.commit(operations)
      head = next
    }
    this.log.publish(head)
    this.map.published()
    return leaf !== undefined
  }

  /** Has the newest map leaf be witnessed. */
  async witness(treeSize: number): Promise<void> {
    const known = this.log.cosigned()
    const head = { treeSize, checkpoint: this.log.checkpointAt(treeSize) ?? '' }
    const next = { ...known, count: known.count + 1, witnessed: head }
    await this.store.commit(cosignedRows(next, head))
    this.log.publishCosigned(next)
    this.map.published()
  }

  ready(): Promise<void> {
    const isReady = () => {
      const { state, covers } = this.map.status
      return state !== 'building' && covers === this.log.head().treeSize
    }
    return until('the map has come as far as its log', isReady)
  }

  /** The facts of the first entries. */
  async facts(to = this.log.head().treeSize): Promise<MapFact[]> {
    const entries = await Array.fromAsync(this.log.entries(0, to))
    return entries.flatMap((entry, at) => (isMapLeaf(entry) ? [] : (factOf(entry, at) ?? [])))
  }

  async leaves(): Promise<number[]> {
    const entries = await Array.fromAsync(this.log.entries(0, this.log.head().treeSize))
    return entries.flatMap((entry, at) => (isMapLeaf(entry) ? [at] : []))
  }
}

async function openMapped(
  t: ExecutionContext,
  options: Partial<LiveMapOptions> = {},
): Promise<MappedLog> {
  const dir = await makeTempDir(t)
  const store = await openLevelStore(path.join(dir, 'store'), { create: true })
  const log = new LogReader(store, await openLog(store, logOptions))
  const mapped = new MappedLog(dir, store, log, options)
  t.teardown(async () => {
    await mapped.map.close()
    await store.close()
  })
  await mapped.ready()
  return mapped
}

/** Checks every map leaf of a log against all entries before it. */
async function checkLeaves(t: ExecutionContext, mapped: MappedLog): Promise<void> {
  for (const at of await mapped.leaves()) {
    const leaf = decodeMapLeaf(mapped.log.entry(at))
    const entries = entriesAfter(await mapped.facts(at))
    const { hash } = hashEntries(entries)
    t.deepEqual(
      { ...leaf, rootHash: toHex(leaf.rootHash) },
      {
        origin,
        covers: at,
        keys: entries.length,
        rootHash: toHex(hash),
      },
    )
    t.truthy(mapped.log.checkpointAt(at + 1))
  }
}

test('a commit begins with a map leaf after the interval, if anything is new', async (t) => {
  const mapped = await openMapped(t)
  t.false(await mapped.commit('registered a 1'))
  t.true(await mapped.commit('registered b 1'))
  t.false(await mapped.commit('registered c 1'))
  mapped.nowMs += 1_000
  t.true(await mapped.commit('registered a 2', 'tombstoned b 1'))
  mapped.nowMs += 1_000
  t.true(await mapped.commit())
  mapped.nowMs += 1_000
  t.false(await mapped.commit())
  t.deepEqual(await mapped.leaves(), [1, 4, 7])
  await checkLeaves(t, mapped)
})

test('what the newest map leaf covers is proven, with what it has not', async (t) => {
  const mapped = await openMapped(t)
  t.is(await mapped.map.prove('a'), undefined)
  await mapped.commit('registered a 1', 'registered b 1', 'tombstoned b 1')
  await mapped.commit('registered c 1')
  await until('there is a proof', async () => (await mapped.map.prove('a')) !== undefined)
  const states = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const evidence = await mapped.map.prove(name)
      if (evidence === undefined) return t.fail()
      const { leafIndex, leaf, proof, value } = evidence
      t.is(leafIndex, 3)
      t.deepEqual(leaf, mapped.log.entry(3))
      t.deepEqual(checkMapProof(proof, mapKey(name), decodeMapLeaf(leaf).rootHash), value)
      return value && decodeMapValue(value)?.state
    }),
  )
  t.deepEqual(states, ['registered', 'tombstoned', undefined])
})

test('proofs stay with the map leaf that is witnessed until the next one is', async (t) => {
  const mapped = await openMapped(t, { isWitnessed: true })
  await mapped.commit('registered a 1')
  for (const name of ['b', 'c', 'd']) {
    mapped.nowMs += 1_000
    t.true(await mapped.commit(`registered ${name} 1`))
    await mapped.ready()
  }
  t.deepEqual(await mapped.leaves(), [1, 3, 5])
  const provenBy = async () => (await mapped.map.prove('a'))?.leafIndex
  await until('the first leaf is proven by', async () => (await provenBy()) === 1)
  await mapped.witness(4)
  await until('the witnessed leaf is proven by', async () => (await provenBy()) === 3)
  t.is((await mapped.map.prove('c'))?.value, undefined)
  await mapped.map.close()
  mapped.map = mapped.openMap({ isWitnessed: true })
  await mapped.ready()
  t.is(await provenBy(), 3)
  await mapped.witness(6)
  await until('the newest leaf is proven by', async () => (await provenBy()) === 5)
})

test('an old log begins its map with all that stands before the first map leaf', async (t) => {
  const mapped = await openMapped(t, { intervalMs: 1_000_000_000 })
  await mapped.map.close()
  const lines = Array.from({ length: 3_000 }, (_, at) => `registered name${at} 1`)
  await mapped.commit(...lines)
  mapped.map = mapped.openMap()
  await mapped.ready()
  t.true(await mapped.commit('registered more 1'))
  t.deepEqual(await mapped.leaves(), [3_000])
  await checkLeaves(t, mapped)
  await until('there is a proof', async () => (await mapped.map.prove('name7')) !== undefined)
})

test('a map that grows is cut deeper, and has the same roots and proofs', async (t) => {
  const mapped = await openMapped(t)
  for (let from = 0; from < 10_000; from += 500) {
    mapped.nowMs += 1_000
    const lines = Array.from({ length: 500 }, (_, at) => `registered name${from + at} 1`)
    await mapped.commit(...lines)
    await mapped.ready()
  }
  mapped.nowMs += 1_000
  t.true(await mapped.commit())
  await mapped.ready()
  const newest = (await mapped.leaves()).at(-1) ?? 0
  const { keys, rootHash } = decodeMapLeaf(mapped.log.entry(newest))
  t.is(keys, 10_000)
  t.is(toHex(rootHash), toHex(hashEntries(entriesAfter(await mapped.facts())).hash))
  await until('it is proven by the newest leaf', async () => {
    return (await mapped.map.prove('name9999'))?.leafIndex === newest
  })
  t.deepEqual(mapped.damage, [])
})

test('whatever a crash leaves of the map, the next start goes on to the same roots', async (t) => {
  const mapped = await openMapped(t, { intervalMs: 0 })
  const dir = await makeTempDir(t)
  const images: string[] = []
  for (let at = 0; at < 60; at += 1) {
    await mapped.commit(`registered name${at % 40} ${at < 40 ? 1 : 2}`)
    if (at % 5 !== 0) continue
    const image = path.join(dir, `image ${at}`)
    // The files as they are at that moment, whatever is under way.
    await fs.cp(mapped.mapDir, image, { recursive: true })
    images.push(image)
  }
  await mapped.ready()
  await checkLeaves(t, mapped)
  const newest = (await mapped.leaves()).at(-1) ?? 0
  const root = toHex(hashEntries(entriesAfter(await mapped.facts(newest))).hash)
  await mapped.map.close()
  for (const image of images) {
    mapped.map = mapped.openMap({ intervalMs: 0 }, image)
    await mapped.ready()
    await until('it is proven by the newest leaf', async () => {
      return (await mapped.map.prove('name39'))?.leafIndex === newest
    })
    const { leaf } = (await mapped.map.prove('name39')) ?? {}
    t.is(leaf && toHex(decodeMapLeaf(leaf).rootHash), root)
    await mapped.map.close()
  }
  t.deepEqual([mapped.damage, mapped.failures], [[], []])
})

test('a damaged map is made anew from the entries', async (t) => {
  const mapped = await openMapped(t)
  await mapped.commit(...Array.from({ length: 500 }, (_, at) => `registered name${at} 1`))
  t.true(await mapped.commit())
  await until('there is a proof', async () => (await mapped.map.prove('name7')) !== undefined)
  const flipFiles = async () => {
    for (const file of await fs.readdir(mapped.mapDir)) {
      const bytes = await fs.readFile(path.join(mapped.mapDir, file))
      for (let at = 1_000; at < bytes.length; at += 50) bytes[at] = (bytes[at] ?? 0) ^ 1
      await fs.writeFile(path.join(mapped.mapDir, file), bytes)
    }
  }
  await flipFiles()
  await t.throwsAsync(mapped.map.prove('name7'), { code: 'store_corrupt' })
  await until('there is a proof', async () => (await mapped.map.prove('name7')) !== undefined)
  t.is(mapped.damage.length, 1)
  await mapped.map.close()
  await flipFiles()
  mapped.map = mapped.openMap()
  await mapped.ready()
  await until('there is a proof', async () => (await mapped.map.prove('name7')) !== undefined)
  t.deepEqual(mapped.failures, [])
  t.is(mapped.damage.length, 1)
  mapped.nowMs += 1_000
  await mapped.commit('registered more 1')
  mapped.nowMs += 1_000
  t.true(await mapped.commit())
  await checkLeaves(t, mapped)
})

test('the map of another history is not gone on from', async (t) => {
  const [one, other] = [await openMapped(t), await openMapped(t)]
  await one.commit('registered a 1')
  await one.commit('registered b 1')
  await other.commit('registered c 1')
  await other.commit('registered d 1')
  await until('there is a proof', async () => (await one.map.prove('a')) !== undefined)
  await one.map.close()
  await other.map.close()
  other.map = other.openMap({}, one.mapDir)
  await other.ready()
  await until('there is a proof', async () => (await other.map.prove('c')) !== undefined)
  other.nowMs += 1_000
  t.true(await other.commit())
  await checkLeaves(t, other)
})

test('a map leaf with another root ends the map, and one of others is refused', async (t) => {
  const mapped = await openMapped(t)
  await mapped.commit('registered a 1')
  await mapped.ready()
  const sound = mapped.map.nextLeaf(1)
  const wrong = Buffer.from(sound ?? '')
  // Within the root.
  wrong[wrong.length - 10] = (wrong.at(-10) ?? 0) === 65 ? 66 : 65
  mapped.map.checkLeaf(sound ?? wrong, 1)
  t.throws(() => mapped.map.checkLeaf(wrong, 1), { code: 'log_inconsistent' })
  await mapped.commit(wrong.toString())
  await until('the map has failed', () => mapped.map.status.state === 'failed')
  t.is(mapped.failures.length, 1)
  t.like(mapped.failures[0], { code: 'log_inconsistent' })
  t.regex(mapped.failures[0]?.message ?? '', /^the map leaf at entry 1 is not what/)
  mapped.nowMs += 10_000
  t.false(await mapped.commit('registered b 1'))
  t.is(await mapped.map.prove('a'), undefined)
})

test('many layers wait for a witness, and what is proven stays as it is', async (t) => {
  const mapped = await openMapped(t, { isWitnessed: true, intervalMs: 0 })
  for (let at = 0; at < 60; at += 1) await mapped.commit(`registered name${at} 1`)
  await mapped.ready()
  t.is((await mapped.map.prove('name0'))?.leafIndex, 1)
  await checkLeaves(t, mapped)
  const newest = (await mapped.leaves()).at(-1) ?? 0
  await mapped.witness(newest + 1)
  await until('it is proven by the newest leaf', async () => {
    return (await mapped.map.prove('name0'))?.leafIndex === newest
  })
})
