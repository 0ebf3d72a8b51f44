import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import type { Account } from '#src/identity/accounts/account.ts'
import type { SignUpAnswer } from '#src/identity/accounts/accounts.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { accountWorld, ada } from '#test/src/identity/accounts/_account_world.ts'

const orcid = { iss: 'https://orcid.org', sub: '0000-0002-1825-0097' }
const origin = { ip: '192.0.2.1', userAgent: 'Firefox' }

function made(answer: SignUpAnswer): Account {
  if (answer.type === 'signed_up') return answer.account
  throw new Error(JSON.stringify(answer.faults))
}

function faultsOf(answer: SignUpAnswer): readonly string[] {
  return answer.type === 'invalid' ? answer.faults.map(({ field, code }) => `${field} ${code}`) : []
}

test('who signs up has an account and a person, and signs in with either case', async (t) => {
  const { accounts, people, personKeys } = await (await accountWorld(t)).start()
  const account = made(await accounts.signUp(ada))
  t.is(account.state, 'active')
  t.is(account.email, 'Ada@Example.org')
  t.regex(account.password ?? '', /^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  t.false('joining' in account, 'the profile is the business of the person now')
  const person = people.read(account.ppid)
  t.is(person?.type === 'person' && person.profile.name, 'Ada Lovelace')
  t.is(people.findByUsername('ada'), account.ppid)
  t.true(personKeys.has(account.ppid))
  t.like(await accounts.signIn('ada@EXAMPLE.org', ada.password), { type: 'signed_in', account })
  t.deepEqual(await accounts.signIn('ada@example.org', 'another sentence'), { type: 'refused' })
  t.deepEqual(await accounts.signIn('bo@example.org', ada.password), { type: 'refused' })
})

test('a password is the same however its characters are composed', async (t) => {
  const { accounts } = await (await accountWorld(t)).start()
  made(await accounts.signUp({ ...ada, password: 'Café für zwölf' }))
  const decomposed = 'Café für zwölf'.normalize('NFD')
  t.is((await accounts.signIn(ada.email, decomposed)).type, 'signed_in')
})

test('all faults of a new account are told at once, and nothing is made', async (t) => {
  const { accounts, people } = await (await accountWorld(t)).start()
  const wish = { name: '', username: 'A!', email: 'ada', password: 'short' }
  const answer = await accounts.signUp(wish)
  t.deepEqual(faultsOf(answer).toSorted(), [
    'email bad_value',
    'name empty',
    'password too_short',
    'username bad_value',
  ])
  t.deepEqual(await accounts.list(), [])
  t.deepEqual(await people.list({ after: '', limit: 10 }), [])
})

test('passwords that others know or try are refused, each with what is right', async (t) => {
  const { accounts } = await (await accountWorld(t)).start()
  for (const [password, code] of [
    ['123456789', 'too_short'],
    ['x'.repeat(201), 'too_long'],
    ['Password123', 'too_common'],
    ['aaaaaaaaaaaaaa', 'too_common'],
    ['ada@example.org', 'not_secret'],
    ['ADA LOVELACE', 'not_secret'],
  ] as const) {
    const answer = await accounts.signUp({ ...ada, password })
    t.deepEqual(faultsOf(answer), [`password ${code}`], password)
  }
})

test('an address or a username has one account, and a refused one leaves nothing', async (t) => {
  const { accounts, personKeys } = await (await accountWorld(t)).start()
  const first = made(await accounts.signUp(ada))
  const sameEmail = await accounts.signUp({ ...ada, username: 'bob', email: ' ada@example.ORG ' })
  t.deepEqual(faultsOf(sameEmail), ['email taken'])
  const sameName = await accounts.signUp({ ...ada, email: 'bo@example.org' })
  t.deepEqual(faultsOf(sameName), ['username taken'])
  t.deepEqual(await accounts.list(), [first])
  t.true(personKeys.has(first.ppid))
  const second = made(await accounts.signUp({ ...ada, username: 'bob', email: 'bo@example.org' }))
  t.not(second.ppid, first.ppid)
})

test('of many who sign up with one address at once, one does', async (t) => {
  const { accounts } = await (await accountWorld(t)).start()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => accounts.signUp({ ...ada, username: `ada-${n}` })),
  )
  t.is(answers.filter(({ type }) => type === 'signed_up').length, 1)
  t.is((await accounts.list()).length, 1)
})

