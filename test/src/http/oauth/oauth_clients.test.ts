// The two flows as independent clients run them: they check everything that the standards let them.

import test from 'ava'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import {
  type OAuthRegistry,
  openOAuthRegistry,
  permit,
  pkcePair,
  type TestPerson,
} from '#test/src/_oauth_registry.ts'

let registry: OAuthRegistry
let registries: Readonly<Record<EnvironmentName, OAuthRegistry>>

test.before(async () => {
  registry = await openOAuthRegistry()
  registries = { live: registry, sandbox: await openOAuthRegistry({}, 'sandbox') }
})
test.after.always(() => Promise.all(Object.values(registries).map((each) => each.close())))

// oxlint-disable-next-line typescript/no-deprecated -- it is marked so to stand out.
const insecure = { execute: [client.allowInsecureRequests] }
// oxlint-disable-next-line typescript/no-deprecated -- it is marked so to stand out.
const insecureRequests = { [oauth.allowInsecureRequests]: true }

const cases = [
  ['oidc', 'live'],
  ['oauth2', 'live'],
  ['oidc', 'sandbox'],
  ['oauth2', 'sandbox'],
] as const

/** Signs a person in by the library, with all that it checks; gives where it went and came back. */
async function signIn(
  configuration: client.Configuration,
  { browser }: TestPerson,
  asked: { readonly redirect_uri: string; readonly scope: string; readonly nonce?: string },
) {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(configuration, {
    ...asked,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const { url: back } = await permit(browser, await browser.go(url.href))
  const tokens = await client.authorizationCodeGrant(configuration, new URL(back), {
    expectedState: state,
    ...(asked.nonce !== undefined && { expectedNonce: asked.nonce }),
    pkceCodeVerifier: verifier,
    idTokenExpected: asked.scope.startsWith('openid'),
  })
  return { url, back, tokens }
}

for (const [algorithm, environment] of cases) {
  test(`openid-client signs a person in, found by ${algorithm} (${environment})`, async (t) => {
    const asked = registries[environment]
    const person = await asked.person('Ada Lovelace')
    const { client_id, client_secret, redirect_uri } = await asked.application()
    const server = new URL(asked.issuer)
    const configuration = await client.discovery(server, client_id, client_secret, undefined, {
      algorithm,
      ...insecure,
    })
    const nonce = client.randomNonce()
    const scope = 'openid profile email svc:author:read'
    const { url, tokens } = await signIn(configuration, person, { redirect_uri, scope, nonce })
    // The scopes are joined by a plus sign, as a form would join them.
    t.true(url.search.includes('scope=openid+profile+email+svc%3Aauthor%3Aread'))
    t.is(tokens.claims()?.sub, person.ppid)
    t.is(tokens.refresh_token, undefined, 'who only signs in comes back with the person')
    const told = await client.fetchUserInfo(configuration, tokens.access_token, person.ppid)
    t.like(told, { name: 'Ada Lovelace', email: person.email })
    // That of a test person is as good as verified.
    t.is(told.email_verified, environment === 'sandbox')
    const introspection = await client.tokenIntrospection(configuration, tokens.access_token)
    t.like(introspection, { active: true, sub: person.ppid, client_id })
    await client.tokenRevocation(configuration, tokens.access_token)
    const after = await client.tokenIntrospection(configuration, tokens.access_token)
    t.deepEqual(after, { active: false })
  })
}

test('oauth4webapi signs a person in, and checks the signature of the ID token', async (t) => {
  const person = await registry.person('Grace Hopper')
  const { client_id, client_secret, redirect_uri } = await registry.application()
  const issuer = new URL(registry.issuer)
  const found = await oauth.discoveryRequest(issuer, insecureRequests)
  const server = await oauth.processDiscoveryResponse(issuer, found)
  t.deepEqual(server.code_challenge_methods_supported, ['S256'])
  t.true(server.authorization_response_iss_parameter_supported)
  t.deepEqual(server.response_types_supported, ['code'])
  const nonce = oauth.generateRandomNonce()
  const state = oauth.generateRandomState()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'openid',
    state,
    nonce,
  })
  // A confidential application that only signs people in may leave PKCE out.
  const page = await person.browser.go(`${server.authorization_endpoint}?${query}`)
  const back = await permit(person.browser, page)
  const asked = { client_id }
  const parameters = oauth.validateAuthResponse(server, asked, new URL(back.url), state)
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    asked,
    oauth.ClientSecretBasic(client_secret),
    parameters,
    redirect_uri,
    // oxlint-disable-next-line typescript/no-deprecated -- it is marked so to stand out.
    oauth.nopkce,
    insecureRequests,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, asked, reply, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, reply, insecureRequests)
  t.is(oauth.getValidatedIdTokenClaims(tokens)?.sub, person.ppid)
  const jwks = (await (await fetch(String(server.jwks_uri))).json()) as { keys: object[] }
  t.deepEqual(
    jwks.keys.map((key) => (key as { alg: string }).alg),
    ['RS256', 'ES256', 'EdDSA'],
  )
  t.false(JSON.stringify(jwks).includes('"d"'), 'no private half is told')
})

