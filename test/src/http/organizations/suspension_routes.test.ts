import test, { type ExecutionContext } from 'ava'

import { operatorAgent } from '#src/identity/store/owner_text.ts'
import { BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
import { mint, operator, serveRegistry, type ServedRegistry } from '#test/src/_served_registry.ts'
import { until } from '#test/_until.ts'
import { deliver, subscriber } from '#test/src/delivery/webhooks/_subscriber.ts'

const path = '/v1/admin/suspensions'
const demo = { type: 'organization', id: 'demo' } as const

async function open(t: ExecutionContext): Promise<ServedRegistry> {
  const registry = await serveRegistry({ ADMIN_EMAIL: 'desk@registry.example' })
  t.teardown(() => registry.close())
  return registry
}

/** Calls the routes as an administrator, with a one-time code each time. */
async function asAdmin(registry: ServedRegistry) {
  const wish = { owner: operator, ip_allow: ['127.0.0.1', '::1'], hours: 1 } as const
  const key = await registry.key({ ...wish, scopes: ['admin:*'] })
  return async (tail: string, method = 'GET', body?: unknown) => {
    const headers = [['X-Admin-Code', (await registry.adminCodes.issue()).code]] as const
    return registry.call(path + tail, { method, key, headers, ...(body !== undefined && { body }) })
  }
}

test('keys of a suspended organization are refused at once, and its works read', async (t) => {
  const registry = await open(t)
  const scopes = ['works:read', 'works:write']
  const key = await registry.key({ scopes })
  const tester = await registry.key({ scopes, environment: 'sandbox' })
  const { ark_identifier: ark } = await mint(registry, key)
  t.is((await registry.call(path, { key })).status, 403, 'for administrators alone')
  const admin = await asAdmin(registry)
  const made = await admin('', 'POST', { ...demo, reason: 'Unpaid since May.' })
  t.is(made.status, 201, made.body)
  t.like(made.json(), { ...demo, reason: 'Unpaid since May.', by: { type: 'operator' } })
  const read = await registry.call(`/v1/works/${ark}`, { key })
  t.is(read.status, 403)
  t.like(read.json(), {
    error: 'suspended',
    suspended: { ...demo, reason: 'Unpaid since May.', contact: 'desk@registry.example' },
  })
  t.regex(String(read.json()['message']), /organization demo is suspended.*May.*ask desk@/)
  const write = { method: 'POST', body: {} }
  t.is((await registry.call('/v1/works', { key, ...write })).status, 403)
  t.is((await registry.call('/v1/works', { key: tester, ...write })).status, 403)
  t.is((await registry.call(`/api/v1/works/${ark}`)).status, 200, 'works stay readable')
  t.is((await registry.call(`/${ark}`)).status, 200)
  const list = (await admin('')).json()
  t.like(list, { next: null, suspensions: [{ ...demo }] })
  t.is((await admin('', 'POST', { ...demo, reason: 'Again.' })).status, 409)
  t.is((await admin('', 'POST', { ...demo, id: 'none', reason: 'Why.' })).status, 404)
  t.is((await admin('', 'POST', { type: 'application', id: 'x', reason: ' ' })).status, 404)
  t.is((await admin('/organization/demo', 'DELETE')).status, 200)
  t.is((await registry.call(`/v1/works/${ark}`, { key })).status, 200)
  t.is((await admin('/organization/demo', 'DELETE')).status, 404)
  t.is((await admin('', 'POST', { ...demo, reason: '' })).status, 422)
  const audit = await registry.oauth.audit.read(demo, { limit: 100 })
  t.deepEqual(
    audit.filter(({ action }) => action !== 'used').map(({ action, because }) => [action, because]),
    [
      ['organization_added', undefined],
      ['created', undefined],
      ['created', undefined],
      ['suspended', 'Unpaid since May.'],
      ['resumed', undefined],
    ],
  )
})

test('suspensions are read page by page, in both orders', async (t) => {
  const registry = await open(t)
  const admin = await asAdmin(registry)
  const slugs = ['demo', 'second', 'third']
  for (const slug of slugs) {
    const organization = { slug, name: slug }
    if (slug !== 'demo') await registry.admin.call('/organizations/create', { organization })
    registry.clock.forward(1_000)
    await admin('', 'POST', { type: 'organization', id: slug, reason: 'Why.' })
  }
  for (const order of ['oldest', 'newest']) {
    const read: string[] = []
    for (let next: string | null = `?limit=1&order=${order}`; next !== null; ) {
      const page = (await admin(next)).json() as unknown as {
        readonly suspensions: readonly { readonly id: string }[]
        readonly links: { readonly next: string | null }
      }
      read.push(...page.suspensions.map(({ id }) => id))
      next = page.links.next === null ? null : new URL(page.links.next).search
    }
    t.deepEqual(read, order === 'oldest' ? slugs : slugs.toReversed())
  }
  t.is((await admin('?cursor=organization/none')).status, 400)
})

test('a change of many works that is under way ends before its next works', async (t) => {
  const registry = await open(t)
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  await mint(registry, key)
  const call = (tail: string, body: unknown) =>
    registry.call(`/v1/organizations/demo/bulk-changes${tail}`, { key, method: 'POST', body })
  const draft = await call('', { edit: { language: 'fr' }, selection: { filter: {} } })
  const id = String(draft.json()['id'])
  t.is((await call(`/${id}/start`, {})).status, 202)
  await registry.admin.call('/suspensions/suspend', { ...demo, reason: 'Stop.' })
  const runner = new BulkRunner({
    changes: registry.bulkChanges,
    environments: registry.environments,
    isSuspended: (parties) => registry.suspensions.first(parties) !== undefined,
    report: (error) => t.log(error),
  })
  t.teardown(() => runner.close())
  await runner.resume()
  await until('the end', () => registry.bulkChanges.find('demo', id)?.state === 'stopped')
  t.is(registry.bulkChanges.find('demo', id)?.changed, 0)
})

test('webhooks are told nothing while it lasts, and all of it afterwards', async (t) => {
  const registry = await open(t)
  const key = await registry.key({ scopes: ['works:write', 'webhooks:manage'] })
  const hook = await subscriber(t)
  await registry.admin.call('/organizations/create', {
    organization: { slug: 'other', name: 'Other' },
  })
  deliver(t, registry, { allow: [hook.hostPort] })
  const made = await registry.admin.call('/webhooks/create', {
    organization: 'demo',
    webhook: { url: hook.url },
  })
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'Before' })
  await until('the first', () => hook.told.length === 1)
  await registry.admin.call('/suspensions/suspend', { ...demo, reason: 'Stop.' })
  const { id } = made.webhook
  await registry.admin.call('/webhooks/ping', { id })
  // What the operator does to its works meanwhile is told later.
  const answer = await registry.environments.live.works.withdraw({
    ark: ark.slice('ark:/'.length),
    by: operatorAgent,
    reason: 'legal',
  })
  t.is(answer.type, 'changed')
  const other = await registry.admin.call('/webhooks/create', {
    organization: 'other',
    webhook: { url: hook.url },
  })
  await registry.admin.call('/webhooks/ping', { id: other.webhook.id })
  await until('the ping of another', () => hook.told.length === 2)
  t.deepEqual(
    hook.told.map(({ type }) => type),
    ['work.created', 'ping'],
  )
  await registry.admin.call('/suspensions/resume', demo)
  await until('what was missed', () => hook.told.length === 4)
  t.true(hook.told.some(({ type }) => type === 'work.withdrawn'))
})

