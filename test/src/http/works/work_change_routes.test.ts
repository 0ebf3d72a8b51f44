import test from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let writer: Record<string, string>
let other: Record<string, string>
let operator: Record<string, string>

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  const asKey = async (scopes: string[], owner?: Owner) => ({
    authorization: `Bearer ${await registry.createKey(scopes, owner && { owner })}`,
  })
  writer = await asKey(['works:read', 'works:write'])
  other = await asKey(['works:write'], { type: 'organization', id: 'other', name: 'Other' })
  operator = await asKey(['works:delete'], { type: 'operator', id: 'operator', name: 'Operator' })
})

test.after.always(() => registry.close())

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

function call(
  method: Method,
  url: string,
  payload?: object,
  headers: Record<string, string> = writer,
) {
  return registry.server.inject({ method, url, headers, ...(payload && { payload }) })
}

async function register(work: object = goodWork): Promise<string> {
  return (await call('POST', '/v1/works?allow_duplicate=true', work)).json().ark_identifier
}

test('PUT makes the next version of a work, null removes a field', async (t) => {
  const ark = await register()
  const added = await call('PUT', `/v1/works/${ark}`, { description: 'New.', language: 'en' })
  t.is(added.statusCode, 200)
  const { receipt_id, metadata_hash, links, ...rest } = added.json()
  t.regex(receipt_id, /^rcpt_/)
  t.regex(metadata_hash, /^sha256:/)
  t.true(links.receipt.endsWith('/v2'))
  t.deepEqual(rest, {
    ark_identifier: ark,
    version: 2,
    kind: 'updated',
    created_at: '2026-01-01T00:00:00.000Z',
    content_hash: null,
    fixity_status: 'pending',
    changed_fields: ['description', 'language'],
    source: { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' },
  })
  await call('PUT', `/v1/works/${ark}`, { description: null })
  const work = (await call('GET', `/v1/works/${ark}`)).json()
  t.is(work.version, 3)
  t.false('description' in work)
  t.is(work.language, 'en')
})

test('PUT without a difference changes nothing and says so', async (t) => {
  const ark = await register()
  const reply = await call('PUT', `/v1/work/${ark}`, { work_title: goodWork.work_title })
  t.is(reply.statusCode, 200)
  t.like(reply.json(), { unchanged: true, version: 1, changed_fields: [] })
})

test('a new version must differ, and may say what is new', async (t) => {
  const ark = await register()
  const reply = await call('POST', `/v1/works/${ark}/versions`, {
    description: 'Longer.',
    version_note: 'Adds a description.',
  })
  t.is(reply.statusCode, 201)
  t.like(reply.json(), { version: 2, kind: 'versioned', changed_fields: ['description'] })
  const again = await call('POST', `/api/v1/works/${ark}/versions`, { description: 'Longer.' })
  t.is(again.statusCode, 409)
  t.is(again.json().error, 'version_unchanged')
})

test('everything wrong with a change is told at once', async (t) => {
  const ark = await register()
  const reply = await call('PUT', `/v1/works/${ark}`, { authors: null, language: 'elvish', x: 1 })
  t.is(reply.statusCode, 422)
  const fields = reply.json().details.map(({ field }: { field: string }) => field)
  t.deepEqual(fields.toSorted(), ['authors', 'language', 'x'])
  const first = 'x is not a field here'
  t.true(reply.json().message.startsWith(`The work cannot be changed like this: ${first}`))
  const homeless = await call('PUT', `/v1/works/${ark}`, { work_url: null })
  t.is(homeless.statusCode, 422)
  t.is(homeless.json().details[0].field, 'work_url')
})

test('what was read in a content coding can be changed under its tag', async (t) => {
  const ark = await register({ ...goodWork, description: 'Long. '.repeat(300) })
  const url = `/v1/works/${ark}`
  for (const coding of ['br', 'gzip', 'deflate']) {
    const headers = { ...writer, 'accept-encoding': coding }
    const read = await registry.server.inject({ url, headers })
    t.is(read.headers['content-encoding'], coding)
    const etag = String(read.headers.etag)
    t.regex(etag, new RegExp(`^"\\d+-${coding}"$`))
    const held = { ...headers, 'if-none-match': etag }
    const again = await registry.server.inject({ url, headers: held })
    t.is(again.statusCode, 304)
    t.is(again.headers.etag, etag)
    const keyed = { ...writer, 'if-match': etag }
    t.is((await call('PUT', url, { keywords: coding }, keyed)).statusCode, 200, coding)
    t.is((await call('PUT', url, { keywords: 'stale' }, keyed)).statusCode, 412, coding)
  }
})

test('If-Match keeps a change from overwriting another one', async (t) => {
  const ark = await register()
  const url = `/v1/works/${ark}`
  const seen = String((await call('GET', url)).headers.etag)
  const first = await call('PUT', url, { description: 'A' }, { ...writer, 'if-match': seen })
  t.is(first.statusCode, 200)
  const now = String(first.headers.etag)
  t.is((await call('GET', url)).headers.etag, now)
  const stale = await call('PUT', url, { description: 'B' }, { ...writer, 'if-match': seen })
  t.is(stale.statusCode, 412)
  t.is(stale.json().error, 'precondition_failed')
  t.is(stale.headers.etag, now)
  for (const tags of [now, `"x", ${now}`, '*']) {
    const reply = await call('PUT', url, { description: tags }, { ...writer, 'if-match': tags })
    t.is(reply.statusCode, tags === now ? 200 : tags === '*' ? 200 : 412, tags)
  }
  const weak = await call('PUT', url, { description: 'C' }, { ...writer, 'if-match': `W/${now}` })
  t.is(weak.statusCode, 412)
  const malformed = await call('PUT', url, { description: 'C' }, { ...writer, 'if-match': '1' })
  t.is(malformed.statusCode, 400)
})

test('changes that race make versions without a gap, and one wins under If-Match', async (t) => {
  const ark = await register()
  const url = `/v1/works/${ark}`
  const headers = { ...writer, 'if-match': String((await call('GET', url)).headers.etag) }
  const numbers = Array.from({ length: 10 }, (_, number) => number)
  const guarded = await Promise.all(
    numbers.map((n) => call('PUT', url, { description: `guarded ${n}` }, headers)),
  )
  t.is(guarded.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.is(guarded.filter(({ statusCode }) => statusCode === 412).length, 9)
  const free = await Promise.all(numbers.map((n) => call('PUT', url, { description: `free ${n}` })))
  const versions = free.map((reply) => reply.json().version)
  t.deepEqual(
    versions.toSorted((a, b) => a - b),
    numbers.map((n) => n + 3),
  )
})

test('only its registrant changes a work', async (t) => {
  const ark = await register()
  const attempts = [
    call('PUT', `/v1/works/${ark}`, { description: 'X' }, other),
    call('POST', `/v1/works/${ark}/versions`, { description: 'X' }, other),
    call('POST', `/v1/works/${ark}/withdraw`, { reason: 'other' }, other),
  ]
  for (const reply of await Promise.all(attempts)) {
    t.is(reply.statusCode, 403)
    t.is(reply.json().message, 'This work belongs to another registrant')
  }
  for (const scopes of [['works:read'], ['works:delete']]) {
    const key = await registry.createKey(scopes, {
      owner: { type: 'organization', id: 'other', name: 'Other' },
    })
    const headers = { authorization: `Bearer ${key}` }
    const reply = await call('DELETE', `/v1/works/${ark}`, { reason: 'other' }, headers)
    t.is(reply.statusCode, 403, scopes.join())
  }
})

test('DELETE and withdraw take the scope that writes, and the one that deletes', async (t) => {
  const deleter = { authorization: `Bearer ${await registry.createKey(['works:delete'])}` }
  for (const headers of [writer, deleter]) {
    for (const withdrawing of [
      (ark: string) => call('DELETE', `/v1/works/${ark}`, { reason: 'test' }, headers),
      (ark: string) => call('POST', `/v1/works/${ark}/withdraw`, { reason: 'test' }, headers),
    ]) {
      const reply = await withdrawing(await register())
      t.is(reply.statusCode, 200)
      t.is(reply.json().kind, 'withdrawn')
    }
  }
  const update = await call('PUT', `/v1/works/${await register()}`, { volume: '1' }, deleter)
  t.is(update.json().message, 'API key lacks required scope: works:write')
})

test('a work can be read, changed and sent back whole', async (t) => {
  const ark = await register()
  const url = `/v1/works/${ark}`
  const read = (await call('GET', url)).json()
  t.like((await call('PUT', url, read)).json(), { unchanged: true, version: 1 })
  const changed = await call('PUT', url, { ...read, description: 'Sent back.' })
  t.like(changed.json(), { version: 2, changed_fields: ['description'] })
  const again = (await call('GET', url)).json()
  const added = await call('POST', `${url}/versions`, { ...again, volume: '2', version_note: 'B' })
  t.like(added.json(), { version: 3, changed_fields: ['volume'] })
})

test('a work whose content was checked since it was read can be sent back whole', async (t) => {
  const url = `/v1/works/${await register()}`
  const read = (await call('GET', url)).json()
  const source = { ...read.source, name: 'As it was called before' }
  for (const fixity_status of ['unreachable', 'verified', 'failed']) {
    const body = { ...read, fixity_status, source }
    t.like((await call('PUT', url, body)).json(), { unchanged: true, version: 1 }, fixity_status)
  }
  const never = await call('PUT', url, { ...read, fixity_status: 'blessed' })
  t.like(never.json().details, [{ field: 'fixity_status', code: 'read_only' }])
})

test('what nobody can change is refused with a fault of its own', async (t) => {
  const ark = await register()
  const url = `/v1/works/${ark}`
  const read = (await call('GET', url)).json()
  const wishes = { ark_identifier: 'ark:/12345/k2x', version: 7, created_at: 'then', links: {} }
  for (const [field, value] of Object.entries(wishes)) {
    const reply = await call('PUT', url, { ...read, [field]: value })
    t.is(reply.statusCode, 422, field)
    t.like(reply.json().details, [{ field, code: 'read_only' }])
  }
  const one = await call('PUT', url, { version: 7 })
  const right = 'version cannot be changed: leave it out, or send it as you read it'
  t.is(one.json().message, `The work cannot be changed like this: ${right}`)
  const unknown = await call('PUT', url, { ...read, colour: 'red' })
  t.like(unknown.json().details, [{ field: 'colour', code: 'unknown_field' }])
})

test('a whole work that was read before another edit is refused', async (t) => {
  const url = `/v1/works/${await register()}`
  const read = (await call('GET', url)).json()
  const edits = [{ description: 'A' }, { description: 'B', keywords: 'b' }]
  for (const edit of edits) t.is((await call('PUT', url, edit)).statusCode, 200)
  const at = '2026-01-01T00:00:00.000Z'
  const changes = ['description', 'keywords'].map((field) => {
    return { field, code: 'changed_since', message: `version 3 changed ${field} at ${at}` }
  })
  const tag = String((await call('GET', url)).headers.etag)
  const stale = { ...read, volume: '7' }
  const { version, receipt_id, metadata_hash } = read
  const partial = [{ version }, { receipt_id }, { metadata_hash }]
  const bodies = [stale, ...partial.map((seen) => ({ volume: '7', ...seen }))]
  for (const body of bodies) {
    const replies = await Promise.all([
      call('PUT', url, body),
      call('POST', `${url}/versions`, { ...body, version_note: 'Stale.' }),
    ])
    for (const reply of replies) {
      t.is(reply.statusCode, 412, reply.body)
      t.is(reply.json().error, 'precondition_failed')
      t.deepEqual(reply.json().details, changes)
      t.is(reply.headers.etag, tag)
      t.regex(reply.json().message, /^The work is not as you read it; it has the entity tag /)
      t.regex(reply.json().message, /: read it again, make your change in what you read, and/)
    }
  }
  const tagged = await call('PUT', url, { volume: '7' }, { ...writer, 'if-match': '"2"' })
  t.deepEqual(tagged.json().details, changes)
  t.is((await call('GET', url)).json().version, 3)
})

test('of whole works that are sent at one time one is taken, and none is lost', async (t) => {
  const url = `/v1/works/${await register()}`
  const read = (await call('GET', url)).json()
  const volumes = Array.from({ length: 64 }, (_, index) => String(index))
  const replies = await Promise.all(volumes.map((volume) => call('PUT', url, { ...read, volume })))
  t.is(replies.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.is(replies.filter(({ statusCode }) => statusCode === 412).length, 63)
})

test('a corrected author is shown wherever the work is, and what follows is told', async (t) => {
  const work = {
    ...goodWork,
    authors: 'Ada Lovelace; Bo Pen',
    author_details: [
      { name: 'Ada Lovelace', family: 'Lovelace', given: 'Ada', orcid: '0000-0002-1825-0097' },
      { name: 'Bo Pen', affiliation: 'A Hall' },
    ],
  }
  const ark = await register(work)
  const fixed = await call('PUT', `/v1/works/${ark}`, { authors: 'Anna Lovelace; Bo Pen' })
  t.is(fixed.statusCode, 200)
  t.deepEqual(fixed.json().changed_fields, ['author_details', 'authors'])
  t.like(fixed.json().warnings, [{ field: 'author_details', code: 'realigned' }])
  const formats = ['csl', 'bibtex', 'ris', 'citation', 'jsonld', 'datacite-xml', 'datacite-json']
  for (const format of [...formats, 'dc', 'csv', 'json', 'html']) {
    const reply = await registry.server.inject({ url: `/${ark}?format=${format}` })
    t.is(reply.statusCode, 200, format)
    t.regex(reply.body, /Anna|Lovelace, A\./, format)
    t.notRegex(reply.body, /\bAda\b/, format)
  }
  const whole = (await call('GET', `/v1/works/${ark}`)).json()
  const changed = await call('PUT', `/v1/works/${ark}`, { ...whole, authors: 'Eve Byron; Bo Pen' })
  t.like(changed.json().warnings, [{ code: 'realigned' }, { code: 'detail_removed' }])
  const resolved = await registry.server.inject({ url: `/api/v1/resolve/${ark}` })
  t.deepEqual(
    resolved.json().authors.map(({ name, orcid }: Record<string, string>) => [name, orcid]),
    [
      ['Eve Byron', undefined],
      ['Bo Pen', undefined],
    ],
  )
})

test('a write without a body is told what to send', async (t) => {
  const ark = await register()
  const missing = /there is no body: send a JSON object such as \{"/
  for (const reply of await Promise.all([
    call('DELETE', `/v1/works/${ark}`),
    call('POST', `/v1/works/${ark}/withdraw`),
    call('POST', `/v1/works/${ark}/versions`),
    call('PUT', `/v1/works/${ark}`),
    call('POST', '/v1/works'),
  ])) {
    t.is(reply.statusCode, 422)
    t.regex(reply.json().message, missing)
  }
})

test('a withdrawn work is a tombstone for ever', async (t) => {
  const ark = await register()
  const body = { reason: 'duplicate', note: 'See the other.', replaced_by: 'ark:12345/k2other' }
  const reply = await call('POST', `/v1/works/${ark}/withdraw`, body)
  t.is(reply.statusCode, 200)
  t.like(reply.json(), { kind: 'withdrawn', version: 1, ark_identifier: ark })
  for (const url of [`/v1/works/${ark}`, `/api/v1/works/${ark}`]) {
    const read = await call('GET', url)
    t.is(read.statusCode, 410)
    t.like(read.json(), {
      error: 'gone',
      message: 'The work was withdrawn',
      reason: 'duplicate',
      replaced_by: 'ark:/12345/k2other',
      status: 'withdrawn',
    })
    t.is((await call('GET', url, undefined, { ...writer, 'if-none-match': '*' })).statusCode, 410)
  }
  for (const attempt of [
    call('PUT', `/v1/works/${ark}`, { description: 'X' }),
    call('POST', `/v1/works/${ark}/withdraw`, body),
  ]) {
    const refused = await attempt
    t.is(refused.statusCode, 410)
    t.is(refused.json().message, 'The work was withdrawn on 2026-01-01T00:00:00.000Z')
  }
})

test('the operator withdraws any work by DELETE', async (t) => {
  const ark = await register()
  const reply = await call('DELETE', `/v1/works/${ark}`, { reason: 'legal' }, operator)
  t.is(reply.statusCode, 200)
  t.is(reply.json().kind, 'withdrawn')
  t.is((await call('GET', `/v1/works/${ark}`)).json().reason, 'legal')
})

test('a withdrawal needs a reason', async (t) => {
  const ark = await register()
  const reply = await call('POST', `/v1/works/${ark}/withdraw`, { reason: 'whim' })
  t.is(reply.statusCode, 422)
  t.is(reply.json().details[0].field, 'reason')
  const bare = await call('POST', `/v1/works/${ark}/withdraw`)
  t.is(bare.statusCode, 422)
})

test('a work that does not exist cannot be changed', async (t) => {
  const reply = await call('PUT', '/v1/works/ark:/12345/k2nothing', { description: 'X' })
  t.is(reply.statusCode, 404)
  t.is(reply.json().message, 'There is no work ark:/12345/k2nothing')
})
