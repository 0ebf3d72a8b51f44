import { answered, holds, matches, same } from '#test/interface/_expect.ts'
import {
  application,
  newBrowser,
  registerApplication,
  researcher,
  signUp,
  tokenOf,
} from '#test/interface/_people.ts'
import {
  allow,
  ask,
  deny,
  exchange,
  exchangeBody,
  isPage,
  permit,
  query,
  state,
  type Wanted,
  writeBackPath,
} from '#test/interface/_permission.ts'
import { filled, row, type Row, type Section } from '#test/interface/_row.ts'
import { leastFields } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { unescaped } from '#test/src/_browser.ts'

const scope = 'svc:works:write svc:affiliations:read'

async function wanted(world: World): Promise<Wanted> {
  return { application: await application(world), scope }
}

/** A new person comes to the page that asks for permission. */
async function comeToPage(world: World) {
  const { browser } = await signUp(world, 'Mary Somerville')
  const page = await ask(world, browser, query(await wanted(world)))
  holds(isPage(page), 'the browser comes to a page', page.url)
  return { browser, page }
}

/** A code of the researcher that nobody has exchanged. */
async function newCode(world: World): Promise<string> {
  const { browser } = await researcher(world)
  return allow(world, browser, await wanted(world))
}

/** A request for permission that lacks a parameter, or has another value, gets no code. */
async function refusesRequest(
  world: World,
  change: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { browser } = await researcher(world)
  const asked = Object.entries({ ...query(await wanted(world)), ...change })
  const given = asked.filter((pair): pair is [string, string] => pair[1] !== undefined)
  const seen = await ask(world, browser, Object.fromEntries(given))
  holds(!isPage(seen), 'there is no page that asks', seen.url)
  holds(!new URL(seen.url).searchParams.has('code'), 'there is no code', seen.url)
}

/** An exchange that lacks a field, or has another value, gets no tokens. */
async function refusesExchange(world: World, field: string, value?: string): Promise<void> {
  const { [field]: _, ...others } = exchangeBody(await wanted(world), await newCode(world))
  const body = value === undefined ? others : { ...others, [field]: value }
  const reply = answered(await world.call('POST /api/v1/oauth/token', { body }), 400, 401)
  matches(reply.body.error, /^(?:invalid_|unauthorized|unsupported_)/, 'error')
  holds(reply.body.access_token === undefined, 'there is no token')
}

/** The rows about the parameters of the request. */
const parameterRows: Row[] = [
  row('response_type is code', (world) => refusesRequest(world, { response_type: 'token' })),
  row('client_id names the application', (world) => refusesRequest(world, { client_id: 'none' })),
  row('redirect_uri is one of its addresses', (world) =>
    refusesRequest(world, { redirect_uri: 'https://thief.example/back' }),
  ),
  row('scope holds several, parted by spaces', async (world) => {
    const { browser } = await researcher(world)
    const code = await allow(world, browser, await wanted(world))
    const { body } = answered(await exchange(world, await wanted(world), code), 200)
    same(new Set(body.scope.split(' ')), new Set(scope.split(' ')), 'scope')
  }),
  row('state comes back', async (world) => {
    const { browser, page } = await comeToPage(world)
    same((await permit(browser, page)).searchParams.get('state'), state, 'state')
  }),
  row('code_challenge is needed', (world) =>
    refusesRequest(world, { code_challenge: undefined, code_challenge_method: undefined }),
  ),
  row('code_challenge_method is S256', (world) =>
    refusesRequest(world, { code_challenge_method: 'plain' }),
  ),
]

const exchangeFields = {
  grant_type: 'guess',
  code: 'made-up',
  redirect_uri: 'https://press.example/other',
  client_id: 'app_0000000000000000',
  client_secret: 'a guess',
  code_verifier: 'another-verifier-of-more-than-forty-three-characters-01',
} as const

/** The rows about the fields of the exchange. */
const exchangeRows: Row[] = Object.entries(exchangeFields).map(([field, wrong]) =>
  row(`the exchange needs ${field}, and the right one`, async (world) => {
    await refusesExchange(world, field)
    await refusesExchange(world, field, wrong)
  }),
)