test('a withheld work answers 451 with the reason, and is shown again', async (t) => {
  const registry = await open(t)
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const { ark_identifier: ark } = await mint(registry, key)
  const admin = await asAdmin(registry)
  const readers = [
    `/${ark}`,
    `/${ark}?content`,
    `/${ark}?info`,
    `/api/v1/resolve/${ark}`,
    `/v1/resolve/${encodeURIComponent(ark)}/v1`,
    `/api/v1/works/${ark}`,
    `/api/v1/works/${ark}/citation`,
    `/card?ark=${ark}`,
    `/badge?ark=${ark}`,
    `/oembed?url=${registry.baseUrl}/${ark}`,
    `/api/v1/works/${ark}/related`,
    `/api/v1/works/${ark}/files`,
    `/api/v1/evidence/${ark}/v1`,
    `/feeds/works/${ark}.atom`,
    `/related?ark=${ark}`,
    `/similar?ark=${ark}`,
    `/versions?ark=${ark}&from=1&to=1`,
    `/report?ark=${ark}`,
  ]
  const statuses = async () => {
    const found = readers.map(async (reader) => (await registry.call(reader)).status)
    return Promise.all(found)
  }
  const before = await statuses()
  t.true(before.every((status) => status < 400))
  const made = await admin('', 'POST', { type: 'work', id: ` ${ark} `, reason: 'A court decides.' })
  t.is(made.status, 201, made.body)
  const named = ark.slice('ark:/'.length)
  t.like(made.json(), { type: 'work', id: named })
  t.deepEqual(await statuses(), Array(readers.length).fill(451))
  const refusal = (await registry.call(`/api/v1/resolve/${ark}`)).json()
  t.like(refusal, {
    error: 'withheld',
    withheld: { ark, reason: 'A court decides.', contact: 'desk@registry.example' },
  })
  const page = await registry.call(`/${ark}`, { headers: [['accept', 'text/html']] })
  t.is(page.status, 451)
  t.regex(page.body, /This work is withheld[^]*A court decides\. \(ask desk@registry\.example\)/)
  t.is((await registry.call(`/v1/works/${ark}`, { key })).status, 200, 'its owner sees it')
  t.is((await registry.call(`/api/v1/receipts/${ark}/v1`)).status, 200, 'receipts verify')
  const listed = (await admin('?limit=1')).json()
  t.like(listed, { suspensions: [{ type: 'work', id: named }], next: null })
  const [entry] = await registry.oauth.audit.read(demo, { order: 'newest', limit: 1 })
  t.like(entry, { action: 'suspended', ark: named, because: 'A court decides.' })
  t.is((await admin(`/work/${ark}`, 'DELETE')).status, 200, 'its slashes may be as they are')
  t.deepEqual(await statuses(), before)
  await admin('', 'POST', { type: 'work', id: ark, reason: 'Again.' })
  t.is((await admin(`/work/${encodeURIComponent(ark)}`, 'DELETE')).status, 200)
  t.is((await admin('', 'POST', { type: 'work', id: 'ark:/12345/none', reason: 'x' })).status, 404)
})
