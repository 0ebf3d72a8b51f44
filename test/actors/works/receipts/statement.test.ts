import { createHash } from 'node:crypto'
import * as ed from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import test from 'ava'
import fc from 'fast-check'
import { leafHash } from '#log/tlog/hash.ts'
import { canonicalJson } from '#actors/values/serialization.ts'
import {
  entryText,
  mapFact,
  metadataHash,
  parseEntry,
  receiptId,
  signedBytes,
  signStatement,
  type Statement,
} from '#actors/works/receipts/statement.ts'

ed.hashes.sha512 = sha512

const secretKey = new Uint8Array(32).fill(7)
const publicKey = ed.getPublicKey(secretKey)
const signer = {
  publicKey: Buffer.from(publicKey).toString('hex'),
  sign: async (message: Uint8Array) => ({
    publicKey: signer.publicKey,
    signature: ed.sign(message, secretKey),
  }),
}

const registered: Statement = {
  statement: 'registered',
  ark: 'ark:/12345/x6np1wh8k',
  version: 1,
  receipt_id: 'rcpt_2026_11_21_bcdfghjkmnpq',
  timestamp: '2026-11-21T10:00:00.000Z',
  content_hash: null,
  metadata_hash: `sha256:${'0a'.repeat(32)}`,
}

const hex = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: length,
    maxLength: length,
  })
const hash = hex(64).map((digits) => `sha256:${digits}`)
const word = fc.string({
  unit: fc.constantFrom(...'0123456789bcdfghjkmnpqrstvwxz'),
  minLength: 12,
  maxLength: 12,
})
const timestamp = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const work = {
  ark: word.map((name) => `ark:/12345/${name}`),
  version: fc.integer({ min: 1 }),
  receipt_id: word.map((suffix) => `rcpt_2026_11_21_${suffix}`),
  timestamp,
  content_hash: fc.option(hash),
  metadata_hash: hash,
}
const statements: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ statement: fc.constantFrom('registered' as const, 'content' as const), ...work }),
  fc.record({
    statement: fc.constant('tombstoned' as const),
    reason: fc.constantFrom('fraud', 'author_request'),
    ...work,
  }),
  fc.record({
    statement: fc.constant('tombstoned' as const),
    reason: fc.constant('court_order'),
    by: fc.constant('operator' as const),
    ...work,
  }),
  fc.record({
    statement: fc.constant('key_rotated' as const),
    old_key_id: hex(16),
    new_key_id: hex(16),
    timestamp,
  }),
  fc.record({
    statement: fc.constant('key_rotated' as const),
    old_key_id: hex(16),
    new_key_id: hex(16),
    new_public_key: hex(64),
    timestamp,
  }),
)
const signatures = fc.record({
  algorithm: fc.constant('Ed25519' as const),
  public_key: hex(64),
  signature: hex(128),
})

test('property: what is signed and what is logged are canonical JSON', (t) => {
  fc.assert(
    fc.property(statements, signatures, (statement, signature) => {
      const signed = Buffer.from(signedBytes(statement)).toString()
      t.is(signed, `svc-receipt-v1\n${canonicalJson(statement)}`)
      const entry = entryText({ statement, signature })
      t.is(entry, canonicalJson({ ...statement, signature }))
    }),
  )
})

test('property: an entry is parsed into what it was made from', (t) => {
  fc.assert(
    fc.property(statements, signatures, (statement, signature) => {
      const parsed = parseEntry(Buffer.from(entryText({ statement, signature })))
      t.deepEqual(parsed, { statement, signature })
    }),
  )
})

test('a signature verifies with another implementation, over these very bytes', async (t) => {
  const entry = await signStatement(registered, signer)
  const parsed = parseEntry(entry)
  if ('type' in parsed) return t.fail(parsed.reason)
  const { signature } = parsed
  t.is(signature.public_key, signer.publicKey)
  const bytes = Buffer.from(signature.signature, 'hex')
  t.true(ed.verify(bytes, signedBytes(registered), publicKey))
  t.false(ed.verify(bytes, signedBytes({ ...registered, version: 2 }), publicKey))
  t.deepEqual(parsed.statement, registered)
})

