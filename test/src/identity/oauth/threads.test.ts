// The permissions of one registry, held by two threads: each has its own objects over the rows.

import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import type { Owner } from '#actors/values/agent.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import { AccessTokens } from '#src/identity/oauth/access_tokens.ts'
import { Applications } from '#src/identity/oauth/applications.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import {
  AlreadyConsumedError,
  ownRowStore,
  ProviderRows,
} from '#src/identity/oauth/provider_rows.ts'
import { Redemptions } from '#src/identity/oauth/redemption.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { type IdentityFixture, identityFixture } from '#test/src/identity/_identity.ts'
import { lateView } from '#test/src/identity/_late_view.ts'

const ada: Owner = { type: 'person', id: 'pada', name: 'pada' }
const endSeconds = Date.parse('2026-06-30T00:00:00.000Z') / 1_000
const ip = '192.0.2.7'
const token = 'a'.repeat(43)

type Thread = Awaited<ReturnType<typeof openThread>>

async function openThread(fixture: IdentityFixture, store: IdentityStore, level: Store) {
  const { clock } = fixture
  const report = (fault: unknown): void => void fixture.reported.push(fault)
  const audit = new AuditLog(store)
  const parts = { store, audit, clock, random: randomBytes, report }
  const applications = new Applications({ ...parts, idPrefix: 'app_' })
  const grants = new Grants(parts)
  const indexKey = store.deriveKey('provider index')
  const sealKey = store.deriveKey('provider seal')
  const rows = new ProviderRows({ store: ownRowStore(level, store), clock, indexKey, sealKey })
  const nowMs = () => clock.nowMs()
  const tokens = new AccessTokens({
    store,
    rows,
    grants,
    applications,
    organizationName: (slug) => slug,
    nowMs,
    elapsedMs: nowMs,
  })
  const redemptions = new Redemptions({ store, rows, nowMs })
  return { audit, applications, grants, rows, tokens, redemptions }
}

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const level = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => level.close())
  const openOne = () => openThread(fixture, lateView(store), level)
  return { fixture, threads: [await openOne(), await openOne()] as const }
}

function payload(scope: string, clientId = 'app_1', exp = endSeconds) {
  return { accountId: ada.id, clientId, exp, openid: { scope } }
}

/** An application with a permission and a token of it, made by one thread. */
async function permit({ applications, grants, rows }: Thread, grantId: string) {
  const { application } = await applications.register(
    {
      name: 'Press',
      kind: 'confidential',
      redirect_uris: ['https://press.example/back'],
      scopes: ['svc:works:write'],
      organization: null,
      owner: ada,
      homepage: null,
      logo_uri: null,
      contact: null,
    },
    ada,
  )
  const { client_id: clientId } = application
  await grants.save(grantId, payload('svc:works:write', clientId))
  await rows.put('Session', 'session', { uid: 'u', accountId: ada.id }, 3_600)
  const issued = {
    accountId: ada.id,
    clientId,
    grantId,
    scope: 'svc:works:write',
    sessionUid: 'u',
    expiresWithSession: true,
  }
  await rows.put('AccessToken', token, issued, 3_600)
  return { clientId, issued }
}

test('a token is refused by both once one has ended what it hangs by', async (t) => {
  const { threads } = await open(t)
  const [one, other] = threads
  const areGood = () => threads.map(({ tokens }) => tokens.check(token, ip) !== undefined)
  const { clientId, issued } = await permit(one, 'g')
  const ends: readonly (readonly [end: () => Promise<unknown>, renew: () => Promise<unknown>])[] = [
    [
      () => other.rows.remove('AccessToken', token),
      () => one.rows.put('AccessToken', token, issued, 3_600),
    ],
    [
      () => one.rows.remove('Session', 'session'),
      () => other.rows.put('Session', 'session', { uid: 'u', accountId: ada.id }, 3_600),
    ],
    [
      () => other.grants.end('g', ada),
      () => one.grants.save('g', payload('svc:works:write', clientId)),
    ],
    [() => one.rows.removeOfGrant('g'), () => other.rows.put('AccessToken', token, issued, 3_600)],
    [() => other.applications.revoke(clientId, ada), () => Promise.resolve()],
  ]
  for (const [end, renew] of ends) {
    t.deepEqual(areGood(), [true, true])
    await end()
    t.deepEqual(areGood(), [false, false])
    await renew()
  }
})

test('what one permits or takes back counts on the other at once', async (t) => {
  const { threads } = await open(t)
  const [one, other] = threads
  const scopesOf = () => threads.map(({ tokens }) => [...(tokens.check(token, ip)?.scopes ?? [])])
  const { clientId } = await permit(one, 'g')
  t.deepEqual(scopesOf(), [['svc:works:write'], ['svc:works:write']])
  await other.grants.save('g', payload('profile', clientId))
  t.deepEqual(scopesOf(), [[], []])
  t.is(one.grants.findFor(ada.id, clientId)?.id, 'g')
})

