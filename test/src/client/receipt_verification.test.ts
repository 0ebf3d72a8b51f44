// A verification without a network, beside one by the log's own code: two implementations that
// share no code think alike of every receipt.

import test from 'ava'
import fc from 'fast-check'

import { VerificationError } from '#src/client/errors.ts'
import {
  followRotations,
  parseTrustedKeys,
  verifyReceipt,
} from '#src/client/receipt_verification.ts'
import { provenByLog } from '#test/src/client/verify/_second_opinion.ts'
import {
  content,
  createRegistry,
  issueReceipt,
  keyListOf,
  metadata,
  privateKey,
} from '#test/src/client/verify/_registry.ts'
import { hexKey, rotationOf } from '#test/src/client/verify/_rotation.ts'

const registry = createRegistry()
const list = JSON.stringify(keyListOf(registry))
const trusted = await parseTrustedKeys(list, 'live')

/** The step at which the client refuses; undefined if it does not. */
async function refusal(receipt: unknown, evidence = {}): Promise<string | undefined> {
  return verifyReceipt(receipt, trusted, evidence).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof VerificationError) return error.step
      throw error
    },
  )
}

test('a receipt is proven by itself, its content and its metadata', async (t) => {
  const keys = await parseTrustedKeys(JSON.parse(list), 'live')
  const verified = await verifyReceipt(issueReceipt(registry), keys, { metadata, content })
  t.is(verified.statement.ark, 'ark:/12345/x7wf3kz91')
  t.is(verified.leafIndex, 5)
  t.is(verified.head.treeSize, 11)
  t.deepEqual(verified.compared, ['metadata_hash', 'content_hash'])
  const alone = await verifyReceipt(issueReceipt(registry), keys)
  t.deepEqual(alone.compared, [])
})

test('a version was registered on the day of its receipt, whatever was stated since', async (t) => {
  const keys = await parseTrustedKeys(JSON.parse(list), 'live')
  const later = { statement: 'content', timestamp: '2026-03-09T06:00:00.000Z' }
  const { registeredOn } = await verifyReceipt(issueReceipt(registry, undefined, later), keys)
  t.is(registeredOn, '2026-03-04')
})

test('a receipt of something else is refused', async (t) => {
  const receipt = issueReceipt(registry)
  t.is(await refusal(receipt, { ark: 'ark:/12345/x7wf3kz91' }), undefined)
  t.is(await refusal(receipt, { ark: '12345/X7wf-3kz91' }), undefined)
  t.is(await refusal(receipt, { ark: 'ark:/12345/x7wf3kz9c' }), 'identity')
  t.is(await refusal(receipt, { version: 2 }), 'identity')
  t.is(await refusal(receipt, { receiptId: 'rcpt_2026_03_04_0123456789bd' }), 'identity')
  t.is(await refusal(receipt, { metadata: { ...metadata, authors: 'B. Pen' } }), 'metadata_hash')
  t.is(await refusal(receipt, { metadata: { authors: '\ud800' } }), 'metadata_hash')
  t.is(await refusal(receipt, { content: Buffer.from('something else') }), 'content_hash')
  const early = issueReceipt(registry, undefined, { content_hash: null })
  t.is(await refusal(early, { content }), 'content_hash')
})

test('receipts by keys and logs of somebody else are refused', async (t) => {
  const other = privateKey(66)
  t.is(await refusal(issueReceipt({ ...registry, receiptKey: other })), 'receipt_key')
  t.is(await refusal(issueReceipt({ ...registry, logKey: other })), 'checkpoint')
  t.is(await refusal(issueReceipt({ ...registry, origin: 'other.example/log' })), 'checkpoint')
  const early = { timestamp: '2025-12-31T23:59:59.999Z' }
  t.is(await refusal(issueReceipt(registry, undefined, early)), 'receipt_key')
})

/** Every place of a JSON value, as the names that lead to it. */
function placesOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inner = Object.entries(value).flatMap(([name, member]) =>
    placesOf(member).map((place) => [name, ...place]),
  )
  return [[], ...inner]
}

