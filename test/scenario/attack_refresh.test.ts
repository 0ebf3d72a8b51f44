// A stranger has got hold of a refresh token of somebody else's application.

import test from 'ava'

import type { AccountInfo } from '#src/http/admin/account_commands.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import { newDataDir, runJson, startServer } from '#test/scenario/_process.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'

const graceMs = 10_000
const ada = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'a long enough sentence' }

test('a token that comes twice gives one line, and late it ends it', async (t) => {
  const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const settings = { DATA_DIR: await newDataDir(t), ...quiet }
  const server = await startServer(t, settings)
  const baseUrl = server.started.local_url
  const issuer = `${baseUrl}/auth`
  const browser = new TestBrowser(baseUrl)
  await browser.submit(await browser.go(`${issuer}/sign-up`), ada, '/sign-up')
  const [account] = await runJson<AccountInfo[]>(t, ['account', 'list'], settings)
  const person = { browser, ppid: account?.ppid ?? '', email: ada.email }
  const newFlow = async (name: string) => {
    const redirect_uri = `https://${name}.example/back`
    const create = ['application', 'create', name, '--redirect', redirect_uri, '--public']
    const { application } = await runJson<AdminReply<'/applications/create'>>(t, create, settings)
    const { client_id } = application
    const known = { client_id, client_secret: '', redirect_uri, application }
    return new OAuthFlow({ baseUrl, issuer }, known, person)
  }
  const flow = await newFlow('honest')
  const other = await newFlow('other')
  const { refresh } = await flow.tokens()
  t.like((await other.refresh(refresh)).json, { error: 'invalid_grant' })
  const replies = await Promise.all(Array.from({ length: 8 }, () => flow.refresh(refresh)))
  const answered = replies.filter(({ status }) => status === 200).map(tokensOf)
  const [honest] = answered
  t.is(new Set(answered.map((tokens) => tokens.refresh)).size, 1, 'there is one line')
  t.like((await other.refresh(refresh)).json, { error: 'invalid_grant' })
  await new Promise((resolve) => setTimeout(resolve, graceMs + 1_000))
  t.like((await other.refresh(refresh)).json, { error: 'invalid_grant' })
  t.is(await flow.write(honest?.access ?? ''), 200, 'another application ends nothing')
  t.like((await flow.refresh(refresh)).json, { error: 'invalid_grant' })
  t.is((await flow.refresh(honest?.refresh ?? '')).status, 400)
  for (const { access } of answered) t.is(await flow.write(access), 401)
})
