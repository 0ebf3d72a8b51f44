import test from 'ava'
import fc from 'fast-check'

import { leafHash } from '#log/tlog/hash.ts'
import { checkConsistency, checkInclusion } from '#log/tlog/proof.ts'
import { proveConsistency, proveInclusion, rootHash } from '#log/tlog/tree.ts'
import {
  ForeignTree,
  makeLeaves,
  naiveConsistency,
  naiveInclusion,
  naiveRoot,
  readEqualLeaves,
  readLeaves,
} from '#test/log/_trees.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type RootVector = { readonly leaves?: readonly string[]; readonly root_hash: string }

for (const { name, leaves, root_hash: root } of loadVectors<RootVector>('tree/valid')) {
  if (leaves === undefined) continue
  test(`vector: ${name}`, (t) => {
    const leafHashes = leaves.map((leaf) => leafHash(fromHex(leaf)))
    t.is(toHex(rootHash(leaves.length, readLeaves(leafHashes))), root)
  })
}

const smallMax = 64
const small = makeLeaves(smallMax)
const readSmall = readLeaves(small)

test('inclusion: all pairs up to 64 leaves equal merkletreejs and the naive recursion', (t) => {
  for (let treeSize = 1; treeSize <= smallMax; treeSize += 1) {
    const leaves = small.slice(0, treeSize)
    const foreign = new ForeignTree(leaves)
    const root = rootHash(treeSize, readSmall)
    t.is(toHex(root), toHex(foreign.root()))
    t.is(toHex(root), toHex(naiveRoot(leaves)))
    for (const [leafIndex, leaf] of leaves.entries()) {
      const proof = proveInclusion(leafIndex, treeSize, readSmall)
      checkInclusion({ leafHash: leaf, leafIndex, treeSize, proof, rootHash: root })
      t.deepEqual(proof.map(toHex), foreign.inclusion(leafIndex).map(toHex))
      t.deepEqual(proof.map(toHex), naiveInclusion(leafIndex, leaves).map(toHex))
    }
  }
})

test('consistency: all pairs up to 64 leaves equal merkletreejs and the naive recursion', (t) => {
  for (let to = 1; to <= smallMax; to += 1) {
    const leaves = small.slice(0, to)
    const foreign = new ForeignTree(leaves)
    const toRoot = rootHash(to, readSmall)
    for (let from = 1; from <= to; from += 1) {
      const proof = proveConsistency(from, to, readSmall)
      checkConsistency({ from, to, fromRoot: rootHash(from, readSmall), toRoot, proof })
      t.deepEqual(proof.map(toHex), foreign.consistency(from).map(toHex))
      t.deepEqual(proof.map(toHex), naiveConsistency(from, leaves).map(toHex))
    }
  }
})

const largeSizes = [65_535, 65_536, 65_537] as const
const large = makeLeaves(65_537)
const readLarge = readLeaves(large)

for (const treeSize of largeSizes) {
  test(`sampled at ${treeSize} leaves, equal to merkletreejs and the naive recursion`, (t) => {
    const leaves = large.slice(0, treeSize)
    const foreign = new ForeignTree(leaves)
    const root = rootHash(treeSize, readLarge)
    t.is(toHex(root), toHex(foreign.root()))
    t.is(toHex(root), toHex(naiveRoot(leaves)))
    const edges = [0, 1, 255, 256, 32_767, 32_768, 65_279, 65_280, treeSize - 2, treeSize - 1]
    const checkAt = (leafIndex: number) => {
      const inclusion = proveInclusion(leafIndex, treeSize, readLarge)
      t.deepEqual(inclusion.map(toHex), foreign.inclusion(leafIndex).map(toHex))
      const from = leafIndex + 1
      const consistency = proveConsistency(from, treeSize, readLarge)
      t.deepEqual(consistency.map(toHex), foreign.consistency(from).map(toHex))
    }
    for (const leafIndex of edges) checkAt(leafIndex)
    fc.assert(fc.property(fc.nat(treeSize - 1), checkAt), { numRuns: 300 })
    // The naive recursion hashes the whole tree for each proof, so it sees only one.
    const from = 43_691
    t.deepEqual(
      proveInclusion(from, treeSize, readLarge).map(toHex),
      naiveInclusion(from, leaves).map(toHex),
    )
    t.deepEqual(
      proveConsistency(from, treeSize, readLarge).map(toHex),
      naiveConsistency(from, leaves).map(toHex),
    )
  })
}

