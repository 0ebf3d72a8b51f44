// The people of one environment, opened twice: where it runs, and by a side that has joined it over
// real ports, as an edge thread does. What the one has acknowledged holds of the other at once.

import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import test, { type ExecutionContext } from 'ava'
import type Provider from 'oidc-provider'

import { elapsedMs } from '#actors/values/clock.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { joinEnvironment } from '#actors/registry/served_environment.ts'
import { environmentLimits } from '#actors/registry/environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import type { Owner } from '#actors/values/agent.ts'
import { loadConfig } from '#config/config.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'
import { createLogger } from '#src/edge/logger.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import type { NewKey } from '#src/identity/keys/key_record.ts'
import { shareIdentity } from '#src/identity/store/identity_sharing.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { joinIdentityStore } from '#src/identity/store/identity_sharing.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { settleAccounts } from '#src/cli/start/realm.ts'
import { makeRegistry } from '#test/actors/_environment.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { openTestRealm } from '#test/src/_realm.ts'
import { type IdentityFixture, identityFixture } from '#test/src/identity/_identity.ts'

type Side = { readonly realm: Realm; readonly codes: AdminCodes; readonly store: IdentityStore }

type Opened = Omit<Parameters<typeof openTestRealm>[0], 'config' | 'baseUrl' | 'clock' | 'logger'>

async function openSide(
  t: ExecutionContext,
  { clock }: IdentityFixture,
  opened: Opened,
): Promise<Side> {
  const { store } = opened
  const { realm, close } = await openTestRealm({
    ...opened,
    config: loadConfig({}),
    baseUrl: 'https://registry.example',
    clock,
    logger: createLogger('error', { write: (line) => t.log(line) }),
  })
  t.teardown(close)
  return { realm, store, codes: new AdminCodes({ store, clock, random: randomBytes }) }
}

/** The two sides, the one that runs first. */
async function open(t: ExecutionContext): Promise<readonly [Side, Side]> {
  const fixture = await identityFixture(t)
  const [owner, joined] = await openOn(t, fixture, await fixture.open())
  return [owner, joined]
}

async function openOn(
  t: ExecutionContext,
  fixture: IdentityFixture,
  store: OpenedIdentityStore,
): Promise<readonly [Side, Side, cutOff: () => void]> {
  const folder = await makeTempDir(t)
  const personKeys = new PersonKeys(store, randomBytes)
  const personIndexKey = store.deriveKey('person index')
  const { options } = await makeRegistry(t, { personSeal: personKeys, personIndexKey })
  const storeDir = `${options.storeDir}/store`
  const environment = await openEnvironment({ ...options, storeDir })
  t.teardown(() => environment.close())
  const owner = await openSide(t, fixture, { folder, store, personKeys, environment })
  const { toJoined, toOwner: remote } = connect(t)
  const share = shareIdentity(store, toJoined)
  const joinedStore = await joinIdentityStore({ dir: fixture.dir, share, remote, elapsedMs })
  t.teardown(() => joinedStore.close())
  const joinedKeys = new PersonKeys(joinedStore, randomBytes)
  const joinedEnvironment = await joinEnvironment({
    ...options,
    storeDir,
    vkey: environment.vkey,
    personSeal: joinedKeys,
    personIndexKey: joinedStore.deriveKey('person index'),
    limits: environmentLimits,
    share: environment.share(toJoined),
    remote,
  })
  t.teardown(() => joinedEnvironment.close())
  const joined = await openSide(t, fixture, {
    role: { type: 'joins', owner: remote },
    folder,
    store: joinedStore,
    personKeys: joinedKeys,
    environment: joinedEnvironment,
  })
  return [owner, joined, () => toJoined.close()]
}

/** Carries a test out twice: what one side does first, the other does the second time. */
async function eachWay(
  t: ExecutionContext,
  check: (one: Side, other: Side) => Promise<void>,
): Promise<void> {
  const [owner, joined] = await open(t)
  await check(owner, joined)
  await check(joined, owner)
}

const press: Owner = { type: 'organization', id: 'press', name: 'A Press' }
const wish: NewKey = {
  owner: press,
  environment: 'live',
  scopes: ['works:read'],
  label: '',
  ipAllow: [],
  hours: 24,
}
const origin = { ip: '192.0.2.7', userAgent: 'curl/8' }

let people = 0

