import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

import test from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import type { KeyRecord, NewKey } from '#src/identity/keys/key_record.ts'
import {
  type Authentication,
  KeyCheck,
  type LoadedKey,
  loadKey,
} from '#src/identity/keys/key_store.ts'
import {
  type ApiKey,
  apiKeyRandomBytes,
  createKeyHasher,
  type KeyHasher,
  keyPrefix,
  mintApiKey,
} from '#src/identity/store/api_key.ts'
import { formatBase62 } from '#src/identity/store/base62.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const hashKey = createKeyHasher(new Uint8Array(32).fill(1))
const owner = { type: 'organization', id: 'demo', name: 'Demo' } as const
const nowMs = Date.parse('2026-01-01T00:00:00.000Z')
const here = '192.0.2.7'

function newKey(): ApiKey {
  return mintApiKey('svc_live_', randomBytes(apiKeyRandomBytes))
}

function keyRecord(key: ApiKey, changes: Partial<KeyRecord> = {}): KeyRecord {
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

/** Keys that a test puts there, and the check of them. */
class KeyIndex extends KeyCheck {
  readonly #keys: Map<string, LoadedKey>

  constructor(hasher: KeyHasher) {
    const keys = new Map<string, LoadedKey>()
    super(hasher, (id) => keys.get(id))
    this.#keys = keys
  }

  put(record: KeyRecord): void {
    this.#keys.set(record.id, loadKey(record))
  }
}

/** Authenticates a key with the record, and says what came of it in a word. */
function outcome(changes: Partial<KeyRecord>, atMs = nowMs, ip = here): string {
  const index = new KeyIndex(hashKey)
  const key = newKey()
  index.put(keyRecord(key, changes))
  const answer = index.authenticate(key.text, ip, atMs)
  return answer.type === 'refused' ? answer.reason : answer.type
}

test('a usable key is accepted, with the agent it acts as and its scopes', (t) => {
  const index = new KeyIndex(hashKey)
  const key = newKey()
  index.put(keyRecord(key))
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
  index.put(keyRecord(key))
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
  index.put(keyRecord(known))
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
  index.put(keyRecord(key))
  t.is(index.authenticate(key.text, here, nowMs).type, 'accepted')
  index.put(keyRecord(key, { state: 'revoked' }))
  t.is(index.authenticate(key.text, here, nowMs).type, 'refused')
})

test('a text that was genuine is known again, and no other is, nor by another record', (t) => {
  let hashed = 0
  const index = new KeyIndex((text) => {
    hashed += 1
    return hashKey(text)
  })
  const key = newKey()
  index.put(keyRecord(key))
  for (let round = 0; round < 3; round += 1) {
    t.is(index.authenticate(key.text, here, nowMs).type, 'accepted')
    t.is(hashed, 1)
  }
  t.is(index.authenticate(forge(key), here, nowMs).type, 'refused')
  t.is(index.authenticate(key.text, '198.51.100.1', nowMs).type, 'accepted')
  t.is(hashed, 2)
  index.put(keyRecord(key, { digest: hashKey(newKey().text).toString('hex') }))
  const answer = index.authenticate(key.text, here, nowMs)
  t.is(answer.type === 'refused' ? answer.reason : answer.type, 'wrong_secret')
})

/** A well-formed key with the id of another and a secret of its own. */
function forge(key: ApiKey): string {
  const { text } = mintApiKey(key.prefix, randomBytes(apiKeyRandomBytes))
  const unchecked = key.prefix + key.id + text.slice(key.prefix.length + 10, -6)
  return unchecked + formatBase62(crc32(unchecked), 6)
}

const demo: Owner = { type: 'organization', id: 'demo', name: 'Demo' }
const other: Owner = { type: 'organization', id: 'other', name: 'Other' }
const operator: Owner = { type: 'operator', id: 'operator', name: 'Operator' }
const wish: NewKey = {
  owner: demo,
  environment: 'live',
  scopes: ['works:read', 'works:write'],
  label: 'press',
  ipAllow: [],
  hours: 2160,
}
const origin = { ip: '192.0.2.7', userAgent: 'curl/8' }
const dayMs = 24 * 3_600_000

function word(answer: Authentication): string {
  return answer.type === 'refused' ? answer.reason : answer.type
}

test('a created key authenticates, and its record never shows its secret or digest', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const { key, record } = await keys.create(wish, operator)
  t.is(word(keys.authenticate(key, origin)), 'accepted')
  t.regex(key, /^svc_live_/)
  const [shown] = keys.list(demo)
  t.deepEqual(shown, {
    id: record.id,
    shown: key.slice(0, 13),
    owner: demo,
    environment: 'live',
    scopes: ['works:read', 'works:write'],
    label: 'press',
    ip_allow: [],
    created_at: '2026-01-01T00:00:00.000Z',
    created_by: operator,
    expires_at: '2026-04-01T00:00:00.000Z',
    state: 'active',
    last_used: { at: '2026-01-01T00:00:00.000Z', network: '192.0.2.0/24', user_agent: 'curl/8' },
  })
})