test('the form of an entry never changes', (t) => {
  const signature = { algorithm: 'Ed25519', public_key: 'aa', signature: 'bb' } as const
  t.is(
    entryText({ statement: registered, signature }),
    '{"ark":"ark:/12345/x6np1wh8k","content_hash":null,' +
      `"metadata_hash":"sha256:${'0a'.repeat(32)}",` +
      '"receipt_id":"rcpt_2026_11_21_bcdfghjkmnpq",' +
      '"signature":{"algorithm":"Ed25519","public_key":"aa","signature":"bb"},' +
      '"statement":"registered","timestamp":"2026-11-21T10:00:00.000Z","version":1}',
  )
})

test('refuses entries that are none', async (t) => {
  const entry = await signStatement(registered, signer)
  const text = Buffer.from(entry).toString()
  const cases: Record<string, readonly string[]> = {
    'it is not a JSON object': ['', '[]', 'null', '"x"', text.slice(1), `${text}x`],
    'its members are not those of a statement': [
      '{}',
      text.replace('"version":1', '"version":0'),
      text.replace('"version":1', '"version":"1"'),
      text.replace('registered', 'reregistered'),
      text.replace('registered', 'tombstoned'),
      text.replace('rcpt_', 'rcpt'),
      text.replace('T10', ' 10'),
      text.replace('{"ark"', '{"a":1,"ark"'),
      text.replace('"content_hash":null', '"content_hash":""'),
    ],
    'its signature does not have the form of one': [
      text.replace('Ed25519', 'RS256'),
      text.replace('"public_key":"', '"public_key":"0'),
      text.replace(/"signature":\{[^}]*\},/, ''),
      text.replace(/"signature":\{[^}]*\}/, '"signature":null'),
    ],
    'it is not canonical JSON': [` ${text}`, text.replace(':', ': '), text.replace('e', '\\u0065')],
  }
  for (const [reason, texts] of Object.entries(cases)) {
    for (const malformed of texts) {
      t.deepEqual(parseEntry(Buffer.from(malformed)), { type: 'malformed', reason }, malformed)
    }
  }
})

test('bytes that are no UTF-8 are no entry', async (t) => {
  const entry = await signStatement(registered, signer)
  const bytes = Buffer.from(entry)
  bytes[bytes.indexOf('x6np1wh8k')] = 0xff
  const reason = 'its members are not those of a statement'
  t.deepEqual(parseEntry(bytes), { type: 'malformed', reason })
})

test('a receipt id holds the day', (t) => {
  t.is(receiptId('2026-11-21T23:59:59.999Z', 'bcdfghjkmnpq'), 'rcpt_2026_11_21_bcdfghjkmnpq')
})

test('metadata is named by the hash of its canonical JSON', (t) => {
  const text = '{"work_title":"光"}'
  const expected = createHash('sha256').update(text, 'utf8').digest('hex')
  t.is(metadataHash(text), `sha256:${expected}`)
})

test('an entry says what it states about a work, and nothing about others', async (t) => {
  const entry = await signStatement(registered, signer)
  t.deepEqual(mapFact(entry, 7), {
    ark: registered.ark,
    kind: 'registered',
    version: 1,
    leafIndex: 7,
    leafHash: leafHash(entry),
  })
  const rotation: Statement = {
    statement: 'key_rotated',
    old_key_id: 'a',
    new_key_id: 'b',
    timestamp: registered.timestamp,
  }
  t.is(mapFact(await signStatement(rotation, signer), 8), undefined)
  t.is(mapFact(Buffer.from('arklog-map/v1\n'), 9), undefined)
})
