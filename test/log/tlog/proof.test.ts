import test from 'ava'

import {
  checkConsistency,
  checkInclusion,
  type Consistency,
  equalBytes,
  type Inclusion,
} from '#log/tlog/proof.ts'
import { fromHex, loadVectors } from '#test/log/_vectors.ts'

type InclusionVector = {
  readonly type: 'inclusion'
  readonly leaf_hash: string
  readonly leaf_index: number
  readonly tree_size: number
  readonly proof: readonly string[]
  readonly root_hash: string
}

type ConsistencyVector = {
  readonly type: 'consistency'
  readonly from: number
  readonly to: number
  readonly from_root: string
  readonly to_root: string
  readonly proof: readonly string[]
}

type ProofVector = InclusionVector | ConsistencyVector

function checkVector(vector: ProofVector): void {
  if (vector.type === 'inclusion') checkInclusion(inclusionOf(vector))
  else checkConsistency(consistencyOf(vector))
}

function inclusionOf(vector: InclusionVector): Inclusion {
  return {
    leafHash: fromHex(vector.leaf_hash),
    leafIndex: vector.leaf_index,
    treeSize: vector.tree_size,
    proof: vector.proof.map(fromHex),
    rootHash: fromHex(vector.root_hash),
  }
}

function consistencyOf(vector: ConsistencyVector): Consistency {
  return {
    from: vector.from,
    to: vector.to,
    fromRoot: fromHex(vector.from_root),
    toRoot: fromHex(vector.to_root),
    proof: vector.proof.map(fromHex),
  }
}

for (const vector of loadVectors<ProofVector>('proof/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    t.notThrows(() => checkVector(vector))
  })
}

type Refusal = { readonly code: string; readonly error: string }

for (const vector of loadVectors<ProofVector & Refusal>('proof/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    t.throws(() => checkVector(vector), { code: vector.code, message: vector.error })
  })
}

test('the hasher that is passed is the one that is used', (t) => {
  const [vector] = loadVectors<InclusionVector>('proof/valid').filter(({ name }) => {
    return name === 'inclusion_5_of_8'
  })
  if (vector === undefined) return t.fail('the vector is missing')
  let nodes = 0
  const leafHash = () => new Uint8Array(32)
  const nodeHash = () => {
    nodes += 1
    return fromHex(vector.root_hash)
  }
  checkInclusion({ ...inclusionOf(vector), leafHash: new Uint8Array(32) }, { leafHash, nodeHash })
  t.is(nodes, 3)
})

test('bytes are equal when all of them are, and there are as many', (t) => {
  const bytes = Buffer.from('abc')
  t.true(equalBytes(bytes, new Uint8Array([0x61, 0x62, 0x63])))
  t.true(equalBytes(new Uint8Array(0), Buffer.alloc(0)))
  for (const other of ['', 'ab', 'abcd', 'abd', 'bbc']) {
    t.false(equalBytes(bytes, Buffer.from(other)))
    t.false(equalBytes(Buffer.from(other), bytes))
  }
})
