// Strangers at somebody's account: they use up the tries of the password, to keep the owner out, or
// have made it with the owner's address, and leave ways in.

import test, { type ExecutionContext } from 'ava'

import type { AccountInfo } from '#src/http/admin/registry_commands.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import type { OneTimeUrl } from '#src/use_cases/account_record.ts'
import { type Mailbox, openMailbox } from '#test/browser/_mailbox.ts'
import {
  newDataDir,
  newWork,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { share, type SharedServer } from '#test/scenario/_shared_server.ts'
import { type Seen, TestBrowser } from '#test/src/_browser.ts'
import { OAuthFlow, type Tokens, tokensOf } from '#test/src/_oauth_flow.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const password = 'a sentence of the owner'
const tries = 5

/** All tests come from one address; the limit that counts here is that of an account. */
const limits = {
  LIMIT_PAGES: '1000',
  LIMIT_SIGN_IN: '1000',
  LIMIT_SIGN_IN_ACCOUNT: String(tries),
  LIMIT_TOKEN: '1000',
}

async function start(t: Owner, more: Settings = {}): Promise<SharedServer> {
  const settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'warn', ...limits, ...more }
  return { settings, server: await startServer(t, settings) }
}

const withoutMail = share((t) => start(t))

const withMail = share(async (t): Promise<SharedServer & { readonly mailbox: Mailbox }> => {
  const mailbox = await openMailbox(t)
  const mail = { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'registry@example.org' }
  return { mailbox, ...(await start(t, mail)) }
})

/** A person joins, whose address begins with a name; what she and strangers do then. */
async function join(t: ExecutionContext, { settings, server }: SharedServer, name: string) {
  const email = `${name}@example.org`
  const baseUrl = server.started.local_url
  const browser = () => new TestBrowser(baseUrl)
  const signIn = async (seeing: TestBrowser, tried: string, as = email) => {
    const page = await seeing.go(`${baseUrl}/auth/sign-in`)
    return seeing.send(page, { email: as, password: tried }, '/sign-in')
  }
  /** Tries passwords until no more are taken; gives the last answer. */
  const lock = async (as = email) => {
    const stranger = browser()
    for (let count = 0; count < tries; count += 1) {
      t.is((await signIn(stranger, `wrong ${count}`, as)).status, 422)
    }
    return signIn(stranger, 'wrong again', as)
  }
  const owner = browser()
  const account = { name: 'Ada Lovelace', email, password }
  await owner.submit(await owner.go(`${baseUrl}/auth/sign-up`), account, '/sign-up')
  const signOut = (seeing: TestBrowser) =>
    seeing.go(`${baseUrl}/auth/sign-out`).then((page) => seeing.send(page, {}, '/sign-out'))
  return { email, settings, baseUrl, browser, owner, signIn, signOut, lock }
}

test('a browser that has signed in before does so again, and no other', async (t) => {
  const joined = await join(t, withoutMail(), 'ada')
  const { email, baseUrl, browser, owner, signIn, signOut, lock } = joined
  await signOut(owner)
  const locked = await lock()
  t.is(locked.status, 429)
  t.regex(locked.body, /Too many passwords were tried/)
  t.regex(locked.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await signIn(browser(), password)).status, 429, 'the right password does not help')
  // The minutes that are left are those of each account.
  const told = ({ body }: Seen) =>
    /<main[^]*<\/main>/.exec(body)?.[0].replace(/For \d+ minutes/, 'For some minutes')
  const unknown = await lock('nobody@example.org')
  t.is(told(unknown), told(locked), 'nobody is told that there is an account')
  t.is((await signIn(owner, password)).status, 303)
  // What it tries is bounded too: a stranger who has the browser gets no more than another one.
  await signOut(owner)
  const answers = []
  for (let count = 0; count <= tries; count += 1)
    answers.push((await signIn(owner, 'wrong')).status)
  t.is(answers.at(-1), 429)
  // A cookie that is made up, or another account's, is no known browser.
  const forger = browser()
  const [name = ''] = owner.cookieNames().filter((each) => each.startsWith('svc_session_'))
  t.not(name, '')
  for (const value of ['A'.repeat(44), '', 'x']) {
    const page = await forger.go(`${baseUrl}/auth/sign-in`)
    forger.plant(name, value)
    t.is((await forger.send(page, { email, password }, '/sign-in')).status, 429)
  }
})

