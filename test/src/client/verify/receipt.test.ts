import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { spellHash, verifyReceipt } from '#src/client/verify/receipt.js'
import type { Evidence, StepName } from '#src/client/verify/types.ts'
import { createHash } from 'node:crypto'
import {
  content,
  createRegistry,
  entryOf,
  issueReceipt,
  keyListOf,
  leafHashOf,
  metadata,
  privateKey,
  proveEntry,
  type ReceiptJson,
  signedCheckpoint,
} from '#test/src/client/verify/_registry.ts'

const registry = createRegistry()
const keys = (await parseKeyList(JSON.stringify(keyListOf(registry)))).live
const contentHash = spellHash(createHash('sha256').update(content).digest())

// The reason of every step that failed, by step.
async function failures(value: unknown, evidence: Evidence = {}, trusted = keys) {
  const report = await verifyReceipt(value, trusted, evidence)
  const failed = report.steps.filter((step) => step.status === 'failed')
  return Object.fromEntries(failed.map(({ step, reason }) => [step, reason]))
}

async function statusOf(value: unknown, step: StepName, evidence: Evidence = {}) {
  return (await verifyReceipt(value, keys, evidence)).steps.find((found) => found.step === step)
    ?.status
}

async function refuses(
  t: ExecutionContext,
  value: unknown,
  expected: Partial<Record<StepName, string>>,
) {
  t.false((await verifyReceipt(value, keys)).valid)
  t.deepEqual(await failures(value), expected)
}

test('a receipt is proven by itself, its content and its metadata', async (t) => {
  const report = await verifyReceipt(issueReceipt(registry), keys, { contentHash, metadata })
  t.true(report.valid)
  t.deepEqual(
    report.steps.filter(({ status }) => status !== 'done').map(({ step }) => step),
    ['witnesses', 'time', 'fixity_status'],
  )
  t.is(report.statement?.ark, 'ark:/12345/x7wf3kz91')
})

test('what was not given is named as not checked', async (t) => {
  const report = await verifyReceipt(issueReceipt(registry), keys)
  t.true(report.valid)
  t.deepEqual(
    report.steps.filter(({ status }) => status === 'not_checked').map(({ step }) => step),
    ['witnesses', 'time', 'content_hash', 'metadata_hash', 'fixity_status'],
  )
})

test('a receipt is proven at every place in trees of up to 20 entries', async (t) => {
  for (let treeSize = 1; treeSize <= 20; treeSize += 1) {
    const leafIndex = Math.floor(treeSize * 0.6)
    t.deepEqual(await failures(issueReceipt(registry, { leafIndex, treeSize })), {})
  }
})

test('the leaf hash is reported, so that it can be looked up in the log', async (t) => {
  const receipt = issueReceipt(registry)
  const step = (await verifyReceipt(receipt, keys)).steps.find(
    (found) => found.step === 'leaf_hash',
  )
  t.is(step?.reason, `the entry’s leaf hash is ${leafHashOf(entryOf(receipt)).toString('hex')}`)
})

test('a tombstone is a receipt too, with its reason', async (t) => {
  const changes = { statement: 'tombstoned', reason: 'duplicate', content_hash: null }
  t.deepEqual(await failures(issueReceipt(registry, undefined, changes)), {})
})

// Hostile case 53: forged receipts.

test('a receipt forged with a key of its own is refused', async (t) => {
  const forger = { ...registry, receiptKey: privateKey(66) }
  const receipt = issueReceipt(forger)
  await refuses(t, receipt, {
    receipt_key:
      'the receipt’s key is not one of the live keys of the key file, which may have been saved ' +
      'before the key was rotated; a key inside a receipt proves nothing',
  })
  t.is(await statusOf(receipt, 'signature'), 'not_checked')
})

test('a receipt in a log forged with a key of its own is refused', async (t) => {
  const receipt = issueReceipt({ ...registry, logKey: privateKey(66) })
  await refuses(t, receipt, {
    checkpoint: `the log ${registry.origin} has not signed the checkpoint`,
  })
})

