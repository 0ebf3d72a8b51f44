import anyTest, { type TestFn } from 'ava'

import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { readXml } from '#test/src/_xml.ts'

const test = anyTest as TestFn<ServedRegistry>
const baseUrl = 'https://registry.example'

test.beforeEach(async (t) => {
  t.context = await serveRegistry()
})
test.afterEach.always((t) => t.context.close())

/** The addresses of a sitemap or an index, with their times. */
async function read({ call }: ServedRegistry, path: string): Promise<Map<string, string>> {
  const answer = await call(path)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`)
  return new Map(
    readXml(answer.body).children.map(({ children: [url, changed] }) => [
      url?.text ?? '',
      changed?.text ?? '',
    ]),
  )
}

test('sitemaps have the works that stand, with the times of their last changes', async (t) => {
  const { call, key, environments } = t.context
  const writer = await key({ scopes: ['works:write'] })
  t.deepEqual(
    [...(await read(t.context, '/sitemap.xml')).keys()],
    [`${baseUrl}/sitemaps/pages.xml`],
  )
  t.is((await call('/sitemaps/0.xml')).status, 404)

  const { ark_identifier: gone } = await mint(t.context, writer)
  const body = { reason: 'test' }
  await call(`/v1/works/${gone}/withdraw`, { method: 'POST', key: writer, body })
  t.is((await read(t.context, '/sitemap.xml')).size, 1)

  const { ark_identifier: first } = await mint(t.context, writer)
  const { ark_identifier: second } = await mint(t.context, writer)
  const changes = { work_title: 'Notes, corrected' }
  await call(`/v1/works/${first}`, { method: 'PUT', key: writer, body: changes })
  const works = await read(t.context, '/sitemaps/0.xml')
  t.deepEqual([...works.keys()], [`${baseUrl}/${second}`, `${baseUrl}/${first}`])
  const state = environments.live.catalogue.state(first.slice('ark:/'.length))
  t.is(works.get(`${baseUrl}/${first}`), state?.updated_at)
  const index = await read(t.context, '/sitemap.xml')
  t.is(index.get(`${baseUrl}/sitemaps/0.xml`), state?.updated_at)
})

test('the sandbox is in no sitemap, and closed to robots', async (t) => {
  const { call, key } = t.context
  const writer = await key({ scopes: ['works:write'], environment: 'sandbox' })
  const { ark_identifier: ark } = await mint(t.context, writer)
  t.is((await read(t.context, '/sitemap.xml')).size, 1)
  const page = await call(`/${ark}`, { headers: [['Accept', 'text/html']] })
  t.is(page.headers['x-robots-tag'], 'noindex')
})

test('the rules for robots name the sitemap and what is not for them', async (t) => {
  const { status, headers, body } = await t.context.call('/robots.txt')
  t.is(status, 200)
  t.is(headers['content-type'], 'text/plain; charset=utf-8')
  const lines = body.split('\n')
  t.is(lines[0], 'User-agent: *')
  t.true(lines.includes(`Sitemap: ${baseUrl}/sitemap.xml`))
  const closed = lines.flatMap((line) => (line.startsWith('Disallow: ') ? [line.slice(10)] : []))
  for (const path of [
    '/v1/works/x',
    '/api/v1/oai',
    '/auth/sign-in',
    '/search?q=x',
    '/ark:/99999/x',
  ]) {
    t.true(
      closed.some((rule) => path.startsWith(rule)),
      path,
    )
  }
  for (const path of [
    '/',
    '/ark:/12345/x',
    '/feeds/works.atom',
    '/sitemap.xml',
    '/policy',
    '/docs',
  ]) {
    t.false(
      closed.some((rule) => path.startsWith(rule)),
      path,
    )
  }
})

test('a page that does not exist is 404, and one that is held is not sent again', async (t) => {
  const { call } = t.context
  for (const page of ['1', '00', '-1', 'x', '9007199254740991']) {
    t.is((await call(`/sitemaps/${page}.xml`)).status, 404, page)
  }
  const { headers } = await call('/sitemaps/pages.xml')
  const held = [['If-None-Match', String(headers.etag)]] as const
  t.is((await call('/sitemaps/pages.xml', { headers: held })).status, 304)
})

test('a long sitemap is compressed for whoever can read that', async (t) => {
  const { key, port } = t.context
  const writer = await key({ scopes: ['works:write'] })
  for (let works = 0; works < 10; works += 1) await mint(t.context, writer)
  const url = `http://127.0.0.1:${port}/sitemaps/0.xml`
  const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
  t.is(plain.headers.get('content-encoding'), null)
  const zipped = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  t.is(zipped.headers.get('content-encoding'), 'gzip')
  t.is(zipped.headers.get('vary'), 'Accept-Encoding')
  t.is(await zipped.text(), await plain.text())
})