test('of redemptions of one row at once, over both, one wins in each round', async (t) => {
  const { threads } = await open(t)
  for (let round = 0; round < 50; round += 1) {
    const id = `code ${round}`
    await threads[0].rows.put('AuthorizationCode', id, {}, 60)
    const attempts = Array.from({ length: 10 }, (_, nth) => {
      const { rows } = (nth + round) % 2 === 0 ? threads[0] : threads[1]
      return rows.consume('AuthorizationCode', id)
    })
    const outcomes = await Promise.allSettled(attempts)
    t.is(outcomes.filter(({ status }) => status === 'rejected').length, 9)
    for (const { rows } of threads) {
      await t.throwsAsync(rows.consume('AuthorizationCode', id), {
        instanceOf: AlreadyConsumedError,
      })
    }
  }
})

test('requests for one refresh token take turns, and are told its successor', async (t) => {
  const { threads } = await open(t)
  await threads[0].rows.put('RefreshToken', 'r', {}, 3_600)
  let inside = 0
  const redeem = async ({ redemptions, rows }: Thread, nth: number) => {
    const request = {}
    const turn = await redemptions.enter(request, 'RefreshToken', 'r')
    t.is((inside += 1), 1)
    await nextTurn()
    if (turn.type === 'first') {
      await rows.consume('RefreshToken', 'r')
      await rows.putSuccessor(`next ${nth}`, {}, { ttl: 60, of: { kind: 'RefreshToken', id: 'r' } })
    }
    inside -= 1
    redemptions.leave(request)
    return turn.type === 'again' ? turn.refreshToken : turn.type
  }
  const turns = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => redeem(threads[nth % 2 === 0 ? 0 : 1], nth)),
  )
  t.is(turns.filter((turn) => turn === 'first').length, 1)
  const winner = turns.indexOf('first')
  t.deepEqual(new Set(turns), new Set(['first', `next ${winner}`]))
})

const anyStep = fc.record({
  by: fc.constantFrom(0, 1),
  what: fc.constantFrom('save', 'end', 'end all', 'sweep'),
  id: fc.constantFrom('g', 'h'),
  scope: fc.constantFrom('svc:works:write', 'profile'),
  isWaitedFor: fc.boolean(),
})

test('in any interleaving both have the same permissions', async (t) => {
  const { threads } = await open(t)
  const ended: string[] = []
  for (const { grants } of threads) grants.onEnd(async (id) => void ended.push(id))
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 10 }), async (steps) => {
    const underWay: Promise<unknown>[] = []
    for (const { by, what, id, scope, isWaitedFor } of steps) {
      const { grants } = threads[by]
      if (what === 'save') underWay.push(grants.save(id, payload(scope)))
      if (what === 'end') underWay.push(grants.end(id, ada))
      if (what === 'end all') underWay.push(grants.endAllOfPerson(ada.id, ada))
      if (what === 'sweep') underWay.push(grants.sweep())
      if (!isWaitedFor) continue
      await Promise.all(underWay.splice(0))
      const isThere = threads.map((thread) => thread.grants.find(id) !== undefined)
      t.is(isThere[0], isThere[1])
      if (what === 'end all') t.deepEqual(threads[1 - by]?.grants.list(ada.id), [])
    }
    await Promise.all(underWay)
    const [one, other] = threads.map(({ grants }) => grants.list(ada.id))
    t.deepEqual(one?.map(({ id }) => id).sort(), other?.map(({ id }) => id).sort())
    t.deepEqual(new Map(one?.map((g) => [g.id, g])), new Map(other?.map((g) => [g.id, g])))
  })
  await fc.assert(property, { numRuns: 25 })
  const audit = await threads[0].audit.read(ada, { limit: 10_000 })
  t.deepEqual(
    audit.map(({ seq }) => seq),
    audit.map((_, index) => index + 1),
  )
  t.is(audit.filter(({ action }) => action === 'revoked').length, ended.length)
})

test('uses of a permission are in the audit list once an hour, whoever notes them', async (t) => {
  const { fixture, threads } = await open(t)
  await permit(threads[0], 'g')
  for (const { tokens } of [...threads, ...threads]) t.truthy(tokens.check(token, ip))
  for (const { grants } of threads) await grants.sweep()
  const audit = await threads[1].audit.read(ada, { limit: 100 })
  t.is(audit.filter(({ action }) => action === 'used').length, 1)
  for (const { grants } of threads) {
    t.is(grants.list(ada.id)[0]?.last_used?.at, '2026-01-01T00:00:00.000Z')
  }
  t.deepEqual(fixture.reported, [])
})

test('an application, its secrets and its end are the same to both', async (t) => {
  const { threads } = await open(t)
  const [one, other] = threads
  const { clientId } = await permit(one, 'g')
  const drawn = await other.applications.rotateSecret(clientId, ada)
  if (drawn.type !== 'done' || drawn.secret === null) return t.fail(drawn.type)
  const { secret } = drawn
  for (const { applications } of threads) t.true(applications.isSecret(clientId, secret))
  await one.applications.endSecret(clientId, ada)
  for (const { applications } of threads) t.false(applications.isSecret(clientId, secret))
  await other.applications.approve(clientId, ada)
  for (const { applications } of threads) t.is(applications.find(clientId)?.state, 'approved')
  const answers = await Promise.all([
    one.applications.revoke(clientId, ada),
    other.applications.revoke(clientId, ada),
  ])
  t.deepEqual(answers.map(({ type }) => type).sort(), ['done', 'revoked'])
  for (const { applications } of threads) t.is(applications.clientMetadata(clientId), undefined)
})
