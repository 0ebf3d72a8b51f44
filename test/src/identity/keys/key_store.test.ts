import test from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import type { Authentication } from '#src/identity/keys/key_index.ts'
import type { NewKey } from '#src/identity/keys/key_record.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

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
  const keys = await fixture.openKeys(await fixture.open())
  const { key, record } = await keys.create(wish, operator)
  t.is(word(keys.authenticate(key, origin)), 'accepted')
  t.regex(key, /^svc_live_/)
  const [shown] = keys.list()
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
  const keys = await fixture.openKeys(await fixture.open())
  const person: Owner = { type: 'person', id: 'p1', name: 'A. Person' }
  const sandbox = await keys.create({ ...wish, environment: 'sandbox' }, operator)
  const researcher = await keys.create({ ...wish, owner: person, scopes: ['mint'] }, person)
  t.regex(sandbox.key, /^svc_test_/)
  t.regex(researcher.key, /^svc-/)
})

test('keys, their states, uses and audit lists survive a restart', async (t) => {
  const fixture = await identityFixture(t)
  const first = await fixture.open()
  const before = await fixture.openKeys(first)
  const kept = await before.create(wish, operator)
  const revoked = await before.create(wish, operator)
  await before.revoke(revoked.record.id, operator)
  before.authenticate(kept.key, origin)
  await first.inTurn(() => Promise.resolve())
  const listed = before.list()
  const audit = await before.audit(demo, { after: 0, limit: 100 })
  await first.close()

  const after = await fixture.openKeys(await fixture.open())
  t.deepEqual(after.list(), listed)
  t.deepEqual(await after.audit(demo, { after: 0, limit: 100 }), audit)
  t.is(word(after.authenticate(kept.key, origin)), 'accepted')
  t.is(word(after.authenticate(revoked.key, origin)), 'revoked')
})

test('a revoked key is refused from the moment its revocation is answered', async (t) => {
  const fixture = await identityFixture(t)
  const keys = await fixture.openKeys(await fixture.open())
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
  const keys = await fixture.openKeys(await fixture.open())
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
  const keys = await fixture.openKeys(await fixture.open())
  const old = await keys.create({ ...wish, hours: 24 }, operator)
  const rotated = await keys.rotate(old.record.id, operator)
  t.is(rotated.type === 'rotated' && rotated.rotateUntil, old.record.expires_at)
})

test('only an active key can be rotated', async (t) => {
  const fixture = await identityFixture(t)
  const keys = await fixture.openKeys(await fixture.open())
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
  const keys = await fixture.openKeys(store)
  const { key } = await keys.create(wish, operator)
  const lastUsed = () => keys.list()[0]?.last_used
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
  const keys = await fixture.openKeys(await fixture.open())
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
  const keys = await fixture.openKeys(store)
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
  const keys = await fixture.openKeys(await fixture.open())
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
  const keys = await fixture.openKeys(await fixture.open())
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