test('the prefix of a key tells its environment, or that a researcher made it', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const person: Owner = { type: 'person', id: 'p1', name: 'A. Person' }
  const sandbox = await keys.create({ ...wish, environment: 'sandbox' }, operator)
  const researcher = await keys.create({ ...wish, owner: person, scopes: ['mint'] }, person)
  t.regex(sandbox.key, /^svc_test_/)
  t.regex(researcher.key, /^svc-/)
})

test('keys, their states, uses and audit lists survive a restart', async (t) => {
  const fixture = await identityFixture(t)
  const first = await fixture.open()
  const before = fixture.openKeys(first)
  const kept = await before.create(wish, operator)
  const revoked = await before.create(wish, operator)
  await before.revoke(revoked.record.id, operator)
  before.authenticate(kept.key, origin)
  await first.inTurn(() => Promise.resolve())
  const listed = before.list(demo)
  const audit = await before.audit(demo, { after: 0, limit: 100 })
  await first.close()

  const after = fixture.openKeys(await fixture.open())
  t.deepEqual(after.list(demo), listed)
  t.deepEqual(await after.audit(demo, { after: 0, limit: 100 }), audit)
  t.is(word(after.authenticate(kept.key, origin)), 'accepted')
  t.is(word(after.authenticate(revoked.key, origin)), 'revoked')
})

test('a revoked key is refused from the moment its revocation is answered', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const { key, record } = await keys.create(wish, operator)
  for (let round = 0; round < 100; round += 1) keys.authenticate(key, origin)
  t.is((await keys.revoke(record.id, operator)).type, 'revoked')
  t.is(word(keys.authenticate(key, origin)), 'revoked')
  t.is((await keys.revoke(record.id, operator)).type, 'revoked')
  t.is((await keys.revoke('0000000000', operator)).type, 'not_found')
  const audit = await keys.audit(demo, { after: 0, limit: 10 })
  t.deepEqual(
    audit.map(({ action }) => action).filter((action) => action !== 'refused'),
    ['created', 'used', 'revoked'],
  )
})

test('a rotated key works beside its successor for seven days, and no longer', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const old = await keys.create(wish, operator)
  fixture.clock.forward(10 * dayMs)
  const rotated = await keys.rotate(old.record.id, operator)
  if (rotated.type !== 'rotated') return t.fail(rotated.type)
  t.is(rotated.record.replaces, old.record.id)
  t.is(rotated.record.expires_at, '2026-04-11T00:00:00.000Z')
  t.is(rotated.rotateUntil, '2026-01-18T00:00:00.000Z')
  t.deepEqual(
    keys.list(demo).map(({ state }) => state),
    ['rotating', 'active'],
  )
  fixture.clock.forward(7 * dayMs - 1)
  t.is(word(keys.authenticate(old.key, origin)), 'accepted')
  t.is(word(keys.authenticate(rotated.key, origin)), 'accepted')
  fixture.clock.forward(1)
  t.is(word(keys.authenticate(old.key, origin)), 'rotated_out')
  t.is(word(keys.authenticate(rotated.key, origin)), 'accepted')
})

test('a key near its end is not prolonged by rotation', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const old = await keys.create({ ...wish, hours: 24 }, operator)
  const rotated = await keys.rotate(old.record.id, operator)
  t.is(rotated.type === 'rotated' && rotated.rotateUntil, old.record.expires_at)
})

test('only an active key can be rotated', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  t.is((await keys.rotate('0000000000', operator)).type, 'not_found')
  const rotating = await keys.create(wish, operator)
  await keys.rotate(rotating.record.id, operator)
  t.is((await keys.rotate(rotating.record.id, operator)).type, 'not_active')
  const revoked = await keys.create(wish, operator)
  await keys.revoke(revoked.record.id, operator)
  t.is((await keys.rotate(revoked.record.id, operator)).type, 'not_active')
  const expired = await keys.create({ ...wish, hours: 1 }, operator)
  fixture.clock.forward(3_600_000)
  t.is((await keys.rotate(expired.record.id, operator)).type, 'not_active')
})

test('the use of a key is written down once a minute, with network and user agent', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const keys = fixture.openKeys(store)
  const { key } = await keys.create(wish, operator)
  const lastUsed = () => keys.list(demo)[0]?.last_used
  t.is(lastUsed(), null)
  keys.authenticate(key, { ip: '2001:db8:1:2::3', userAgent: 'x'.repeat(10_000) })
  t.deepEqual(lastUsed(), {
    at: '2026-01-01T00:00:00.000Z',
    network: '2001:db8:1::/48',
    user_agent: 'x'.repeat(200),
  })
  fixture.clock.forward(59_999)
  keys.authenticate(key, origin)
  t.is(lastUsed()?.at, '2026-01-01T00:00:00.000Z')
  fixture.clock.forward(1)
  keys.authenticate(key, origin)
  t.is(lastUsed()?.at, '2026-01-01T00:01:00.000Z')
})

