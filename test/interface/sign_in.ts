import { answered, forms, holds, matches, same } from '#test/interface/_expect.ts'
import { organization } from '#test/interface/_keys.ts'
import {
  application,
  newBrowser,
  registerApplication,
  researcher,
  signUp,
} from '#test/interface/_people.ts'
import {
  type Application,
  allow,
  ask,
  exchangeBody,
  isPage,
  permit,
  query,
  state,
} from '#test/interface/_permission.ts'
import { institutionId } from '#test/interface/_registry.ts'
import type { Json, Reply } from '#test/interface/_request.ts'
import { filled, row, type Row, type Section } from '#test/interface/_row.ts'
import { register } from '#test/interface/_works.ts'
import { NotTried, type World } from '#test/interface/_world.ts'
import { TestBrowser } from '#test/src/_browser.ts'

const scope = 'openid profile email svc:author:read svc:author:write'

/** What the provider says of itself. */
async function discovery(world: World): Promise<Json> {
  const path = '/.well-known/openid-configuration'
  return answered(await world.call(`GET ${world.place.authUrl}${path}`), 200).body
}

/** An address of the provider is where the text has it, and the provider says so. */
function endpoint(name: string, member: string, path: string): Row {
  return row(`the ${name} is {auth_url}${path}`, async (world) => {
    same((await discovery(world))[member], world.place.authUrl + path, member)
  })
}

function authorizeUrl({ place }: World): string {
  return `${place.authUrl}/oauth/authorize`
}

/** Exchanges a code at the provider itself, as a form. */
function exchangeForm(world: World, fields: Readonly<Record<string, string>>): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return world.call(`POST ${world.place.authUrl}/oauth/token`, { headers, body })
}

/** An application that only signs people in. */
function loginApplication(world: World): Promise<Application> {
  return world.once('login application', () => registerApplication(world))
}

/** The request of a login, without anything of PKCE. */
async function loginQuery(world: World, scopes = scope): Promise<Record<string, string>> {
  const all = query({ application: await loginApplication(world), scope: scopes })
  const { code_challenge: _, code_challenge_method: __, ...others } = all
  return others
}

/** Signs the researcher in to the application; gives the tokens. */
function tokens(world: World): Promise<Json> {
  return world.once('tokens of a login', async () => {
    const { browser } = await researcher(world)
    const seen = await ask(world, browser, await loginQuery(world), authorizeUrl(world))
    const back = isPage(seen) ? await permit(browser, seen) : new URL(seen.url)
    const code = back.searchParams.get('code') ?? ''
    const fields = exchangeBody({ application: await loginApplication(world), scope }, code)
    const { code_verifier: _, ...body } = fields
    return answered(await exchangeForm(world, body), 200).body
  })
}

