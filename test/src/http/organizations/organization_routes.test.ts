import type { ExecutionContext } from 'ava'

import type { OwnerRef } from '#actors/values/agent.ts'
import { organizationReplies } from '#src/use_cases/organization_reply.ts'
import { unescaped } from '#test/src/_browser.ts'
import { mint, operator, serveRegistry, work } from '#test/src/_served_registry.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const test = testWith(async () => {
  const registry = await serveRegistry()
  const writer = await registry.key({ scopes: ['works:write'] })
  const asOperator = { owner: operator, ip_allow: ['127.0.0.1'] }
  const admin = await registry.key({ ...asOperator, scopes: ['admin:*'] })
  return { registry, writer, admin }
})

type Context = Opened<typeof test>

async function put(t: ExecutionContext<Context>, slug: string, body: unknown) {
  const { registry, admin } = t.context
  const { code } = await registry.adminCodes.issue()
  const headers = [['X-Admin-Code', code]] as const
  return registry.call(`/v1/organizations/${slug}`, { method: 'PUT', key: admin, body, headers })
}

test.serial('an organization tells what it holds, and lists it page by page', async (t) => {
  const { call } = t.context.registry
  for (const work_title of ['One', 'Two', 'Three']) {
    await mint(t.context.registry, t.context.writer, { ...work, work_title })
  }
  for (const family of ['/v1', '/api/v1']) {
    const { status, headers, json } = await call(`${family}/organizations/demo`)
    t.is(status, 200)
    t.is(headers['access-control-allow-origin'], '*')
    const self = 'https://registry.example/api/v1/organizations/demo'
    const { created_at, updated_at, ...told } = json()
    t.is(created_at, updated_at)
    t.deepEqual(told, {
      slug: 'demo',
      name: 'Demo Press',
      aliases: [],
      works_count: 3,
      people_count: 0,
      set_spec: 'org:demo',
      links: {
        self,
        works: `${self}/works`,
        page: 'https://registry.example/publishers/demo',
      },
    })
    const first = (await call(`${family}/organizations/demo/works?limit=2`)).json()
    t.like(first, { organization: 'demo', works: [{ work_title: 'Three' }, { work_title: 'Two' }] })
    const next = String(first['next'])
    const last = (await call(`${family}/organizations/demo/works?before=${next}`)).json()
    t.like(last, { next: null, works: [{ work_title: 'One', version: 1, status: 'registered' }] })
  }
  const sets = (await call('/api/v1/oai?verb=ListSets')).body
  t.regex(sets, /<setSpec>org:demo<\/setSpec>/)
  const page = (await call('/publishers/demo')).body
  const [, harvest = ''] = /href="(\/api\/v1\/oai[^"]*)"/.exec(page) ?? []
  const records = (await call(unescaped(harvest))).body
  t.is(records.match(/<record>/g)?.length, 3, records)
  const wrong = await call('/v1/organizations/demo/works?limit=201')
  t.is(wrong.status, 400)
  t.is(wrong.json()['message'], 'The query parameter limit must be a whole number from 1 to 200')
  const missing = await call('/v1/organizations/nobody/works')
  t.is(missing.status, 404)
  t.is(missing.json()['message'], 'There is no organization with this name')
})

test.serial('an administrator changes what is said of an organization', async (t) => {
  const changed = await put(t, 'demo', { aliases: ['Demo'], ror: '05gq02987' })
  t.is(changed.status, 200)
  t.like(changed.json(), { name: 'Demo Press', ror: 'https://ror.org/05gq02987' })
  t.false('unchanged' in changed.json())
  const again = await put(t, 'demo', { aliases: ['Demo'] })
  t.like(again.json(), { aliases: ['Demo'], unchanged: true })
  const removed = await put(t, 'demo', { aliases: null, ror: null })
  t.deepEqual(removed.json()['aliases'], [])
  t.false('ror' in removed.json())
  const wrong = await put(t, 'demo', { slug: 'other', country: 'XX' })
  t.is(wrong.status, 422)
  t.like(wrong.json(), {
    error: 'validation_failed',
    message:
      'The organization cannot be changed like this: ' +
      `${(wrong.json()['details'] as { message: string }[])[0]?.message} (details has 1 more)`,
    details: [{ field: 'slug' }, { field: 'country' }],
  })
  const missing = await put(t, 'nobody', { name: 'Nobody' })
  t.is(missing.status, 404)
})

test.serial('an organization that was edited since it was read is not overwritten', async (t) => {
  const { registry } = t.context
  const read = (await registry.call('/v1/organizations/demo')).json()
  registry.clock.forward(1_000)
  t.is((await put(t, 'demo', { ...read, aliases: ['One'] })).status, 200)
  const late = await put(t, 'demo', { ...read, country: 'US' })
  t.is(late.status, 412, late.body)
  t.like(late.json(), {
    error: 'precondition_failed',
    details: [
      { field: 'aliases', code: 'differs' },
      { field: 'country', code: 'differs' },
    ],
  })
  const now = (await registry.call('/v1/organizations/demo')).json()
  t.deepEqual(now['aliases'], ['One'])
  const cleared = (await put(t, 'demo', { ...now, aliases: [] })).json()
  t.deepEqual(cleared['aliases'], [])
  t.like((await put(t, 'demo', cleared)).json(), { unchanged: true })
})

