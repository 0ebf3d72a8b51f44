import anyTest, { type ExecutionContext, type TestFn } from 'ava'

import { unescaped } from '#test/src/_browser.ts'
import {
  mint,
  operator,
  type ServedRegistry,
  serveRegistry,
  work,
} from '#test/src/_served_registry.ts'

type Context = {
  readonly registry: ServedRegistry
  readonly writer: string
  readonly admin: string
}

const test = anyTest as TestFn<Context>

test.before(async (t) => {
  const registry = await serveRegistry()
  const writer = await registry.key({ scopes: ['works:write'] })
  const asOperator = { owner: operator, ip_allow: ['127.0.0.1'] }
  const admin = await registry.key({ ...asOperator, scopes: ['admin:*'] })
  Object.assign(t.context, { registry, writer, admin })
})
test.after.always((t) => t.context.registry.close())

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
