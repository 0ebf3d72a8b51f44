import test from 'ava'
import fc from 'fast-check'

import { emptyRootHash, leafHash, nodeHash, nodeHasher, sha256 } from '#log/tlog/hash.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type HashVector =
  | { readonly leaf: string; readonly leaf_hash: string }
  | { readonly left: string; readonly right: string; readonly node_hash: string }
  | { readonly root_hash: string }

// The definition, for inputs of any length; `nodeHash` itself takes hashes only.
function defineNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Uint8Array.of(1), left, right]))
}

for (const vector of loadVectors<HashVector>('tree/valid')) {
  if ('leaf' in vector) {
    test(`vector: ${vector.name}`, (t) => {
      t.is(toHex(leafHash(fromHex(vector.leaf))), vector.leaf_hash)
    })
  } else if ('left' in vector) {
    test(`vector: ${vector.name}`, (t) => {
      t.is(toHex(defineNode(fromHex(vector.left), fromHex(vector.right))), vector.node_hash)
    })
  }
}

test('nodes are hashed as defined', (t) => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(hash, hash, (left, right) => {
      t.is(toHex(nodeHash(left, right)), toHex(defineNode(left, right)))
    }),
  )
})

test('the root of the empty tree is the hash of nothing', (t) => {
  t.is(toHex(emptyRootHash), toHex(sha256(new Uint8Array(0))))
})

test('a leaf that spells two hashes is no node: second preimages are kept out', (t) => {
  const [left, right] = [leafHash(Buffer.of(1)), leafHash(Buffer.of(2))]
  const pair = Buffer.concat([left, right])
  t.notDeepEqual(leafHash(pair), nodeHash(left, right))
  t.notDeepEqual(leafHash(Buffer.concat([Buffer.of(1), pair])), nodeHash(left, right))
})

test('a hash is kept when the next one is computed', (t) => {
  const [left, right] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const first = nodeHash(left, right)
  const before = toHex(first)
  nodeHash(right, left)
  t.is(toHex(first), before)
})

test('the hasher of the process is made of these hashes', (t) => {
  t.deepEqual(nodeHasher, { leafHash, nodeHash })
})
