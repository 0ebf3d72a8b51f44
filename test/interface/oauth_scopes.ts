import { answered, holds, matches, same } from '#test/interface/_expect.ts'
import { attempt, isLacking, mayDoOnly, type Operation } from '#test/interface/_operation.ts'
import { researcher, tokenOf } from '#test/interface/_people.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Row, type Section } from '#test/interface/_row.ts'
import { register } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** What the provider tells of the person to an application with some scopes. */
async function told(world: World, ...scopes: readonly string[]): Promise<Json> {
  const key = await tokenOf(world, ...scopes)
  return answered(await world.call(`GET ${world.place.authUrl}/oauth/userinfo`, { key }), 200).body
}

const granted: Readonly<Record<string, readonly Operation[]>> = {
  openid: [],
  profile: ['read people'],
  email: [],
  'svc:works:read': ['read works', 'list versions', 'follow changes', 'list own works'],
  'svc:works:write': ['create works', 'update works', 'add versions'],
  'svc:author:read': ['read claims'],
  'svc:affiliations:read': ['read affiliations', 'read education'],
  'svc:affiliations:write': [
    'add affiliations',
    'add education',
    'change affiliations',
    'change education',
  ],
  'svc:receipts:read': ['read receipts', 'read proofs', 'list own receipts'],
  'svc:author:write': ['update people', 'claim works'],
  'svc:works:delete': ['delete works'],
}

/** The rows that say what a scope does not grant. */
const limits: Row[] = Object.entries(granted).map(([scope, operations]) =>
  filled('scopes-of-tokens', `${scope}: nothing but what the documents name`, async (world) => {
    await mayDoOnly(world, await tokenOf(world, scope), operations)
  }),
)

/** A scope with operations that it grants. */
function grants(scope: string, claim: string): Row {
  return row(`${scope}: ${claim}`, async (world) => {
    const key = await tokenOf(world, scope)
    for (const operation of granted[scope] ?? []) {
      const reply = await attempt(world, operation, key)
      holds(!isLacking(reply), `it may ${operation}`, reply.text)
    }
  })
}

/** Scopes of access tokens. */
export const oauthScopes: Section = {
  name: 'Scopes of tokens',
  rows: [
    row('openid: the person is known by their identifier', async (world) => {
      same((await told(world, 'openid')).sub, (await researcher(world)).ppid, 'sub')
    }),
    row('profile: name', async (world) => {
      same((await told(world, 'openid', 'profile')).name, 'Ada Lovelace', 'name')
    }),
    row('profile: username, picture and ORCID iD, where they are there', async (world) => {
      const { browser } = await researcher(world)
      const page = await browser.go(`${world.place.authUrl}/account`)
      const profile = {
        name: 'Ada Lovelace',
        username: `lovelace-${world.run}`,
        avatar_url: 'https://people.example/lovelace.png',
      }
      const saved = await browser.submit(page, profile, '/auth/account')
      await browser.submit(saved, { orcid: '0000-0002-1825-0097' }, '/account/orcid')
      const claims = await told(world, 'openid', 'profile')
      same(claims.preferred_username, profile.username, 'preferred_username')
      same(claims.picture, profile.avatar_url, 'picture')
      same(claims.orcid, 'https://orcid.org/0000-0002-1825-0097', 'orcid')
    }),
    row('email: the address, and whether it is verified', async (world) => {
      const { email, email_verified } = await told(world, 'openid', 'email')
      same([email, email_verified], [(await researcher(world)).email, false], 'the address')
    }),
    row('without email the address is not told', async (world) => {
      same((await told(world, 'openid', 'profile')).email, undefined, 'email')
    }),
    grants('svc:works:read', 'works are listed and viewed'),
    row('svc:works:read lists the registered works of the person', async (world) => {
      const { ark } = await register(world, undefined, await tokenOf(world, 'svc:works:write'))
      const key = await tokenOf(world, 'svc:works:read')
      const { body } = answered(await world.call('GET /api/v1/user/works', { key }), 200)
      const arks = body.works.map((work: Json) => work.ark_identifier)
      holds(arks.includes(ark), 'the work is listed', arks)
    }),
    grants('svc:works:write', 'works are added and updated'),
    grants('svc:author:read', 'claims and their states are viewed'),
    row('svc:author:read tells the state of each claim', async (world) => {
      await register(world, undefined, await tokenOf(world, 'svc:works:write'))
      const key = await tokenOf(world, 'svc:author:read')
      const { body } = answered(await world.call('GET /api/v1/user/claims', { key }), 200)
      matches(body.claims[0].status, /^(?:pending|verified)$/, 'status')
    }),
    grants('svc:affiliations:read', 'affiliations and education are viewed'),
    grants('svc:affiliations:write', 'affiliations and education are added and updated'),
    row('svc:affiliations:write: what was added can be updated', async (world) => {
      const key = await tokenOf(world, 'svc:affiliations:write')
      const body = { organization: world.name('Institute') }
      const added = await world.call('POST /api/v1/user/affiliations', { key, body })
      const { id } = answered(added, 201).body
      const sent = { key, body: { role: 'Reader' } }
      answered(await world.call(`PUT /api/v1/user/affiliations/${id}`, sent), 200)
    }),
    grants('svc:receipts:read', 'receipts are viewed'),
    ...limits,
    row('scopes that read give no right to write', async (world) => {
      const reading = Object.keys(granted).filter((scope) => !/:(?:write|delete)$/.test(scope))
      const key = await tokenOf(world, ...reading)
      for (const operation of ['create works', 'add affiliations', 'update people'] as const) {
        holds(isLacking(await attempt(world, operation, key)), `it may not ${operation}`)
      }
    }),
    filled('scopes-of-tokens', 'the provider lists the scopes that there are', async (world) => {
      const path = '/.well-known/openid-configuration'
      const { body } = answered(await world.call(`GET ${world.place.authUrl}${path}`), 200)
      const scopes = [...Object.keys(granted), 'offline_access']
      same(new Set(body.scopes_supported), new Set(scopes), 'scopes_supported')
    }),
  ],
}
