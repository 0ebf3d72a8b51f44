// Pages and the identity provider at an address of their own, on a port of their own.

import net from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'ava'

import type { AccountInfo } from '#src/http/admin/registry_commands.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import { newDataDir, newWork, runJson, type Server, startServer } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { freePort } from '#test/_free_port.ts'

const redirectUri = 'https://press.example/back'
const ada = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'a long enough sentence' }
const bea = { ...ada, email: 'bea@example.org' }

async function startApart(t: Parameters<typeof startServer>[0], path: string) {
  const port = await freePort()
  const issuer = `http://localhost:${port}${path}`
  const settings = {
    DATA_DIR: await newDataDir(t),
    AUTH_URL: issuer,
    AUTH_PORT: String(port),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  const server = await startServer(t, settings)
  return { settings, server, issuer, baseUrl: server.started.base_url }
}

const apart = {
  '': share((owner) => startApart(owner, '')),
  '/auth': share((owner) => startApart(owner, '/auth')),
}

test('a person writes back by a provider at another address', async (t) => {
  const { settings, server, issuer, baseUrl } = apart['/auth']()
  const { origin } = new URL(issuer)
  t.true(server.started.setup_url?.startsWith(`${issuer}/setup/`))
  const discovered = await fetch(`${issuer}/.well-known/openid-configuration`)
  const discovery = (await discovered.json()) as Record<string, string>
  t.is(discovery['issuer'], issuer)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    t.true(discovery[name]?.startsWith(`${issuer}/oauth/`), name)
  }

  const browser = new TestBrowser(origin)
  const welcome = await browser.submit(await browser.go(`${issuer}/sign-up`), ada, '/sign-up')
  t.true(welcome.url.startsWith(`${issuer}/account`))
  const all = await runJson<AccountInfo[]>(t, ['account', 'list'], settings)
  const account = all.find(({ email }) => email === ada.email)
  const create = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const { application, secret } = await runJson<AdminReply<'/applications/create'>>(
    t,
    create,
    settings,
  )
  const { client_id } = application
  const known = { client_id, client_secret: secret ?? '', redirect_uri: redirectUri, application }
  const person = { browser, ppid: account?.ppid ?? '', email: ada.email }
  const flow = new OAuthFlow({ baseUrl, issuer }, known, person)

  // Once by the interface of the registry, in JSON …
  const asked = await fetch(`${baseUrl}/api/v1/oauth/authorize?client_id=a&code_challenge=b`, {
    redirect: 'manual',
  })
  t.is(asked.status, 303)
  const to = `${issuer}/oauth/authorize?client_id=a&code_challenge=b`
  t.is(asked.headers.get('location'), to)
  const first = await flow.tokens('openid svc:works:write')
  // … and once by the provider itself, with a form.
  const { code, verifier } = await flow.code('openid svc:works:write')
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id,
    client_secret: secret ?? '',
  })
  const sent = await fetch(`${issuer}/oauth/token`, { method: 'POST', body: form })
  t.is(sent.status, 200)
  const second = (await sent.json()) as { access_token: string; id_token: string }
  const claims = Buffer.from(second.id_token.split('.')[1] ?? '', 'base64url').toString()
  t.like(JSON.parse(claims), { iss: issuer, sub: person.ppid, aud: client_id })
  for (const key of [first.access, second.access_token]) {
    const body = newWork(`By ${key.slice(0, 4)}`)
    t.is((await request(server, '/api/v1/works', { key, body })).status, 201)
  }
  const info = await fetch(`${issuer}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${second.access_token}` },
  })
  t.like(await info.json(), { sub: person.ppid })
})

test('nothing of the pages is at the address of the registry', async (t) => {
  const { issuer, baseUrl } = apart['/auth']()
  const paths = ['/sign-in', '/sign-up', '/account', '/account/keys', '/reset', '/oauth/authorize']
  for (const path of paths) {
    for (const method of ['GET', 'POST']) {
      if (method === 'POST' && path.startsWith('/oauth')) continue
      const answer = await fetch(`${baseUrl}/auth${path}`, { method, redirect: 'manual' })
      t.is(answer.headers.get('location') ?? `${answer.status}`, issuer + path, `${method} ${path}`)
      t.deepEqual(answer.headers.getSetCookie(), [])
      t.is(await answer.text(), '')
    }
  }
  const seen = await new TestBrowser(new URL(issuer).origin).go(`${issuer}/sign-in`)
  t.is(seen.status, 200)
  t.regex(seen.headers.get('set-cookie') ?? '', /^svc_session=/)
})

