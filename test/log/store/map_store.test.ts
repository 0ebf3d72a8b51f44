import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import test from 'ava'

import { MapLayer } from '#log/tlog/map/map_layer.ts'
import { hashEntries } from '#log/tlog/map/map_tree.ts'
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

test('files that are not of a map are removed, and an empty folder has an empty map', async (t) => {
  const dir = await makeTempDir(t)
  await fs.writeFile(path.join(dir, 'CURRENT'), 'MANIFEST-000001')
  const map = await MapStore.open(dir, 10, rest)
  t.deepEqual([map.depth, map.state.covers, await fs.readdir(dir)], [10, 0, []])
  await map.close()
})
