import test from 'ava'
import fc from 'fast-check'
import { mapShards, shardOf } from '#src/cluster/shard_map.ts'

const nodeName = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const members = fc.uniqueArray(nodeName, { minLength: 1, maxLength: 9 })
const shardCount = fc.integer({ min: 1, max: 100 })

test('every shard has one owner, whatever the order of the nodes', (t) => {
  fc.assert(
    fc.property(members, shardCount, (nodes, shards) => {
      const map = mapShards(shards, nodes)
      t.is(map.length, shards)
      t.true(map.every((owner) => nodes.includes(owner)))
      t.deepEqual(mapShards(shards, nodes.toReversed()), map)
    }),
  )
})

test('a node that comes takes shards, and no other shard moves', (t) => {
  fc.assert(
    fc.property(members, nodeName, shardCount, (nodes, newcomer, shards) => {
      fc.pre(!nodes.includes(newcomer))
      const before = mapShards(shards, nodes)
      const after = mapShards(shards, [...nodes, newcomer])
      for (const [shard, owner] of after.entries()) {
        t.true(owner === newcomer || owner === before[shard])
      }
    }),
  )
})

test('shards are shared out evenly', (t) => {
  const shards = 3_000
  for (const count of [2, 3, 5, 9]) {
    const nodes = Array.from({ length: count }, (_, index) => `registry-${index}`)
    const map = mapShards(shards, nodes)
    const fair = shards / count
    for (const node of nodes) {
      const owned = map.filter((owner) => owner === node).length
      // Five standard deviations, and the names are always the same.
      t.true(Math.abs(owned - fair) < 5 * Math.sqrt(fair), `${node}: ${owned} of ${fair}`)
    }
  }
})

// Nodes of different versions have to agree, so the map may not change.
test('the map is the same for ever', (t) => {
  t.deepEqual(mapShards(8, ['a', 'b', 'c']).join(''), 'cbccbbbc')
  t.deepEqual(
    ['', 'ark:/99999/x', 'jane'].map((key) => shardOf(key, 256)),
    [197, 68, 113],
  )
})

test('without nodes nobody owns anything', (t) => {
  t.deepEqual(mapShards(4, []), [])
})
