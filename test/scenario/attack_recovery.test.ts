// A stranger makes an account with somebody else's address, and leaves ways in; then its owner
// comes.

import test, { type ExecutionContext } from 'ava'

import type { AccountInfo } from '#src/http/admin/account_commands.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import type { OneTimeUrl } from '#src/use_cases/account_service.ts'
import { openMailbox } from '#test/browser/_mailbox.ts'
import {
  newDataDir,
  newWork,
  runJson,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import { OAuthFlow, type Tokens, tokensOf } from '#test/src/_oauth_flow.ts'

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
const email = 'ada@example.org'
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

async function start(t: ExecutionContext, more: Settings = {}) {
  const settings = { DATA_DIR: await newDataDir(t), ...quiet, ...more }
  const server = await startServer(t, settings)
  const baseUrl = server.started.local_url
  return { server, settings, baseUrl, issuer: `${baseUrl}/auth` }
}

/** Makes an account, a key, and a permission. */
async function leaveWaysIn(
  t: ExecutionContext,
  { settings, baseUrl, issuer }: Awaited<ReturnType<typeof start>>,
): Promise<WaysIn> {
  const browser = new TestBrowser(baseUrl)
  const account = { name: 'Ada Lovelace', email, password: strangers }
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
  const [listed] = await runJson<AccountInfo[]>(t, ['account', 'list'], settings)
  const person = { browser, ppid: listed?.ppid ?? '', email }
  const flow = new OAuthFlow({ baseUrl, issuer }, known, person)
  return { browser, flow, key, tokens: await flow.tokens('svc:works:write') }
}

/** The statuses of every way in: with the key, the token, the refresh token, and the session. */
async function tryAll(server: Server, { browser, flow, key, tokens }: WaysIn, issuer: string) {
  const write = (credential: string) =>
    request(server, '/api/v1/works?dry_run=true', { key: credential, body: newWork('A work') })
  return {
    key: (await write(key)).status,
    token: (await write(tokens.access)).status,
    refresh: (await flow.refresh(tokens.refresh)).status,
    session: (await browser.request(`${issuer}/account`)).status,
  }
}

const allOver = { key: 401, token: 401, refresh: 400, session: 303 }

test('nothing that was made for an unconfirmed address outlives its recovery', async (t) => {
  const running = await start(t)
  const { server, settings, baseUrl, issuer } = running
  const ways = await leaveWaysIn(t, running)
  t.is(
    (await request(server, '/api/v1/works?dry_run=true', { key: ways.key, body: newWork('A') }))
      .status,
    200,
  )
  // Eight refreshes at once, at two threads, give one line of tokens.
  const { flow, tokens } = ways
  const refreshing = Array.from({ length: 8 }, () => flow.refresh(tokens.refresh))
  const refreshed = (await Promise.all(refreshing)).map(tokensOf)
  t.is(new Set(refreshed.map(({ refresh }) => refresh)).size, 1)
  const { url } = await runJson<OneTimeUrl>(t, ['account', 'reset-link', email], settings)
  const owner = new TestBrowser(baseUrl)
  const form = await owner.go(issuer + new URL(url).pathname.replace('/auth', ''))
  t.regex(form.body, /The address of this account was never confirmed/)
  const signIn = await owner.submit(form, { new_password: owners })
  for (const each of refreshed) {
    t.deepEqual(await tryAll(server, { ...ways, tokens: each }, issuer), allOver)
  }
  t.deepEqual(await tryAll(server, ways, issuer), allOver)
  const home = await owner.submit(signIn, { email, password: owners }, '/sign-in')
  t.is(new URL(home.url).pathname, '/auth/account', 'there is nothing to end')
  const again = await ways.browser.go(`${issuer}/sign-in`)
  t.is((await ways.browser.send(again, { email, password: strangers }, '/sign-in')).status, 422)
})

test('of a confirmed address all is listed, and ended in one step', async (t) => {
  const mailbox = await openMailbox(t)
  const running = await start(t, { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'registry@example.org' })
  const { server, baseUrl, issuer } = running
  const ways = await leaveWaysIn(t, running)
  const confirmation = await ways.browser.go(await mailbox.link('verify', email))
  await ways.browser.submit(confirmation, {}, new URL(confirmation.url).pathname)
  const owner = new TestBrowser(baseUrl)
  await owner.submit(await owner.go(`${issuer}/reset`), { email }, '/reset')
  const form = await owner.go(await mailbox.link('reset', email))
  t.notRegex(form.body, /never confirmed/)
  const signIn = await owner.submit(form, { new_password: owners })
  const write = { key: ways.key, body: newWork('A work') }
  const kept = await request(server, '/api/v1/works?dry_run=true', write)
  t.is(kept.status, 200, 'an honest owner who only forgot a password loses nothing unasked')
  const page = await owner.submit(signIn, { email, password: owners }, '/sign-in')
  t.is(new URL(page.url).pathname, '/auth/account/access')
  t.regex(page.body, /API key/)
  t.regex(page.body, /Permission of Press Desk/)
  await owner.submit(page, {}, '/account/access')
  t.deepEqual(await tryAll(server, ways, issuer), allOver)
})
