import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { identityFixture, type IdentityFixture } from '#test/src/identity/_identity.ts'

const operator: Owner = { type: 'operator', id: 'operator', name: 'Operator' }
const origin = { ip: '192.0.2.7', userAgent: 'curl/8' }

function wishOf(id: string) {
  const owner: Owner = { type: 'organization', id, name: id }
  const scopes = ['works:read']
  return { owner, environment: 'live', scopes, label: '', ipAllow: [], hours: 24 } as const
}

/** A store with a key of each of two owners; the first was revoked after `copy` was made. */
async function rolledBackStore(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const older = `${fixture.dir}.older`
  const store = await fixture.open()
  const keys = fixture.openKeys(store)
  const revoked = await keys.create(wishOf('one'), operator)
  const other = await keys.create(wishOf('two'), operator)
  await store.close()
  await cp(fixture.dir, older, { recursive: true })
  const again = await fixture.open()
  await fixture.openKeys(again).revoke(revoked.record.id, operator)
  await again.close()
  await rename(fixture.dir, `${fixture.dir}.newest`)
  await rename(older, fixture.dir)
  return { fixture, revoked, other }
}

function assertRefused(t: ExecutionContext, fixture: IdentityFixture) {
  return t.throwsAsync(fixture.open(), {
    instanceOf: IdentityError,
    code: 'keys_rolled_back',
    message:
      `the identity store lacks the newest 1 of the changes that were made (${fixture.headFile}` +
      '): it is an older copy, or has lost writes, and keys that were revoked since would work ' +
      'again. Restore the newest copy of the store; if there is none, run ' +
      '"arklog key accept-older --help" to go on from this one',
  })
}

test('an older copy is refused at every start, and the newest one opens again', async (t) => {
  const { fixture, revoked } = await rolledBackStore(t)
  await assertRefused(t, fixture)
  await assertRefused(t, fixture)
  await rm(fixture.dir, { recursive: true })
  await rename(`${fixture.dir}.newest`, fixture.dir)
  const keys = fixture.openKeys(await fixture.open())
  t.like(keys.authenticate(revoked.key, origin), { type: 'refused', reason: 'revoked' })
})

test('an older copy that is only looked at stays refused', async (t) => {
  const { fixture } = await rolledBackStore(t)
  const opened = await fixture.open({ acceptsOlder: true })
  t.is(opened.lostChanges, 1)
  await opened.close()
  await assertRefused(t, fixture)
})

test('an older copy whose keys were all revoked is the newest from then on', async (t) => {
  const { fixture, revoked, other } = await rolledBackStore(t)
  const accepted = await fixture.open({ acceptsOlder: true })
  t.is(await fixture.openKeys(accepted).revokeAll(operator), 2)
  await accepted.close()
  const store = await fixture.open()
  t.is(store.lostChanges, 0)
  const keys = fixture.openKeys(store)
  for (const { key, record } of [revoked, other]) {
    t.like(keys.authenticate(key, origin), { type: 'refused', reason: 'revoked' })
    const audit = await keys.audit(record.owner, { after: 0, limit: 10 })
    t.deepEqual(
      audit.slice(0, 2).map(({ seq, action }) => [seq, action]),
      [
        [1, 'created'],
        [2, 'revoked'],
      ],
    )
  }
  t.is(await keys.revokeAll(operator), 0)
  await store.close()
  // What was the newest copy lacks this history now.
  await rm(fixture.dir, { recursive: true })
  await rename(`${fixture.dir}.newest`, fixture.dir)
  await t.throwsAsync(fixture.open(), { code: 'keys_rolled_back' })
})

test('without a guard the store is believed, and a guard is begun', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  await store.close()
  t.regex(await readFile(fixture.headFile, 'utf8'), /^svc-identity-head-v1\n1\n[0-9a-f]{64}\n+$/)
  await rm(fixture.headFile)
  await (await fixture.open()).close()
  t.regex(await readFile(fixture.headFile, 'utf8'), /^svc-identity-head-v1\n1\n[0-9a-f]{64}\n+$/)
})

test('a guard that lags behind, as after a loss of power, is no reason to refuse', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const guard = await readFile(fixture.headFile)
  await fixture.openKeys(store).create(wishOf('one'), operator)
  await store.close()
  await writeFile(fixture.headFile, guard)
  await t.notThrowsAsync(fixture.open())
})

test('a guard that was not written for this store is refused', async (t) => {
  const fixture = await identityFixture(t)
  await (await fixture.open()).close()
  const other = await identityFixture(t)
  await (await other.open()).close()
  const own = await readFile(fixture.headFile, 'utf8')
  const wrong = [
    await readFile(other.headFile, 'utf8'),
    own.replace('\n1\n', '\n0\n'),
    own.replace('\n1\n', '\n01\n'),
    own.slice(0, 40),
    'x',
    '\0'.repeat(4096),
  ]
  for (const text of wrong) {
    await writeFile(fixture.headFile, text)
    await t.throwsAsync(fixture.open(), {
      instanceOf: IdentityError,
      code: 'keys_inconsistent',
      message: /identity\.head was not written for this identity store: put back the file that/,
    })
    t.is(await readFile(fixture.headFile, 'utf8'), text, 'the evidence stays')
  }
})
