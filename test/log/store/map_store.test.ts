import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import test from 'ava'

import { bucketOf, MapLayer } from '#log/tlog/map/map_layer.ts'
import { hashEntries, mapKey } from '#log/tlog/map/map_tree.ts'
import { MapStore } from '#log/store/map_store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { toHex } from '#test/log/_vectors.ts'
import { entriesAfter, fact } from '#test/log/tlog/map/_map_entries.ts'

const rest = () => Promise.resolve()

test('a map is cut deeper whole or not at all, wherever a crash ends that', async (t) => {
  const dir = await makeTempDir(t)
  const facts = Array.from({ length: 300 }, (_, at) => {
    return fact(`name ${at % 200}`, 'registered', at < 200 ? 1 : 2, at, `entry ${at}`)
  })
  const root = toHex(hashEntries(entriesAfter(facts)).hash)
  const map = await MapStore.open(dir, 4, rest)
  const layer = new MapLayer(map, map.state)
  layer.add(facts, 300)
  await map.fold(layer, { isCommitted: true, treeRoot: 'aa' })
  const [before] = await fs.readdir(dir)
  const shallow = await fs.readFile(path.join(dir, before ?? ''))
  await map.recut(6, rest)
  await map.close()
  const [after, ...others] = await fs.readdir(dir)
  t.deepEqual([before, after, others], ['04-00000001', '06-00000001', []])
  const deep = await fs.readFile(path.join(dir, after ?? ''))
  for (const length of [undefined, 0, 100, deep.length - 1, deep.length]) {
    await fs.writeFile(path.join(dir, '04-00000001'), shallow)
    await fs.rm(path.join(dir, '06-00000001'), { force: true })
    if (length !== undefined) {
      await fs.writeFile(path.join(dir, '06-00000001'), deep.subarray(0, length))
    }
    const opened = await MapStore.open(dir, 10, rest)
    t.is(opened.depth, length === deep.length ? 6 : 4)
    t.deepEqual(opened.state, { covers: 300, keys: 200, isCommitted: true, treeRoot: 'aa' })
    t.is(toHex(opened.node(1).hash), root)
    t.is((await fs.readdir(dir)).length, 1)
    const next = new MapLayer(opened, opened.state)
    t.notThrows(() => next.add([fact('name 7', 'registered', 3, 300, 'entry 300')], 301))
    await opened.close()
  }
})

test('a change that begins at a node that has flipped in memory is not made', async (t) => {
  for (const depth of [4, 12]) {
    const map = await MapStore.open(await makeTempDir(t), depth, rest)
    const layer = new MapLayer(map, map.state)
    const facts = Array.from({ length: 200 }, (_, at) =>
      fact(`name ${at}`, 'registered', 1, at, `entry ${at}`),
    )
    layer.add(facts, 200)
    await map.fold(layer, { isCommitted: true, treeRoot: '' })
    const change = () => {
      const next = new MapLayer(map, map.state)
      next.add([fact('name 7', 'registered', 2, 200, 'entry 200')], 201)
    }
    const bucket = 2 ** depth + bucketOf(mapKey('name 7'), depth)
    let flipped = 0
    for (let place = bucket; place > 1; place >>= 1) {
      for (const { kind, hash } of [map.node(place), map.node(place ^ 1)]) {
        if (kind === 'empty') continue
        hash[31] = (hash[31] ?? 0) ^ 1
        t.throws(change, { code: 'store_corrupt' }, `${place}`)
        hash[31] = (hash[31] ?? 0) ^ 1
        flipped += 1
      }
    }
    t.true(flipped >= depth + 4)
    t.notThrows(change)
    await map.close()
  }
})

test('files that are not of a map are removed, and an empty folder has an empty map', async (t) => {
  const dir = await makeTempDir(t)
  await fs.writeFile(path.join(dir, 'CURRENT'), 'MANIFEST-000001')
  const map = await MapStore.open(dir, 10, rest)
  t.deepEqual([map.depth, map.state.covers, await fs.readdir(dir)], [10, 0, []])
  await map.close()
})