test('a hash that was made at a lower cost is renewed at the next sign-in', async (t) => {
  const world = await accountWorld(t)
  made(await (await world.start()).accounts.signUp(ada))
  const { accounts } = await world.start({ cost: { memory: 16, passes: 1 } })
  const answer = await accounts.signIn(ada.email, ada.password)
  t.regex(answer.type === 'signed_in' ? (answer.account.password ?? '') : '', /m=16,t=1,/)
  t.is((await accounts.signIn(ada.email, ada.password)).type, 'signed_in')
})

test('a changed password ends the other sessions, and the old one', async (t) => {
  const { accounts, sessions } = await (await accountWorld(t)).start()
  const { ppid } = made(await accounts.signUp(ada))
  const here = await sessions.begin(ppid, origin)
  const elsewhere = await sessions.begin(ppid, origin)
  const change = { ppid, current: ada.password, next: 'b', keepSession: here.session.id }
  const wrong = await accounts.changePassword({ ...change, current: 'wrong' })
  t.like(wrong, [{ field: 'current_password', code: 'wrong' }])
  const short = await accounts.changePassword(change)
  t.like(short, [{ field: 'new_password', code: 'too_short' }])
  t.truthy(sessions.find(elsewhere.token))
  const next = 'another long sentence'
  t.deepEqual(await accounts.changePassword({ ...change, next }), [])
  t.truthy(sessions.find(here.token))
  t.is(sessions.find(elsewhere.token), undefined)
  t.is((await accounts.signIn(ada.email, ada.password)).type, 'refused')
  t.is((await accounts.signIn(ada.email, next)).type, 'signed_in')
})

test('a changed password ends the links to set another one', async (t) => {
  const { accounts } = await (await accountWorld(t)).start()
  const { ppid } = made(await accounts.signUp(ada))
  const { token } = await accounts.byLink.issueReset(ppid, operator)
  const change = { ppid, current: ada.password, keepSession: '' }
  await accounts.changePassword({ ...change, next: 'short' })
  t.is(accounts.byLink.ofReset(token)?.ppid, ppid)
  t.deepEqual(await accounts.changePassword({ ...change, next: 'another long sentence' }), [])
  t.is(accounts.byLink.ofReset(token), undefined)
})

test('a password that was reset meanwhile gives an account no other address', async (t) => {
  const { accounts, store } = await (await accountWorld(t)).start()
  const { ppid } = made(await accounts.signUp(ada))
  const { token } = await accounts.byLink.issueReset(ppid, operator)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const holding = store.inTurn(() => held)
  const reset = accounts.byLink.resetPassword(token, 'another long sentence')
  // Passwords of one place are hashed in their order: then the reset waits for its turn.
  await accounts.hasPassword(ppid, 'wrong')
  const change = accounts.changeEmail({ ppid, current: ada.password, email: 'eve@example.org' })
  await accounts.hasPassword(ppid, 'wrong')
  letGo()
  await holding
  t.deepEqual(await reset, [])
  t.like(await change, [{ field: 'current_password', code: 'wrong' }])
  t.is(accounts.find(ppid)?.email, ada.email)
})

test('what was changed of an account is in the audit list of its person', async (t) => {
  const { accounts, store } = await (await accountWorld(t)).start()
  const { ppid } = made(await accounts.signUp(ada))
  await accounts.setAdmin(ppid, true, operator)
  await accounts.setAdmin(ppid, false, operator)
  const { password: current } = ada
  await accounts.changeEmail({ ppid, current, email: 'a@example.org' })
  const next = 'another long sentence'
  await accounts.changePassword({ ppid, current, next, keepSession: '' })
  const entries = await new AuditLog(store).read({ type: 'person', id: ppid }, { limit: 10 })
  t.deepEqual(
    entries.map(({ action, by }) => `${action} ${by?.id}`),
    [
      'made_admin operator',
      'admin_ended operator',
      `address_changed ${ppid}`,
      `password_changed ${ppid}`,
    ],
  )
})

