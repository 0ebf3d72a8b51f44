import test from 'ava'

import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { ed25519Keys, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import {
  checkTlogProof,
  formatTlogProof,
  parseTlogProof,
  proofHashesMax,
  tlogProofLengthMax,
} from '#log/tlog/tlog_proof.ts'
import { proveInclusion, rootHash } from '#log/tlog/tree.ts'
import { formatVkey } from '#log/tlog/note.ts'
import { makeLeaves, readLeaves } from '#test/log/_trees.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type ProofVector = {
  readonly text: string
  readonly leaf_hash: string
  readonly origin: string
  readonly vkeys: readonly string[]
}

type ValidProof = ProofVector & {
  readonly leaf_index: number
  readonly tree_size: number
  readonly extra?: string
}

type InvalidProof = ProofVector & { readonly code: string; readonly error: string }

function checkVector({ text, leaf_hash: leafHash, origin, vkeys }: ProofVector) {
  return checkTlogProof(text, fromHex(leafHash), { origin, verifiers: vkeys.map(noteVerifier) })
}

for (const vector of loadVectors<ValidProof>('tlog_proof/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    t.is(checkVector(vector).treeSize, vector.tree_size)
    const proof = parseTlogProof(vector.text)
    t.is(proof.leafIndex, vector.leaf_index)
    t.is(proof.extra === undefined ? undefined : toHex(proof.extra), vector.extra)
    t.is(formatTlogProof(proof), vector.text)
  })
}

for (const vector of loadVectors<InvalidProof>('tlog_proof/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    t.throws(() => checkVector(vector), { code: vector.code, message: vector.error })
  })
}

const origin = 'registry.example/log'
const key = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
const verifiers = [noteVerifier(formatVkey(origin, 1, key.publicKey))]
const leaves = makeLeaves(100)
const read = readLeaves(leaves)
const checkpoint = signCheckpoint(
  { origin, treeSize: 100, rootHash: rootHash(100, read) },
  noteSigner(origin, key),
)

test('each leaf is proven by its own file, and no other leaf is', (t) => {
  for (const [leafIndex, leafHash] of leaves.entries()) {
    const text = formatTlogProof({
      leafIndex,
      proof: proveInclusion(leafIndex, 100, read),
      checkpoint,
    })
    t.is(checkTlogProof(text, leafHash, { origin, verifiers }).treeSize, 100)
    const other = leaves[(leafIndex + 1) % 100] ?? new Uint8Array(32)
    t.throws(() => checkTlogProof(text, other, { origin, verifiers }), {
      code: 'proof_mismatch',
      message: 'the inclusion proof does not lead to the root hash',
    })
  }
})

test('nothing vouches for the extra bytes', (t) => {
  const [leafHash] = leaves
  if (leafHash === undefined) return t.fail('there is no leaf')
  const parts = { leafIndex: 0, proof: proveInclusion(0, 100, read), checkpoint }
  for (const extra of [new Uint8Array(0), Buffer.from('one'), Buffer.from('two')]) {
    const text = formatTlogProof({ ...parts, extra })
    t.is(toHex(parseTlogProof(text).extra ?? Buffer.from('none')), toHex(extra))
    t.is(checkTlogProof(text, leafHash, { origin, verifiers }).treeSize, 100)
  }
})

test('a file of two million characters is read, and not one of more', (t) => {
  const parts = { leafIndex: 0, proof: proveInclusion(0, 100, read), checkpoint }
  const others = formatTlogProof({ ...parts, extra: new Uint8Array(0) }).length
  // Three bytes are four characters; padding would be needed for the last few.
  const extra = new Uint8Array(Math.floor((tlogProofLengthMax - others) / 4) * 3)
  const text = formatTlogProof({ ...parts, extra })
  t.is(parseTlogProof(text).extra?.length, extra.length)
  t.throws(() => parseTlogProof(text.replace('extra ', 'extra AAAA')), {
    code: 'malformed_proof',
    message: 'not a tlog-proof: index, hashes and checkpoint',
  })
})

test('what could not be read back is never written', (t) => {
  const proof = { leafIndex: 0, proof: [], checkpoint }
  for (const leafIndex of [-1, 1.5, 2 ** 53]) {
    t.throws(() => formatTlogProof({ ...proof, leafIndex }), {
      message: 'assertion failed: a leaf index is a count',
    })
  }
  const hashes = Array.from({ length: proofHashesMax + 1 }, () => new Uint8Array(32))
  t.throws(() => formatTlogProof({ ...proof, proof: hashes }), {
    message: 'assertion failed: a proof has at most 63 hashes',
  })
  t.throws(() => formatTlogProof({ ...proof, extra: new Uint8Array(tlogProofLengthMax) }), {
    message: 'assertion failed: a proof file has at most two million characters',
  })
})