test('a mail opens one browser to the owner, once', async (t) => {
  const { mailbox } = withMail()
  const { email, browser, signIn, lock } = await join(t, withMail(), 'ada')
  t.is((await lock()).status, 429)
  const link = await mailbox.link('unlock', email)
  const away = browser()
  t.is((await signIn(away, password)).status, 429)
  const page = await away.go(link)
  t.is(page.status, 200)
  t.is((await signIn(away, password)).status, 429, 'to look at the link is not to use it')
  await away.submit(page, {}, new URL(link).pathname)
  t.is((await signIn(away, password)).status, 303)
  t.is((await browser().go(link)).status, 410)
  t.is((await signIn(browser(), password)).status, 429)
})

test('without mail, the link of the operator does', async (t) => {
  const { email, settings, baseUrl, browser, signIn, lock } = await join(t, withoutMail(), 'bea')
  t.regex((await lock()).body, /ask the operator of this registry for a link/)
  const { url } = await runJson<OneTimeUrl>(t, ['account', 'reset-link', email], settings)
  const away = browser()
  const form = await away.go(baseUrl + new URL(url).pathname)
  const next = 'another sentence of the owner'
  await away.submit(form, { new_password: next })
  t.is((await signIn(away, next)).status, 303)
})

test('who is signed in changes the password although others have used up the tries', async (t) => {
  const { baseUrl, browser, owner, signIn, lock } = await join(t, withoutMail(), 'cleo')
  t.is((await lock()).status, 429)
  const next = 'another sentence of the owner'
  const page = await owner.go(`${baseUrl}/auth/account/security`)
  const changed = { current_password: password, new_password: next }
  const answer = await owner.send(page, changed, '/security/password')
  t.is(answer.status, 303)
  t.is((await signIn(browser(), next)).status, 429)
})

const eve = 'eve@example.org'
const redirectUri = 'https://press.example/back'
const strangers = 'a sentence of the stranger'
const owners = 'a sentence of the owner'

/** What opens the account besides its password. */
type WaysIn = {
  readonly browser: TestBrowser
  readonly flow: OAuthFlow
  readonly key: string
  readonly tokens: Tokens
}

/** Makes an account, a key, and a permission. */
async function leaveWaysIn(
  t: ExecutionContext,
  { settings, server }: SharedServer,
): Promise<WaysIn> {
  const baseUrl = server.started.local_url
  const issuer = `${baseUrl}/auth`
  const browser = new TestBrowser(baseUrl)
  const account = { name: 'Eve Hacker', email: eve, password: strangers }
  await browser.submit(await browser.go(`${issuer}/sign-up`), account, '/sign-up')
  const keys = await browser.go(`${issuer}/account/keys`)
  const made = await browser.submit(keys, { mint: 'on', update: 'on' }, '/account/keys')
  const [key = ''] = /svc-[0-9A-Za-z]{48}/.exec(made.body) ?? []
  t.not(key, '', made.body)
  const create = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const { application, secret } = await runJson<AdminReply<'/applications/create'>>(
    t,
    create,
    settings,
  )
  const { client_id } = application
  const known = { client_id, client_secret: secret ?? '', redirect_uri: redirectUri, application }
  const all = await runJson<AccountInfo[]>(t, ['account', 'list'], settings)
  const listed = all.find(({ email }) => email === eve)
  const person = { browser, ppid: listed?.ppid ?? '', email: eve }
  const flow = new OAuthFlow({ baseUrl, issuer }, known, person)
  return { browser, flow, key, tokens: await flow.tokens('svc:works:write') }
}

