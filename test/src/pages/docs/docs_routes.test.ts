import { brotliCompressSync, constants } from 'node:zlib'
import test from 'ava'

import { errorStatus } from '#src/edge/errors.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'

/** HTML and stylesheets of a page, compressed. */
const pageBytesMax = 60_000

/** The bytes of a text as it is sent, or a few more: the best coding takes ten times as long. */
function sentBytes(text: string | Buffer): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
}

type Fetched = { readonly status: number; readonly body: string; readonly policy: string }

let registry: TestRegistry
const pages = new Map<string, Fetched>()

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const page = await fetchPage(path)
    pages.set(path, page)
    const links = page.body.matchAll(/href="(\/docs[^"#]*)/g)
    waiting.push(...[...links].map(([, link = '']) => link))
  }
})

test.after.always(() => registry.close())

async function fetchPage(url: string): Promise<Fetched> {
  const reply = await registry.server.inject({ url, headers: { accept: 'text/html' } })
  const policy = String(reply.headers['content-security-policy'])
  return { status: reply.statusCode, body: reply.body, policy }
}

test('every link between the pages leads to a page, and to a heading on it', (t) => {
  t.true(pages.size > 110)
  for (const [path, { status, body }] of pages) {
    t.is(status, 200, path)
    for (const [, page = '', id = ''] of body.matchAll(/href="(\/docs[^"#]*|)#([^"]+)"/g)) {
      const target = page === '' ? body : pages.get(page)?.body
      t.true(target?.includes(`id="${decodeURIComponent(id)}"`), `${path}: ${page}#${id}`)
    }
  }
})

test('a page and its stylesheets are small, and nothing comes from elsewhere', async (t) => {
  const sheets = new Map<string, number>()
  for (const [path, { body, policy }] of pages) {
    t.regex(policy, /^default-src 'none';/)
    t.notRegex(body, /style="|<script(?! type="module" src="\/assets\/)/)
    let bytes = sentBytes(body)
    for (const [, sheet = ''] of body.matchAll(/rel="stylesheet" href="([^"]+)"/g)) {
      const size = sheets.get(sheet) ?? sentBytes((await fetchPage(sheet)).body)
      sheets.set(sheet, size)
      bytes += size
    }
    t.true(bytes <= pageBytesMax, `${path} has ${bytes} bytes`)
  }
})

test('every operation has its page, and its aliases stand there and nowhere else', async (t) => {
  type Operation = { readonly operationId: string; readonly 'x-alias-of'?: string }
  type Described = { readonly paths: Record<string, Record<string, Operation>> }
  const reply = await registry.server.inject('/openapi.json?aliases=true')
  const list = pages.get('/docs/reference')?.body ?? ''
  for (const [path, methods] of Object.entries(reply.json<Described>().paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId: id, 'x-alias-of': meant } = operation
      t.is(pages.has(`/docs/reference/${id}`), meant === undefined, id)
      t.true(pages.get(`/docs/reference/${meant ?? id}`)?.body.includes(path), `${id}: ${path}`)
      const isListed = list.includes(`<code>${method.toUpperCase()} ${path}</code>`)
      t.is(isListed, meant === undefined, id)
    }
  }
})

test('every code of an error is explained', (t) => {
  const page = pages.get('/docs/errors')?.body ?? ''
  for (const [code, status] of Object.entries(errorStatus)) {
    t.regex(page, new RegExp(`id="${code}">${code}</code></th>\\s*<td[^>]*>${status}<`))
  }
})

test('a form that writes says so, and nothing is tried where a browser is asked', (t) => {
  const form = (id: string) =>
    /<form class="try[^>]*>/.exec(pages.get(`/docs/reference/${id}`)?.body ?? '')?.[0]
  t.regex(form('createWork') ?? '', /data-live="dry run"/)
  t.regex(form('getWork') ?? '', /data-live="as it is"/)
  t.regex(form('withdrawWork') ?? '', /data-live="sandbox only"/)
  t.is(form('authorize'), undefined)
})

test('what is not there is a page that says so', async (t) => {
  for (const path of ['/docs/reference/nothing', '/docs/guides/nothing', '/docs/nothing']) {
    const { status, body } = await fetchPage(path)
    t.is(status, 404)
    t.regex(body, /<h1>Page not found<\/h1>/)
  }
})
