// The accounts of one registry, held by the thread that starts it and by another: each has its own
// objects over the same rows.

import { randomBytes } from 'node:crypto'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import type { Clock } from '#actors/values/clock.ts'
import { mintPpid } from '#actors/values/identifier.ts'
import { Accounts } from '#src/identity/accounts/accounts.ts'
import { KnownBrowsers, WebSessions } from '#src/identity/accounts/web_session.ts'
import { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { openSetupToken } from '#src/identity/accounts/setup_token.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { lateView } from '#test/src/identity/_late_view.ts'
import { accountWorld, ada, type OpenedWorld } from '#test/src/identity/accounts/_account_world.ts'

const profile = { slug: 'ada-press', name: 'Ada Press', aliases: [] }
const origin = { ip: '192.0.2.7', userAgent: 'Firefox' }

type Thread = Awaited<ReturnType<typeof openThread>>

async function openThread(world: OpenedWorld & { clock: Clock }, store: IdentityStore) {
  const { people, hasher, clock } = world
  const report = (fault: unknown) => {
    throw fault
  }
  const parts = { store, clock, random: randomBytes, report }
  const personKeys = new PersonKeys(store, randomBytes)
  const sessions = new WebSessions(parts)
  const browsers = new KnownBrowsers(parts)
  const links = new OneTimeLinks(parts)
  const requests = new OrganizationRequests(parts)
  const accounts = new Accounts({
    ...parts,
    people,
    personKeys,
    sessions,
    browsers,
    links,
    hasher,
    mintPpid: () => mintPpid(randomBytes),
  })
  return { store, accounts, personKeys, sessions, browsers, links, requests }
}

async function open(t: ExecutionContext): Promise<readonly [Thread, Thread]> {
  const { identity, start } = await accountWorld(t)
  const world = { ...(await start()), clock: identity.clock }
  const { store } = world
  return [await openThread(world, store), await openThread(world, lateView(store))]
}

/** What comes of one thing that both do at once, some times, beginning with either. */
async function race<T>(
  threads: readonly [Thread, Thread],
  act: (thread: Thread) => Promise<T>,
): Promise<T[]> {
  const [one, other] = threads
  return Promise.all([one, other, other, one].map((thread) => act(thread)))
}

async function signUp({ accounts }: Thread) {
  const answer = await accounts.signUp(ada)
  if (answer.type !== 'signed_up') throw new Error(JSON.stringify(answer))
  return answer.account
}

test('a session that one has begun is good on the other, until either ends it', async (t) => {
  const threads = await open(t)
  const [one, other] = threads
  const { ppid } = await signUp(other)
  for (const end of [
    (id: string) => other.sessions.end(ppid, id),
    () => one.sessions.endAll(ppid),
    () =>
      other.accounts.changePassword({
        ppid,
        current: ada.password,
        next: 'another long sentence',
        keepSession: '',
      }),
  ]) {
    const { token, session } = await one.sessions.begin(ppid, origin)
    const browser = await other.browsers.remember(ppid)
    for (const { sessions } of threads) t.is(sessions.find(token)?.ppid, ppid)
    t.not(one.browsers.find(ppid, browser), undefined)
    await end(session.id)
    for (const { sessions } of threads) t.is(sessions.find(token), undefined)
  }
})

test('of sessions that both begin at once a person has every one', async (t) => {
  const threads = await open(t)
  const { ppid } = await signUp(threads[0])
  const begun = await race(threads, ({ sessions }) => sessions.begin(ppid, origin))
  for (const { sessions } of threads) {
    t.is(sessions.list(ppid).length, begun.length)
    for (const { token } of begun) t.not(sessions.find(token), undefined)
  }
})

test('a link that both use at once is good once', async (t) => {
  const threads = await open(t)
  const [one, other] = threads
  const { ppid, email } = await signUp(one)
  const sentTo = { ppid, email: email ?? '' }
  for (let round = 0; round < 5; round += 1) {
    const unlock = await one.links.issue({ kind: 'unlock', ...sentTo })
    const opened = await race(threads, ({ accounts }) => accounts.byLink.unlock(unlock.token))
    t.is(opened.filter((account) => account !== undefined).length, 1)
    const verify = await other.links.issue({ kind: 'verify', ...sentTo })
    const verified = await race(threads, (thread) => {
      return thread.accounts.byLink.verifyEmail(verify.token)
    })
    t.is(verified.filter(Boolean).length, 1)
    const reset = await one.links.issue({ kind: 'reset', ...sentTo })
    const changed = await race(threads, ({ accounts }) => {
      return accounts.byLink.resetPassword(reset.token, `a sentence of round ${round}`)
    })
    t.is(changed.filter((faults) => faults !== undefined).length, 1)
    for (const { accounts } of threads) t.is(accounts.byLink.ofReset(reset.token), undefined)
  }
})

test('an invitation, an address and the set-up make one account on both', async (t) => {
  const threads = await open(t)
  const file = path.join(await makeTempDir(t), 'setup.token')
  const setups = new Map<Thread, Awaited<ReturnType<typeof openSetupToken>>>()
  for (const thread of threads) {
    setups.set(thread, await openSetupToken({ file, random: randomBytes, ...thread }))
  }
  const [token, same] = [...setups.values()].map((setup) => setup.token ?? '')
  t.is(token, same)
  let made = 0
  const admins = await race(threads, async (thread) => {
    return setups.get(thread)?.use(token ?? '', async () => {
      made += 1
      const answer = await thread.accounts.signUp({ ...ada, email: `${made}@x.org`, isAdmin: true })
      return { isMade: answer.type === 'signed_up' }
    })
  })
  t.deepEqual([made, admins.filter((answer) => answer?.isMade).length], [1, 1])
  for (const setup of setups.values()) t.is(setup.token, undefined)
  const invitation = (await threads[0].links.issue({ kind: 'invite' })).token
  let asked = 0
  const invited = await race(threads, ({ accounts }) => {
    asked += 1
    return accounts.signUp({
      ...ada,
      username: `user${asked}`,
      email: `user${asked}@x.org`,
      invitation,
    })
  })
  t.is(invited.filter(({ type }) => type === 'signed_up').length, 1)
  const named = await race(threads, ({ accounts }) => {
    asked += 1
    return accounts.signUp({ ...ada, username: `user${asked}` })
  })
  t.is(named.filter(({ type }) => type === 'signed_up').length, 1)
})

test('a thread that ended after it made the administrator leaves no second use', async (t) => {
  const [one, other] = await open(t)
  const file = path.join(await makeTempDir(t), 'setup.token')
  const setup = await openSetupToken({ file, random: randomBytes, ...other })
  const { token = '' } = setup
  await one.accounts.signUp({ ...ada, isAdmin: true })
  t.is(await setup.use(token, async () => ({ isMade: true })), undefined)
})

test('what one seals for a person the other opens, until either removes the account', async (t) => {
  const [one, other] = await open(t)
  const { ppid } = await signUp(one)
  const sealed = other.personKeys.seal(ppid, { name: 'Ada' })
  t.deepEqual(one.personKeys.open(ppid, sealed), { name: 'Ada' })
  await one.accounts.remove(ppid)
  for (const { personKeys } of [one, other]) {
    t.false(personKeys.has(ppid))
    t.is(personKeys.open(ppid, sealed), undefined)
  }
})

test('a person has one request for an organization, whoever takes it', async (t) => {
  const threads = await open(t)
  const { ppid } = await signUp(threads[0])
  const request = { ppid, profile, message: '' }
  const answers = await race(threads, ({ requests }) => requests.make(request))
  t.deepEqual(answers.sort(), ['made', 'waits_already', 'waits_already', 'waits_already'])
})
