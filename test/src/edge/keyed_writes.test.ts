import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { asPerson, openPeopleRegistry, type PeopleRegistry, publisher } from '#test/src/_people.ts'
import { openEdge } from '#test/src/edge/_edge.ts'
import { goodWork } from '#test/src/_registry.ts'

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request that can be made once, with what makes it another one. */
type Write = {
  readonly method: Method
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: object
  readonly other?: object
}

let registry: PeopleRegistry
let keys: Record<'press' | 'own' | 'admin' | 'tester' | 'hooks', Record<string, string>>
let ppid: string

test.before(async () => {
  registry = await openPeopleRegistry()
  const person = await registry.person('Ada Ox')
  ;({ ppid } = person)
  keys = {
    press: await registry.keyOf(publisher, ['works:write', 'people:read', 'people:write']),
    own: await registry.keyOf(asPerson(person), ['works:write', 'people:read', 'people:write']),
    admin: await registry.keyOf(operator, ['works:delete']),
    hooks: await registry.keyOf(publisher, ['webhooks:manage']),
    tester: { authorization: `Bearer ${await testKey()}` },
  }
})
test.after.always(() => registry.close())

function testKey(): Promise<string> {
  return registry.createKey(['people:write'], { owner: publisher, environment: 'sandbox' })
}

let works = 0

async function work(headers = keys.press): Promise<string> {
  works += 1
  const body = { ...goodWork, work_title: `Work ${works}` }
  const answer = await registry.call('POST', '/v1/works', headers, body)
  if (answer.status !== 201) throw new Error(answer.body)
  return answer.json().ark_identifier
}

async function item(list: string): Promise<string> {
  works += 1
  const name = list === 'education' ? 'institution' : 'organization'
  const body = { [name]: `Place ${works}` }
  const answer = await registry.call('POST', `/v1/user/${list}`, keys.own, body)
  if (answer.status !== 201) throw new Error(answer.body)
  return answer.json().id
}

async function claim(): Promise<string> {
  const body = { ark_identifier: await work(), author_position: 1 }
  const answer = await registry.call('POST', '/v1/user/claims', keys.own, body)
  if (answer.status !== 201) throw new Error(answer.body)
  return answer.json().claim_id
}

const webhooks = `/organizations/${publisher.id}/webhooks`

/** A webhook, for a write to what follows its path. */
function ofWebhook(tail: string, body?: object, other?: object) {
  return async () => {
    const made = { url: 'https://example.org/hooks' }
    const answer = await registry.call('POST', `/v1${webhooks}`, keys.hooks, made)
    if (answer.status !== 201) throw new Error(answer.body)
    const path = `${webhooks}/${answer.json().id}${tail}`
    return { path, headers: keys.hooks, ...(body && { body }), ...(other && { other }) }
  }
}

/** A delivery that is kept of a webhook, as the deliverer would have kept it. */
async function ofDelivery() {
  const { path, headers } = await ofWebhook('')()
  const id = path.slice(path.lastIndexOf('/') + 1)
  const { deliveries } = registry.webhooks
  const progress = { starts: 0, after: 1, isBehind: false, pings: 0, replays: 0, failures: 0 }
  const delivery = {
    number: 1,
    message: 'live_1',
    type: 'work.created',
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    duration_ms: 5,
    body: '{}',
    delivered: true,
  } as const
  const kept = {
    progress: { ...progress, held: [], deliveries: { first: 1, next: 2 } },
    deliveries: [delivery],
    forgotten: [],
    sentRevocations: [],
  }
  await deliveries.keep(new Map([[id, kept]]), () => true, { term: undefined })
  return { path: `${path}/deliveries/1/replay`, headers }
}

const bulkChanges = `/organizations/${publisher.id}/bulk-changes`

