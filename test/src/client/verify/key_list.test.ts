import test from 'ava'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import {
  createRegistry,
  keyListOf,
  privateKey,
  rawPublicKey,
  vkeyOf,
} from '#test/src/client/verify/_registry.ts'

const list = keyListOf(createRegistry())
const sandbox = keyListOf({ ...createRegistry(3, 4), origin: 'registry.example/sandbox/log' })

test('a key file gives the keys of both environments', async (t) => {
  const { live, sandbox: tests } = await parseKeyList(JSON.stringify({ ...list, sandbox }))
  t.is(live.environment, 'live')
  t.is(live.origin, 'registry.example/log')
  t.is(live.log.name, 'registry.example/log')
  t.deepEqual(live.receiptKeys, [
    {
      keyId: 'first',
      publicKey: rawPublicKey(privateKey(1)).toString('hex'),
      validFromMs: Date.parse('2026-01-01T00:00:00.000Z'),
      validUntilMs: Infinity,
      rotations: 0,
    },
  ])
  t.is(tests?.environment, 'sandbox')
  t.is(tests?.url, 'https://registry.example/sandbox/log')
})

test('a registry without a sandbox has none', async (t) => {
  t.is((await parseKeyList(JSON.stringify(list))).sandbox, undefined)
  t.is((await parseKeyList(JSON.stringify({ ...list, sandbox: null }))).sandbox, undefined)
})

test('members it does not know are left alone', async (t) => {
  await t.notThrowsAsync(parseKeyList(JSON.stringify({ ...list, witnesses: [] })))
})

const [key] = list.receipt_keys
const otherVkey = vkeyOf('other.example/log', privateKey(2))
const brokenVkey = list.log.vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
const malformed: readonly [string, unknown, string | RegExp][] = [
  ['text', 'keys', 'it must be one JSON object'],
  ['a list', [], 'it must be one JSON object'],
  ['no log', { ...list, log: undefined }, 'live: log must be an object'],
  ['no origin', { ...list, log: {} }, 'live: log must have the strings origin, vkey and url'],
  ['a vkey with a wrong key ID', { ...list, log: { ...list.log, vkey: brokenVkey } }, /^live: /],
  [
    'the vkey of another log',
    { ...list, log: { ...list.log, vkey: otherVkey } },
    'live: the name in the vkey must be the origin of the log',
  ],
  ['no receipt keys', { ...list, receipt_keys: [] }, 'live: receipt_keys must list 1 to 1000 keys'],
  ['a null key', { ...list, receipt_keys: [null] }, 'receipt_keys[0] must be an object'],
  [
    'a key without id',
    { ...list, receipt_keys: [{ ...key, key_id: 1 }] },
    'receipt_keys[0].key_id must be a string',
  ],
  [
    'an upper-case key',
    { ...list, receipt_keys: [key, { ...key, public_key: 'AB'.repeat(32) }] },
    'receipt_keys[1].public_key must be 64 lower-case hex digits',
  ],
  [
    'a date instead of a time',
    { ...list, receipt_keys: [{ ...key, valid_until: '2026-01-31' }] },
    'receipt_keys[0].valid_until must be a time like 2026-01-31T12:00:00.000Z',
  ],
  ['a text as sandbox', { ...list, sandbox: 'no' }, 'sandbox must be an object'],
]

for (const [name, value, problem] of malformed) {
  test(`a key file with ${name} is refused`, async (t) => {
    const read = parseKeyList(JSON.stringify(value))
    const error = await t.throwsAsync(read, { code: 'malformed_key_list' })
    const { message } = error
    const told = message.replace(/^the key file is malformed: /, '')
    if (typeof problem === 'string') t.is(told, problem)
    else t.regex(told, problem)
  })
}
