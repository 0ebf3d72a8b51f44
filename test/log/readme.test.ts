import test from 'ava'
import * as fs from 'node:fs'

import { formatCheckpoint, signCheckpoint } from '#log/tlog/checkpoint.ts'
import { cosignatureSigner } from '#log/tlog/cosignature.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import { encodeEntryBundle } from '#log/tlog/tile.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { formatSignature, formatVkey } from '#log/tlog/note.ts'
import { formatTlogProof } from '#log/tlog/tlog_proof.ts'
import { proveConsistency, proveInclusion, rootHash } from '#log/tlog/tree.ts'
import { readLeaves } from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

const readme = fs.readFileSync(new URL('../../log/README.md', import.meta.url), 'utf8')
const entries = ['one', 'two', 'three'].map((text) => Buffer.from(text))
const leaves = entries.map(leafHash)
const read = readLeaves(leaves)
const origin = 'registry.example/log'
const key = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
const checkpoint = { origin, treeSize: 3, rootHash: rootHash(3, read) }
const signed = signCheckpoint(checkpoint, noteSigner(origin, key))

// An example as the README has it: four blanks before each line that is not empty.
function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ')
}

test('the hashes of the README are those of its entries', (t) => {
  const [one, , three] = leaves.map(toHex)
  for (const hash of [one, toHex(rootHash(2, read)), toHex(rootHash(3, read))]) {
    t.true(readme.includes(`\`${hash?.slice(0, 8)}…\``), hash)
  }
  t.deepEqual(proveInclusion(1, 3, read).map(toHex), [one, three])
  t.deepEqual(proveConsistency(2, 3, read).map(toHex), [three])
})

test('the formats of the README are as they are written', (t) => {
  const witness = ed25519Keys.fromSeed(Buffer.alloc(32, 3))
  const cosigner = cosignatureSigner('witness.example/w1', witness, 1_772_600_767)
  const bytes = cosigner.sign(Buffer.from(formatCheckpoint(checkpoint)))
  const proof = proveInclusion(1, 3, read)
  for (const example of [
    signed,
    `${formatVkey(origin, 1, key.publicKey)}\n`,
    formatSignature({ ...cosigner, bytes }),
    formatTlogProof({ leafIndex: 1, proof, checkpoint: signed }),
  ]) {
    t.true(readme.includes(`\n\n${indent(example)}\n`), example)
  }
  t.true(readme.replaceAll(' ', '').includes(`\n${toHex(encodeEntryBundle(entries))}\n`))
})
