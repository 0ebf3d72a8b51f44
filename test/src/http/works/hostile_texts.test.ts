// Hostile texts: what a title can hold, and where it turns up again.

import test from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let authorization: string

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  authorization = `Bearer ${await registry.createKey(['works:read', 'works:write'])}`
})

test.after.always(() => registry.close())

async function call(method: 'GET' | 'POST' | 'PUT', url: string, body?: object) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { authorization, ...type }
  const reply = await registry.server.inject({ method, url, headers, ...payload })
  return { status: reply.statusCode, body: reply.json() }
}

function create(changes: Record<string, unknown>, url = '/v1/works?allow_duplicate=true') {
  return call('POST', url, { ...goodWork, ...changes })
}

async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await registry.server.inject({ url, headers })
  return { status: reply.statusCode, headers: reply.headers, body: reply.body }
}

test('17: a title of 5 MB is refused before it is parsed', async (t) => {
  const { status, body } = await create({ work_title: 'x'.repeat(5_000_000) })
  t.is(status, 413)
  t.is(body.error, 'payload_too_large')
})

test('17: control characters are removed, and that is told with their place', async (t) => {
  const { status, body } = await create({ work_title: 'before\u0007after' })
  t.is(status, 201)
  t.is(body.work_title, 'beforeafter')
  const [name, field] = ['U+0007', 'work_title']
  const message = `${field} had the control character ${name} at character 7; it was removed`
  t.deepEqual(body.warnings, [{ field, code: 'control_character_removed', message }])
})

test('what is certainly meant in another spelling is taken, and that is told', async (t) => {
  const { status, body } = await create({
    language: 'en-US',
    license: 'CC-BY',
    published_date: '3 May 2019',
  })
  t.is(status, 201)
  const code = 'value_folded'
  t.deepEqual(body.warnings, [
    { field: 'language', code, message: 'language was "en-US", which is taken as en' },
    { field: 'license', code, message: 'license was "CC-BY", which is taken as CC-BY-4.0' },
    {
      field: 'published_date',
      code,
      message: 'published_date was "3 May 2019", which is taken as 2019-05-03',
    },
  ])
  const { body: stored } = await call('GET', `/v1/works/${body.ark_identifier}`)
  t.like(stored, { language: 'en', license: 'CC-BY-4.0', published_date: '2019-05-03' })
})

test('names that may have been meant as one are told', async (t) => {
  const { status, body } = await create({ authors: 'Lovelace, Ada' })
  t.is(status, 201)
  const message =
    'authors is read as 2 names, of which one is “Lovelace”; end a name that has its family name ' +
    'first with a semicolon: “Lovelace, Ada;”'
  t.deepEqual(body.warnings, [{ field: 'authors', code: 'names_parted', message }])
  t.deepEqual((await create({ authors: 'Lovelace, Ada;' })).body.warnings, [])
})

test('17: zero-width characters are kept as given and hashed so', async (t) => {
  const work_title = 'abc\u200ddcba\u200b'
  const { status, body } = await create({ work_title })
  t.is(status, 201)
  t.is(body.work_title, work_title)
})

test('17: a title that is shown in another order, or not at all, is refused', async (t) => {
  const turned = await create({ work_title: 'abc\u202edcba' })
  t.is(turned.status, 422)
  const at = 'U+202E at character 4'
  const effect = 'which shows characters in another order than they have'
  t.deepEqual(turned.body.details, [
    {
      field: 'work_title',
      code: 'bidirectional_control',
      message: `work_title has the bidirectional control ${at}, ${effect}; remove it`,
    },
  ])
  for (const work_title of ['\u200b\u2060', '\u3164', '\u00ad', '\u2800 \u2800']) {
    const { status, body } = await create({ work_title })
    t.is(status, 422)
    t.like(body.details, [{ field: 'work_title', code: 'invisible' }])
  }
})

test('17: controls of direction are removed elsewhere, and that is told', async (t) => {
  const authors = 'Ming-Yang Ho, \u202aYufeng Jane Tseng'
  const removed = 'bidirectional_control_removed'
  const created = await create({ work_title: '\u200fעל הכול', authors })
  t.is(created.status, 201)
  t.is(created.body.work_title, 'על הכול')
  t.like(created.body.warnings, [
    {
      field: 'authors',
      code: removed,
      message: 'authors had the bidirectional control U+202A at character 15; it was removed',
    },
    { field: 'work_title', code: removed },
  ])
  const url = `/v1/works/${created.body.ark_identifier}`
  const changed = await call('PUT', url, { description: 'a\u2067b\u2069c' })
  t.like(changed.body, { version: 2, warnings: [{ field: 'description', code: removed }] })
  const version = await call('POST', `${url}/versions`, { keywords: '\u200ea' })
  t.like(version.body, { version: 3, warnings: [{ field: 'keywords', code: removed }] })
  const { body } = await call('GET', url)
  t.like(body, { authors: 'Ming-Yang Ho, Yufeng Jane Tseng', description: 'abc', keywords: 'a' })
})

