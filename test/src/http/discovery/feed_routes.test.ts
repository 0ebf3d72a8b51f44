import { entriesOf, linksOf } from '#test/src/discovery/feeds/_atom.ts'
import { type Answer, mint, serveRegistry } from '#test/src/_served_registry.ts'
import { type SharedRegistry, testShared } from '#test/src/_shared_registry.ts'
import { readXml, texts } from '#test/src/_xml.ts'

const test = testShared()
const baseUrl = 'https://registry.example'

async function feed({ call }: SharedRegistry, path: string) {
  const answer: Answer = await call(path)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`)
  return readXml(answer.body)
}

// Serial, like the next one: works of other tests would be among the newest.
test.serial(
  'the feed of all works has those first that were registered or changed last',
  async (t) => {
    const { call, writer: key } = t.context
    const { ark_identifier: first } = await mint(t.context, key)
    const { ark_identifier: gone } = await mint(t.context, key)
    const { ark_identifier: last } = await mint(t.context, key)
    const body = { work_title: 'Notes, corrected' }
    await call(`/v1/works/${first}`, { method: 'PUT', key, body })
    await call(`/v1/works/${gone}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
    const read = await feed(t.context, '/feeds/works.atom')
    t.deepEqual(
      entriesOf(read).map((entry) => texts(entry, 'id')[0]),
      [first, last].map((ark) => `${baseUrl}/${ark}`),
    )
    t.deepEqual(texts(read, 'updated'), [
      entriesOf(read).flatMap((entry) => texts(entry, 'updated'))[0],
    ])
    t.deepEqual(linksOf(read, 'alternate'), [`${baseUrl}/`])
  },
)

test('the feed of an organization has its works, newest first, under their ARKs', async (t) => {
  const { call, writer: key } = t.context
  const first = await mint(t.context, key, { work_title: 'First & <b>best</b> < 5' })
  const gone = await mint(t.context, key)
  const last = await mint(t.context, key, { license: 'MIT', keywords: 'engines, notes' })
  const body = { reason: 'test' }
  await call(`/v1/works/${gone.ark_identifier}/withdraw`, { method: 'POST', key, body })
  const read = await feed(t.context, '/feeds/organizations/demo.atom')
  t.deepEqual(texts(read, 'title'), ['Works registered by Demo Press'])
  t.deepEqual(linksOf(read, 'alternate'), [`${baseUrl}/publishers/demo`])
  const ids = entriesOf(read).flatMap((entry) => texts(entry, 'id'))
  t.is(ids[0], `${baseUrl}/${last.ark_identifier}`)
  t.true(ids.includes(`${baseUrl}/${first.ark_identifier}`))
  t.false(ids.includes(`${baseUrl}/${gone.ark_identifier}`))
  const titles = entriesOf(read).flatMap((entry) => texts(entry, 'title'))
  t.true(titles.includes('First & best < 5'))
  const [newest] = entriesOf(read)
  t.deepEqual(newest && linksOf(newest, 'license'), ['https://opensource.org/license/mit/'])
  const terms = newest?.children.filter(({ name }) => name === 'category')
  t.deepEqual(
    terms?.map(({ attributes }) => attributes['term']),
    ['article', 'engines', 'notes'],
  )
  t.is((await call('/feeds/organizations/nobody.atom')).status, 404)
})

test('the feed of a work has its versions and what became of its content', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const body = { work_title: 'Notes, corrected' }
  await call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  const url = `${baseUrl}/${ark}`
  for (const spelling of [ark, ark.replace('ark:/', 'ARK:'), encodeURIComponent(ark)]) {
    const read = await feed(t.context, `/feeds/works/${spelling}.atom`)
    t.deepEqual(texts(read, 'id'), [`${baseUrl}/feeds/works/${ark}.atom`])
    t.deepEqual(texts(read, 'title'), ['Notes, corrected'])
    t.deepEqual(linksOf(read, 'alternate'), [url])
    t.deepEqual(
      entriesOf(read).map((entry) => [...texts(entry, 'id'), ...texts(entry, 'title')]),
      [
        [`${url}/v2`, 'Version 2'],
        [`${url}/v1`, 'Registered'],
      ],
    )
  }
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'fraud' } })
  const after = await feed(t.context, `/feeds/works/${ark}.atom`)
  const [end] = entriesOf(after)
  t.deepEqual(end && texts(end, 'title'), ['Withdrawn'])
  t.regex(end ? (texts(end, 'id')[0] ?? '') : '', /#change-\d+$/)
  t.is((await call('/feeds/works/ark:/12345/k2none.atom')).status, 404)
  t.is((await call('/feeds/works/ark:/12a45/k2none.atom')).status, 400)
})