/** The statuses of every way in: with the key, the token, the refresh token, and the session. */
async function tryAll({ server }: SharedServer, { browser, flow, key, tokens }: WaysIn) {
  const write = (credential: string) =>
    request(server, '/api/v1/works?dry_run=true', { key: credential, body: newWork('A work') })
  return {
    key: (await write(key)).status,
    token: (await write(tokens.access)).status,
    refresh: (await flow.refresh(tokens.refresh)).status,
    session: (await browser.request('/auth/account')).status,
  }
}

const allOver = { key: 401, token: 401, refresh: 400, session: 303 }

test('nothing that was made for an unconfirmed address outlives its recovery', async (t) => {
  const { server, settings } = withoutMail()
  const baseUrl = server.started.local_url
  const issuer = `${baseUrl}/auth`
  const ways = await leaveWaysIn(t, withoutMail())
  t.is(
    (await request(server, '/api/v1/works?dry_run=true', { key: ways.key, body: newWork('A') }))
      .status,
    200,
  )
  // Eight refreshes at once, at two threads, give one line of tokens.
  const { flow, tokens } = ways
  const beganMs = performance.now()
  const replies = await Promise.all(Array.from({ length: 8 }, () => flow.refresh(tokens.refresh)))
  // However busy the machine is, who comes more than ten seconds after the first is refused.
  const isInTime = performance.now() - beganMs < 9_000
  const refreshed = replies.filter(({ status }) => isInTime || status === 200).map(tokensOf)
  t.is(new Set(refreshed.map(({ refresh }) => refresh)).size, 1)
  const { url } = await runJson<OneTimeUrl>(t, ['account', 'reset-link', eve], settings)
  const owner = new TestBrowser(baseUrl)
  const form = await owner.go(issuer + new URL(url).pathname.replace('/auth', ''))
  t.regex(form.body, /The address of this account was never confirmed/)
  const signIn = await owner.submit(form, { new_password: owners })
  for (const each of refreshed) {
    t.deepEqual(await tryAll(withoutMail(), { ...ways, tokens: each }), allOver)
  }
  t.deepEqual(await tryAll(withoutMail(), ways), allOver)
  const home = await owner.submit(signIn, { email: eve, password: owners }, '/sign-in')
  t.is(new URL(home.url).pathname, '/auth/account', 'there is nothing to end')
  const again = await ways.browser.go(`${issuer}/sign-in`)
  t.is(
    (await ways.browser.send(again, { email: eve, password: strangers }, '/sign-in')).status,
    422,
  )
})

test('of a confirmed address all is listed, and ended in one step', async (t) => {
  const { mailbox, server } = withMail()
  const baseUrl = server.started.local_url
  const issuer = `${baseUrl}/auth`
  const ways = await leaveWaysIn(t, withMail())
  const confirmation = await ways.browser.go(await mailbox.link('verify', eve))
  await ways.browser.submit(confirmation, {}, new URL(confirmation.url).pathname)
  const owner = new TestBrowser(baseUrl)
  await owner.submit(await owner.go(`${issuer}/reset`), { email: eve }, '/reset')
  const form = await owner.go(await mailbox.link('reset', eve))
  t.notRegex(form.body, /never confirmed/)
  const signIn = await owner.submit(form, { new_password: owners })
  const write = { key: ways.key, body: newWork('A work') }
  const kept = await request(server, '/api/v1/works?dry_run=true', write)
  t.is(kept.status, 200, 'an honest owner who only forgot a password loses nothing unasked')
  const page = await owner.submit(signIn, { email: eve, password: owners }, '/sign-in')
  t.is(new URL(page.url).pathname, '/auth/account/access')
  t.regex(page.body, /API key/)
  t.regex(page.body, /Permission of Press Desk/)
  await owner.submit(page, {}, '/account/access')
  t.deepEqual(await tryAll(withMail(), ways), allOver)
})
