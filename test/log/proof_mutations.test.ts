import test from 'ava'

import { checkInclusion } from '#log/tlog/proof.ts'
import { proveInclusion, rootHash } from '#log/tlog/tree.ts'
import { checkConsistencyMutations, checkInclusionMutations } from '#test/log/_proof_mutations.ts'
import { makeLeaves, readLeaves } from '#test/log/_trees.ts'

// One leaf more than a full tree of 16, so that every shape of a right edge below is met.
const sizeMax = 17

test('every mutated inclusion proof is refused', (t) => {
  checkInclusionMutations(t, sizeMax)
})

test('every mutated consistency proof is refused', (t) => {
  checkConsistencyMutations(t, sizeMax)
})

test('a size that asks for the same path is bound to its root by the checkpoint alone', (t) => {
  // The proof of leaf 0 is read alike in trees of 3 and 4 leaves, so a size must come signed.
  const leaves = makeLeaves(4)
  const read = readLeaves(leaves)
  const proof = proveInclusion(0, 3, read)
  const [leafHash] = leaves
  if (leafHash === undefined) return t.fail('there is no leaf')
  const claim = { leafHash, leafIndex: 0, proof, rootHash: rootHash(3, read) }
  t.notThrows(() => checkInclusion({ ...claim, treeSize: 3 }))
  t.notThrows(() => checkInclusion({ ...claim, treeSize: 4 }))
  t.throws(() => checkInclusion({ ...claim, treeSize: 4, rootHash: rootHash(4, read) }), {
    code: 'proof_mismatch',
    message: 'the inclusion proof does not lead to the root hash',
  })
})
