import test from 'ava'
import fc from 'fast-check'

import { countOf } from '#test/long/_full_counts.ts'
import { checkConsistency, checkInclusion } from '#log/tlog/proof.ts'
import { proveConsistency, proveInclusion, rootHash } from '#log/tlog/tree.ts'
import {
  ForeignTree,
  makeLeaves,
  naiveConsistency,
  naiveInclusion,
  naiveRoot,
  readLeaves,
} from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

const treeSize = 1_000_000

test('sampled at 1,000,000 leaves, equal to merkletreejs and the naive recursion', (t) => {
  const leaves = makeLeaves(treeSize)
  const read = readLeaves(leaves)
  const foreign = new ForeignTree(leaves)
  const root = rootHash(treeSize, read)
  t.is(toHex(root), toHex(foreign.root()))
  t.is(toHex(root), toHex(naiveRoot(leaves)))

  const checkAt = (leafIndex: number) => {
    const leafHash = leaves[leafIndex] ?? new Uint8Array(0)
    const inclusion = proveInclusion(leafIndex, treeSize, read)
    checkInclusion({ leafHash, leafIndex, treeSize, proof: inclusion, rootHash: root })
    t.deepEqual(inclusion.map(toHex), foreign.inclusion(leafIndex).map(toHex))
    const from = leafIndex + 1
    const consistency = proveConsistency(from, treeSize, read)
    const fromRoot = rootHash(from, read)
    checkConsistency({ from, to: treeSize, fromRoot, toRoot: root, proof: consistency })
    t.deepEqual(consistency.map(toHex), foreign.consistency(from).map(toHex))
  }
  for (const leafIndex of [0, 1, 255, 256, 65_535, 65_536, 524_287, 524_288, 983_040, 999_999]) {
    checkAt(leafIndex)
  }
  fc.assert(fc.property(fc.nat(treeSize - 1), checkAt), {
    numRuns: countOf({ few: 1_000, full: 5_000 }),
  })

  for (const place of [1, 333_333, 786_431, 999_999]) {
    t.deepEqual(
      proveInclusion(place, treeSize, read).map(toHex),
      naiveInclusion(place, leaves).map(toHex),
    )
    t.deepEqual(
      proveConsistency(place, treeSize, read).map(toHex),
      naiveConsistency(place, leaves).map(toHex),
    )
  }
})