test.serial('the feed of the log has its checkpoints as they were signed', async (t) => {
  const { call, writer } = t.context
  await mint(t.context, writer)
  const read = await feed(t.context, '/feeds/log.atom')
  const [newest] = entriesOf(read)
  t.deepEqual(newest && texts(newest, 'content'), [(await call('/log/checkpoint')).body])
  const size = t.context.environments.live.log.head().treeSize
  t.deepEqual(newest && texts(newest, 'title'), [`Checkpoint of size ${size}`])
  t.deepEqual(newest && linksOf(newest, 'alternate'), [
    `${baseUrl}/api/v1/log/checkpoints?after=${size - 1}&limit=1`,
  ])
})

test('a feed goes on page by page to its first entry', async (t) => {
  const { admin, key } = t.context
  const organization = { slug: 'long', name: 'A long list' }
  await admin.call('/organizations/create', { organization })
  const owner = { type: 'organization', id: 'long', name: organization.name } as const
  const writer = await key({ scopes: ['works:write'], owner })
  const minted: string[] = []
  for (let works = 0; works < 53; works += 1) {
    minted.unshift(`${baseUrl}/${(await mint(t.context, writer)).ark_identifier}`)
  }
  const ids: string[] = []
  let path: string | undefined = '/feeds/organizations/long.atom'
  for (let pages = 0; path !== undefined; pages += 1) {
    t.true(pages < 3)
    const read = await feed(t.context, path)
    t.deepEqual(linksOf(read, 'self'), [baseUrl + path])
    ids.push(...entriesOf(read).flatMap((entry) => texts(entry, 'id')))
    path = linksOf(read, 'next')[0]?.slice(baseUrl.length)
  }
  t.deepEqual(ids, minted)
})

test('a feed is in the language of its address, or of its reader', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const path = `/feeds/works/${ark}.atom`
  const said = await feed(t.context, `${path}?lang=de`)
  t.is(said.attributes['xml:lang'], 'de')
  t.deepEqual(texts(said, 'id'), [`${baseUrl}${path}?lang=de`])
  t.deepEqual(linksOf(said, 'self'), [`${baseUrl}${path}?lang=de`])
  t.deepEqual(
    entriesOf(said).flatMap((entry) => texts(entry, 'title')),
    ['Registriert'],
  )
  const headers = [['Accept-Language', 'es']] as const
  const answer = await call('/feeds/organizations/demo.atom', { headers })
  t.deepEqual(texts(readXml(answer.body), 'title'), ['Obras registradas por Demo Press'])
  t.regex(String(answer.headers['vary']), /Accept-Language/)
  const page = await feed(t.context, `${path}?lang=de&before=99`)
  t.deepEqual(linksOf(page, 'self'), [`${baseUrl}${path}?lang=de&before=99`])
  t.is((await call(`${path}?lang=xx`)).status, 400)
})

test('a reader that holds a feed is told so, until there is more', async (t) => {
  const { call, writer } = t.context
  const { ark_identifier: ark } = await mint(t.context, writer)
  const path = `/feeds/works/${ark}.atom`
  const first = await call(path)
  t.is(first.headers['content-type'], 'application/atom+xml; charset=utf-8')
  t.is(first.headers['access-control-allow-origin'], '*')
  const headers = [['If-None-Match', String(first.headers.etag)]] as const
  t.is((await call(path, { headers })).status, 304)
  const body = { work_title: 'Other notes' }
  await call(`/v1/works/${ark}`, { method: 'PUT', key: writer, body })
  t.is((await call(path, { headers })).status, 200)
  t.is((await call(`${path}?before=x`)).status, 400)
})

test('feeds are described, and counted per address', async (t) => {
  const { paths } = (await t.context.call('/openapi.json')).json() as {
    paths: Record<string, { get: { parameters: { name: string }[]; responses: object } }>
  }
  for (const path of ['works', 'organizations/{slug}', 'works/{ark}', 'log']) {
    const described = paths[`/feeds/${path}.atom`]?.get
    t.true(
      described?.parameters.some(({ name }) => name === 'before'),
      path,
    )
    const content = { 'application/atom+xml': { schema: { type: 'string' } } }
    t.like(described?.responses, { 200: { content } }, path)
  }
  for (const path of ['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/{page}.xml']) {
    t.truthy(paths[path]?.get, path)
  }
  const limited = await serveRegistry({ RATE_LIMITS: 'on', LIMIT_PUBLIC_READ: '2' })
  t.teardown(() => limited.close())
  t.is((await limited.call('/feeds/works.atom')).headers['x-ratelimit-remaining'], '1')
  t.is((await limited.call('/sitemap.xml')).headers['x-ratelimit-remaining'], '0')
  t.is((await limited.call('/feeds/log.atom')).status, 429)
})