/** A change of many works that was previewed, for a write to what follows its path. */
function ofBulkChange(tail: string) {
  return async () => {
    await work()
    // One of an organization is under way at a time, and nobody carries them out here.
    for (const job of await registry.bulkChanges.underWay()) {
      await registry.bulkChanges.end(job, 'stopped')
    }
    const body = { edit: { language: 'fr' }, selection: { filter: {} } }
    const answer = await registry.call('POST', `/v1${bulkChanges}`, keys.press, body)
    if (answer.status !== 201) throw new Error(answer.body)
    return { path: `${bulkChanges}/${answer.json().id}${tail}`, headers: keys.press }
  }
}

async function testPerson(): Promise<string> {
  const body = { name: 'Tess Tester' }
  const answer = await registry.call('POST', '/v1/people', keys.tester, body)
  if (answer.status !== 201) throw new Error(answer.body)
  return answer.json().ppid
}

/** How each write of the interface is made, below either prefix, by the path of its description. */
const writes: Readonly<Record<string, () => Promise<Omit<Write, 'method' | 'url'> & Named>>> = {
  'POST /works': async () => ({ headers: keys.press, body: { ...goodWork, work_title: 'New' } }),
  'POST /works/bulk': async () => ({
    headers: keys.press,
    body: { works: [1, 2].map((nth) => ({ ...goodWork, work_title: `Bulk ${nth}` })) },
  }),
  'PUT /works/{ark}': async () => ({
    path: `/works/${await work()}`,
    headers: keys.press,
    body: { description: 'New.' },
    other: { description: 'Other.' },
  }),
  'PUT /works/by-doi/{doi}': async () => ({
    path: `/works/by-doi/10.5555/keyed-${(works += 1)}`,
    headers: keys.press,
    body: { ...goodWork, existing_doi: undefined },
    other: { ...goodWork, existing_doi: undefined, work_title: 'Other' },
  }),
  'POST /works/{ark}/versions': async () => ({
    path: `/works/${await work()}/versions`,
    headers: keys.press,
    body: { description: 'New.', version_note: 'Why.' },
    other: { description: 'Other.' },
  }),
  'POST /works/{ark}/withdraw': async () => ({
    path: `/works/${await work()}/withdraw`,
    headers: keys.press,
    body: { reason: 'test' },
    other: { reason: 'other' },
  }),
  'DELETE /works/{ark}': async () => ({
    path: `/works/${await work()}`,
    headers: keys.admin,
    body: { reason: 'test' },
    other: { reason: 'other' },
  }),
  'POST /people': async () => ({
    headers: keys.tester,
    body: { name: 'Tess Tester' },
    other: { name: 'Other' },
  }),
  'DELETE /people/{ppid}': async () => ({
    path: `/people/${await testPerson()}`,
    headers: keys.tester,
  }),
  'PUT /people/{ppid}': async () => ({
    path: `/people/${ppid}`,
    headers: keys.own,
    body: { bio: `Bio ${(works += 1)}` },
    other: { bio: 'Other.' },
  }),
  'PUT /user': async () => ({
    headers: keys.own,
    body: { bio: `Bio ${(works += 1)}` },
    other: { bio: 'Other.' },
  }),
  'POST /people/{ppid}/claim': async () => ({
    path: `/people/${ppid}/claim`,
    headers: keys.own,
    body: { ark_identifier: await work(), author_position: 1 },
    other: { ark_identifier: await work(), author_position: 1 },
  }),
  'POST /user/claims': async () => ({
    headers: keys.own,
    body: { ark_identifier: await work(), author_position: 1 },
    other: { ark_identifier: await work(), author_position: 1 },
  }),
  'PUT /claims/{claim_id}': async () => ({
    path: `/claims/${await claim()}`,
    headers: keys.press,
    body: { step: 'reject' },
    other: { step: 'confirm' },
  }),
  'PUT /user/claims/{claim_id}': async () => ({
    path: `/user/claims/${await claim()}`,
    headers: keys.own,
    body: { step: 'withdraw' },
    other: { step: 'confirm' },
  }),
  'DELETE /user/claims/{claim_id}': async () => ({
    path: `/user/claims/${await claim()}`,
    headers: keys.own,
  }),
  'POST /user/affiliations': async () => ({
    headers: keys.own,
    body: { organization: `Place ${(works += 1)}` },
    other: { organization: 'Other' },
  }),
  'POST /user/education': async () => ({
    headers: keys.own,
    body: { institution: `Place ${(works += 1)}` },
    other: { institution: 'Other' },
  }),
  'PUT /user/affiliations/{id}': async () => ({
    path: `/user/affiliations/${await item('affiliations')}`,
    headers: keys.own,
    body: { role: 'Dean' },
    other: { role: 'Other' },
  }),
  'PUT /user/education/{id}': async () => ({
    path: `/user/education/${await item('education')}`,
    headers: keys.own,
    body: { degree: 'MSc' },
    other: { degree: 'Other' },
  }),
  'DELETE /user/affiliations/{id}': async () => ({
    path: `/user/affiliations/${await item('affiliations')}`,
    headers: keys.own,
  }),
  'POST /organizations/{slug}/bulk-changes': async () => ({
    path: bulkChanges,
    headers: keys.press,
    body: { edit: { language: 'fr' }, selection: { filter: {} } },
    other: { edit: { language: 'de' }, selection: { filter: {} } },
  }),
  'POST /organizations/{slug}/bulk-changes/{id}/start': ofBulkChange('/start'),
  'POST /organizations/{slug}/bulk-changes/{id}/stop': ofBulkChange('/stop'),
  'POST /organizations/{slug}/webhooks': async () => ({
    path: webhooks,
    headers: keys.hooks,
    body: { url: 'https://example.org/hooks' },
    other: { url: 'https://example.org/others' },
  }),
  'PATCH /organizations/{slug}/webhooks/{id}': ofWebhook(
    '',
    { description: 'Library' },
    { description: 'Other' },
  ),
  'DELETE /organizations/{slug}/webhooks/{id}': ofWebhook(''),
  'POST /organizations/{slug}/webhooks/{id}/pause': ofWebhook('/pause'),
  'POST /organizations/{slug}/webhooks/{id}/resume': ofWebhook('/resume'),
  'POST /organizations/{slug}/webhooks/{id}/replay': ofWebhook(
    '/replay',
    { after: 0 },
    { after: 1 },
  ),
  'POST /organizations/{slug}/webhooks/{id}/deliveries/{number}/replay': ofDelivery,
  'POST /organizations/{slug}/webhooks/{id}/ping': ofWebhook('/ping'),
  'POST /organizations/{slug}/webhooks/{id}/rotate': ofWebhook('/rotate'),
  'DELETE /user/education/{id}': async () => ({
    path: `/user/education/${await item('education')}`,
    headers: keys.own,
  }),
}

