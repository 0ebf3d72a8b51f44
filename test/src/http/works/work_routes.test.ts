import test from 'ava'

import { createdWorkSchema } from '#src/http/works/work_routes.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

let registry: TestRegistry
let writer: Record<string, string>
let sandboxWriter: Record<string, string>

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  const scopes = ['works:read', 'works:write']
  writer = { authorization: `Bearer ${await registry.createKey(scopes)}` }
  const key = await registry.createKey(scopes, { environment: 'sandbox' })
  sandboxWriter = { authorization: `Bearer ${key}` }
})

test.after.always(() => registry.close())

function post(url: string, payload: unknown, headers = writer) {
  return registry.server.inject({ method: 'POST', url, headers, payload: payload as object })
}

function get(url: string, headers: Record<string, string> = {}) {
  return registry.server.inject({ url, headers })
}

/** Where every work is another one, whatever was registered before. */
const anotherWork = '/v1/works?allow_duplicate=true'

async function register(work: object = goodWork): Promise<string> {
  const reply = await post(anotherWork, work)
  return reply.json().ark_identifier
}

test('a work is registered: 201 with its identity, receipt, links and entity tag', async (t) => {
  const reply = await post(anotherWork, goodWork)
  t.is(reply.statusCode, 201)
  t.is(reply.headers['content-type'], 'application/json; charset=utf-8')
  t.deepEqual(Object.keys(reply.json()), Object.keys(createdWorkSchema.properties))
  const { svc_id, ark_identifier, receipt_id, metadata_hash, links, ...rest } = reply.json()
  t.regex(svc_id, /^k2[0-9bcdfghjkmnpqrstvwxz]{9}$/)
  t.is(ark_identifier, `ark:/12345/${svc_id}`)
  t.regex(receipt_id, /^rcpt_2026_01_01_[0-9bcdfghjkmnpqrstvwxz]{12}$/)
  t.regex(metadata_hash, /^sha256:[0-9a-f]{64}$/)
  t.deepEqual(rest, {
    work_title: goodWork.work_title,
    work_type: 'article',
    created_at: '2026-01-01T00:00:00.000Z',
    version: 1,
    fixity_status: 'pending',
    source: { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' },
    warnings: [],
  })
  t.is(links.receipt, `${baseUrl}/api/v1/receipts/${ark_identifier}/v1`)
  t.is(reply.headers.location, links.self)
  t.is(reply.headers.etag, (await get(`/v1/works/${ark_identifier}`, writer)).headers.etag)
})

test('every link of a registered work leads to it', async (t) => {
  const { links } = (await post(anotherWork, goodWork)).json()
  for (const [name, link] of Object.entries<string>(links)) {
    const reply = await get(link.slice(baseUrl.length), { ...writer, accept: 'application/json' })
    const expected = name === 'receipt' || name === 'proofs' ? [200, 403] : [200]
    t.true(expected.includes(reply.statusCode), `${name}: ${reply.body}`)
  }
})

test('all spellings of the address register works, and all of an ARK find them', async (t) => {
  for (const url of ['/v1/work', '/api/v1/works', '/api/v1/work']) {
    t.is((await post(`${url}?allow_duplicate=true`, goodWork)).statusCode, 201, url)
  }
  const ark = await register()
  const [, naan = '', id = ''] = ark.split('/')
  const spellings = [
    ark,
    `ark:${naan}/${id}`,
    `ARK:/${naan}/${id.slice(0, 4)}-${id.slice(4)}`,
    encodeURIComponent(ark),
    `${naan}/${id}`,
    id,
    `ark:/${naan}/01012026/${id}`,
  ]
  for (const spelling of spellings) {
    for (const family of ['/v1/works', '/v1/work', '/api/v1/works']) {
      const reply = await get(`${family}/${spelling}`, writer)
      t.is(reply.statusCode, 200, `${family}/${spelling}`)
      t.is(reply.json().ark_identifier, ark)
    }
  }
  t.is((await get(`/v1/works/ark:/${naan}/02012026/${id}`, writer)).statusCode, 404)
  t.is((await get(`/v1/works/${ark}/part`, writer)).statusCode, 404)
})

test('a work is read with all its metadata, and not sent again to whom holds it', async (t) => {
  const ark = await register({ ...goodWork, language: 'en', keywords: 'order, things' })
  const reply = await get(`/v1/works/${ark}`, writer)
  t.like(reply.json(), {
    ...goodWork,
    language: 'en',
    keywords: 'order, things',
    ark_identifier: ark,
    version: 1,
    status: 'registered',
  })
  t.is(reply.headers['cache-control'], 'private, no-cache')
  const etag = String(reply.headers.etag)
  const again = await get(`/v1/works/${ark}`, { ...writer, 'if-none-match': `"x", W/${etag}` })
  t.is(again.statusCode, 304)
  t.is(again.body, '')
  t.is(again.headers.etag, etag)
  const head = await registry.server.inject({
    method: 'HEAD',
    url: `/v1/works/${ark}`,
    headers: writer,
  })
  t.is(head.statusCode, 200)
  t.is(head.body, '')
  t.is(head.headers['content-length'], String(reply.rawPayload.length))
})

test('the public twin needs no key, and any web page may read it', async (t) => {
  const ark = await register()
  t.is((await get(`/v1/works/${ark}`)).statusCode, 401)
  for (const path of [ark, `${ark}/versions`]) {
    const reply = await get(`/api/v1/works/${path}`)
    t.is(reply.statusCode, 200)
    t.is(reply.headers['access-control-allow-origin'], '*')
    t.is(reply.headers['cache-control'], 'no-cache')
  }
})

test('a key sees its own environment only, and the sandbox says so', async (t) => {
  const created = await post(anotherWork, goodWork, sandboxWriter)
  const sandboxArk = created.json().ark_identifier
  t.regex(sandboxArk, /^ark:\/99999\//)
  t.is(created.headers['x-svc-environment'], 'sandbox')
  t.is((await get(`/v1/works/${sandboxArk}`, sandboxWriter)).statusCode, 200)
  t.is((await get(`/v1/works/${sandboxArk}`, writer)).statusCode, 404)
  t.is((await get(`/v1/works/${await register()}`, sandboxWriter)).statusCode, 404)
  const open = await get(`/api/v1/works/${sandboxArk}`)
  t.is(open.statusCode, 200)
  t.is(open.headers['x-svc-environment'], 'sandbox')
})

test('without a usable key the answer is 401, the same for every reason', async (t) => {
  const url = '/v1/works/k2bcd?api_key=svc_live_x'
  const replies = [
    await get('/v1/works/k2bcd'),
    await get(url),
    await get('/v1/works/k2bcd', { authorization: 'Bearer svc_live_x' }),
    await get('/v1/works/k2bcd', { authorization: 'Basic eDp5' }),
  ]
  for (const reply of replies) {
    t.is(reply.statusCode, 401)
    t.is(reply.headers['www-authenticate'], 'Bearer realm="svc"')
    const { request_id, ...body } = reply.json()
    t.is(request_id, reply.headers['x-request-id'])
    const public_path = '/api/v1/works/k2bcd'
    t.deepEqual(body, { error: 'unauthorized', message: 'Invalid API key', public_path })
  }
  const { request_id: _, ...body } = (await get('/v1/search/works')).json()
  t.deepEqual(body, { error: 'unauthorized', message: 'Invalid API key' }, 'has no public twin')
})

test('everything wrong with a work is told at once', async (t) => {
  const reply = await post('/v1/works', { work_type: 'gizmo', authors: 5, is_admin: true })
  t.is(reply.statusCode, 422)
  t.is(reply.json().error, 'validation_failed')
  const fields = reply.json().details.map(({ field }: { field: string }) => field)
  t.deepEqual(
    fields.toSorted(),
    ['authors', 'is_admin', 'work_title', 'work_type', 'work_url'].toSorted(),
  )
})

test('an ARK with a typing error is answered with the one that was meant', async (t) => {
  const ark = await register()
  const last = ark.at(-1) === '0' ? '1' : '0'
  const reply = await get(`/v1/works/${ark.slice(0, -1)}${last}`, writer)
  t.is(reply.statusCode, 404)
  t.is(reply.json().did_you_mean, ark)
  t.true(reply.json().message.endsWith(`; did you mean ${ark}?`))
})

test('a dry run goes through everything and registers nothing', async (t) => {
  const work = { ...goodWork, existing_doi: '10.1234/dry' }
  const reply = await post('/v1/works?dry_run=true', work)
  t.is(reply.statusCode, 200)
  t.deepEqual(reply.json(), { valid: true, warnings: [] })
  t.is((await post('/v1/works?dry_run=true', {})).statusCode, 422)
  t.is((await post('/v1/works', work)).statusCode, 201)
  t.is((await post('/v1/works?dry_run=true', work)).json().error, 'duplicate_work')
  const typo = await post('/v1/works?dryrun=true', goodWork)
  t.is(typo.statusCode, 400)
  t.is(typo.json().message, 'Unknown query parameter "dryrun": known are dry_run, allow_duplicate')
})

test('a work with the DOI and title of another one is registered on demand only', async (t) => {
  const work = { ...goodWork, existing_doi: '10.1234/twice' }
  const first = await register(work)
  const refused = await post('/v1/works', {
    ...work,
    work_title: ` ${work.work_title.toUpperCase()} `,
  })
  t.is(refused.statusCode, 409)
  t.is(refused.json().error, 'duplicate_work')
  t.is(refused.json().existing_ark, first)
  const allowed = await post('/v1/works?allow_duplicate=true', work)
  t.is(allowed.statusCode, 201)
  const volume = await post('/v1/works', { ...work, work_title: 'Another volume' })
  t.is(volume.statusCode, 201)
  const message = `${allowed.json().ark_identifier} has the same DOI`
  t.deepEqual(volume.json().warnings, [{ field: 'existing_doi', code: 'shared_doi', message }])
})

test('a work that was registered within the last day is not registered again', async (t) => {
  const work = { ...goodWork, work_url: 'https://press.example/retried' }
  const existing_ark = await register(work)
  const again = { ...work, work_title: work.work_title.toUpperCase(), description: 'More.' }
  const urls = ['/v1/works', '/api/v1/work', '/v1/works?dry_run=true', '/v1/works/validate']
  for (const url of urls) {
    const refused = await post(url, again)
    t.is(refused.statusCode, 409, url)
    const message =
      `${existing_ark} was registered with the same title and work_url less than a day ago; ` +
      'for another work, send allow_duplicate=true or an Idempotency-Key of its own'
    t.like(refused.json(), { error: 'duplicate_work', message, existing_ark })
  }
  t.is((await post('/v1/works/validate?allow_duplicate=true', again)).statusCode, 200)
  t.is((await post('/v1/works?allow_duplicate=true', again)).statusCode, 201)
  const keyed = { ...writer, 'idempotency-key': 'another-request' }
  t.is((await post('/v1/works?dry_run=true', again, keyed)).statusCode, 200)
  t.is((await post('/v1/works', again, keyed)).statusCode, 201)
  t.is((await post('/v1/works', again, sandboxWriter)).statusCode, 201)
  const owner = { type: 'organization', id: 'weavers', name: 'Weavers' } as const
  const key = await registry.createKey(['works:write'], { owner })
  t.is((await post('/v1/works', again, { 'x-api-key': key })).statusCode, 201)
})

test('works of one bulk request that are alike are one, unless they are named', async (t) => {
  const work = { ...goodWork, work_url: 'https://press.example/bulk' }
  const send = (url: string, headers: Record<string, string>) =>
    post(url, { works: [work, { ...work, work_title: 'Between' }, work] }, headers)
  const { results } = (await send('/v1/works/bulk', writer)).json()
  const [first, between, last] = results
  t.is(between.status, 201)
  const [registered, refused] = first.status === 201 ? [first, last] : [last, first]
  t.is(registered.status, 201)
  const { ark_identifier: existing_ark } = registered
  t.like(refused, { status: 409, error: 'duplicate_work', existing_ark })
  for (const [url, headers] of [
    ['/v1/works/bulk?allow_duplicate=true', writer],
    ['/v1/works/bulk', { ...writer, 'idempotency-key': 'three-works' }],
  ] as const) {
    const { results: again } = (await send(url, headers)).json()
    t.true(
      again.every(({ status }: { status: number }) => status === 201),
      url,
    )
  }
})

test('a request that is sent again under its Idempotency-Key registers nothing new', async (t) => {
  const headers = { ...writer, 'idempotency-key': 'order-1' }
  const first = await post('/v1/works', goodWork, headers)
  const again = await post('/v1/works', goodWork, headers)
  t.is(again.statusCode, 201)
  t.deepEqual(again.json(), first.json())
  t.is(first.headers['idempotent-replayed'], undefined)
  t.is(again.headers['idempotent-replayed'], 'true')
  const other = await post('/v1/works', { ...goodWork, work_title: 'Another' }, headers)
  t.is(other.statusCode, 422)
  t.is(other.json().message, 'This Idempotency-Key was sent before with another body')
  const malformed = await post('/v1/works', goodWork, { ...writer, 'idempotency-key': 'a b' })
  t.is(malformed.statusCode, 400)
  const elsewhere = await post('/v1/works', goodWork, {
    ...sandboxWriter,
    'idempotency-key': 'order-1',
  })
  t.is(elsewhere.headers['idempotent-replayed'], undefined)
})

test('requests in flight under one Idempotency-Key register one work', async (t) => {
  const headers = { ...writer, 'idempotency-key': 'order-2' }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post('/v1/works', goodWork, headers)),
  )
  const created = replies.filter(({ statusCode }) => statusCode === 201)
  t.is(new Set(created.map((reply) => reply.json().ark_identifier)).size, 1)
  for (const reply of replies.filter(({ statusCode }) => statusCode !== 201)) {
    t.is(reply.statusCode, 409)
    t.is(reply.json().message, 'A request with this Idempotency-Key is being carried out')
  }
})

