import test, { type ExecutionContext } from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import { type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const daySeconds = 86_400
const startSeconds = Date.parse('2026-01-01T00:00:00.000Z') / 1_000
const ada: Owner = { type: 'person', id: 'pada', name: 'pada' }
const list = { limit: 100 }

function payload(scope: string, rejected = '', ppid = ada.id, clientId = 'app_1') {
  return {
    accountId: ppid,
    clientId,
    exp: startSeconds + 180 * daySeconds,
    openid: { scope },
    rejected: { openid: { scope: rejected } },
  }
}

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const openIn = (identity: IdentityStore): Grants =>
    new Grants({
      store: identity,
      audit: new AuditLog(identity),
      clock: fixture.clock,
      report: (fault) => void fixture.reported.push(fault),
    })
  return { fixture, store, audit: new AuditLog(store), grants: openIn(store), openIn }
}

test('a permission holds what was granted and not refused, and survives a restart', async (t) => {
  const { fixture, store, grants, openIn } = await open(t)
  await grants.save('g', payload('openid svc:works:write profile', 'profile openid'))
  const expected = {
    id: 'g',
    ppid: ada.id,
    client_id: 'app_1',
    scopes: ['openid', 'svc:works:write'],
    granted_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-06-30T00:00:00.000Z',
    last_used: null,
  }
  t.deepEqual(grants.list(ada.id), [expected])
  t.is(grants.findFor(ada.id, 'app_1')?.id, 'g')
  t.is(grants.findFor(ada.id, 'app_2'), undefined)
  t.deepEqual(grants.refused('g'), ['profile', 'openid'])
  t.is((await grants.useOf('app_1')).people, 1)
  await store.close()
  const again = openIn(await fixture.open())
  t.deepEqual(again.list(ada.id), [expected])
  t.deepEqual(again.payload('g'), payload('openid svc:works:write profile', 'profile openid'))
})

test('a permission that has ended is found no more, and who listens is told', async (t) => {
  const { grants, audit } = await open(t)
  const ended: string[] = []
  grants.onEnd(async (id) => void ended.push(id))
  await grants.save('g', payload('svc:works:write'))
  await grants.save('g', payload('svc:works:write'))
  await grants.save('g', payload('svc:works:write profile'))
  t.deepEqual(await grants.end('g', ada), { type: 'ended' })
  t.deepEqual(await grants.end('g', ada), { type: 'not_found' })
  t.is(grants.find('g'), undefined)
  t.is(grants.payload('g'), undefined)
  t.deepEqual(grants.list(ada.id), [])
  t.deepEqual(ended, ['g'])
  const what = { grant_id: 'g', client_id: 'app_1', by: ada }
  const scopes = ['profile', 'svc:works:write']
  const at = '2026-01-01T00:00:00.000Z'
  t.deepEqual(await audit.read(ada, list), [
    { seq: 1, at, action: 'granted', ...what, scopes: ['svc:works:write'] },
    { seq: 2, at, action: 'changed', ...what, scopes },
    { seq: 3, at, action: 'revoked', ...what, scopes },
  ])
})

test('a permission ends with its application, with its account and with its time', async (t) => {
  const { fixture, grants, audit } = await open(t)
  await grants.save('a', payload('openid'))
  await grants.save('b', payload('openid', '', 'pbo'))
  await grants.save('c', payload('openid', '', ada.id, 'app_2'))
  await grants.endAllOfApplication('app_1')
  t.deepEqual(
    grants.list(ada.id).map(({ id }) => id),
    ['c'],
  )
  t.deepEqual(grants.list('pbo'), [])
  t.is(
    (await audit.read({ type: 'person', id: 'pbo' }, list)).at(-1)?.reason,
    'application_revoked',
  )
  await grants.save('d', payload('openid'))
  fixture.clock.forward(180 * daySeconds * 1_000)
  t.is(grants.find('d'), undefined)
  t.deepEqual(grants.list(ada.id), [])
  await grants.sweep()
  t.is((await audit.read(ada, list)).at(-1)?.reason, 'expired')
  await grants.forget(ada.id)
  t.deepEqual(await audit.read(ada, list), [])
})

test('a permission that was prolonged ends with its later time only', async (t) => {
  const { fixture, grants, audit } = await open(t)
  await grants.save('g', payload('openid'))
  await grants.save('h', payload('openid', '', 'pbo'))
  await grants.save('g', { ...payload('openid'), exp: startSeconds + 360 * daySeconds })
  for (const [days, left] of [
    [180, ['g']],
    [359, ['g']],
    [360, []],
  ] as const) {
    fixture.clock.forward((startSeconds + days * daySeconds) * 1_000 - fixture.clock.nowMs())
    await grants.sweep()
    t.deepEqual(
      ['g', 'h'].filter((id) => grants.find(id) !== undefined),
      left,
    )
  }
  t.is((await grants.useOf('app_1')).people, 0)
  const ends = (await audit.read(ada, list)).filter(({ action }) => action === 'revoked')
  t.deepEqual(
    ends.map(({ at, reason }) => [at, reason]),
    [['2026-12-27T00:00:00.000Z', 'expired']],
  )
})