/** Signing in by OpenID Connect. */
export const signIn: Section = {
  name: 'Signing authors in',
  rows: [
    row('the issuer is {auth_url}', async (world) => {
      same((await discovery(world)).issuer, world.place.authUrl, 'issuer')
    }),
    endpoint('authorization endpoint', 'authorization_endpoint', '/oauth/authorize'),
    endpoint('token endpoint', 'token_endpoint', '/oauth/token'),
    endpoint('UserInfo endpoint', 'userinfo_endpoint', '/oauth/userinfo'),
    ...scope.split(' ').map((name) =>
      row(`${name} is a scope`, async (world) => {
        holds((await discovery(world)).scopes_supported.includes(name), 'it is listed')
        holds((await tokens(world)).scope.split(' ').includes(name), 'it is given')
      }),
    ),
    row('response_type is code', async (world) => {
      same((await discovery(world)).response_types_supported, ['code'], 'the types')
      const parameters = { ...(await loginQuery(world)), response_type: 'id_token' }
      const { browser } = await researcher(world)
      const seen = await ask(world, browser, parameters, authorizeUrl(world))
      holds(!new URL(seen.url).searchParams.has('code'), 'there is no code', seen.url)
    }),
    row('client_id: applications are registered', async (world) => {
      const parameters = { ...(await loginQuery(world)), client_id: 'nobody' }
      const { browser } = await researcher(world)
      const seen = await ask(world, browser, parameters, authorizeUrl(world))
      holds(seen.status >= 400, 'it is refused', seen.status)
    }),
    row('redirect_uri is one that was registered', async (world) => {
      const parameters = { ...(await loginQuery(world)), redirect_uri: 'https://thief.example/' }
      const { browser } = await researcher(world)
      const seen = await ask(world, browser, parameters, authorizeUrl(world))
      holds(seen.status >= 400, 'it is refused', seen.status)
    }),
    row('scopes can be joined by +', async (world) => {
      const { browser } = await signUp(world, 'Charles Babbage')
      const parameters = new URLSearchParams(await loginQuery(world, 'openid profile')).toString()
      holds(parameters.includes('scope=openid+profile'), 'they are joined so', parameters)
      const page = await browser.go(`${authorizeUrl(world)}?${parameters}`)
      holds(page.body.includes('permit:profile'), 'both are asked for')
    }),
    row('state comes back', async (world) => {
      const { browser } = await researcher(world)
      await tokens(world)
      const seen = await ask(world, browser, await loginQuery(world), authorizeUrl(world))
      same(new URL(seen.url).searchParams.get('state'), state, 'state')
    }),
    row('the ID token says who has signed in', async (world) => {
      const [, payload = ''] = (await tokens(world)).id_token.split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const { ppid } = await researcher(world)
      same([claims.iss, claims.sub], [world.place.authUrl, ppid], 'iss, sub')
    }),
    row('UserInfo tells of the person', async (world) => {
      const { access_token: key } = await tokens(world)
      const reply = await world.call(`GET ${world.place.authUrl}/oauth/userinfo`, { key })
      const { ppid, email } = await researcher(world)
      same([reply.body.sub, reply.body.email], [ppid, email], 'sub, email')
    }),
    row('PKCE is supported', async (world) => {
      same((await discovery(world)).code_challenge_methods_supported, ['S256'], 'the methods')
      const wanted = { application: await loginApplication(world), scope: 'openid' }
      const { browser } = await researcher(world)
      const code = await allow(world, browser, wanted, authorizeUrl(world))
      const fields = exchangeBody(wanted, code)
      const wrong = { ...fields, code_verifier: fields['client_id']?.repeat(4) ?? '' }
      answered(await exchangeForm(world, wrong), 400)
    }),
    filled('oauth', 'PKCE is needed for what writes to works and lists', async (world) => {
      const all = query({ application: await application(world), scope: 'svc:works:write' })
      const { code_challenge: _, code_challenge_method: __, ...others } = all
      const { browser } = await researcher(world)
      const seen = await ask(world, browser, others, authorizeUrl(world))
      same(new URL(seen.url).searchParams.get('error'), 'invalid_request', 'error')
    }),
    row('use: a profile is managed', async (world) => {
      const { access_token: key } = await tokens(world)
      const { ppid } = await researcher(world)
      const sent = { key, body: { bio: world.name('Managed') } }
      answered(await world.call(`PUT /api/v1/people/${ppid}`, sent), 200)
    }),
    row('use: works are claimed', async (world) => {
      const { access_token: key } = await tokens(world)
      const { ppid } = await researcher(world)
      const body = { ark_identifier: (await register(world)).ark }
      const reply = answered(
        await world.call(`POST /api/v1/people/${ppid}/claim`, { key, body }),
        201,
      )
      matches(reply.body.ark_identifier, forms.ark, 'ark_identifier')
      matches(reply.body.status, /^(?:pending|verified)$/, 'status')
    }),
    filled(
      'claims',
      'a claim waits for who registered the work, and is answered there',
      async (world) => {
        const { access_token: key } = await tokens(world)
        const { ppid } = await researcher(world)
        const body = { ark_identifier: (await register(world)).ark }
        const reply = answered(
          await world.call(`POST /api/v1/people/${ppid}/claim`, { key, body }),
          201,
        )
        const { claim_id: id, waits_for: side } = reply.body
        same(side, 'registrant', 'waits_for')
        const own = await world.once('key that answers claims', () =>
          world.command<Json>(
            'key',
            'create',
            '--owner',
            `org:${organization}`,
            '--scopes',
            'people:write',
          ),
        )
        const answer = { key: own.key, body: { step: 'confirm' } }
        const settled = answered(await world.call(`PUT /v1/claims/${id}`, answer), 200)
        same([settled.body.status, settled.body.basis], ['verified', 'registrant'], 'status, basis')
      },
    ),
    row('use: publishers get at their dashboard', async (world) => {
      const { browser, ppid } = await signUp(world, 'Richard Taylor')
      await world.command('organization', 'member', 'add', organization, ppid, 'owner')
      const page = await browser.go(`${world.place.authUrl}/organizations/${organization}`)
      same(page.status, 200, 'the status')
      holds(page.body.includes('Demonstration'), 'it is the page of the organization')
    }),
    row('use: institutions sign their people in', async (world) => {
      const { institution, authUrl } = world.place
      if (institution === undefined)
        throw new NotTried('no institution is set up (UPSTREAM_ISSUERS)')
      const email = `${world.run}@university.example`
      await institution.as(world.run, { name: 'Augustus De Morgan', email, email_verified: true })
      const browser = newBrowser(world)
      const there = await browser.go(`${authUrl}/login/${institutionId}`)
      const back = await new TestBrowser(institution.issuer).go(there.url)
      const asked = await browser.go(back.url)
      const { pathname } = new URL(authUrl)
      same(new URL(asked.url).pathname, `${pathname}/account/welcome`, 'the page of a newcomer')
      const page = await browser.submit(asked, { seen_by: 'private' }, '/account/welcome')
      same(new URL(page.url).pathname, `${pathname}/account`, 'the page')
      holds(page.body.includes('Augustus De Morgan'), 'it is theirs')
    }),
  ],
}
