import test from 'ava'
import fc from 'fast-check'

import { emptyRootHash } from '#log/tlog/hash.ts'
import {
  type Appended,
  appendLeaves,
  appendLeafTile,
  buildEdge,
  edgeRoot,
  edgeTile,
  emptyEdge,
  readAppended,
  type RightEdge,
} from '#log/store/right_edge.ts'
import { expandTile, tileNode } from '#log/tlog/tile.ts'
import { rootHash } from '#log/tlog/tree.ts'
import { makeLeaves, naiveRoot, readLeaves } from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

const leaves = makeLeaves(66_000)
const read = readLeaves(leaves)

function concat(from: number, to: number): Uint8Array {
  return Buffer.concat(leaves.slice(from, to))
}

const largeSize = 65_280
const largeEdge = appendLeaves(emptyEdge, concat(0, largeSize)).edge

function edgeOf(treeSize: number): RightEdge {
  const base = treeSize < largeSize ? emptyEdge : largeEdge
  return appendLeaves(base, concat(base.treeSize, treeSize)).edge
}

test('the root of every size up to 600 is that of the definition', (t) => {
  let edge = emptyEdge
  t.is(toHex(edgeRoot(edge)), toHex(emptyRootHash))
  for (let size = 1; size <= 600; size += 1) {
    edge = appendLeaves(edge, concat(size - 1, size)).edge
    t.is(edge.treeSize, size)
    t.is(toHex(edgeRoot(edge)), toHex(rootHash(size, read)), `${size}`)
  }
  t.is(toHex(edgeRoot(edge)), toHex(naiveRoot(leaves.slice(0, 600))))
})

test('a full tile appended by its root gives the edge of its leaves, and the tiles above', (t) => {
  let edge = emptyEdge
  for (let size = 256; size <= 66_000; size += 256) {
    const { nodes } = appendLeaves(emptyEdge, concat(size - 256, size)).tiles[0] ?? {}
    const byRoot = appendLeafTile(edge, tileNode(nodes ?? new Uint8Array(0), 8, 0))
    const byLeaves = appendLeaves(edge, concat(size - 256, size))
    t.deepEqual(byRoot, { edge: byLeaves.edge, tiles: byLeaves.tiles.slice(1) })
    edge = byRoot.edge
  }
  t.throws(() => appendLeafTile(edgeOf(255), new Uint8Array(32)), { message: /are full/ })
})

test('the root is right where a tile of the third level begins', (t) => {
  for (const size of [65_535, 65_536, 65_537, 66_000]) {
    t.is(toHex(edgeRoot(edgeOf(size))), toHex(rootHash(size, read)), `${size}`)
  }
})

test('leaves appended in parts give the edge and the tiles of all at once', (t) => {
  const cuts = fc.uniqueArray(fc.nat({ max: 900 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(cuts, (unsorted) => {
      const sizes = unsorted.sort((a, b) => a - b)
      const whole = appendLeaves(emptyEdge, concat(0, sizes.at(-1) ?? 0))
      let parts: Appended = { edge: emptyEdge, tiles: [] }
      for (const size of sizes) {
        const { edge, tiles } = appendLeaves(parts.edge, concat(parts.edge.treeSize, size))
        parts = { edge, tiles: [...parts.tiles, ...tiles] }
      }
      t.deepEqual(parts, whole)
    }),
    { numRuns: 20 },
  )
})

test('tiles come out once they are full, lower levels first', (t) => {
  const { tiles } = appendLeaves(edgeOf(65_300), concat(65_300, 65_600))
  t.deepEqual(
    tiles.map(({ level, index }) => [level, index]),
    [
      [0, 255],
      [1, 0],
    ],
  )
  t.deepEqual(tiles[0]?.nodes, expandTile(concat(65_280, 65_536)))
  const roots = Array.from({ length: 256 }, (_, index) => read(8, index))
  t.deepEqual(tiles[1]?.nodes, expandTile(Buffer.concat(roots)))
})

test('an edge that was extended stays as it was', (t) => {
  const edge = edgeOf(1_000)
  const before = structuredClone(edge)
  const first = appendLeaves(edge, concat(1_000, 1_030))
  const second = appendLeaves(edge, concat(1_001, 1_300))
  t.deepEqual(edge, before)
  t.deepEqual(first.edge, edgeOf(1_030))
  t.notDeepEqual(edgeRoot(second.edge), edgeRoot(edgeOf(1_299)))
})

test('what was appended reads every root since the size before', (t) => {
  const appended = appendLeaves(edgeOf(65_400), concat(65_400, 65_800))
  for (let size = 65_400; size <= 65_800; size += 7) {
    const root = rootHash(size, readAppended(appended))
    t.is(toHex(root), toHex(rootHash(size, read)), `${size}`)
  }
})

test('an edge is rebuilt from the hashes of its partial tiles', (t) => {
  for (const size of [0, 1, 255, 256, 257, 511, 512, 65_535, 65_536, 66_000]) {
    const edge = buildEdge(size, (level, start, width) =>
      Array.from({ length: width }, (_, at) => read(8 * level, start + at)),
    )
    t.is(toHex(edgeRoot(edge)), toHex(edgeRoot(edgeOf(size))), `${size}`)
    const next = appendLeaves(edge, concat(0, 300))
    t.deepEqual(next.tiles, appendLeaves(edgeOf(size), concat(0, 300)).tiles, `${size}`)
  }
})

test('an edge has the newest tile of each level and no other', (t) => {
  const edge = edgeOf(600)
  t.is(edgeTile(edge, 0, 1), undefined)
  const [leafTile, upperTile] = [edgeTile(edge, 0, 2), edgeTile(edge, 1, 0)]
  t.is(leafTile && toHex(tileNode(leafTile, 3, 10)), toHex(read(3, 74)))
  t.is(upperTile && toHex(tileNode(upperTile, 1, 0)), toHex(read(9, 0)))
  t.throws(() => edgeTile(edge, 0, 3), { message: /no tile lies right of the edge/ })
})

test('leaf hashes of another length are our own bug', (t) => {
  t.throws(() => appendLeaves(emptyEdge, new Uint8Array(33)), { message: /leaf hash has 32 bytes/ })
})