test('a publisher writes works back with the JSON exchange, and refreshes', async (t) => {
  const person = await registry.person('Rosalind Franklin')
  const application = await registry.application({ organization: 'demo' })
  const { client_id, client_secret, redirect_uri } = application
  const { verifier, challenge } = pkcePair()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'svc:works:read svc:works:write',
    state: 'opaque state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const asked = await person.browser.request(`${registry.baseUrl}/api/v1/oauth/authorize?${query}`)
  t.is(asked.status, 303)
  t.is(asked.headers.get('location'), `${registry.issuer}/oauth/authorize?${query}`)
  const page = await person.browser.go(asked.headers.get('location') ?? '')
  const back = new URL((await permit(person.browser, page)).url)
  t.is(back.origin + back.pathname, redirect_uri)
  t.is(back.searchParams.get('state'), 'opaque state')
  t.is(back.searchParams.get('iss'), registry.issuer)
  const code = back.searchParams.get('code') ?? ''
  const exchange = (body: Record<string, string>) =>
    fetch(`${registry.baseUrl}/api/v1/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, client_secret, ...body }),
    })
  const first = await exchange({
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    code_verifier: verifier,
  })
  t.is(first.status, 200)
  t.is(first.headers.get('cache-control'), 'no-store')
  const tokens = (await first.json()) as Record<string, unknown>
  t.like(tokens, {
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'svc:works:read svc:works:write',
  })
  t.deepEqual(Object.keys(tokens).sort(), [
    'access_token',
    'expires_in',
    'refresh_token',
    'scope',
    'token_type',
  ])
  const work = await register(String(tokens['access_token']))
  t.is(work.status, 201)
  const { source } = (await work.json()) as { source: object }
  t.like(source, { type: 'organization', id: 'demo', via: 'oauth', client_id })
  const refreshed = await exchange({
    grant_type: 'refresh_token',
    refresh_token: String(tokens['refresh_token']),
  })
  t.is(refreshed.status, 200)
  const next = (await refreshed.json()) as Record<string, unknown>
  t.not(next['refresh_token'], tokens['refresh_token'])
  t.is((await register(String(next['access_token']), 'Another')).status, 201)
})

test('openid-client runs the write-back flow, with a form at the same address', async (t) => {
  const person = await registry.person()
  const { client_id, client_secret, redirect_uri } = await registry.application()
  const configuration = new client.Configuration(
    {
      issuer: registry.issuer,
      authorization_endpoint: `${registry.baseUrl}/api/v1/oauth/authorize`,
      token_endpoint: `${registry.baseUrl}/api/v1/oauth/token`,
      authorization_response_iss_parameter_supported: true,
    },
    client_id,
    client_secret,
  )
  // oxlint-disable-next-line typescript/no-deprecated -- it is marked so to stand out.
  client.allowInsecureRequests(configuration)
  const { tokens } = await signIn(configuration, person, { redirect_uri, scope: 'svc:works:write' })
  const work = await register(tokens.access_token, 'Of the person')
  t.is(work.status, 201)
  const { source } = (await work.json()) as { source: object }
  t.like(source, { type: 'person', id: person.ppid, via: 'oauth', client_id })
})

test('openid-client refreshes eight times at once, and signs out', async (t) => {
  const person = await registry.person()
  const after = 'https://press.example/bye'
  const application = await registry.application({ post_logout_redirect_uris: [after] })
  const { client_id, client_secret, redirect_uri } = application
  const server = new URL(registry.issuer)
  const configuration = await client.discovery(
    server,
    client_id,
    client_secret,
    undefined,
    insecure,
  )
  const { tokens } = await signIn(configuration, person, {
    redirect_uri,
    scope: 'openid svc:works:write',
  })
  const refreshes = Array.from({ length: 8 }, () =>
    client.refreshTokenGrant(configuration, tokens.refresh_token ?? ''),
  )
  const refreshed = await Promise.all(refreshes)
  t.is(new Set(refreshed.map(({ refresh_token }) => refresh_token)).size, 1)
  for (const [nth, { access_token }] of refreshed.entries()) {
    t.is((await register(access_token, `The work ${nth}`)).status, 201)
  }
  const end = client.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: after,
    id_token_hint: tokens.id_token ?? '',
  })
  const asked = await person.browser.go(end.href)
  const out = await person.browser.submit(asked, { logout: 'yes' }, '/oauth/logout/confirm')
  t.is(out.url, after)
})

test('a public application in a page calls from its own origin, and from no other', async (t) => {
  const origin = 'https://spa.example'
  const { client_id } = await registry.application({
    kind: 'public',
    redirect_uris: [`${origin}/back`],
  })
  const call = (from: string) =>
    fetch(`${registry.issuer}/oauth/token`, {
      method: 'POST',
      headers: { origin: from },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id }),
    })
  t.is((await call(origin)).headers.get('access-control-allow-origin'), origin)
  t.is((await call('https://other.example')).headers.get('access-control-allow-origin'), null)
  const preflight = await fetch(`${registry.issuer}/oauth/token`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  t.is(preflight.headers.get('access-control-allow-methods'), 'POST')
})

test('at the address of the interface, a page of any origin exchanges what it has', async (t) => {
  const { client_id, client_secret } = await registry.application()
  const at = `${registry.baseUrl}/api/v1/oauth/token`
  const headers = { origin: 'https://other.example' }
  const refused = await fetch(at, {
    method: 'POST',
    headers,
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id,
      client_secret,
    }),
  })
  t.like(await refused.json(), { error: 'invalid_grant' })
  t.is(refused.headers.get('access-control-allow-origin'), '*')
  const preflight = await fetch(at, {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-method': 'POST' },
  })
  t.is(preflight.headers.get('access-control-allow-origin'), '*')
  t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/)
})

function register(token: string, title = 'A work'): Promise<Response> {
  return fetch(`${registry.baseUrl}/api/v1/works`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      work_title: title,
      work_type: 'article',
      authors: 'Ox, Ada',
      work_url: 'https://press.example/works/1',
    }),
  })
}

for (const [registered, used] of [
  ['com.example.app:/oauth2redirect', 'com.example.app:/oauth2redirect'],
  ['http://127.0.0.1/back', 'http://127.0.0.1:50987/back'],
  ['http://[::1]/back', 'http://[::1]:50988/back'],
] as const) {
  test(`openid-client signs a person in for a native app at ${used}`, async (t) => {
    const person = await registry.person('Katherine Johnson')
    const { client_id } = await registry.application({
      kind: 'public',
      redirect_uris: [registered],
    })
    const server = new URL(registry.issuer)
    const configuration = await client.discovery(
      server,
      client_id,
      undefined,
      client.None(),
      insecure,
    )
    const asked = { redirect_uri: used, scope: 'openid profile' }
    const { back, tokens } = await signIn(configuration, person, asked)
    t.true(back.startsWith(`${used}?`), back)
    t.is(tokens.claims()?.sub, person.ppid)
  })
}

test('a request for permission may be a form, and is refused in the same words', async (t) => {
  const person = await registry.person('Mary Jackson')
  const { client_id, client_secret, redirect_uri } = await registry.application()
  const server = new URL(registry.issuer)
  const configuration = await client.discovery(
    server,
    client_id,
    client_secret,
    undefined,
    insecure,
  )
  const state = client.randomState()
  const asked = { redirect_uri, scope: 'openid', state }
  const { authorization_endpoint = '' } = configuration.serverMetadata()
  const post = async (changes: Record<string, string>) => {
    const url = client.buildAuthorizationUrl(configuration, { ...asked, ...changes })
    const seen = await person.browser.request(authorization_endpoint, {
      method: 'POST',
      body: url.searchParams,
    })
    t.is(seen.status, 303)
    return person.browser.go(seen.headers.get('location') ?? '')
  }
  const refusals = [
    [{ prompt: 'none' }, 'login_required'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://a.example/' }, 'request_uri_not_supported'],
  ] as const
  for (const [changes, error] of refusals) {
    const { searchParams, hash } = new URL((await post(changes)).url)
    const told = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
    t.is(told, error, JSON.stringify(changes))
  }
  const long = await fetch(authorization_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ ...asked, state: 'x'.repeat(9_000) }),
  })
  t.is(long.status, 413)
  const written = await fetch(`${registry.baseUrl}/api/v1/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, state: 'a b', code_challenge: 'c' }),
    redirect: 'manual',
  })
  t.is(
    written.headers.get('location'),
    `${authorization_endpoint}?client_id=${client_id}&state=a+b&code_challenge=c`,
  )
  const query = `client_id=${client_id}&code_challenge=`
  const unbound = await fetch(`${registry.baseUrl}/api/v1/oauth/authorize?${query}`, {
    redirect: 'manual',
  })
  t.is(unbound.headers.get('location'), `${authorization_endpoint}?${query}&svc_pkce=1`)
  const back = await permit(person.browser, await post({}))
  const tokens = await client.authorizationCodeGrant(configuration, new URL(back.url), {
    expectedState: state,
    idTokenExpected: true,
  })
  t.is(tokens.claims()?.sub, person.ppid)
})