test('a bulk request registers each work on its own, in order', async (t) => {
  const works = [goodWork, { work_title: 'Half' }, 'nonsense', { ...goodWork, work_title: 'Last' }]
  const reply = await post('/v1/works/bulk?allow_duplicate=true', { works })
  t.is(reply.statusCode, 200)
  const { results } = reply.json()
  t.deepEqual(
    results.map(({ index, status }: { index: number; status: number }) => [index, status]),
    [
      [0, 201],
      [1, 422],
      [2, 422],
      [3, 201],
    ],
  )
  t.is(results[3].work_title, 'Last')
  t.is((await get(`/v1/works/${results[3].ark_identifier}`, writer)).statusCode, 200)
  t.is(results[1].error, 'validation_failed')
  t.is(results[1].details.length, 3)
})

test('a bulk request can be sent again under its key', async (t) => {
  const headers = { ...writer, 'idempotency-key': 'bulk-1' }
  const works = [goodWork, { ...goodWork, work_title: 'Second' }]
  const first = (await post('/v1/works/bulk', { works }, headers)).json().results
  const again = (await post('/v1/works/bulk', { works }, headers)).json().results
  t.deepEqual(
    again,
    first.map((result: object) => ({ ...result, replayed: true })),
  )
})

test('a bulk body that is none is refused as a whole', async (t) => {
  const messages = {
    '{}': 'works is required',
    '{"works":{}}': 'works must be an array, not an object',
    '{"works":[]}': 'works must not be empty; it is required',
    [JSON.stringify({ works: Array.from({ length: 1_001 }, () => 0) })]:
      'works must have 1 to 1000 works',
    '[]': 'the body must be a JSON object, not an array',
  }
  for (const [payload, message] of Object.entries(messages)) {
    const headers = { ...writer, 'content-type': 'application/json' }
    const reply = await registry.server.inject({
      method: 'POST',
      url: '/v1/works/bulk',
      headers,
      payload,
    })
    t.is(reply.statusCode, 422)
    t.deepEqual(
      reply.json().details.map((fault: { message: string }) => fault.message),
      [message],
    )
  }
})

test('versions are listed newest last, page by page', async (t) => {
  const ark = await register()
  for (const description of ['one', 'two', 'three']) {
    const reply = await registry.server.inject({
      method: 'PUT',
      url: `/v1/works/${ark}`,
      headers: writer,
      payload: { description },
    })
    t.is(reply.statusCode, 200)
  }
  const list = async (query: string) =>
    (await get(`/v1/works/${ark}/versions${query}`, writer))
      .json()
      .versions.map(({ version }: { version: number }) => version)
  t.deepEqual(await list(''), [1, 2, 3, 4])
  t.deepEqual(await list('?limit=2'), [1, 2])
  t.deepEqual(await list('?after=2&limit=10'), [3, 4])
  t.is((await get(`/v1/works/${ark}/versions?limit=0`, writer)).statusCode, 400)
  t.is((await get('/v1/works/k2bcd/versions', writer)).statusCode, 404)
})

test('the kinds of works are listed for everybody', async (t) => {
  const reply = await get('/v1/work-types')
  t.is(reply.statusCode, 200)
  const article = reply.json().work_types[0]
  t.like(article, { work_type: 'article', coar: 'c_6501', schema_org: 'ScholarlyArticle' })
})