test("an owner reads every change of its keys, in order and by page, and no other's", async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const first = await keys.create(wish, operator)
  await keys.create({ ...wish, owner: other }, operator)
  const rotated = await keys.rotate(first.record.id, operator)
  const second = rotated.type === 'rotated' ? rotated.record.id : ''
  fixture.clock.forward(1_000)
  await keys.revoke(second, demo)
  const all = await keys.audit(demo, { after: 0, limit: 100 })
  t.deepEqual(all, [
    {
      seq: 1,
      at: '2026-01-01T00:00:00.000Z',
      key_id: first.record.id,
      action: 'created',
      by: operator,
    },
    {
      seq: 2,
      at: '2026-01-01T00:00:00.000Z',
      key_id: first.record.id,
      action: 'rotated',
      by: operator,
      replaced_by: second,
    },
    { seq: 3, at: '2026-01-01T00:00:00.000Z', key_id: second, action: 'created', by: operator },
    { seq: 4, at: '2026-01-01T00:00:01.000Z', key_id: second, action: 'revoked', by: demo },
  ])
  t.deepEqual(await keys.audit(demo, { after: 2, limit: 1 }), all.slice(2, 3))
  t.is((await keys.audit(other, { after: 0, limit: 100 })).length, 1)
})

test('why a key was refused is in its audit list, once an hour for each reason', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const keys = fixture.openKeys(store)
  const { key } = await keys.create({ ...wish, ipAllow: ['198.51.100.0/24'] }, operator)
  for (let round = 0; round < 5; round += 1) {
    t.is(word(keys.authenticate(key, origin)), 'ip_denied')
  }
  fixture.clock.forward(3_600_000)
  keys.authenticate(key, origin)
  await store.inTurn(() => Promise.resolve())
  const audit = await keys.audit(demo, { after: 1, limit: 10 })
  t.deepEqual(
    audit.map(({ seq, at, action, reason, network }) => ({ seq, at, action, reason, network })),
    ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'].map((at, index) => {
      return { seq: 2 + index, at, action: 'refused', reason: 'ip_denied', network: '192.0.2.0/24' }
    }),
  )
})

test('changes that race are made one after another', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const { record } = await keys.create(wish, operator)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => keys.rotate(record.id, operator)),
  )
  t.is(answers.filter(({ type }) => type === 'rotated').length, 1)
  await Promise.all(Array.from({ length: 8 }, () => keys.create(wish, operator)))
  const audit = await keys.audit(demo, { after: 0, limit: 100 })
  t.deepEqual(
    audit.map(({ seq }) => seq),
    Array.from({ length: 11 }, (_, index) => index + 1),
  )
})

test('the keys of a maker are their own and those that they made for others', async (t) => {
  const fixture = await identityFixture(t)
  const keys = fixture.openKeys(await fixture.open())
  const ada: Owner = { type: 'person', id: 'pada', name: 'pada' }
  const own = await keys.create({ ...wish, owner: ada, scopes: ['mint'] }, ada)
  const made = await keys.create(wish, ada)
  const foreign = await keys.create(wish, operator)
  // An organization that is called as the person is.
  await keys.create({ ...wish, owner: { ...demo, id: ada.id } }, operator)
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort()
  t.deepEqual(ids(keys.listOfMaker(ada.id)), ids([own.record, made.record]))
  t.is(await keys.revokeOfMaker(ada.id, ada), 2)
  t.is(await keys.revokeOfMaker(ada.id, ada), 0)
  for (const { key } of [own, made]) t.is(word(keys.authenticate(key, origin)), 'revoked')
  t.is(word(keys.authenticate(foreign.key, origin)), 'accepted')
})

test('keys that an older version has written are found by their owners and makers', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const ada: Owner = { type: 'person', id: 'ada', name: 'Ada' }
  const key = newKey()
  const digest = store.hashKey(key.text).toString('hex')
  const record = keyRecord(key, { digest, owner: demo, created_by: ada })
  const writeAsOlder = (of: KeyRecord) => store.commit([putRow(`key/${of.id}`, of)])
  await writeAsOlder(record)
  const keys = fixture.openKeys(store)
  t.is(word(keys.authenticate(key.text, origin)), 'accepted')
  t.deepEqual(keys.list(demo), [])
  await keys.repair()
  for (const listed of [keys.list(demo), keys.listOfMaker(ada.id)]) {
    t.deepEqual(
      listed.map(({ id }) => id),
      [key.id],
    )
  }
  // What another node writes later, as it is told.
  const later = keyRecord(newKey(), { owner: other })
  await writeAsOlder(later)
  await store.inTurn(() => Promise.resolve())
  t.is(keys.list(other)[0]?.id, later.id)
  t.is(await keys.revokeOfMaker(ada.id, ada), 1)
  t.is(word(keys.authenticate(key.text, origin)), 'revoked')
})
