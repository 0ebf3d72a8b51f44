import { randomBytes } from 'node:crypto'
import type { ExecutionContext, TestFn } from 'ava'
import { type Adapter, errors } from 'oidc-provider'

import { providerAdapter } from '#src/identity/oauth/provider_configuration.ts'
import { ProviderRows, type ProviderRowStore } from '#src/identity/oauth/provider_rows.ts'
import { Redemptions } from '#src/identity/oauth/redemption.ts'
import { Applications } from '#src/identity/oauth/applications.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { TestClock } from '#test/src/identity/_identity.ts'

/** Where the provider's rows lie, and everything else. */
export type ProviderStores = { readonly store: ProviderRowStore; readonly identity: IdentityStore }

/** Gives fresh stores to a test, and sees to their removal afterwards. */
export type MakeStores = (t: ExecutionContext) => Promise<ProviderStores>

type Fixture = {
  readonly adapter: (kind: string) => Adapter
  readonly rows: ProviderRows
  readonly store: ProviderRowStore
  readonly clock: TestClock
}

const token = { kind: 'AccessToken', accountId: 'p1', clientId: 'app_1' }

/** What oidc-provider asks of its adapter, on whatever store the rows lie. */
export function testProviderAdapter(test: TestFn, makeStores: MakeStores): void {
  testRows(test, makeStores)
  testGrants(test, makeStores)
  testConsumption(test, makeStores)
  testSecrecy(test, makeStores)
}

function testRows(test: TestFn, makeStores: MakeStores): void {
  test('a row is found under its kind and id until it expires or is destroyed', async (t) => {
    const { adapter, clock } = await open(t, makeStores)
    await adapter('AccessToken').upsert('a', { ...token, jti: 'a' }, 60)
    t.like(await adapter('AccessToken').find('a'), { accountId: 'p1', jti: 'a' })
    t.is(await adapter('RefreshToken').find('a'), undefined)
    clock.forward(59_999)
    t.not(await adapter('AccessToken').find('a'), undefined)
    clock.forward(1)
    t.is(await adapter('AccessToken').find('a'), undefined)
    await adapter('AccessToken').upsert('b', token, 60)
    await adapter('AccessToken').destroy('b')
    await adapter('AccessToken').destroy('b')
    t.is(await adapter('AccessToken').find('b'), undefined)
  })

  test('a session is found by its uid, and the newest of it only', async (t) => {
    const { adapter } = await open(t, makeStores)
    const sessions = adapter('Session')
    await sessions.upsert('first', { kind: 'Session', uid: 'u', accountId: 'p1' }, 60)
    await sessions.upsert('second', { kind: 'Session', uid: 'u', accountId: 'p2' }, 60)
    t.like(await sessions.findByUid('u'), { accountId: 'p2' })
    await sessions.destroy('second')
    t.is(await sessions.findByUid('u'), undefined)
    t.is(await sessions.findByUid('v'), undefined)
  })

  test('a sweep removes what has expired, with what it was found by, no more', async (t) => {
    const { adapter, rows, store, clock } = await open(t, makeStores)
    const tokens = adapter('AccessToken')
    const short = Array.from({ length: 700 }, (_, index) => `short ${index}`)
    // A thread may have 500 writes under way.
    for (let from = 0; from < short.length; from += 350) {
      const some = short.slice(from, from + 350)
      await Promise.all(some.map((id) => tokens.upsert(id, { ...token, grantId: 'g' }, 10)))
    }
    await tokens.upsert('long', { ...token, grantId: 'g' }, 60)
    await tokens.upsert('prolonged', token, 10)
    await tokens.upsert('prolonged', token, 60)
    clock.forward(30_000)
    t.is(await rows.sweep(), 700)
    t.is(await rows.sweep(), 0)
    t.not(await tokens.find('long'), undefined)
    t.not(await tokens.find('prolonged'), undefined)
    // Of the two that are left: two rows, two of their expiry, and one of a grant.
    t.is(await count(store), 5)
  })
}

function testGrants(test: TestFn, makeStores: MakeStores): void {
  test('the end of a grant ends every row of it, whatever its kind, and no other', async (t) => {
    const { adapter, store } = await open(t, makeStores)
    await adapter('AccessToken').upsert('a', { ...token, grantId: 'g' }, 60)
    await adapter('RefreshToken').upsert('r', { kind: 'RefreshToken', grantId: 'g' }, 60)
    await adapter('AccessToken').upsert('other', { ...token, grantId: 'h' }, 60)
    await adapter('AccessToken').revokeByGrantId('g')
    t.is(await adapter('AccessToken').find('a'), undefined)
    t.is(await adapter('RefreshToken').find('r'), undefined)
    t.not(await adapter('AccessToken').find('other'), undefined)
    t.is(await count(store), 3)
  })

  test('grants are what the identity store keeps, and clients are applications', async (t) => {
    const { adapter } = await open(t, makeStores)
    const grant = { accountId: 'p1', clientId: 'app_1', openid: { scope: 'openid' } }
    const exp = Date.parse('2027-01-01T00:00:00.000Z') / 1_000
    await adapter('Grant').upsert('g', { ...grant, exp }, 60)
    t.deepEqual(await adapter('Grant').find('g'), { ...grant, exp })
    await adapter('Grant').destroy('g')
    t.is(await adapter('Grant').find('g'), undefined)
    t.is(await adapter('Client').find('app_1'), undefined)
    await t.throwsAsync(adapter('Client').upsert('app_1', {}, 0), { message: /does not ask this/ })
  })
}

