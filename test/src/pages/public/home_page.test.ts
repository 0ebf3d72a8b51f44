import test, { type ExecutionContext } from 'ava'

import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { mint, type ServedRegistry, serveRegistry, work } from '#test/src/_served_registry.ts'
import { openPage } from '#test/src/pages/_reader.ts'
import { openRegistry } from '#test/src/_registry.ts'

async function serve(t: ExecutionContext): Promise<ServedRegistry> {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  registry.search.live.start()
  return registry
}

test('an empty registry says how its first work gets there', async (t) => {
  const registry = await serve(t)
  const { status, headers, read: body } = await openPage(registry, '/')
  t.is(status, 200)
  t.is(headers['content-type'], 'text/html; charset=utf-8')
  t.is(headers.vary, 'Accept, Accept-Language, Cookie, Accept-Encoding')
  t.regex(body, /No works yet/)
  t.regex(body, /curl -sS https:\/\/registry\.example\/v1\/works/)
  t.notRegex(body, /latest statement/)
})

test('the first page shows the registry as it is, and a check that can be run', async (t) => {
  const registry = await serve(t)
  const writer = await registry.key({ scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(registry, writer, { ...work, work_title: 'A <first>' })
  const { environments, search } = registry
  await caughtUp(search.live)
  const { read: body } = await openPage(registry, '/', '*/*')
  t.regex(body, /<dt>works registered<\/dt><dd>1<\/dd>/)
  const { treeSize, rootHash } = environments.live.log.head()
  t.true(body.includes(`<dt>signed entries in the log</dt><dd>${treeSize}</dd>`))
  t.regex(body, /<dt>latest statement<\/dt>/)
  t.true(body.includes(`<a href="/${ark}">A <first></a>`))
  t.true(body.includes(`/api/v1/receipts/${ark}/v1`))
  t.true(body.includes(Buffer.from(rootHash).toString('hex')))
  const how = await openPage(registry, '/how-it-works')
  t.is(how.status, 200)
  t.true(how.read.includes(`/api/v1/receipts/${ark}/v1`))
})

test('programs are told where to begin', async (t) => {
  const registry = await serve(t)
  const { status, headers, json } = await openPage(registry, '/', 'application/json')
  t.is(status, 200)
  t.regex(String(headers['content-type']), /^application\/json/)
  const { log, links } = json() as Record<string, Record<string, string>>
  t.like(log, { origin: 'registry.example/log', tree_size: 0, newest_at: null })
  t.is(links?.['keys'], 'https://registry.example/.well-known/svc-keys.json')
  for (const name of ['interface', 'keys', 'checkpoint']) {
    const path = new URL(links?.[name] ?? '').pathname
    t.is((await openPage(registry, path, '*/*')).status, 200, path)
  }
})

test('without a search the first page shows the log alone', async (t) => {
  const registry = await openRegistry()
  t.teardown(registry.close)
  const { statusCode, body } = await registry.server.inject({ url: '/' })
  t.is(statusCode, 200)
  t.regex(body, /signed entries in the log/)
  t.notRegex(body, /works registered<|No works yet/)
})

test('links of the frame lead to what is there', async (t) => {
  const registry = await serve(t)
  const { read: body } = await openPage(registry, '/how-it-works')
  const links = [...body.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path = '']) => path)
  t.true(links.includes('/') && links.includes('/auth/sign-in'))
  for (const path of new Set(links)) {
    const { status } = await openPage(registry, path)
    t.true(status < 400, `${path}: ${status}`)
  }
})

test('wherever the pages of accounts are, readers get there and see styled pages', async (t) => {
  for (const [url, signIn] of [
    ['https://accounts.example', 'https://accounts.example/sign-in'],
    ['https://accounts.example/auth', 'https://accounts.example/auth/sign-in'],
    ['https://registry.example', '/sign-in'],
  ] as const) {
    const registry = await openRegistry({ AUTH_URL: url })
    t.teardown(registry.close)
    const { body } = await registry.server.inject({ url: '/', headers: { accept: 'text/html' } })
    t.true(body.includes(`<a href="${signIn}">Sign in</a>`), url)
    const page = await registry.server.inject({
      url: new URL(signIn, url).pathname,
      headers: { accept: 'text/html', host: new URL(url).host },
    })
    t.regex(page.body, /<a class="brand" href="https:\/\/registry\.example\/">/)
    for (const { body: shown } of [{ body }, page]) {
      const sheet = /<link rel="stylesheet" href="([^"]+)"/.exec(shown)?.[1] ?? ''
      t.is((await registry.server.inject({ url: sheet })).statusCode, 200, sheet)
    }
  }
})
