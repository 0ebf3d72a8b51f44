import test, { type ExecutionContext } from 'ava'

import { BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { until } from '#test/_until.ts'

type Page = {
  readonly works: readonly { readonly changes: readonly object[]; readonly outcome: unknown }[]
  readonly left_out: readonly object[]
  readonly next: number | null
}

/** A registry with works of an organization, and calls with a key of it. */
async function openPress(t: ExecutionContext, works: number) {
  const registry = await serveRegistry({})
  t.teardown(() => registry.close())
  const own = await registry.key({ scopes: ['works:read', 'works:write'] })
  const arks: string[] = []
  for (let number = 0; number < works; number += 1) {
    const body = { work_title: `Work ${number}`, work_url: `http://old.example/${number}` }
    arks.push((await mint(registry, own, body)).ark_identifier)
  }
  const call = (tail: string, body?: unknown, key = own) => {
    const path = `/v1/organizations/demo/bulk-changes${tail}`
    const isRead = body === undefined
    return registry.call(path, { key, ...(isRead ? {} : { method: 'POST', body }) })
  }
  const runner = new BulkRunner({
    changes: registry.bulkChanges,
    environments: registry.environments,
    worksPerMinute: 6_000_000,
    isKeyInUse: (id) => registry.keys.find(id)?.state === 'active',
    report: (error) => t.log(error),
  })
  t.teardown(() => runner.close())
  return { registry, arks, call, runner }
}

const edit = {
  license: 'cc-by-4.0',
  work_url: { from: 'http://old.example/', to: 'https://new.example/' },
}

test('a key of the organization previews, starts and follows a change of many works', async (t) => {
  const { registry, arks, call } = await openPress(t, 30)
  const made = await call('', { edit, selection: { filter: {} } })
  t.is(made.status, 201)
  const draft = made.json()
  t.like(draft, { organization: 'demo', state: 'draft', ready: 30, done: 0, environment: 'live' })
  t.like(draft['edit'], { license: 'CC-BY-4.0' })
  const { self } = draft['links'] as { self: string }
  t.is(made.headers['location'], self)
  const tail = `/${String(draft['id'])}`
  const first = (await call(`${tail}/works`)).json() as unknown as Page
  t.is(first.works.length, 25)
  t.is(first.next, 1)
  t.deepEqual(first.works[0]?.changes[1], { field: 'license', before: null, after: 'CC-BY-4.0' })
  t.is((await call(`${tail}/start`, {})).status, 202)
  await until('the end', async () => (await call(tail)).json()['state'] === 'done')
  t.like((await call(tail)).json(), { done: 30, changed: 30 })
  const second = (await call(`${tail}/works?cursor=1`)).json() as unknown as Page
  t.is(second.next, null)
  t.deepEqual(second.works.at(-1)?.outcome, { version: 2 })
  // To start again what has come to its end does nothing.
  t.like((await call(`${tail}/start`, {})).json(), { state: 'done', changed: 30 })
  const work = (await registry.call(`/api/v1/works/${arks[0]}`)).json()
  t.is(work['version'], 2)
  t.truthy(registry.environments.live.catalogue.findReceipt(String(work['receipt_id'])))
  const list = (await call('')).json()['bulk_changes'] as { id: string }[]
  t.deepEqual(
    list.map(({ id }) => id),
    [draft['id']],
  )
  const owner = { type: 'organization', id: 'demo' } as const
  const audit = await registry.oauth.audit.read(owner, { limit: 50 })
  const [told] = audit.filter(({ action }) => action === 'works_changed')
  t.like(told?.by, { type: 'organization', via: 'api_key' })
})

test('what is left out says why, and what cannot be asked for is told by its fields', async (t) => {
  const { arks, call } = await openPress(t, 2)
  const works = [arks[0], 'ark:/12345/none', '10.1234/nothing']
  const { id, left } = (
    await call('', { edit: { license: 'CC0-1.0' }, selection: { works } })
  ).json()
  t.is(left, 2)
  const page = (await call(`/${String(id)}/works`)).json() as unknown as Page
  t.deepEqual(page.left_out, [
    { work: 'ark:/12345/none', reason: 'not_found' },
    { work: '10.1234/nothing', reason: 'not_found' },
  ])
  for (const body of [
    { edit: {}, selection: { filter: {} } },
    { edit: { license: 'my own' }, selection: { filter: {} } },
    { edit: { license: 'CC0-1.0' }, selection: {} },
    { edit: { license: 'CC0-1.0' }, selection: { filter: {}, works: [arks[0]] } },
    { edit: { license: 'CC0-1.0' }, selection: { filter: { colour: 'red' } } },
    { edit: { license: 'CC0-1.0' }, selection: { filter: { year: 'soon' } } },
    { edit: { title: 'One' }, selection: { filter: {} } },
    { edit: { license: 'CC0-1.0' } },
    [],
  ]) {
    const answer = await call('', body)
    t.is(answer.status, 422, JSON.stringify(body))
    t.true((answer.json()['details'] as object[]).length > 0)
  }
})

test('nobody else sees or changes anything, and the end of a key ends its change', async (t) => {
  const { registry, arks, call } = await openPress(t, 2)
  const body = { edit, selection: { filter: {} } }
  const id = String((await call('', body)).json()['id'])
  const reading = await registry.key({ scopes: ['works:read'] })
  const owner = { type: 'organization', id: 'moon', name: 'Moon' } as const
  const other = await registry.key({ scopes: ['works:read', 'works:write'], owner })
  const sandbox = await registry.key({
    scopes: ['works:read', 'works:write'],
    environment: 'sandbox',
  })
  t.is((await call('', body, reading)).status, 403)
  t.is((await call(`/${id}`, undefined, reading)).status, 200)
  for (const tail of ['', `/${id}`, `/${id}/works`]) {
    t.is((await call(tail, undefined, other)).status, 403)
  }
  t.is((await call(`/${id}/start`, {}, other)).status, 403)
  t.is((await call(`/${id}/start`, {}, sandbox)).status, 404)
  t.is((await call(`/${id}`, undefined, sandbox)).status, 404)
  t.is((await call('/none')).status, 404)
  // A key that was revoked meanwhile is known no more, as one is that never was.
  const agent = { ...owner, id: 'demo', name: 'Demo', via: 'api_key', key_id: 'gone' } as const
  await registry.bulkChanges.start('demo', id, { by: agent, asked_by: agent })
  await until('the end', async () => (await call(`/${id}`)).json()['state'] === 'stopped')
  t.is((await registry.call(`/api/v1/works/${arks[0]}`)).json()['version'], 1)
})