for (const path of ['/auth', ''] as const) {
  test(`the sandbox has a provider below the one at ${path || 'the root'}`, async (t) => {
    const { issuer, baseUrl } = apart[path]()
    const own = `${issuer}/sandbox`
    const { origin } = new URL(issuer)
    const places = [
      `${own}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}/sandbox`,
    ]
    for (const place of places) {
      const discovery = (await (await fetch(place)).json()) as Record<string, string>
      t.is(discovery['issuer'], own, place)
      t.is(discovery['token_endpoint'], `${own}/oauth/token`, place)
    }
    const page = await fetch(`${own}/sign-in`)
    t.is(page.status, 200)
    t.true((await page.text()).includes('Only test people sign in here'))
    const led = await fetch(`${baseUrl}${path}/sandbox/sign-in`, { redirect: 'manual' })
    t.is(led.headers.get('location'), `${own}/sign-in`)
    const log = await fetch(`${baseUrl}/sandbox/log/checkpoint`)
    t.true((await log.text()).startsWith(`${new URL(baseUrl).host}/sandbox/log`))
  })
}

const places = [
  '//evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/a/..//evil.example',
  '/%2E%2E//evil.example',
  '/\\evil.example',
  '/.\\\\evil.example',
  '/\t/evil.example',
  '/.\n//evil.example',
  'https:evil.example',
  'https://evil.example',
]

// A stranger sends people links to the pages that are to lead them elsewhere after their sign-in.
for (const path of ['', '/auth'] as const) {
  test(`no return_to leads away from pages at "${path}"`, async (t) => {
    const { issuer: authUrl } = apart[path]()
    const { origin } = new URL(authUrl)
    const browser = new TestBrowser(origin)
    const asked = (page: string, place: string) => {
      const account = path === '' ? place : `${path}${place}`
      return [
        place,
        account,
        `${origin}${place}`,
        `http://a:b@${new URL(authUrl).host}${place}`,
      ].map((to) => `${authUrl}${page}?${new URLSearchParams({ return_to: to })}`)
    }
    const stays = ({ url, headers }: { url: string; headers: Headers }) => {
      const location = headers.get('location')
      t.is(new URL(location ?? '', url).origin, origin, `${url} leads to ${location}`)
    }
    const form = await browser.go(asked('/sign-up', '/.//evil.example')[0] ?? '')
    const joined = await browser.send(form, bea, '/sign-up')
    t.is(joined.status, 303)
    stays(joined)
    for (const place of places) {
      for (const page of ['/sign-in', '/sign-up']) {
        for (const url of asked(page, place)) {
          const seen = await browser.request(url)
          t.is(seen.status, 303)
          stays(seen)
        }
      }
    }
    const { email, password } = bea
    for (const url of asked('/sign-in', '/.//evil.example')) {
      const stranger = new TestBrowser(origin)
      const page = await stranger.go(url)
      const entered = await stranger.send(page, { email, password }, '/sign-in')
      t.is(entered.status, 303)
      stays(entered)
    }
  })
}

test('a request line with a host of its own does not choose where a browser is sent', async (t) => {
  const { server, issuer: authUrl } = apart['']()
  for (const [target, location] of [
    ['http://evil.example/sign-in', `${authUrl}/sign-in`],
    ['http://.evil.example/sign-in?a=1', `${authUrl}/sign-in?a=1`],
    ['/sign-in', `${authUrl}/sign-in`],
  ] as const) {
    t.is(await locationOf(server, target), location, target)
  }
})

/** Where a request whose target is written as it is here is sent. */
async function locationOf(server: Server, target: string): Promise<string | undefined> {
  const { hostname, port, host } = new URL(server.started.local_url)
  const socket = net.connect(Number(port), hostname)
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return /^location: (.*)\r$/im.exec(await text(socket))?.[1]
}