test('a receipt by a small-order key is refused, even if that key was pinned', async (t) => {
  // The identity point signs every message: R the identity, S zero.
  const identity = `01${'00'.repeat(31)}`
  const forged = issueReceipt(registry)
  forged.signature.public_key = identity
  forged.signature.signature = `${identity}${'00'.repeat(32)}`
  forged.chain_proof = proveEntry(registry, entryOf(forged), { leafIndex: 5, treeSize: 11 })
  t.deepEqual(Object.keys(await failures(forged)), ['receipt_key'])
  const list = keyListOf(registry)
  for (const key of list.receipt_keys) key.public_key = identity
  t.deepEqual(await failures(forged, {}, (await parseKeyList(JSON.stringify(list))).live), {
    signature: 'the signature is not one of this statement by the pinned key',
  })
})

test('a signature with S + L is refused: signatures are not malleable', async (t) => {
  const receipt = issueReceipt(registry)
  const bytes = Buffer.from(receipt.signature.signature, 'hex')
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
  const malleated = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  receipt.signature.signature = Buffer.concat([bytes.subarray(0, 32), malleated]).toString('hex')
  receipt.chain_proof = proveEntry(registry, entryOf(receipt), { leafIndex: 5, treeSize: 11 })
  await refuses(t, receipt, {
    signature: 'the signature is not one of this statement by the pinned key',
  })
})

test('a receipt with the proof of another size is refused', async (t) => {
  const receipt = issueReceipt(registry, { leafIndex: 5, treeSize: 11 })
  const larger = proveEntry(registry, entryOf(receipt), { leafIndex: 5, treeSize: 12 })
  receipt.chain_proof.inclusion_proof = larger.inclusion_proof
  t.deepEqual(Object.keys(await failures(receipt)), ['inclusion'])
})

test('a receipt that claims another size than its checkpoint is refused', async (t) => {
  const receipt = issueReceipt(registry, { leafIndex: 5, treeSize: 11 })
  const larger = proveEntry(registry, entryOf(receipt), { leafIndex: 5, treeSize: 12 })
  receipt.chain_proof = { ...larger, checkpoint: receipt.chain_proof.checkpoint }
  await refuses(t, receipt, {
    tree_head: 'block_height, tree_size or merkle_root differ from the checkpoint',
  })
})

test('a receipt whose proof swaps left and right is refused', async (t) => {
  const receipt = issueReceipt(registry, { leafIndex: 4, treeSize: 8 })
  // Leaf 5 has its sibling on the other side, with a proof just as long.
  receipt.chain_proof.leaf_index = 5
  t.deepEqual(Object.keys(await failures(receipt)), ['inclusion'])
  const swapped = issueReceipt(registry, { leafIndex: 4, treeSize: 8 })
  const [first = '', second = '', ...rest] = swapped.chain_proof.inclusion_proof
  swapped.chain_proof.inclusion_proof = [second, first, ...rest]
  t.deepEqual(Object.keys(await failures(swapped)), ['inclusion'])
})

test('a receipt whose proof has extra hashes, or lacks one, is refused', async (t) => {
  for (const change of [
    (proof: string[]) => [...proof, 'ab'.repeat(32)],
    (proof: string[]) => ['ab'.repeat(32), ...proof],
    (proof: string[]) => proof.slice(1),
    (proof: string[]) => proof.slice(0, -1),
  ]) {
    const receipt = issueReceipt(registry)
    receipt.chain_proof.inclusion_proof = change(receipt.chain_proof.inclusion_proof)
    t.deepEqual(Object.keys(await failures(receipt)), ['inclusion'])
  }
})

// Other forgeries.

test('the checkpoint of another log is refused, though the same key signs it', async (t) => {
  const other = createRegistry()
  const receipt = issueReceipt({ ...other, origin: 'other.example/log' })
  t.deepEqual(Object.keys(await failures(receipt)), ['checkpoint'])
})

test('a receipt of one version is no receipt of another', async (t) => {
  const receipt = issueReceipt(registry)
  receipt.version = 2
  t.deepEqual(Object.keys(await failures(receipt)), ['signature', 'inclusion'])
})

