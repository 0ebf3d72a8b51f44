// The module that browsers load, against the prover and the checks of the log, which share no
// arithmetic with it.

import test from 'ava'

import { climb, demandConsistency, leafHash } from '#src/pages/browser/merkle_proof.js'
import { leafHash as hashLeaf } from '#log/tlog/hash.ts'
import { inclusionPath, proveConsistency, rangeHash, rootHash } from '#log/tlog/tree.ts'
import { makeLeaves, readLeaves } from '#test/log/_trees.ts'

const sizeMax = 33
const leaves = makeLeaves(sizeMax)
const read = readLeaves(leaves)

function copy(bytes: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes ?? [])
}

function headOf(treeSize: number) {
  return { treeSize, root: copy(rootHash(treeSize, read)) }
}

function consistency(from: number, to: number) {
  return proveConsistency(from, to, read).map(copy)
}

function inclusion(leafIndex: number, treeSize: number) {
  const rest = (start: number) => rangeHash(start, treeSize, read)
  return inclusionPath(leafIndex, treeSize, { node: read, rest }).map(copy)
}

async function reached(
  leafIndex: number,
  treeSize: number,
  proof = inclusion(leafIndex, treeSize),
) {
  const hashes = [copy(leaves[leafIndex])]
  for await (const hash of climb(copy(leaves[leafIndex]), { leafIndex, treeSize, proof })) {
    hashes.push(hash)
  }
  return hashes.at(-1)
}

test('a leaf hash is that of the log', async (t) => {
  const entry = Uint8Array.from(Buffer.from('entry 7'))
  t.deepEqual(Buffer.from(await leafHash(entry)), Buffer.from(hashLeaf(entry)))
})

test('every leaf of every small tree leads to its root', async (t) => {
  for (let treeSize = 1; treeSize <= sizeMax; treeSize += 1) {
    for (let leafIndex = 0; leafIndex < treeSize; leafIndex += 1) {
      t.deepEqual(await reached(leafIndex, treeSize), headOf(treeSize).root)
    }
  }
})

test('a path with a hash more or less is none', async (t) => {
  const proof = inclusion(5, 21)
  await t.throwsAsync(reached(5, 21, proof.slice(1)), { message: 'the proof has too few hashes' })
  const longer = [...proof, copy(leaves[0])]
  await t.throwsAsync(reached(5, 21, longer), { message: 'the proof has too many hashes' })
  await t.throwsAsync(reached(21, 21, proof), { message: 'leaf 21 is in no tree of 21' })
})

test('every small tree continues every smaller one', async (t) => {
  for (let to = 1; to <= sizeMax; to += 1) {
    for (let from = 1; from <= to; from += 1) {
      await demandConsistency(headOf(from), headOf(to), consistency(from, to))
    }
  }
  t.pass()
})

test('a tree continues no other history, whatever the proof', async (t) => {
  for (const [from, to] of [
    [1, 2],
    [6, 21],
    [8, 21],
    [16, 32],
    [20, 33],
    [21, 21],
  ] as const) {
    const proof = consistency(from, to)
    const other = { treeSize: from, root: copy(rootHash(from - 1, read)) }
    await t.throwsAsync(demandConsistency(other, headOf(to), proof), {
      message: /^the proof does not lead to the \w+ root/,
    })
    const longer = [...proof, copy(leaves[0])]
    await t.throwsAsync(demandConsistency(headOf(from), headOf(to), longer), {
      message: 'the proof has too many hashes',
    })
    for (const [index, hash] of proof.entries()) {
      const changed = proof.with(
        index,
        hash.map((byte) => byte ^ 1),
      )
      await t.throwsAsync(demandConsistency(headOf(from), headOf(to), changed), {
        message: /^the proof does not lead to the \w+ root/,
      })
      const shorter = proof.toSpliced(index, 1)
      await t.throwsAsync(demandConsistency(headOf(from), headOf(to), shorter))
    }
  }
})

test('nothing continues what is larger, and from nothing nothing is proven', async (t) => {
  await t.throwsAsync(demandConsistency(headOf(9), headOf(8), []), {
    message: 'a log of 8 entries does not continue one of 9',
  })
  await t.throwsAsync(demandConsistency(headOf(0), headOf(8), []), {
    message: 'nothing is proven from the empty tree',
  })
})
