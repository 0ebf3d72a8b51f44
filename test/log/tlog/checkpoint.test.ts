import test from 'ava'
import fc from 'fast-check'

import {
  formatCheckpoint,
  openCheckpoint,
  openForeignCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from '#log/tlog/checkpoint.ts'
import { logVerifier } from '#log/tlog/cosignature.ts'
import { ed25519Keys, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { encodeBase64 } from '#log/tlog/encoding.ts'
import { emptyRootHash } from '#log/tlog/hash.ts'
import { formatVkey, signNote } from '#log/tlog/note.ts'
import { loadVectors, toHex } from '#test/log/_vectors.ts'

type ValidCheckpoint = {
  readonly text: string
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: string
}

type InvalidCheckpoint = { readonly text: string; readonly code: string; readonly error: string }

for (const vector of loadVectors<ValidCheckpoint>('checkpoint/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    const checkpoint = parseCheckpoint(vector.text)
    t.is(checkpoint.origin, vector.origin)
    t.is(checkpoint.treeSize, vector.tree_size)
    t.is(toHex(checkpoint.rootHash), vector.root_hash)
    t.is(formatCheckpoint(checkpoint), vector.text)
  })
}

for (const vector of loadVectors<InvalidCheckpoint>('checkpoint/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    t.throws(() => parseCheckpoint(vector.text), { code: vector.code, message: vector.error })
  })
}

const origin = 'registry.example/log'
const key = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
const signer = noteSigner(origin, key)
const verifier = noteVerifier(formatVkey(origin, 1, key.publicKey))
const witness = noteSigner('witness.example/w1', ed25519Keys.fromSeed(Buffer.alloc(32, 2)))
const rootHash = new Uint8Array(32).fill(7)

test('what is signed is opened', (t) => {
  const root = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), root, (treeSize, hash) => {
      const signed = signCheckpoint({ origin, treeSize, rootHash: hash }, signer)
      const opened = openCheckpoint(signed, origin, [verifier])
      t.deepEqual([opened.origin, opened.treeSize], [origin, treeSize])
      t.is(toHex(opened.rootHash), toHex(hash))
      t.deepEqual(openCheckpoint(Buffer.from(signed), origin, [verifier]), opened)
    }),
    { numRuns: 30 },
  )
})

test('the empty tree is signed with its own root', (t) => {
  const signed = signCheckpoint({ origin, treeSize: 0, rootHash: emptyRootHash }, signer)
  t.true(signed.startsWith(`${origin}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— `))
  t.is(openCheckpoint(signed, origin, [verifier]).treeSize, 0)
})

test('the checkpoint of another log is refused, though its key is known', (t) => {
  const signed = signCheckpoint({ origin, treeSize: 8, rootHash }, signer)
  t.throws(() => openCheckpoint(signed, 'registry.example/other', [verifier]), {
    code: 'unverified_note',
    message: 'the checkpoint is of registry.example/log, not registry.example/other',
  })
})

test('a checkpoint that only a witness signed is refused', (t) => {
  const signed = signNote(formatCheckpoint({ origin, treeSize: 8, rootHash }), [witness])
  t.throws(() => openCheckpoint(signed, origin, [verifier]), {
    code: 'unverified_note',
    message: 'the note has no signature of a known key',
  })
})

test('an extension line is refused, though it is signed', (t) => {
  const text = `${formatCheckpoint({ origin, treeSize: 8, rootHash })}extension\n`
  t.throws(() => openCheckpoint(signNote(text, [signer]), origin, [verifier]), {
    code: 'malformed_checkpoint',
    message: 'not a checkpoint: origin, size and root hash',
  })
})

test('a signed note that is no checkpoint is refused', (t) => {
  t.throws(() => openCheckpoint(signNote('a text\n', [signer]), origin, [verifier]), {
    code: 'malformed_checkpoint',
    message: 'not a checkpoint: origin, size and root hash',
  })
})

test('what no log may sign is our own mistake', (t) => {
  t.throws(() => signCheckpoint({ origin: 'other.example/log', treeSize: 8, rootHash }, signer), {
    message: 'assertion failed: a log signs under its origin',
  })
  for (const wrong of ['', 'a b', 'a\nb', 'a+b']) {
    t.throws(() => formatCheckpoint({ origin: wrong, treeSize: 8, rootHash }), {
      message: 'assertion failed: an origin is a schema-less URL without spaces',
    })
  }
  for (const treeSize of [-1, 1.5, Number.NaN, 2 ** 53]) {
    t.throws(() => formatCheckpoint({ origin, treeSize, rootHash }), {
      message: 'assertion failed: a tree size is a count',
    })
  }
  t.throws(() => formatCheckpoint({ origin, treeSize: 8, rootHash: rootHash.subarray(1) }), {
    message: 'assertion failed: a root hash has 32 bytes',
  })
  t.throws(() => formatCheckpoint({ origin, treeSize: 0, rootHash }), {
    message: 'assertion failed: the empty tree has its own root hash',
  })
})

test('of other logs the origin need not be the name of the key, and more lines may follow', (t) => {
  const ofSum = ed25519Keys.fromSeed(Buffer.alloc(32, 5))
  const vkey = formatVkey('sum.example', 1, ofSum.publicKey)
  const log = logVerifier(vkey, 'the checksum database tree')
  const root = encodeBase64(Buffer.alloc(32, 7))
  const sign = (text: string) => signNote(text, [noteSigner('sum.example', ofSum)])
  const note = sign(`the checksum database tree\n3\n${root}\nan extension\nand another\n`)
  t.like(openForeignCheckpoint(note, log), { origin: 'the checksum database tree', treeSize: 3 })
  const other = {
    code: 'unverified_note',
    message: /^the checkpoint is of the .* not sum.example$/,
  }
  t.throws(() => openForeignCheckpoint(note, logVerifier(vkey)), other)
  t.throws(() => openCheckpoint(note, 'sum.example', [log]), { code: 'malformed_checkpoint' })
  for (const text of [`a\n3\n${root}\n\nb\n`, `a\n0\n${root}\n`, `a\n03\n${root}\n`]) {
    const known = logVerifier(vkey, 'a')
    t.throws(() => openForeignCheckpoint(sign(text), known), { code: 'malformed_checkpoint' })
  }
})