test('a reset link works once, in its hour, ends sessions, verifies its address', async (t) => {
  const world = await accountWorld(t)
  const { accounts, links, sessions } = await world.start()
  const { ppid, email } = made(await accounts.signUp(ada))
  const session = await sessions.begin(ppid, origin)
  const late = await links.issue({ kind: 'reset', ppid })
  world.identity.clock.forward(3_600_000)
  t.is(await accounts.byLink.resetPassword(late.token, ada.password), undefined)
  const { token } = await links.issue({ kind: 'reset', ppid, email: email ?? '' })
  const sibling = await links.issue({ kind: 'reset', ppid })
  t.is(accounts.byLink.ofReset(token)?.ppid, ppid)
  t.is(accounts.byLink.ofVerification(token), undefined, 'a link is good for what it was made for')
  t.like(await accounts.byLink.resetPassword(token, 'short'), [{ code: 'too_short' }])
  const both = await Promise.all([
    accounts.byLink.resetPassword(token, 'the first new sentence'),
    accounts.byLink.resetPassword(token, 'the second new sentence'),
  ])
  t.deepEqual(
    both.filter((faults) => faults !== undefined),
    [[]],
  )
  t.is(accounts.byLink.ofReset(sibling.token), undefined, 'other links to the same end are over')
  t.is(sessions.find(session.token), undefined)
  t.true(accounts.find(ppid)?.email_verified)
  t.is((await accounts.signIn(ada.email, ada.password)).type, 'refused')
})

test('an account gets another address, and what was sent to the old one is void', async (t) => {
  const { accounts, links } = await (await accountWorld(t)).start()
  const { ppid, email } = made(await accounts.signUp(ada))
  made(await accounts.signUp({ ...ada, username: 'bob', email: 'bob@example.org' }))
  const { token } = await links.issue({ kind: 'reset', ppid, email: email ?? '' })
  const change = { ppid, current: ada.password, email: 'ada@new.example' }
  t.like(await accounts.changeEmail({ ...change, email: 'ada' }), [{ code: 'bad_value' }])
  t.like(await accounts.changeEmail({ ...change, current: 'wrong' }), [{ code: 'wrong' }])
  t.like(await accounts.changeEmail({ ...change, email: 'BOB@example.org' }), [{ code: 'taken' }])
  t.is(accounts.byLink.ofReset(token)?.ppid, ppid)
  t.deepEqual(await accounts.changeEmail(change), [])
  t.is(accounts.byLink.ofReset(token), undefined)
  t.like(accounts.find(ppid), { email: 'ada@new.example', email_verified: false })
  t.is(accounts.findByEmail(ada.email), undefined)
  t.is((await accounts.signIn('ada@new.example', ada.password)).type, 'signed_in')
})

test('a reset link from an operator says nothing of the address', async (t) => {
  const { accounts, links } = await (await accountWorld(t)).start()
  const { ppid } = made(await accounts.signUp(ada))
  const { token } = await links.issue({ kind: 'reset', ppid })
  t.deepEqual(await accounts.byLink.resetPassword(token, 'another long sentence'), [])
  t.false(accounts.find(ppid)?.email_verified)
})

test('an address is verified by its own link, once', async (t) => {
  const { accounts, links } = await (await accountWorld(t)).start()
  const { ppid, email } = made(await accounts.signUp(ada))
  const other = await links.issue({ kind: 'verify', ppid, email: 'old@example.org' })
  t.false(await accounts.byLink.verifyEmail(other.token), 'the account has another address by now')
  const { token } = await links.issue({ kind: 'verify', ppid, email: email ?? '' })
  t.true(await accounts.byLink.verifyEmail(token))
  t.false(await accounts.byLink.verifyEmail(token))
  t.true(accounts.find(ppid)?.email_verified)
})