/** Somebody with an account that this side has made. */
async function signUp({ realm }: Side) {
  people += 1
  const email = `ada${people}@example.org`
  const password = 'a long enough sentence'
  const { accounts } = realm.accounts
  const answer = await accounts.signUp({
    name: 'Ada Lovelace',
    username: `ada${people}`,
    email,
    email_verified: true,
    password,
  })
  if (answer.type !== 'signed_up') throw new Error(JSON.stringify(answer.faults))
  const { ppid } = answer.account
  return { email, password, ppid, owner: { type: 'person', id: ppid, name: ppid } as const }
}

test('a key that one side has made is good on the other, until either revokes it', async (t) => {
  await eachWay(t, async (one, other) => {
    const { key, record } = await one.realm.keys.create(wish, operator)
    t.is(other.realm.keys.authenticate(key, origin).type, 'accepted')
    await other.realm.keys.revoke(record.id, operator)
    for (const { realm } of [one, other]) {
      t.like(realm.keys.authenticate(key, origin), { type: 'refused', reason: 'revoked' })
    }
  })
})

test('an account that one side has made signs in on the other, and goes from both', async (t) => {
  await eachWay(t, async (one, other) => {
    const { email, password, ppid } = await signUp(one)
    const here = other.realm.accounts
    t.is((await here.accounts.signIn(email, password)).type, 'signed_in')
    t.is((await here.accounts.signIn(email, 'another sentence')).type, 'refused')
    const { token } = await here.sessions.begin(ppid, origin)
    t.is(one.realm.accounts.sessions.find(token)?.ppid, ppid)
    await one.realm.accounts.accounts.remove(ppid)
    for (const { realm } of [one, other]) {
      t.is(realm.accounts.sessions.find(token), undefined)
      t.is(realm.accounts.accounts.find(ppid), undefined)
      t.is((await realm.accounts.accounts.signIn(email, password)).type, 'refused')
    }
  })
})

test('a session that one side ends has ended on the other', async (t) => {
  await eachWay(t, async (one, other) => {
    const { ppid } = await signUp(one)
    const { token, session } = await one.realm.accounts.sessions.begin(ppid, origin)
    t.is(other.realm.accounts.sessions.find(token)?.id, session.id)
    await other.realm.accounts.sessions.end(ppid, session.id)
    t.is(one.realm.accounts.sessions.find(token), undefined)
  })
})

test('a one-time link is used once over both', async (t) => {
  await eachWay(t, async (one, other) => {
    const { ppid } = await signUp(one)
    for (let round = 0; round < 5; round += 1) {
      const { token } = await other.realm.accounts.links.issue({ kind: 'reset', ppid })
      const used = await Promise.all(
        Array.from({ length: 6 }, (_, nth) => {
          const { accounts } = (nth % 2 === 0 ? one : other).realm.accounts
          return accounts.byLink.resetPassword(token, `a sentence of round ${round} and ${nth}`)
        }),
      )
      t.is(used.filter((faults) => faults?.length === 0).length, 1)
      for (const { realm } of [one, other])
        t.is(realm.accounts.links.read('reset', token), undefined)
    }
  })
})

test('a code of the administrator confirms one call over both', async (t) => {
  await eachWay(t, async (one, other) => {
    const { code } = await one.codes.issue()
    const won = await Promise.all([one, other, one, other].map(({ codes }) => codes.redeem(code)))
    t.is(won.filter(Boolean).length, 1)
  })
})

test('both sides together hash no more passwords at a time than one does', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const own = store.inTurnAt.bind(store)
  const hashing = new Set<string>()
  let most = 0
  // All turns come to the owner.
  store.inTurnAt = (name, task) =>
    own(name, async () => {
      if (!name.startsWith('password hash ')) return task()
      t.false(hashing.has(name))
      hashing.add(name)
      most = Math.max(most, hashing.size)
      const done = await task()
      hashing.delete(name)
      return done
    })
  const [owner, joined] = await openOn(t, fixture, store)
  const signingIn = Array.from({ length: 30 }, (_, nth) => {
    const { accounts } = (nth % 2 === 0 ? owner : joined).realm.accounts
    return accounts.signIn('nobody@example.org', 'a sentence', `192.0.2.${nth}`)
  })
  for (const { type } of await Promise.all(signingIn)) t.is(type, 'refused')
  t.true(
    most > 0 && most <= Math.max(1, Math.min(availableParallelism() - 1, 3)),
    `${most} at a time`,
  )
})