/** The flow by which an application gets permission to write. */
export const writeBackPermission: Section = {
  name: 'Permission to write back',
  rows: [
    row('an application is registered, and gets client_id and client_secret', async (world) => {
      const { client_id, client_secret } = await registerApplication(world)
      matches(client_id, /\S/, 'client_id')
      matches(client_secret, /\S{20,}/, 'client_secret')
    }),
    row('its request goes to {base_url}/api/v1/oauth/authorize', async (world) => {
      const parameters = new URLSearchParams(query(await wanted(world)))
      const reply = await world.call(`GET ${writeBackPath}?${parameters}`)
      answered(reply, 302, 303)
      holds(reply.headers.get('location')?.startsWith(world.place.authUrl) === true, 'to sign in')
    }),
    ...parameterRows,
    row('the researcher signs in first', async (world) => {
      const page = await ask(world, newBrowser(world), query(await wanted(world)))
      matches(page.url, /\/sign-in/, 'the page')
    }),
    row('the researcher sees what is asked for', async (world) => {
      const { page } = await comeToPage(world)
      const { body } = page
      for (const name of scope.split(' ')) {
        holds(body.includes(`permit:${name}`), `${name} has a box`)
      }
      matches(unescaped(body), /add works to your profile/i, 'the page')
    }),
    row('the researcher must approve: without that there is no code', async (world) => {
      const { browser, page } = await comeToPage(world)
      const back = await deny(browser, page)
      same(back.searchParams.get('error'), 'access_denied', 'error')
      holds(!back.searchParams.has('code'), 'there is no code')
    }),
    filled('oauth', 'the researcher can leave out some of it', async (world) => {
      const { browser, page } = await comeToPage(world)
      const back = await permit(browser, page, ['svc:works:write'])
      const code = back.searchParams.get('code') ?? ''
      const { body } = answered(await exchange(world, await wanted(world), code), 200)
      same(body.scope, 'svc:affiliations:read', 'scope')
    }),
    filled('oauth', 'the answer names its issuer', async (world) => {
      const { browser, page } = await comeToPage(world)
      same((await permit(browser, page)).searchParams.get('iss'), world.place.authUrl, 'iss')
    }),
    row('the code is exchanged at {base_url}/api/v1/oauth/token, as JSON', async (world) => {
      answered(await exchange(world, await wanted(world), await newCode(world)), 200)
    }),
    ...exchangeRows,
    row('the API is called with the access token as a bearer', async (world) => {
      const key = await tokenOf(world, 'svc:works:write')
      answered(await world.call('POST /api/v1/works', { key, body: leastFields(world) }), 201)
    }),
    filled(
      'oauth',
      'the answer has access_token, token_type, expires_in and scope',
      async (world) => {
        const code = await newCode(world)
        const { body } = answered(await exchange(world, await wanted(world), code), 200)
        same([body.token_type, body.expires_in], ['Bearer', 3_600], 'token_type, expires_in')
        matches(body.access_token, /\S{20,}/, 'access_token')
        matches(body.scope, /svc:works:write/, 'scope')
      },
    ),
    filled('oauth', 'a refresh token gives new tokens', async (world) => {
      const given = await wanted(world)
      const first = answered(await exchange(world, given, await newCode(world)), 200).body
      const { client_id, client_secret } = given.application
      const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
      const body = { ...refresh, client_id, client_secret }
      const next = answered(await world.call('POST /api/v1/oauth/token', { body }), 200).body
      holds(next.refresh_token !== first.refresh_token, 'the refresh token is another')
      const sent = { key: next.access_token, body: leastFields(world) }
      answered(await world.call('POST /api/v1/works', sent), 201)
    }),
    filled('oauth', 'an error has error, error_description and message', async (world) => {
      const body = exchangeBody(await wanted(world), 'made-up')
      const reply = answered(await world.call('POST /api/v1/oauth/token', { body }), 400)
      same(reply.body.error, 'invalid_grant', 'error')
      same(reply.body.message, reply.body.error_description, 'message')
    }),
    filled(
      'oauth',
      'a public application has no secret, and needs the verifier alone',
      async (world) => {
        const own = await registerApplication(world, '--public')
        const { browser } = await researcher(world)
        const given: Wanted = { application: own, scope: 'svc:works:read' }
        const code = await allow(world, browser, given)
        const { client_secret: _, ...body } = exchangeBody(given, code)
        answered(await world.call('POST /api/v1/oauth/token', { body }), 200)
      },
    ),
  ],
}