test('an account elsewhere signs one in here; the last way in stays', async (t) => {
  const { accounts } = await (await accountWorld(t)).start()
  const wish = { name: 'Ada', email: null, password: null, link: orcid }
  const { ppid } = made(await accounts.signUp(wish))
  t.like(await accounts.signInByLink(orcid), { type: 'signed_in', account: { ppid } })
  t.deepEqual(await accounts.signInByLink({ ...orcid, sub: 'x' }), { type: 'refused' })
  t.deepEqual((await accounts.unlink(ppid, orcid)).links, [orcid])
  const other = made(await accounts.signUp(ada))
  t.is(await accounts.link(other.ppid, orcid), undefined)
  t.deepEqual(faultsOf(await accounts.signUp(wish)), ['link taken'])
  const keepSession = ''
  const next = 'a long enough sentence'
  t.deepEqual(await accounts.changePassword({ ppid, current: '', next, keepSession }), [])
  t.deepEqual((await accounts.unlink(ppid, orcid)).links, [])
  t.like(await accounts.link(other.ppid, orcid), { ppid: other.ppid, links: [orcid] })
})

test('an invitation makes one account', async (t) => {
  const { accounts, links } = await (await accountWorld(t)).start()
  const { token: invitation } = await links.issue({ kind: 'invite' })
  made(await accounts.signUp({ ...ada, invitation }))
  const bo = { ...ada, username: 'bob', email: 'bo@example.org', invitation }
  t.deepEqual(faultsOf(await accounts.signUp(bo)), ['invitation spent'])
})

test('a person without an account is found, and an operator can make them one', async (t) => {
  const world = await accountWorld(t)
  const { accounts, people, personKeys, store, links } = await world.start()
  const ppid = 'p0123456789b'
  await store.commit([personKeys.create(ppid)])
  const by = { type: 'person', id: ppid, name: ppid, via: 'ui' } as const
  t.is((await people.create({ ppid, by, body: { name: 'Bo' } })).type, 'created')
  t.deepEqual((await accounts.repair()).orphans, [ppid])
  t.is(await accounts.adopt(ppid, 'nonsense'), undefined)
  t.is(await accounts.adopt('p0123456789c', 'bo@example.org'), undefined)
  t.like(await accounts.adopt(ppid, 'bo@example.org'), { ppid, state: 'active', password: null })
  t.is(await accounts.adopt(ppid, 'bo@example.org'), undefined)
  t.deepEqual((await accounts.repair()).orphans, [])
  const { token } = await links.issue({ kind: 'reset', ppid })
  t.deepEqual(await accounts.byLink.resetPassword(token, ada.password), [])
  t.is((await accounts.signIn('bo@example.org', ada.password)).type, 'signed_in')
})

test('nothing of an account that was removed is left in the files, sealed or not', async (t) => {
  const world = await accountWorld(t)
  const { accounts, sessions, people, personKeys, store, links } = await world.start()
  const { ppid, email } = made(await accounts.signUp({ ...ada, link: orcid }))
  const { token } = await sessions.begin(ppid, origin)
  const reset = await links.issue({ kind: 'reset', ppid, email: email ?? '' })
  const removed: string[] = []
  accounts.onRemoval(async (leaving) => void removed.push(leaving))
  const rows = await rowsOf(store, ['account/', 'account_email/', 'account_link/', 'person_key/'])
  t.is(rows.length, 4)
  await accounts.remove(ppid)
  t.deepEqual(removed, [ppid])
  t.is(accounts.find(ppid), undefined)
  t.is(accounts.findByEmail(ada.email), undefined)
  t.is(sessions.find(token), undefined)
  t.is(accounts.byLink.ofReset(reset.token), undefined)
  t.is(people.read(ppid)?.type, 'erased')
  t.false(personKeys.has(ppid))
  t.is((await accounts.signIn(ada.email, ada.password)).type, 'refused')
  const again = made(await accounts.signUp(ada))
  t.not(again.ppid, ppid, 'address and username are free again')
  await store.close()
  const files = await filesOf(world.identity.dir)
  for (const row of rows) t.false(files.includes(row), 'a row is in no file any more')
  for (const text of [ada.email, ada.password, token, reset.token]) t.false(files.includes(text))
})

async function rowsOf(
  store: Awaited<ReturnType<Awaited<ReturnType<typeof accountWorld>>['start']>>['store'],
  prefixes: readonly string[],
): Promise<string[]> {
  const rows: string[] = []
  for (const prefix of prefixes) {
    for await (const [, row] of store.scan<string>(prefix)) rows.push(row)
  }
  return rows
}

async function filesOf(dir: string): Promise<Buffer> {
  const names = await readdir(dir)
  return Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(dir, name)))))
}
