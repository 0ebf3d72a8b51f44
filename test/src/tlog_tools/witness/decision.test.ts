import test from 'ava'

import { emptyRootHash } from '#log/tlog/hash.ts'
import { decide } from '#src/tlog_tools/witness/decision.ts'
import { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const log = new WitnessedHistory('log.example/a').branch(0, 40, 'a')

function claim(oldSize: number, size: number, more: Partial<Parameters<typeof decide>[0]> = {}) {
  const proof = oldSize > size ? [] : log.proof(oldSize, size)
  const checkpoint = { treeSize: size, rootHash: log.root(size) }
  return { oldSize, proof: proof.map((line) => Buffer.from(line, 'base64')), checkpoint, ...more }
}

function at(treeSize: number) {
  return { treeSize, rootHash: log.root(treeSize), timestamp: 1 }
}

test('a first checkpoint advances from size 0, whatever its size', (t) => {
  for (const size of [0, 1, 7, 40])
    t.deepEqual(decide(claim(0, size), undefined), { type: 'advance' })
})

test('a size 0 that was cosigned holds nothing up', (t) => {
  t.deepEqual(decide(claim(0, 0), at(0)), { type: 'repeat' })
  t.deepEqual(decide(claim(0, 5), at(0)), { type: 'advance' })
})

test('every proven step advances, and the same checkpoint is repeated', (t) => {
  for (let from = 1; from <= 40; from += 1) {
    t.deepEqual(decide(claim(from, from), at(from)), { type: 'repeat' })
    for (let to = from + 1; to <= 40; to += 1) {
      t.deepEqual(decide(claim(from, to), at(from)), { type: 'advance' })
    }
  }
})

test('an old size above the checkpoint is backwards, before it is stale', (t) => {
  const message = 'The old size 9 is above that of the checkpoint, 8'
  t.deepEqual(decide(claim(9, 8), at(5)), { type: 'backwards', message })
  t.deepEqual(decide(claim(9, 8), undefined), { type: 'backwards', message })
})

test('another old size than that of the witness is stale, whatever the rest is', (t) => {
  t.deepEqual(decide(claim(5, 8), at(6)), { type: 'stale', treeSize: 6 })
  t.deepEqual(decide(claim(5, 8), undefined), { type: 'stale', treeSize: 0 })
  t.deepEqual(decide(claim(0, 8), at(6)), { type: 'stale', treeSize: 6 })
  t.deepEqual(decide({ ...claim(5, 8), proof: [] }, at(6)), { type: 'stale', treeSize: 6 })
})

test('size 0 has the root of the empty tree', (t) => {
  const checkpoint = { treeSize: 0, rootHash: log.root(1) }
  const message = 'The root of size 0 is not that of the empty tree'
  t.deepEqual(decide(claim(0, 0, { checkpoint }), undefined), { type: 'unproven', message })
  t.deepEqual(decide(claim(0, 0, { checkpoint }), at(0)), { type: 'unproven', message })
})

test('from size 0 nothing is proven', (t) => {
  const message = 'From size 0 there is no proof, so it must have no lines'
  for (const size of [0, 5]) {
    const proof = [emptyRootHash]
    t.deepEqual(decide(claim(0, size, { proof }), undefined), { type: 'unproven', message })
  }
})

test('two roots of one size never pass', (t) => {
  const checkpoint = { treeSize: 8, rootHash: log.root(9) }
  const message = 'Another root was cosigned for the size 8: the log is forked'
  t.deepEqual(decide(claim(8, 8, { checkpoint }), at(8)), { type: 'unproven', message })
})

test('a proof that is longer, shorter or another proves nothing', (t) => {
  const { proof } = claim(5, 8)
  for (const wrong of [
    [],
    proof.slice(1),
    [...proof, emptyRootHash],
    proof.toReversed(),
    claim(5, 9).proof,
  ]) {
    t.is(decide(claim(5, 8, { proof: wrong }), at(5)).type, 'unproven')
  }
  t.is(decide(claim(5, 5, { proof: [emptyRootHash] }), at(5)).type, 'unproven')
  const branch = log.branch(4, 9, 'b')
  const checkpoint = { treeSize: 9, rootHash: branch.root(9) }
  t.is(decide(claim(5, 9, { checkpoint }), at(5)).type, 'unproven')
})