test('what a thread that dies was doing with an account is brought to its end', async (t) => {
  for (let step = 1; step <= 4; step += 1) {
    const fixture = await identityFixture(t)
    const store = await fixture.open()
    const [owner, joined, cutOff] = await openOn(t, fixture, store)
    const { ppid, email, password } = await signUp(owner)
    const commit = store.commit.bind(store)
    let commits = 0
    store.commit = async (operations) => {
      await commit(operations)
      if ((commits += 1) === step) cutOff()
    }
    await t.throwsAsync(joined.realm.accounts.accounts.remove(ppid), { instanceOf: ActorError })
    store.commit = commit
    const logged: string[] = []
    const logger = createLogger('warn', { write: (line) => void logged.push(line) })
    await settleAccounts(owner.realm.accounts, logger)
    t.regex(logged.join(''), new RegExp(`"removed":\\["${ppid}"\\]`))
    t.is((await owner.realm.accounts.accounts.signIn(email, password)).type, 'refused')
    await settleAccounts(owner.realm.accounts, logger)
    t.is(logged.length, 1)
  }
})

test('the link of the set-up makes one administrator over both', async (t) => {
  const sides = await open(t)
  const [one, other] = sides
  const token = one.realm.accounts.setup.token ?? ''
  t.true(other.realm.accounts.setup.matches(token))
  const made = await Promise.all(
    [other, one, other].map((side) =>
      side.realm.accounts.setup.use(token, async () => {
        const { ppid } = await signUp(side)
        await side.realm.accounts.accounts.setAdmin(ppid, true, operator)
        return { isMade: true }
      }),
    ),
  )
  t.is(made.filter((answer) => answer?.isMade).length, 1)
  for (const { realm } of sides) t.is(realm.accounts.setup.token, undefined)
})

/** The provider of a side itself, which makes tokens and codes as its own routes do. */
async function providerOf({ realm }: Side): Promise<Provider> {
  return (await realm.oauth.provider.interactions()) as Provider
}

/** A permission to write works for a person, given to an application on one side. */
async function permit(side: Side) {
  const { owner, ppid } = await signUp(side)
  const { application } = await side.realm.oauth.applications.register(
    {
      name: 'Press',
      kind: 'confidential',
      redirect_uris: ['https://press.example/back'],
      scopes: ['svc:works:write'],
      organization: null,
      owner,
      homepage: null,
      logo_uri: null,
      contact: null,
    },
    owner,
  )
  await side.realm.oauth.applications.approve(application.client_id, operator)
  const provider = await providerOf(side)
  const grant = new provider.Grant({ accountId: ppid, clientId: application.client_id })
  grant.addOIDCScope('svc:works:write')
  const grantId = await grant.save()
  const client = await provider.Client.find(application.client_id)
  if (client === undefined) throw new Error('the application is not known')
  const gty = 'authorization_code'
  const issued = { accountId: ppid, client, grantId, scope: 'svc:works:write', gty }
  return { owner, application, grantId, issued, provider }
}

test('the token of an application is good on both, until either ends its permission', async (t) => {
  await eachWay(t, async (one, other) => {
    const { grantId, issued, owner, application, provider } = await permit(one)
    const token = await new provider.AccessToken(issued).save()
    for (const { realm } of [one, other]) {
      t.like(realm.oauth.accessTokens.check(token, origin.ip), { ppid: owner.id, grantId })
    }
    await other.realm.oauth.grants.end(grantId, owner)
    for (const { realm } of [one, other]) {
      t.is(realm.oauth.accessTokens.check(token, origin.ip), undefined)
    }
    await one.realm.oauth.applications.revoke(application.client_id, owner)
    t.is(other.realm.oauth.applications.findUsable(application.client_id), undefined)
  })
})

test('a code of the provider is redeemed once over both', async (t) => {
  await eachWay(t, async (one, other) => {
    const { issued, provider } = await permit(one)
    const codes = [provider, await providerOf(other)].map((each) => each.AuthorizationCode)
    for (let round = 0; round < 5; round += 1) {
      const code = await new provider.AuthorizationCode({
        ...issued,
        redirectUri: 'https://press.example/back',
      }).save()
      const redeemed = await Promise.allSettled(
        Array.from({ length: 6 }, async (_, nth) => {
          const found = await codes[(nth + round) % 2]?.find(code)
          if (found === undefined) throw new Error('the code is not known')
          await found.consume()
        }),
      )
      t.is(redeemed.filter(({ status }) => status === 'fulfilled').length, 1)
    }
  })
})