test('a statement signed but never logged is refused', async (t) => {
  const receipt = issueReceipt(registry)
  const logged = issueReceipt(registry, undefined, { version: 2 })
  receipt.chain_proof = logged.chain_proof
  t.deepEqual(Object.keys(await failures(receipt)), ['inclusion'])
})

test('a statement logged with a bad signature is refused', async (t) => {
  const receipt = issueReceipt(registry)
  receipt.signature.signature = issueReceipt(registry, undefined, {
    version: 2,
  }).signature.signature
  receipt.chain_proof = proveEntry(registry, entryOf(receipt), { leafIndex: 5, treeSize: 11 })
  t.deepEqual(Object.keys(await failures(receipt)), ['signature'])
})

test('a key is good only for the time in which it was valid', async (t) => {
  const list = keyListOf(registry)
  const at = async (timestamp: string) => {
    for (const key of list.receipt_keys) key.valid_until = '2026-06-01T00:00:00.000Z'
    const trusted = (await parseKeyList(JSON.stringify(list))).live
    return failures(issueReceipt(registry, undefined, { timestamp }), {}, trusted)
  }
  t.deepEqual(await at('2026-01-01T00:00:00.000Z'), {})
  t.deepEqual(await at('2026-05-31T23:59:59.999Z'), {})
  t.deepEqual(await at('2026-06-01T00:00:00.000Z'), {
    receipt_key: 'the key was not valid at 2026-06-01T00:00:00.000Z',
  })
  t.deepEqual(await at('2025-12-31T23:59:59.999Z'), {
    receipt_key: 'the key was not valid at 2025-12-31T23:59:59.999Z',
  })
})

test('an entry that no log can hold is refused', async (t) => {
  const receipt = issueReceipt(registry, undefined, { reason: 'x'.repeat(66_000) })
  t.regex(
    (await failures(receipt))['entry'] ?? '',
    /^the entry has 66\d\d\d bytes, more than 65535$/,
  )
})

test('content that does not match, or that no statement names, is refused', async (t) => {
  const other = `sha256:${'0'.repeat(64)}`
  t.deepEqual(await failures(issueReceipt(registry), { contentHash: other }), {
    content_hash: `the content has ${other}, the statement ${contentHash}`,
  })
  const unnamed = issueReceipt(registry, undefined, { content_hash: null })
  t.deepEqual(await failures(unnamed), {})
  t.deepEqual(await failures(unnamed, { contentHash }), {
    content_hash:
      'the statement names no content, so nothing ties this content to it; a receipt that is ' +
      'downloaded after the registry has hashed the content does',
  })
})

test('metadata that does not match, or has no canonical form, is refused', async (t) => {
  const receipt = issueReceipt(registry)
  t.is(await statusOf(receipt, 'metadata_hash', { metadata: { ...metadata, extra: 1 } }), 'failed')
  t.deepEqual(await failures(receipt, { metadata: JSON.parse('{"title":"\\ud800"}') }), {
    metadata_hash: 'the metadata has no canonical form (RFC 8785)',
  })
})

// Form.

test('every fault of form is told at once, and nothing else is checked', async (t) => {
  const receipt: Partial<ReceiptJson> = issueReceipt(registry)
  delete receipt.chain_proof
  const report = await verifyReceipt({ ...receipt, version: 0, timestamp: '2026-02-30' }, keys)
  t.is(report.statement, undefined)
  t.deepEqual(report.steps[0], {
    step: 'form',
    status: 'failed',
    reason:
      'version must be a positive integer; ' +
      'timestamp must be a time like 2026-01-31T12:00:00.000Z; ' +
      'chain_proof must be an object',
  })
  t.true(report.steps.slice(1).every((step) => step.status === 'not_checked'))
})

test('what is no JSON object is no receipt', async (t) => {
  for (const value of [undefined, null, 'receipt', 1, [], true]) {
    t.deepEqual(await failures(value), { form: 'a receipt must be a JSON object' })
  }
})

