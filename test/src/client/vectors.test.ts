// The one verification beside the log's own code: what either accepts, the other accepts.

import test from 'ava'
import fc from 'fast-check'

import { openCheckpoint as openByLog } from '#log/tlog/checkpoint.ts'
import { ed25519Keys, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { LogError } from '#log/tlog/errors.ts'
import { formatVkey, signNote } from '#log/tlog/note.ts'
import { checkConsistency, checkInclusion } from '#log/tlog/proof.ts'
import { proveConsistency, proveInclusion, rootHash } from '#log/tlog/tree.ts'
import { checkpointIn, openCheckpoint } from '#src/client/verify/checkpoint.js'
import { verifyStrict } from '#src/client/verify/ed25519.js'
import { encodeHex } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import {
  checkConsistency as demandConsistency,
  checkInclusion as demandInclusion,
} from '#src/client/verify/merkle_tree.js'
import {
  logKeyTypes,
  parseNote,
  parseUsableVkey,
  parseVkey,
  verifyNote,
  witnessKeyTypes,
} from '#src/client/verify/signed_note.js'
import type { Bytes, Consistency, Inclusion } from '#src/client/verify/types.ts'
import { makeLeaves, readLeaves } from '#test/log/_trees.ts'
import { fromHex, loadVectors } from '#test/log/_vectors.ts'

const bytes = (hex: string): Bytes => new Uint8Array(fromHex(hex))
const copy = (hash: Uint8Array): Bytes => new Uint8Array(hash)

/** Whether work goes through that refuses evidence by an error. */
async function holds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof EvidenceError) return false
    throw error
  }
}

const provesInclusion = (claim: Inclusion) => holds(() => demandInclusion(claim))
const provesConsistency = (claim: Consistency) => holds(() => demandConsistency(claim))

type SignatureVector = {
  readonly public_key: string
  readonly message: string
  readonly signature: string
}

for (const isValid of [true, false]) {
  const folder = isValid ? 'valid' : 'invalid'
  for (const vector of loadVectors<SignatureVector>(`ed25519/${folder}`)) {
    test(`${folder} signature: ${vector.name}`, async (t) => {
      const { message, signature, public_key: key } = vector
      t.is(await verifyStrict(bytes(message), bytes(signature), bytes(key)), isValid)
    })
  }
}

type ProofVector = {
  readonly type: 'inclusion' | 'consistency'
  readonly proof: readonly string[]
} & Readonly<Record<string, string | number>>

function proves(vector: ProofVector): Promise<boolean> {
  const proof = vector.proof.map(bytes)
  const hash = (name: string) => bytes(String(vector[name]))
  const count = (name: string) => Number(vector[name])
  if (vector.type === 'consistency') {
    const [fromRoot, toRoot] = [hash('from_root'), hash('to_root')]
    return provesConsistency({ from: count('from'), to: count('to'), fromRoot, toRoot, proof })
  }
  return provesInclusion({
    leafHash: hash('leaf_hash'),
    leafIndex: count('leaf_index'),
    treeSize: count('tree_size'),
    proof,
    rootHash: hash('root_hash'),
  })
}

for (const isValid of [true, false]) {
  const folder = isValid ? 'valid' : 'invalid'
  for (const vector of loadVectors<ProofVector>(`proof/${folder}`)) {
    test(`${folder} proof: ${vector.name}`, async (t) => t.is(await proves(vector), isValid))
  }
}

const sizesMax = 20

test('inclusion and consistency are proven in all small trees, by no other proof', async (t) => {
  const leaves = makeLeaves(sizesMax)
  const read = readLeaves(leaves)
  for (let to = 1; to <= sizesMax; to++) {
    const toRoot = copy(rootHash(to, read))
    for (let from = 1; from <= to; from++) {
      const leafIndex = from - 1
      const path = proveInclusion(leafIndex, to, read).map(copy)
      const leafHash = copy(leaves[leafIndex] ?? new Uint8Array())
      const inclusion = { leafHash, leafIndex, treeSize: to, proof: path, rootHash: toRoot }
      checkInclusion(inclusion)
      t.true(await provesInclusion(inclusion), `${leafIndex} in ${to}`)
      t.false(await provesInclusion({ ...inclusion, proof: [...path, toRoot] }))
      t.false(await provesInclusion({ ...inclusion, leafHash: toRoot, proof: [...path, toRoot] }))
      const proof = proveConsistency(from, to, read).map(copy)
      const fromRoot = copy(rootHash(from, read))
      const consistency = { from, to, fromRoot, toRoot, proof }
      checkConsistency(consistency)
      t.true(await provesConsistency(consistency), `${from} to ${to}`)
      t.false(await provesConsistency({ ...consistency, proof: [...proof, toRoot] }))
      if (from === to) continue
      t.false(await provesConsistency({ ...consistency, proof: proof.slice(1) }))
      t.false(await provesConsistency({ ...consistency, fromRoot: toRoot }))
    }
  }
})