test('nobody else does', async (t) => {
  const { registry, writer, admin } = t.context
  const call = { method: 'PUT', body: { name: 'Mine' } }
  t.is((await registry.call('/v1/organizations/demo', call)).status, 401)
  const scope = await registry.call('/v1/organizations/demo', { ...call, key: writer })
  t.is(scope.status, 403)
  t.is(scope.json()['message'], 'API key lacks required scope: admin:*')
  const unconfirmed = await registry.call('/v1/organizations/demo', { ...call, key: admin })
  t.is(unconfirmed.status, 403)
  t.is(
    unconfirmed.json()['message'],
    'Only an administrator can change organizations: send a key with admin:* and X-Admin-Code',
  )
})

test.serial('keys of an organization above read how many members and keys there are', async (t) => {
  const { call, key, admin } = t.context.registry
  for (const slug of ['union', 'member']) {
    await admin.call('/organizations/create', { organization: { slug, name: slug } })
  }
  await admin.call('/organizations/set-parent', { slug: 'member', parent: 'union' })
  const ofOrganization = (id: string) =>
    key({ owner: { type: 'organization', id, name: id }, scopes: ['works:read'] })
  const [above, own] = [await ofOrganization('union'), await ofOrganization('member')]
  const counts = { members_count: 0, keys_count: 1 }
  for (const path of ['/v1/organizations/member', '/v1/organizations?parent=union']) {
    const read = async (by?: string) => {
      const { headers, json } = await call(path, by === undefined ? {} : { key: by })
      const { organizations: [first] = [json()] } = json() as { organizations?: unknown[] }
      return { first, caching: String(headers['cache-control']) }
    }
    for (const by of [above, own]) {
      const { first, caching } = await read(by)
      t.like(first, { slug: 'member', ...counts })
      t.regex(caching, /private|no-store/)
    }
    for (const by of [undefined, t.context.writer]) {
      t.false('keys_count' in ((await read(by)).first as object))
      t.false('members_count' in ((await read(by)).first as object))
    }
  }
  t.like((await call('/v1/organizations/union', { key: above })).json(), {
    ...counts,
    below: { organizations_count: 1 },
  })
  t.false('keys_count' in (await call('/v1/organizations/union', { key: own })).json())
})

test.serial('organizations are listed by slug, and those below one', async (t) => {
  const { call, environments, admin } = t.context.registry
  for (const slug of ['lead', 'a-press', 'b-press']) {
    await admin.call('/organizations/create', { organization: { slug, name: slug } })
  }
  for (const slug of ['b-press', 'a-press']) {
    await admin.call('/organizations/set-parent', { slug, parent: 'lead' })
  }
  t.is(environments.live.organizations.read('a-press')?.parent, 'lead')
  type List = {
    readonly organizations: readonly { readonly slug: string; readonly parent?: string }[]
    readonly next: string | null
  }
  const list = async (query: string) => (await call(query)).json() as List
  const slugsOf = ({ organizations }: List) => organizations.map(({ slug }) => slug)
  const all = await list('/v1/organizations?limit=2')
  t.deepEqual(slugsOf(all), ['a-press', 'b-press'])
  t.is(all.next, 'b-press')
  const rest = await list(`/v1/organizations?cursor=${all.next}&limit=2`)
  t.deepEqual(slugsOf(rest), ['demo', 'lead'])
  t.like(rest.organizations[1], { below: { organizations_count: 2, works_count: 0 } })
  const below = await list('/api/v1/organizations?parent=lead&limit=1')
  t.deepEqual(slugsOf(below), ['a-press'])
  t.is(below.organizations[0]?.parent, 'lead')
  const last = await list('/api/v1/organizations?parent=lead&limit=1&cursor=a-press')
  t.deepEqual([slugsOf(last), last.next], [['b-press'], null])
  t.deepEqual(slugsOf(await list('/v1/organizations?parent=none')), [])
  t.is((await call('/v1/organizations?parent=-')).status, 400)
  const circle = admin.call('/organizations/set-parent', { slug: 'lead', parent: 'a-press' })
  await t.throwsAsync(circle, { message: /a part of it/ })
  const left = await admin.call('/organizations/set-parent', { slug: 'a-press' })
  t.is(left.organization.parent, undefined)
  const { organizations } = await admin.call('/organizations/list', { parent: 'lead' })
  t.deepEqual(
    organizations.map(({ slug }) => slug),
    ['b-press'],
  )
  // A page ends once it has counted the works of enough organizations, and goes on after it.
  let counted = 0
  const counting = {
    organizations: environments.live.organizations,
    holdings: {
      ...environments.live.holdings,
      counts: (owner: OwnerRef) => {
        counted += 1
        return environments.live.holdings.counts(owner)
      },
    },
  }
  const named = ['lead', 'a-press', 'b-press'].flatMap(
    (slug) => environments.live.organizations.read(slug) ?? [],
  )
  const replies = (enough: number) => organizationReplies('', counting, named, enough)
  t.deepEqual(
    replies(2).map(({ slug }) => slug),
    ['lead'],
  )
  t.is(counted, 3)
  t.is(replies(100).length, 3)
  const used = await call('/v1/organizations/lead/usage?include=below')
  t.is(used.status, 200)
})
