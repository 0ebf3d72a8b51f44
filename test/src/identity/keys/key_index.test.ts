import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import test from 'ava'

import {
  type ApiKey,
  apiKeyRandomBytes,
  createKeyHasher,
  keyPrefix,
  mintApiKey,
} from '#src/identity/store/api_key.ts'
import { formatBase62 } from '#src/identity/store/base62.ts'
import { KeyIndex } from '#src/identity/keys/key_index.ts'
import type { KeyRecord } from '#src/identity/keys/key_record.ts'

const hashKey = createKeyHasher(new Uint8Array(32).fill(1))
const owner = { type: 'organization', id: 'demo', name: 'Demo' } as const
const nowMs = Date.parse('2026-01-01T00:00:00.000Z')
const here = '192.0.2.7'

function newKey(): ApiKey {
  return mintApiKey('svc_live_', randomBytes(apiKeyRandomBytes))
}

function record(key: ApiKey, changes: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: key.id,
    shown: keyPrefix(key),
    digest: hashKey(key.text).toString('hex'),
    owner,
    environment: 'live',
    scopes: ['works:read'],
    label: '',
    ip_allow: [],
    created_at: '2025-12-01T00:00:00.000Z',
    created_by: owner,
    expires_at: '2026-03-01T00:00:00.000Z',
    state: 'active',
    ...changes,
  }
}

/** Authenticates a key with the record, and says what came of it in a word. */
function outcome(changes: Partial<KeyRecord>, atMs = nowMs, ip = here): string {
  const index = new KeyIndex(hashKey)
  const key = newKey()
  index.put(record(key, changes))
  const answer = index.authenticate(key.text, ip, atMs)
  return answer.type === 'refused' ? answer.reason : answer.type
}

test('a usable key is accepted, with the agent it acts as and its scopes', (t) => {
  const index = new KeyIndex(hashKey)
  const key = newKey()
  index.put(record(key))
  const answer = index.authenticate(key.text, here, nowMs)
  t.is(answer.type, 'accepted')
  if (answer.type !== 'accepted') return
  t.deepEqual(answer.key.agent, { ...owner, via: 'api_key', key_id: key.id })
  t.deepEqual([...answer.key.scopes], ['works:read'])
})

test('a key is refused from its last moment on, and says why', (t) => {
  const expiry = Date.parse('2026-03-01T00:00:00.000Z')
  t.is(outcome({}, expiry - 1), 'accepted')
  t.is(outcome({}, expiry), 'expired')
  t.is(outcome({ state: 'revoked' }), 'revoked')
  const rotating = { state: 'rotating', rotate_until: '2026-01-08T00:00:00.000Z' } as const
  t.is(outcome(rotating), 'accepted')
  t.is(outcome(rotating, Date.parse(rotating.rotate_until)), 'rotated_out')
  t.is(outcome(rotating, expiry), 'expired')
})

test('a key with an address list is refused elsewhere', (t) => {
  t.is(outcome({ ip_allow: ['192.0.2.0/24'] }), 'accepted')
  t.is(outcome({ ip_allow: ['192.0.2.0/24'] }, nowMs, '198.51.100.1'), 'ip_denied')
})

test('the id of a key with another secret is not enough', (t) => {
  const index = new KeyIndex(hashKey)
  const key = newKey()
  index.put(record(key))
  const forged = Array.from({ length: 3 }, () => forge(key))
  for (const text of forged) {
    const answer = index.authenticate(text, here, nowMs)
    t.is(answer.type === 'refused' ? answer.reason : answer.type, 'wrong_secret')
  }
})

test('an unknown id costs the same hash and comparison as a known one', (t) => {
  let hashed = 0
  const index = new KeyIndex((text) => {
    hashed += 1
    return hashKey(text)
  })
  const known = newKey()
  index.put(record(known))
  t.is(index.authenticate(newKey().text, here, nowMs).type, 'unknown')
  t.is(hashed, 1)
  t.is(index.authenticate(forge(known), here, nowMs).type, 'refused')
  t.is(hashed, 2)
})

test('a text that is no key is refused before anything is hashed', (t) => {
  const index = new KeyIndex(() => {
    throw new Error('hashed')
  })
  for (const text of ['', 'svc_live_', newKey().text.toLowerCase(), 'x'.repeat(100_000)]) {
    t.is(index.authenticate(text, here, nowMs).type, 'unknown')
  }
})

test('a record that replaces another counts at once', (t) => {
  const index = new KeyIndex(hashKey)
  const key = newKey()
  index.put(record(key))
  t.is(index.authenticate(key.text, here, nowMs).type, 'accepted')
  index.put(record(key, { state: 'revoked' }))
  t.is(index.authenticate(key.text, here, nowMs).type, 'refused')
})

/** A well-formed key with the id of another and a secret of its own. */
function forge(key: ApiKey): string {
  const { text } = mintApiKey(key.prefix, randomBytes(apiKeyRandomBytes))
  const unchecked = key.prefix + key.id + text.slice(key.prefix.length + 10, -6)
  return unchecked + formatBase62(crc32(unchecked), 6)
}