const misspelled: readonly [string, (receipt: ReceiptJson) => void][] = [
  ['upper-case hex', (r) => (r.chain_proof.merkle_root = r.chain_proof.merkle_root.toUpperCase())],
  ['another hash', (r) => (r.metadata_hash = r.metadata_hash.replace('sha256', 'sha512'))],
  ['another algorithm', (r) => (r.signature.algorithm = 'ed25519')],
  ['a fractional index', (r) => (r.chain_proof.leaf_index = 5.5)],
  ['a negative index', (r) => (r.chain_proof.leaf_index = -5)],
  ['an unsafe size', (r) => (r.chain_proof.tree_size = 2 ** 53)],
  ['a long proof', (r) => (r.chain_proof.inclusion_proof = Array(65).fill('ab'.repeat(32)))],
  ['an unknown statement', (r) => (r.statement = 'blessed')],
  ['an unknown member of the proof', (r) => Object.assign(r.chain_proof, { witness: 'me' })],
  ['an unknown member of the signature', (r) => Object.assign(r.signature, { key_id: 'me' })],
  ['a nested member', (r) => Object.assign(r, { note: { deep: true } })],
  ['a control character in the ARK', (r) => (r.ark = 'ark:/12345/x\u001b[2J')],
]

for (const [name, misspell] of misspelled) {
  test(`a receipt with ${name} is refused by its form`, async (t) => {
    const receipt = issueReceipt(registry)
    misspell(receipt)
    t.deepEqual(Object.keys(await failures(receipt)), ['form'])
  })
}

// Mutations.

const receipt = issueReceipt(registry, { leafIndex: 5, treeSize: 11 })
const text = JSON.stringify(receipt)

test('every mutated receipt is refused', async (t) => {
  // Every character but those of fixity_status, whose other values are as good as its own.
  const position = fc.nat(text.length - 1)
  const character = fc.constantFrom(...Array.from('0123456789abcdefABCDEFxyzZ"{}[]:,.+-_/ \\nu'))
  return fc.assert(
    fc.asyncProperty(position, character, async (at, other) => {
      const mutated = parse(text.slice(0, at) + other + text.slice(at + 1))
      fc.pre(mutated !== undefined && JSON.stringify(mutated) !== text)
      t.false((await verifyReceipt(mutated, keys)).valid, JSON.stringify(mutated))
    }),
    { numRuns: 1_000 },
  )
})

test('a receipt is refused when any of its members is missing', async (t) => {
  const members: string[][] = [
    ...Object.keys(receipt).map((name) => [name]),
    ...Object.keys(receipt.signature).map((name) => ['signature', name]),
    ...Object.keys(receipt.chain_proof).map((name) => ['chain_proof', name]),
  ]
  for (const path of members) {
    const copy = structuredClone(receipt) as unknown as Record<string, Record<string, unknown>>
    const [first = '', second] = path
    if (second === undefined) delete copy[first]
    else delete copy[first]?.[second]
    t.deepEqual(Object.keys(await failures(copy)), ['form'], path.join('.'))
  }
})

test('parts of two good receipts do not make a third', async (t) => {
  const other = issueReceipt(registry, { leafIndex: 9, treeSize: 30 }, { version: 2 })
  return fc.assert(
    fc.asyncProperty(fc.subarray(Object.keys(receipt) as (keyof ReceiptJson)[]), async (taken) => {
      const mixed = { ...receipt, ...Object.fromEntries(taken.map((name) => [name, other[name]])) }
      const isOneOfTheTwo = [receipt, other].some(
        (r) => JSON.stringify(r) === JSON.stringify(mixed),
      )
      t.is((await verifyReceipt(mixed, keys)).valid, isOneOfTheTwo)
    }),
  )
})

test('signatures of others on the checkpoint do no harm', async (t) => {
  const cosigned = structuredClone(receipt)
  const root = Buffer.from(receipt.chain_proof.merkle_root, 'hex')
  const by = { origin: 'witness.example', logKey: privateKey(77) }
  const witnessLine = signedCheckpoint(by, 11, root).split('\n').slice(-2).join('\n')
  cosigned.chain_proof.checkpoint += witnessLine
  t.deepEqual(await failures(cosigned), {})
})

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
