import test from 'ava'

import { openCheckpoint } from '#log/tlog/checkpoint.ts'
import { type CommitPlan, emptyHead, type LogHead, planCommit } from '#log/store/commit.ts'
import { entryBytesMax, expandTile, tileNode } from '#log/tlog/tile.ts'
import { makeEntries, origin, signer, verifier } from '#test/log/_log.ts'
import { makeLeaves, naiveRoot } from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

// A signer that must not be asked.
const refusing = {
  ...signer,
  sign(): never {
    throw new Error('nothing may be signed here')
  },
}

function headOf(size: number): LogHead {
  return planCommit(emptyHead(signer), makeEntries(0, size), signer).next
}

function rowOf(plan: CommitPlan, key: string): Buffer | undefined {
  const row = plan.operations.find((operation) => operation.key === key)
  return row?.type === 'put' ? Buffer.from(row.value) : undefined
}

test('a commit writes entries, what finds them, and the signed checkpoint', (t) => {
  const plan = planCommit(headOf(9), makeEntries(9, 11), signer)
  const leaves = makeLeaves(11).map(toHex)
  t.deepEqual(
    plan.operations.map(({ key }) => key),
    [
      'entry/000000000009',
      `leaf/${leaves[9]?.slice(0, 32)}/000000000009`,
      'entry/00000000000a',
      `leaf/${leaves[10]?.slice(0, 32)}/00000000000a`,
      'checkpoint/00000000000b',
    ],
  )
  t.is(rowOf(plan, 'entry/00000000000a')?.toString(), 'entry 10')
  t.is(rowOf(plan, 'checkpoint/00000000000b')?.toString(), plan.next.checkpoint)
  t.is(toHex(plan.leafHashes), leaves.slice(9).join(''))
})

test('a tile is written once it is full', (t) => {
  const plan = planCommit(headOf(250), makeEntries(250, 300), signer)
  const tiles = plan.operations.filter(({ key }) => key.startsWith('tile/'))
  t.deepEqual(
    tiles.map(({ key }) => key),
    ['tile/00/000000000000'],
  )
  const expected = expandTile(Buffer.concat(makeLeaves(256)))
  t.is(rowOf(plan, 'tile/00/000000000000')?.equals(expected), true)
})

test('the next head is signed for the tree of all entries', (t) => {
  for (const [from, to] of [
    [0, 1],
    [1, 2],
    [7, 256],
    [256, 257],
    [300, 700],
  ] as const) {
    const { next } = planCommit(headOf(from), makeEntries(from, to), signer)
    const root = toHex(naiveRoot(makeLeaves(to)))
    const checkpoint = openCheckpoint(next.checkpoint, origin, [verifier])
    t.deepEqual([next.treeSize, next.edge.treeSize, checkpoint.treeSize], [to, to, to])
    t.deepEqual([toHex(next.rootHash), toHex(checkpoint.rootHash)], [root, root])
  }
})

test('without entries nothing is signed or written', (t) => {
  const head = headOf(3)
  const plan = planCommit(head, [], refusing)
  t.is(plan.next, head)
  t.deepEqual([plan.operations, plan.leafHashes], [[], new Uint8Array(0)])
})

test('a plan changes nothing: it may be dropped, and another made of the same head', (t) => {
  const head = headOf(255)
  const before = headOf(255)
  planCommit(head, [Buffer.from('dropped')], signer)
  const { next } = planCommit(head, makeEntries(255, 600), signer)
  t.deepEqual(head, before)
  t.deepEqual(next, headOf(600))
})

test('an entry that fits no bundle is entry_too_large, the longest that fits is not', (t) => {
  const head = headOf(1)
  const longest = new Uint8Array(entryBytesMax)
  t.is(planCommit(head, [longest], signer).next.treeSize, 2)
  t.throws(() => planCommit(head, [longest, new Uint8Array(65_536)], signer), {
    code: 'entry_too_large',
    message: 'an entry of 65536 bytes is longer than 65535',
  })
})

test('no signature is made for a tree that does not extend the signed one', (t) => {
  const head = headOf(300)
  const flipped = structuredClone(head.edge)
  tileNode(flipped.nodes[0] ?? new Uint8Array(0), 5, 0).fill(0)
  const wrong: LogHead[] = [
    { ...head, rootHash: Buffer.alloc(32) },
    { ...head, edge: flipped },
  ]
  for (const bad of wrong) {
    t.throws(() => planCommit(bad, makeEntries(300, 310), refusing), {
      code: 'log_inconsistent',
      message:
        /^the tree of 310 entries does not extend the signed tree of 300: nothing was signed/,
    })
  }
  t.throws(() => planCommit({ ...head, treeSize: 299 }, makeEntries(0, 1), refusing), {
    message: /a head is of the tree of its edge/,
  })
})

// Yeti 2022: a bit of a leaf hash flipped after its parent was computed, and was stored for good.
test('a full tile whose leaf hash has flipped in memory is not written', (t) => {
  const head = headOf(250)
  const flipped = structuredClone(head.edge)
  tileNode(flipped.nodes[0] ?? new Uint8Array(0), 0, 17).fill(0, 0, 1)
  const bad = { ...head, edge: flipped }
  t.is(planCommit(bad, makeEntries(250, 255), signer).next.treeSize, 255)
  t.throws(() => planCommit(bad, makeEntries(250, 256), refusing), {
    code: 'log_inconsistent',
    message: /^tile 0\/0 has a node that is not the hash of those below it: nothing was signed/,
  })
})