test('17: composed and decomposed spellings are stored alike, and so are one work', async (t) => {
  const existing_doi = '10.5555/nfc'
  const url = '/v1/works'
  const composed = await create({ work_title: 'Caf\u00e9 society', existing_doi }, url)
  const decomposed = await create({ work_title: 'Cafe\u0301 society', existing_doi }, url)
  t.is(composed.status, 201)
  t.is(decomposed.status, 409)
  t.is(decomposed.body.existing_ark, composed.body.ark_identifier)
})

// The two scripts of a page: data for programs, which ends where it should, and a module of ours.
const dataBlock = /<script type="application\/ld\+json">([^<]*)<\/script>/
const module = /<script type="module" src="\/assets\/landing\.[0-9a-f]+\.js"><\/script>/

function takeData(body: string): { readonly data: string; readonly rest: string } {
  const [block = '', data = ''] = dataBlock.exec(body) ?? []
  return { data, rest: body.replace(block, '').replace(module, '') }
}

const payloads = {
  script: '<script>alert(1)</script>',
  image: '"><img src=x onerror=alert(1)>',
  section: ']]>',
  reference: '&#x0;',
  closing: '</script><script>alert(1)</script>',
  formula: '=cmd()',
}

for (const [name, work_title] of Object.entries(payloads)) {
  test(`18: a title with a ${name} is data in JSON, HTML and text`, async (t) => {
    const { body } = await create({ work_title, authors: work_title, description: work_title })
    t.is(body.work_title, work_title)
    const page = await get(`/${body.ark_identifier}`, { accept: 'text/html' })
    t.is(page.status, 200)
    t.regex(String(page.headers['content-type']), /^text\/html/)
    const { data, rest } = takeData(page.body)
    t.is(JSON.parse(data).name, work_title)
    for (const tag of ['<script', '<img', 'onerror=alert(1)>', '&#x0;']) {
      t.false(rest.includes(tag), `${tag} stands in the page`)
    }
    t.regex(String(page.headers['content-security-policy']), /default-src 'none'/)
    const text = await get(`/${body.ark_identifier}?info`)
    t.regex(String(text.headers['content-type']), /^text\/plain/)
    t.is(text.headers['x-content-type-options'], 'nosniff')
    const resolved = JSON.parse((await get(`/api/v1/resolve/${body.ark_identifier}`)).body)
    t.is(resolved.metadata.work_title, work_title)
  })
}

test('18: a line break in a title starts no line of an ERC', async (t) => {
  const { body } = await create({ work_title: 'one\nwhere: https://evil.example/' })
  const erc = await get(`/${body.ark_identifier}?info`)
  t.is(erc.body.split('\n').filter((line) => line.startsWith('where:')).length, 3)
  t.false(erc.body.includes('\nwhere: https://evil.example/'))
})

test('19: XML is not parsed at all', async (t) => {
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
  const headers = { authorization, 'content-type': 'application/xml' }
  const reply = await registry.server.inject({
    method: 'POST',
    url: '/v1/works',
    payload: bomb,
    headers,
  })
  t.is(reply.statusCode, 415)
  t.false(reply.body.includes('root:'))
})

for (const work_url of [
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '//e.org',
]) {
  test(`20: ${work_url} is no address of a work`, async (t) => {
    const { status, body } = await create({ work_url })
    t.is(status, 422)
    t.is(body.details[0].field, 'work_url')
  })
}

test('20: a DOI in any spelling is stored in one', async (t) => {
  const spellings = ['https://doi.org/10.5555/ABC', 'doi: 10.5555/ABC', ' 10.5555/abc ']
  for (const [index, existing_doi] of spellings.entries()) {
    const { status, body } = await create({ work_title: `DOI ${index}`, existing_doi })
    t.is(status, 201)
    const work = await get(`/api/v1/works/${body.ark_identifier}`)
    t.is(JSON.parse(work.body).existing_doi, '10.5555/abc')
  }
})