type Named = { readonly path?: string }

// These take a code that is for one request alone.
const others = new Set([
  // Other spellings of what is tried.
  'POST /user',
  'DELETE /user/{ppid}',
  'PUT /user/{ppid}',
  'POST /user/{ppid}/claim',
  'POST /works/{ark}/erase',
  'PUT /organizations/{slug}',
  'POST /admin/suspensions',
  'POST /admin/takedowns',
  'POST /admin/takedowns/{ark}/again',
  'DELETE /admin/suspensions/{type}/{id}',
  'POST /user/writes/{position}/undo',
])

/** Every operation of the description that writes: not those that sign in, verify or validate. */
async function described(): Promise<readonly [string, string, object][]> {
  const { paths } = (await registry.call('GET', '/openapi.json?aliases=true')).json() as {
    paths: Record<string, Record<string, { parameters?: { $ref?: string }[] }>>
  }
  return Object.entries(paths).flatMap(([path, methods]) => {
    const family = /^(?:\/api)?\/v1(?=\/)/.exec(path)?.[0]
    if (family === undefined || /verify$|\/validate$|\/works\/read$|\/oauth\/|\/oai$/.test(path))
      return []
    return Object.entries(methods)
      .filter(([method]) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]): [string, string, object] => {
        const name = `${method.toUpperCase()} ${path.slice(family.length)}`
        return [family, name, operation.parameters ?? []]
      })
  })
}

