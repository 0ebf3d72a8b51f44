import test from 'ava'

import { MapLayer, pathIn } from '#log/tlog/map/map_layer.ts'
import { checkMapProof, encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { emptyNode, hashEntries, mapKey } from '#log/tlog/map/map_tree.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { toHex } from '#test/log/_vectors.ts'
import { entriesAfter, fact, namedEntries, sorted } from '#test/log/tlog/map/_map_entries.ts'
import { naiveRoot } from '#test/log/tlog/map/_naive_map.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const keysMax = countOf({ few: 500, full: 2_000 })

test(`a map of any size up to ${keysMax} has the root of its definition`, (t) => {
  const all = namedEntries(keysMax)
  for (let count = 0; count <= all.length; count += 1) {
    const entries = sorted(all.slice(0, count))
    t.is(toHex(hashEntries(entries).hash), toHex(naiveRoot(entries)), `${count} keys`)
  }
})

test('random statements in random batches lead to the root of their definition', (t) => {
  for (const seed of [1, 2, 3, 4]) {
    const random = seededRandom(seed)
    const pick = (count: number) => Math.floor(random() * count)
    const depth = 4 + pick(12)
    const bucket = () => new Uint8Array(0)
    const below = { depth, node: () => emptyNode, isJoined: () => true, bucket }
    const layer = new MapLayer(below, { covers: 0, keys: 0 })
    const kinds = ['registered', 'content', 'tombstoned'] as const
    const facts = Array.from({ length: 10_000 }, (_, at) => {
      const kind = kinds[pick(10) < 8 ? 0 : 1 + pick(2)] ?? 'registered'
      return fact(`name ${pick(4_000)}`, kind, 1 + pick(3), at, `entry ${at}`)
    })
    for (let at = 0; at < facts.length; ) {
      const end = Math.min(facts.length, at + 1 + pick(200))
      layer.add(facts.slice(at, end), end)
      at = end
    }
    const entries = entriesAfter(facts)
    t.is(toHex(layer.rootHash), toHex(naiveRoot(entries)), `seed ${seed}`)
    t.is(layer.keys, entries.length)
    for (const name of Array.from({ length: 1_000 }, (_, at) => `name ${at * 6}`)) {
      const key = mapKey(name)
      const proof = encodeMapProof(key, pathIn(layer, key))
      const known = entries.find((entry) => Buffer.compare(entry.key, key) === 0)
      t.deepEqual(checkMapProof(proof, key, layer.rootHash), known?.value)
    }
  }
})
