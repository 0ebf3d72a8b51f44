import test from 'ava'

import { mapFact } from '#actors/works/receipts/statement.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { decodeMapLeaf, isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { checkMapProof } from '#log/tlog/map/map_proof.ts'
import { hashEntries, mapKey } from '#log/tlog/map/map_tree.ts'
import { decodeMapValue } from '#log/tlog/map/map_value.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { arkOf, demo, makeRegistry, metadataOf, register } from '#test/actors/_environment.ts'
import { openSharedNodes } from '#test/actors/registry/_shared_nodes.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { entriesAfter } from '#test/log/tlog/map/_map_entries.ts'
import { until } from '#test/_until.ts'

const map = { intervalMs: 1, isWitnessed: false }

/** All entries of a log, and which of them are map leaves; each of these is checked. */
async function checkedLeaves(environment: Environment): Promise<number[]> {
  const { log, origin } = environment
  const entries = await Array.fromAsync(log.entries(0, log.head().treeSize))
  return entries.flatMap((entry, at) => {
    if (!isMapLeaf(entry)) return []
    const facts = entries.slice(0, at).flatMap((one, index) => mapFact(one, index) ?? [])
    const expected = entriesAfter(facts)
    const leaf = decodeMapLeaf(entry)
    const isRight =
      leaf.origin === origin &&
      leaf.covers === at &&
      leaf.keys === expected.length &&
      encodeHex(leaf.rootHash) === encodeHex(hashEntries(expected).hash) &&
      log.checkpointAt(at + 1) !== undefined
    if (!isRight) throw new Error(`the map leaf at ${at} is wrong`)
    return [at]
  })
}

/** Waits until the newest entry is a map leaf by which is proven. */
async function settled({ log, map: prover, status }: Environment): Promise<void> {
  await until('the map covers the whole log', async () => {
    const evidence = await prover?.prove('')
    return evidence?.leafIndex === log.head().treeSize - 1 && status().map?.state === 'ready'
  })
}

test('a registry proves the newest version, what is withdrawn, and what it has not', async (t) => {
  const registry = await makeRegistry(t, { map })
  const environment = await registry.open()
  const ark = arkOf(await register(environment, metadataOf('One')))
  const gone = arkOf(await register(environment, metadataOf('Gone')))
  await environment.works.update({ ark, patch: { work_title: 'Renamed' }, by: demo })
  await environment.works.withdraw({ ark: gone, reason: 'test', by: demo })
  await settled(environment)
  const values = await Promise.all(
    [`ark:/${ark}`, `ark:/${gone}`, 'ark:/12345/k2nothing'].map(async (name) => {
      const evidence = await environment.map?.prove(name)
      if (evidence === undefined) throw new Error('there is no proof')
      const { rootHash } = decodeMapLeaf(evidence.leaf)
      const value = checkMapProof(evidence.proof, mapKey(name), rootHash)
      return value && decodeMapValue(value)
    }),
  )
  t.like(values[0], { state: 'registered', version: 2, statements: 2 })
  t.like(values[1], { state: 'tombstoned', version: 1, statements: 2 })
  t.is(values[2], undefined)
  t.true((await checkedLeaves(environment)).length > 0)
  const { events, treeSize } = environment.status()
  const firstReceiptKey = environment.receiptKeys.publicKey
  await environment.close()
  const report = await auditRegistry(openMemoryStore(registry.disk), {
    events,
    treeSize,
    firstReceiptKey,
    scratch: openMemoryStore(),
    progress: () => {},
    rangeEvents: 1,
  })
  t.deepEqual(report.faults, [])
})

test('an older registry goes on with its log, and one without a map as before', async (t) => {
  const registry = await makeRegistry(t)
  const before = await registry.open()
  for (const title of ['One', 'Two', 'Three']) await register(before, metadataOf(title))
  t.is(before.map, undefined)
  t.is(before.log.head().treeSize, 3)
  await before.close()
  const withMap = await makeRegistry(t, { ...registry.options, map })
  for (const [key, row] of registry.disk) withMap.disk.set(key, row)
  const after = await withMap.open()
  // Nobody writes anything: the first map leaf comes by itself.
  await settled(after)
  t.deepEqual(await checkedLeaves(after), [3])
  await register(after, metadataOf('Four'))
  await settled(after)
  t.is((await checkedLeaves(after)).length, 2)
  await after.close()
  const again = await makeRegistry(t, { ...registry.options })
  for (const [key, row] of withMap.disk) again.disk.set(key, row)
  const without = await again.open()
  const { treeSize } = without.log.head()
  await register(without, metadataOf('Five'))
  t.is(without.log.head().treeSize, treeSize + 1)
  await without.close()
})

test('an idle log gets no map leaf, and many writes at once get few', async (t) => {
  const registry = await makeRegistry(t, { map: { intervalMs: 3_600_000, isWitnessed: false } })
  const environment = await registry.open()
  await register(environment, metadataOf('First'))
  await settled(environment)
  t.deepEqual(await checkedLeaves(environment), [1])
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => register(environment, metadataOf(`Work ${at}`))),
  )
  t.deepEqual(await checkedLeaves(environment), [1])
  await environment.close()
})

test('all nodes of a registry have the same map leaves, whichever of them leads', async (t) => {
  const { nodes, lead, agree } = await openSharedNodes(t, () => ({ map }))
  for (const node of nodes) {
    await lead(node)
    for (const { name, environment } of nodes) {
      await register(environment, metadataOf(`At ${name}, led by ${node.name}`))
    }
    await until('there is a map leaf of it', async () => {
      return (
        (await checkedLeaves(node.environment)).at(-1) === node.environment.log.head().treeSize - 1
      )
    })
  }
  await agree()
  const [{ environment: first }, ...others] = nodes
  const leaves = await checkedLeaves(first)
  t.true(leaves.length >= 3)
  for (const { environment, stopped } of others) {
    t.deepEqual(await checkedLeaves(environment), leaves)
    t.deepEqual(environment.log.head().rootHash, first.log.head().rootHash)
    t.deepEqual(stopped, [])
  }
})