test('a whole record that is sent back is answered as before, too', async (t) => {
  const url = `/v1/works/${await work()}`
  const press = {
    ...keys.press,
    ...(await registry.keyOf(publisher, ['works:read', 'works:write'])),
  }
  const record = (await registry.call('GET', url, press)).json()
  const keyed = { ...press, 'idempotency-key': 'sent-back' }
  const body = { ...record, description: 'New.' }
  const first = await registry.call('PUT', url, keyed, body)
  t.is(first.status, 200, first.body)
  const again = await registry.call('PUT', url, keyed, body)
  t.is(again.headers['idempotent-replayed'], 'true', again.body)
  t.deepEqual(again.json(), first.json())
})

test('what only validates a work takes no key, and says so', async (t) => {
  const { body } = await registry.call('GET', '/openapi.json')
  const { parameters = [] } = JSON.parse(body).paths['/v1/works/validate'].post
  t.false(JSON.stringify(parameters).includes('Idempotency-Key'))
})

test('every write documents the header, and is known to this test', async (t) => {
  const operations = await described()
  t.true(operations.length >= 2 * Object.keys(writes).length)
  for (const [family, name, parameters] of operations) {
    const header = (parameters as { $ref?: string }[]).find(
      ({ $ref }) => $ref === '#/components/parameters/Idempotency-Key',
    )
    t.truthy(header, `${family} ${name} does not document Idempotency-Key`)
    t.true(name in writes || others.has(name), `${name} is a write that is not tried here`)
  }
})

test('a reply is kept as it was before it was coded', async (t) => {
  const text = 'x'.repeat(2_000)
  const { server } = await openEdge(t, {}, (routes, { admit }) => {
    const access = { type: 'key', prefix: '/v1', right: 'update works', limit: 'people' } as const
    routes.put('/things', admit(access), async () => ({ text }))
  })
  const headers = { authorization: 'Bearer writer', 'idempotency-key': 'long' }
  const send = (more: Record<string, string> = {}) =>
    server.inject({ method: 'PUT', url: '/things', headers: { ...headers, ...more }, payload: {} })
  t.is((await send({ 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
  const again = await send()
  t.is(again.headers['idempotent-replayed'], 'true')
  t.deepEqual(again.json(), { text })
  t.is((await send({ 'accept-encoding': 'br' })).headers['content-encoding'], 'br')
})

for (const [name, prepare] of Object.entries(writes)) {
  for (const family of ['/v1', '/api/v1']) {
    test.serial(`${name} is carried out once below ${family}`, async (t) => {
      const [method = '', ownPath = ''] = name.split(' ')
      const { path = ownPath, headers, body, other } = await prepare()
      const keyed = { ...headers, 'idempotency-key': `${family} ${name}`.replaceAll(/\W/g, '-') }
      const send = (payload?: object) =>
        registry.call(method as Method, family + path, keyed, payload)
      const first = await send(body)
      t.true(first.status < 300, first.body)
      t.is(first.headers['idempotent-replayed'], undefined)
      const again = await send(body)
      t.is(again.status, first.status, again.body)
      if (name === 'POST /works/bulk') {
        const arks = (reply: typeof first) =>
          reply.json().results.map((each: { ark_identifier: string }) => each.ark_identifier)
        t.deepEqual(arks(again), arks(first))
      } else t.deepEqual(again.json(), first.json())
      t.is(again.headers['idempotent-replayed'], 'true')
      if (other === undefined) return
      const refused = await send(other)
      t.is(refused.status, 422, refused.body)
      t.is(refused.json().message, 'This Idempotency-Key was sent before with another body')
    })
  }
}
