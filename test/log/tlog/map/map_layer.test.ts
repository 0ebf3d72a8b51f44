import test from 'ava'

import { bucketEntries, bucketOf, type MapBase, MapLayer, pathIn } from '#log/tlog/map/map_layer.ts'
import { checkMapProof, encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { emptyNode, hashEntries, joinNodes, mapKey, type MapNode } from '#log/tlog/map/map_tree.ts'
import type { MapFact } from '#log/tlog/map/map_value.ts'
import { toHex } from '#test/log/_vectors.ts'
import { entriesAfter, fact } from '#test/log/tlog/map/_map_entries.ts'

function emptyMap(depth: number): MapBase {
  return { depth, node: () => emptyNode, isJoined: () => true, bucket: () => new Uint8Array(0) }
}

/** Facts about so many names, some of them again and again. */
function makeFacts(count: number, from = 0): MapFact[] {
  return Array.from({ length: count }, (_, at) => {
    const index = from + at
    const name = (index * 7_919) % Math.max(1, Math.floor((from + count) * 0.8))
    return fact(`ark:/99999/fk4${name}`, 'registered', 1, index, `entry ${index}`)
  })
}

for (const depth of [0, 1, 4, 10, 16]) {
  test(`a map that is cut at depth ${depth} has the root and the proofs of the whole`, (t) => {
    for (const count of [0, 1, 2, 3, 10, 200]) {
      const facts = makeFacts(count)
      const layer = new MapLayer(emptyMap(depth), { covers: 0, keys: 0 })
      for (let at = 0; at < count; at += 7)
        layer.add(facts.slice(at, at + 7), Math.min(at + 7, count))
      const entries = entriesAfter(facts)
      t.is(toHex(layer.rootHash), toHex(hashEntries(entries).hash))
      t.is(layer.keys, entries.length)
      t.is(layer.covers, count)
      for (const { key, value } of entries) {
        const proof = encodeMapProof(key, pathIn(layer, key))
        t.deepEqual(checkMapProof(proof, key, layer.rootHash), value)
      }
      for (let name = 0; name < 20; name += 1) {
        const key = mapKey(`absent ${name}`)
        const proof = encodeMapProof(key, pathIn(layer, key))
        t.is(checkMapProof(proof, key, layer.rootHash), undefined)
      }
    }
  })
}

test('layers lie on one another, and one takes over what the next has changed', (t) => {
  const [first, second, third] = [makeFacts(50), makeFacts(50, 50), makeFacts(50, 100)]
  const below = new MapLayer(emptyMap(6), { covers: 0, keys: 0 })
  below.add(first, 50)
  const middle = new MapLayer(below, below)
  middle.add(second, 100)
  const above = new MapLayer(middle, middle)
  above.add(third, 150)
  const root = hashEntries(entriesAfter([...first, ...second, ...third])).hash
  t.is(toHex(above.rootHash), toHex(root))
  t.is(toHex(below.rootHash), toHex(hashEntries(entriesAfter(first)).hash))
  below.absorb(middle)
  above.rest(below)
  t.is(below.covers, 100)
  t.is(toHex(below.rootHash), toHex(hashEntries(entriesAfter([...first, ...second])).hash))
  t.is(toHex(above.rootHash), toHex(root))
})

test('a change that begins at a flipped bucket or node is not made', (t) => {
  const facts = makeFacts(200)
  const sound = new MapLayer(emptyMap(5), { covers: 0, keys: 0 })
  sound.add(facts, 200)
  const [one] = facts
  if (one === undefined) return t.fail()
  const index = bucketOf(mapKey(one.ark), 5)
  const again = { ...one, leafIndex: 200 }
  const flip = (bytes: Uint8Array) => {
    const flipped = Buffer.from(bytes)
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 4
    return flipped
  }
  const flippedNode = (place: number): MapBase => {
    const node = (at: number): MapNode => {
      const found = sound.node(at)
      return at === place ? { ...found, hash: flip(found.hash) } : found
    }
    const isJoined = (at: number) => {
      const joined = joinNodes(node(2 * at), node(2 * at + 1))
      return Buffer.compare(joined.hash, node(at).hash) === 0
    }
    return { depth: 5, node, isJoined, bucket: (at) => sound.bucket(at) }
  }
  const place = 2 ** 5 + index
  const damaged: MapBase[] = [
    {
      depth: 5,
      node: (at) => sound.node(at),
      isJoined: (at) => sound.isJoined(at),
      bucket: (at) => (at === index ? flip(sound.bucket(at)) : sound.bucket(at)),
    },
    flippedNode(place),
    flippedNode(place ^ 1),
    flippedNode((place >> 1) ^ 1),
    flippedNode(place >> 3),
  ]
  for (const below of damaged) {
    const layer = new MapLayer(below, { covers: 200, keys: sound.keys })
    t.throws(() => layer.add([again], 201), { code: 'store_corrupt' })
    t.is(layer.buckets.size + layer.nodes.size, 0)
    t.is(layer.covers, 200)
  }
  t.notThrows(() => new MapLayer(sound, sound).add([again], 201))
})

test('a bucket has the keys that begin with its bits, in their order', (t) => {
  const layer = new MapLayer(emptyMap(3), { covers: 0, keys: 0 })
  layer.add(makeFacts(100), 100)
  const keys = Array.from({ length: 8 }, (_, index) => bucketEntries(layer.bucket(index))).flatMap(
    (entries, index) =>
      entries.map(({ key }) => {
        t.is(bucketOf(key, 3), index)
        return toHex(key)
      }),
  )
  t.deepEqual(keys, keys.toSorted())
  t.is(keys.length, layer.keys)
})