// The leaf is one of many equal ones, so that trees of any size can be had without their leaves.
const leaf = leafHash(Buffer.from('the same entry'))
const readHuge = readEqualLeaves(leaf)
const hugeSize = fc.integer({ min: 2 ** 31 - 2, max: Number.MAX_SAFE_INTEGER })

test('sizes from 2^31 to 2^53 - 1 are proven and checked: no 32-bit arithmetic', (t) => {
  const sizes = [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32, 2 ** 32 + 1, 2 ** 52 + 1, 2 ** 53 - 1]
  const checkAt = (treeSize: number, leafIndex: number) => {
    const root = rootHash(treeSize, readHuge)
    const proof = proveInclusion(leafIndex, treeSize, readHuge)
    checkInclusion({ leafHash: leaf, leafIndex, treeSize, proof, rootHash: root })
    const from = leafIndex + 1
    const claim = { from, to: treeSize, fromRoot: rootHash(from, readHuge), toRoot: root }
    checkConsistency({ ...claim, proof: proveConsistency(from, treeSize, readHuge) })
    t.is(proof.length, pathLength(leafIndex, treeSize))
  }
  for (const treeSize of sizes) {
    for (const leafIndex of [0, 1, 2 ** 31 - 2, treeSize - 1]) checkAt(treeSize, leafIndex)
  }
  const places = hugeSize.chain((size) => fc.tuple(fc.constant(size), fc.maxSafeNat()))
  fc.assert(fc.property(places, ([size, place]) => checkAt(size, place % size)))
})

// Length of PATH(m, n): the bits in which m and n-1 differ, and the left turns above them.
function pathLength(leafIndex: number, treeSize: number): number {
  const index = BigInt(leafIndex)
  const differing = index ^ (BigInt(treeSize) - 1n)
  const inner = differing === 0n ? 0 : differing.toString(2).length
  const border = (index >> BigInt(inner)).toString(2).replaceAll('0', '').length
  return inner + border
}

test('a proof asks only for complete subtrees within the tree', (t) => {
  const places = fc.integer({ min: 1, max: 5_000 }).chain((treeSize) => {
    return fc.tuple(fc.constant(treeSize), fc.nat(treeSize - 1))
  })
  fc.assert(
    fc.property(places, ([treeSize, leafIndex]) => {
      const read = (level: number, index: number) => {
        t.true((index + 1) * 2 ** level <= treeSize)
        return leaf
      }
      rootHash(treeSize, read)
      proveInclusion(leafIndex, treeSize, read)
      proveConsistency(leafIndex + 1, treeSize, read)
    }),
  )
})

test('a leaf outside the tree is out of range', (t) => {
  const places = [
    [0, 0],
    [8, 8],
    [9, 8],
    [-1, 8],
    [0.5, 8],
    [Number.NaN, 8],
    [2 ** 53, 8],
  ] as const
  for (const [leafIndex, treeSize] of places) {
    t.throws(() => proveInclusion(leafIndex, treeSize, readSmall), {
      code: 'out_of_range',
      message: `leaf ${leafIndex} is not in a tree of ${treeSize} leaves`,
    })
  }
})

test('no consistency proof leads from the empty tree, or back', (t) => {
  const pairs = [
    [0, 0],
    [0, 8],
    [9, 8],
    [-1, 8],
    [1.5, 8],
    [Number.NaN, 8],
  ] as const
  for (const [from, to] of pairs) {
    t.throws(() => proveConsistency(from, to, readSmall), {
      code: 'out_of_range',
      message: `no consistency proof leads from ${from} to ${to} leaves`,
    })
  }
})

test('a tree size that is no count is out of range', (t) => {
  for (const treeSize of [-1, 1.5, Number.NaN, Infinity, 2 ** 53]) {
    const error = { code: 'out_of_range', message: `tree size ${treeSize} is not a count` }
    t.throws(() => rootHash(treeSize, readSmall), error)
    t.throws(() => proveInclusion(0, treeSize, readSmall), error)
    t.throws(() => proveConsistency(1, treeSize, readSmall), error)
  }
})