function testConsumption(test: TestFn, makeStores: MakeStores): void {
  test('of 20 redemptions at once exactly one wins, in each of 100 rounds', async (t) => {
    const { adapter } = await open(t, makeStores)
    const codes = adapter('AuthorizationCode')
    for (let round = 0; round < 100; round += 1) {
      const id = `code ${round}`
      await codes.upsert(id, { kind: 'AuthorizationCode', grantId: 'g' }, 60)
      const attempts = Array.from({ length: 20 }, () => codes.consume(id))
      const outcomes = await Promise.allSettled(attempts)
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
      t.is(lost.length, 19)
      t.true(lost.every(({ reason }) => reason instanceof errors.InvalidGrant))
      await t.throwsAsync(codes.consume(id), { instanceOf: errors.InvalidGrant })
      t.is(typeof (await find(codes, id))['consumed'], 'number')
    }
  })

  test('of two redemptions at once the second ends the permission', async (t) => {
    const { adapter } = await open(t, makeStores)
    const [codes, grants] = [adapter('AuthorizationCode'), adapter('Grant')]
    const exp = Date.parse('2027-01-01T00:00:00.000Z') / 1_000
    for (const id of ['g', 'other']) {
      const grant = { accountId: 'p1', clientId: id, openid: { scope: 'openid' }, exp }
      await grants.upsert(id, grant, 60)
    }
    await codes.upsert('code', { kind: 'AuthorizationCode', grantId: 'g' }, 60)
    await codes.consume('code')
    t.not(await grants.find('g'), undefined)
    await t.throwsAsync(codes.consume('code'), { instanceOf: errors.InvalidGrant })
    t.is(await grants.find('g'), undefined)
    t.not(await grants.find('other'), undefined)
  })

  test('what has expired, or is not there, is not redeemed', async (t) => {
    const { adapter, clock } = await open(t, makeStores)
    const codes = adapter('AuthorizationCode')
    await t.throwsAsync(codes.consume('none'), { instanceOf: errors.InvalidGrant })
    await codes.upsert('code', { kind: 'AuthorizationCode' }, 60)
    clock.forward(60_000)
    await t.throwsAsync(codes.consume('code'), { instanceOf: errors.InvalidGrant })
  })

  test('a redeemed refresh token is remembered for 30 days', async (t) => {
    const { adapter, clock } = await open(t, makeStores)
    const tokens = adapter('RefreshToken')
    await tokens.upsert('r', { kind: 'RefreshToken' }, 180 * 86_400)
    await tokens.consume('r')
    clock.forward(30 * 86_400_000 - 1)
    t.is(typeof (await find(tokens, 'r'))['consumed'], 'number')
    clock.forward(1)
    t.is(await tokens.find('r'), undefined)
  })
}

function testSecrecy(test: TestFn, makeStores: MakeStores): void {
  test('no row says what it is of, nor can it be put in the place of another', async (t) => {
    const { adapter, store } = await open(t, makeStores)
    await adapter('AccessToken').upsert('planted-token', { ...token, accountId: 'planted' }, 60)
    await adapter('AccessToken').upsert('other', token, 60)
    const keys: string[] = []
    for await (const [key, value] of store.scan(everything)) {
      t.notRegex(key + Buffer.from(value).toString('latin1'), /planted|AccessToken|app_1/)
      if (key.startsWith('row/')) keys.push(key)
    }
    const [one = '', two = ''] = keys
    const moved = store.get(two)
    if (moved === undefined) return t.fail('there is a second row')
    await store.commit([{ type: 'put', key: one, value: moved }])
    const found = [
      await adapter('AccessToken').find('planted-token'),
      await adapter('AccessToken').find('other'),
    ]
    t.is(found.filter((row) => row === undefined).length, 1)
  })
}

async function open(t: ExecutionContext, makeStores: MakeStores): Promise<Fixture> {
  const { store, identity } = await makeStores(t)
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  const audit = new AuditLog(identity)
  const report = (fault: unknown): void => t.fail(String(fault))
  const parts = { store: identity, audit, clock, random: randomBytes, report }
  const grants = new Grants(parts)
  const applications = new Applications({ ...parts, idPrefix: 'app_' })
  const rows = new ProviderRows({
    store,
    clock,
    indexKey: Buffer.alloc(32, 1),
    sealKey: Buffer.alloc(32, 2),
  })
  const redemptions = new Redemptions({ store: identity, rows, nowMs: () => clock.nowMs() })
  const adapter = providerAdapter({ rows, grants, applications, redemptions })
  return { adapter, rows, store, clock }
}

/** All that lies there. */
const everything = { gte: '', lt: '~' }

async function find(adapter: Adapter, id: string): Promise<Record<string, unknown>> {
  return (await adapter.find(id)) ?? {}
}

async function count(store: ProviderRowStore): Promise<number> {
  return (await Array.fromAsync(store.scan(everything))).length
}