const origin = 'registry.example/log'
const key = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
const signer = noteSigner(origin, key)
const vkey = formatVkey(origin, 1, key.publicKey)
const verifier = noteVerifier(vkey)

for (const isValid of [true, false]) {
  const folder = isValid ? 'valid' : 'invalid'
  for (const { name, text } of loadVectors<{ text: string }>(`checkpoint/${folder}`)) {
    // A text without its last line feed cannot be signed at all.
    if (!text.endsWith('\n') || /[\r\0]/.test(text)) continue
    test(`${folder} checkpoint: ${name}`, async (t) => {
      t.is(await holds(async () => checkpointIn(signNote(text, [signer]))), isValid)
    })
  }
}

type KeyVector = { readonly vkey: string; readonly type?: number; readonly public_key?: string }

for (const isValid of [true, false]) {
  const folder = isValid ? 'valid' : 'invalid'
  for (const vector of loadVectors<KeyVector>(`vkey/${folder}`)) {
    test(`${folder} verifier key: ${vector.name}`, async (t) => {
      if (!isValid) {
        await t.throwsAsync(parseUsableVkey(vector.vkey, logKeyTypes), { code: 'malformed_vkey' })
        t.false(await holds(() => parseUsableVkey(vector.vkey, witnessKeyTypes)))
        return
      }
      const { type, publicKey } = await parseVkey(vector.vkey)
      if (vector.type !== undefined) t.is(type, vector.type)
      if (vector.public_key !== undefined) t.is(encodeHex(publicKey), vector.public_key)
      const isOfLog = vector.type === 1 || vector.type === 6
      t.is(await holds(() => parseUsableVkey(vector.vkey, logKeyTypes)), isOfLog)
    })
  }
}

type NoteVector = {
  readonly message?: string
  readonly vkeys: readonly string[]
  readonly verified?: readonly string[]
}

for (const isValid of [true, false]) {
  const folder = isValid ? 'valid' : 'invalid'
  for (const vector of loadVectors<NoteVector>(`note/${folder}`)) {
    const { message: note } = vector
    // What is not UTF-8 is no text, as JSON has it.
    if (note === undefined) continue
    test(`${folder} note: ${vector.name}`, async (t) => {
      const keys = await Promise.all(vector.vkeys.map((text) => parseUsableVkey(text, logKeyTypes)))
      const opened = async () => {
        const verified = await verifyNote(parseNote(note), keys)
        if (verified.length > 0) return verified
        throw new EvidenceError('unverified_note', 'no known key has signed it')
      }
      t.is(await holds(opened), isValid)
      if (!isValid) return
      t.deepEqual(
        (await opened()).map(({ name }) => name),
        vector.verified,
      )
    })
  }
}

type CosignatureVector = {
  readonly vkey: string
  readonly text: string
  readonly cosignature: string
}

for (const isValid of [true, false]) {
  const folder = isValid ? 'valid' : 'invalid'
  for (const vector of loadVectors<CosignatureVector>(`cosignature/${folder}`)) {
    test(`${folder} cosignature: ${vector.name}`, async (t) => {
      const witness = await parseUsableVkey(vector.vkey, witnessKeyTypes)
      const signature = { ...witness, bytes: bytes(vector.cosignature) }
      const note = { text: vector.text, signatures: [signature] }
      t.is(await holds(() => verifyNote(note, [witness])), isValid)
    })
  }
}

/** Whether the log's own code opens a checkpoint. */
function opens(message: string): boolean {
  try {
    openByLog(message, origin, [verifier])
    return true
  } catch (error) {
    if (error instanceof LogError) return false
    throw error
  }
}

test('of a checkpoint that was changed anywhere, the log and the client think alike', async (t) => {
  const text = `${origin}\n3\n${Buffer.alloc(32, 7).toString('base64')}\n`
  const witness = noteSigner('witness.example/w1', ed25519Keys.fromSeed(Buffer.alloc(32, 2)))
  const message = signNote(text, [witness, signer])
  const logKey = await parseUsableVkey(vkey, logKeyTypes)
  const judge = (changed: string) => holds(() => openCheckpoint(changed, logKey))
  t.true(await judge(message))
  const place = fc.nat(message.length)
  const put = fc.constantFrom('', '\n', ' ', 'A', '0', '=', '+', '\u2014', '\t', '\u00a0', '\ud800')
  await fc.assert(
    fc.asyncProperty(place, place, put, async (start, end, inserted) => {
      const changed = message.slice(0, start) + inserted + message.slice(end)
      t.is(await judge(changed), opens(changed), JSON.stringify(changed))
    }),
    { numRuns: 300 },
  )
  await fc.assert(
    fc.asyncProperty(place, put, async (at, inserted) => {
      const changed = message.slice(0, at) + inserted + message.slice(at + 1)
      t.is(await judge(changed), opens(changed), JSON.stringify(changed))
    }),
    { numRuns: 300 },
  )
})