function changedAt(value: unknown, [name, ...place]: readonly (string | number)[], put: unknown) {
  if (name === undefined) return put
  const changed = structuredClone(value) as Record<string | number, unknown>
  changed[name] = changedAt(changed[name], place, put)
  return changed as unknown
}

test('of a receipt that was changed anywhere, both verifiers think alike', async (t) => {
  const receipt = issueReceipt(registry)
  const places = placesOf(receipt)
  const puts = [undefined, null, '', 'x', 0, -1, 1, 12, 1.5, true, [], {}, '\ud800', 'a'.repeat(64)]
  let refused = 0
  for (const place of places) {
    for (const put of puts) {
      // What is undefined is no member of JSON.
      const changed = JSON.parse(
        JSON.stringify(changedAt(receipt, place, put)) ?? 'null',
      ) as unknown
      const step = await refusal(changed)
      const isValid = provenByLog(changed, trusted)
      // The log does not care what a registry says of the content's address: nothing signs it.
      if (place.join() === 'fixity_status') continue
      t.is(step === undefined, isValid, `${place.join('.')} = ${JSON.stringify(put)}: ${step}`)
      if (step !== undefined) refused += 1
    }
  }
  t.true(refused > 200, String(refused))
})

test('statements that say more, and trees of any size, are judged alike', async (t) => {
  const value = fc.oneof(fc.string(), fc.constant(null), fc.integer())
  const member = fc.stringMatching(/^[a-z_é]{1,8}$/)
  const size = fc.integer({ min: 1, max: 40 })
  await fc.assert(
    fc.asyncProperty(fc.dictionary(member, value), size, fc.nat(), async (more, treeSize, leaf) => {
      const place = { treeSize, leafIndex: leaf % treeSize }
      const receipt = issueReceipt(registry, place, more)
      const step = await refusal(receipt)
      t.is(step === undefined, provenByLog(receipt, trusted), step)
    }),
    { numRuns: 60 },
  )
})

// The keys of the registry are 1, then 3; 5 is a forger's.
const second = { ...registry, receiptKey: privateKey(3) }
const secondKey = hexKey(second.receiptKey)
const secondAt = '2026-02-01T00:00:00.000Z'

function listWith(rotation: unknown, publicKey = secondKey): string {
  const [oldest] = keyListOf(registry).receipt_keys
  return JSON.stringify({ receipt_keys: [oldest, { public_key: publicKey, rotation }] })
}

test('a rotation that the old key has signed in the log is followed', async (t) => {
  const newer = listWith(rotationOf(registry, secondKey))
  const keys = await followRotations(await parseTrustedKeys(list, 'live'), newer)
  t.is(keys.receiptKeys.length, 2)
  const after = { timestamp: '2026-03-01T00:00:00.000Z' }
  const at = { leafIndex: 8, treeSize: 11 }
  await t.notThrowsAsync(verifyReceipt(issueReceipt(second, at, after), keys))
  const late = verifyReceipt(issueReceipt(registry, at, after), keys)
  await t.throwsAsync(late, { instanceOf: VerificationError, message: /not valid at/ })
  t.is(keys.receiptKeys[1]?.validFromMs, Date.parse(secondAt))
})

test('a rotation that was changed anywhere is not followed', async (t) => {
  const rotation = rotationOf(registry, secondKey)
  const keys = await parseTrustedKeys(list, 'live')
  const forgeries: string[] = [
    listWith(rotationOf({ ...registry, receiptKey: privateKey(5) }, secondKey)),
    listWith(rotationOf({ ...registry, logKey: privateKey(5) }, secondKey)),
    listWith(rotation, hexKey(privateKey(5))),
    listWith(null),
    JSON.stringify({ receipt_keys: [] }),
    ...placesOf(rotation).map((place) => listWith(changedAt(rotation, place, 'x'))),
  ]
  for (const forgery of forgeries) {
    const followed = followRotations(keys, forgery)
    const error = await t.throwsAsync(followed, { instanceOf: VerificationError }, forgery)
    t.is(error?.step, 'keys')
  }
})