test('of the permissions of one person each ends by itself, and all at once', async (t) => {
  const { store, grants } = await open(t)
  const idsOf = () => grants.list(ada.id).map(({ id }) => id)
  for (const nth of [1, 2, 3])
    await grants.save(`g${nth}`, payload('openid', '', ada.id, `app_${nth}`))
  await grants.save('other', payload('openid', '', 'pbo', 'app_1'))
  t.deepEqual(idsOf(), ['g1', 'g2', 'g3'])
  await grants.end('g2', ada)
  t.deepEqual(idsOf(), ['g1', 'g3'])
  await grants.endAllOfPerson(ada.id, ada)
  t.deepEqual(idsOf(), [])
  t.is((await grants.useOf('app_1')).people, 1)
  await grants.endAllOfApplication('app_1')
  // Nothing is left by which an ended permission would be found.
  for await (const [key] of store.scan('grant')) t.fail(key)
})

test('what a version without the index has written is found once it is repaired', async (t) => {
  const { fixture, store, grants, openIn } = await open(t)
  await grants.save('new', payload('openid', '', ada.id, 'app_2'))
  const rows = new SealedRows<Readonly<Record<string, unknown>>>(store, 'grant')
  const grantOf = (id: string, exp: number) => {
    const at = '2026-01-01T00:00:00.000Z'
    const dates = { granted_at: at, updated_at: at }
    const whose = { ppid: ada.id, client_id: 'app_1', scopes: ['openid'] }
    return { id, ...whose, ...dates, payload: { ...payload('openid'), exp } }
  }
  const lateSeconds = startSeconds + 360 * daySeconds
  for (let nth = 0; nth < 1_001; nth += 1) {
    await store.commit([rows.put(`g${nth}`, grantOf(`g${nth}`, lateSeconds))])
  }
  const again = openIn(store)
  await again.repair()
  t.is(again.list(ada.id).length, 1_002)
  t.is(again.findFor(ada.id, 'app_2')?.id, 'new')
  // Another node may still run that version.
  await store.commit([rows.put('late', grantOf('late', startSeconds))])
  await store.commit([rows.delete('g0')])
  await store.inTurn(() => Promise.resolve())
  t.is(again.list(ada.id).length, 1_001)
  await again.sweep()
  t.is(again.list(ada.id).length, 1_001)
  t.is(rows.read('late'), undefined)
  await again.endAllOfApplication('app_1')
  t.deepEqual(
    again.list(ada.id).map(({ id }) => id),
    ['new'],
  )
  t.deepEqual(fixture.reported, [])
})

test('permissions are looked through again after another version has written', async (t) => {
  const { fixture, store, grants, openIn } = await open(t)
  await grants.repair()
  const row = { id: 'g', ppid: ada.id, client_id: 'app_1', scopes: ['openid'] }
  const dates = { granted_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  const rows = new SealedRows<object>(store, 'grant')
  // Before this test's own objects follow: as if it had been written while nothing ran.
  const put = rows.put('g', { ...row, ...dates, payload: payload('openid') })
  await store.close()
  const level = await openLevelStore(fixture.dir, { create: false })
  const { changes } = JSON.parse(Buffer.from(level.get('head') ?? '').toString()) as {
    changes: number
  }
  await level.commit([put])
  await level.close()
  const countFound = async (): Promise<number> => {
    const reopened = await fixture.open()
    const again = openIn(reopened)
    await again.repair()
    const found = again.list(ada.id).length
    await reopened.close()
    return found
  }
  t.is(await countFound(), 0, 'what nobody else has written is not looked through at each start')
  const older = await openLevelStore(fixture.dir, { create: false })
  await older.commit([putRow('head', { changes })])
  await older.close()
  t.is(await countFound(), 1)
})

test('a use is written once a minute, and is in the audit list once an hour', async (t) => {
  const { fixture, store, grants, audit, openIn } = await open(t)
  await grants.save('g', payload('openid'))
  const grant = grants.find('g')
  if (grant === undefined) return t.fail('there is a permission')
  for (let minute = 0; minute <= 60; minute += 1) {
    grants.noteUse(grant, '192.0.2.9')
    grants.noteUse(grant, '198.51.100.9')
    fixture.clock.forward(60_000)
  }
  await store.inTurn(() => Promise.resolve())
  const lastUsed = { at: '2026-01-01T01:00:00.000Z', network: '192.0.2.0/24' }
  t.deepEqual(grants.list(ada.id)[0]?.last_used, lastUsed)
  const used = (await audit.read(ada, list)).filter(({ action }) => action === 'used')
  t.deepEqual(
    used.map(({ at, network }) => [at, network]),
    [
      ['2026-01-01T00:00:00.000Z', '192.0.2.0/24'],
      ['2026-01-01T01:00:00.000Z', '192.0.2.0/24'],
    ],
  )
  t.deepEqual(
    (await audit.read(ada, { order: 'newest', cursor: 3, limit: 1 })).map(({ seq }) => seq),
    [2],
  )
  t.deepEqual(fixture.reported, [])
  await store.close()
  const again = openIn(await fixture.open())
  t.deepEqual(again.list(ada.id)[0]?.last_used, lastUsed)
})

test('nothing of a permission is readable in the rows', async (t) => {
  const { store, grants } = await open(t)
  await grants.save('planted', payload('openid', '', 'pplanted', 'app_planted'))
  for await (const [key, row] of store.scan('grant')) {
    t.notRegex(key + JSON.stringify(row), /planted/)
  }
})
