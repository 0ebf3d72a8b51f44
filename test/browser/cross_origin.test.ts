import test, { type ExecutionContext } from 'ava'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { newDataDir, runJson, startServer } from '#test/scenario/_process.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

/** What a page has seen of one reply: `headers` are those that it was allowed to read. */
type Seen = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

type Asked = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A window at a page of another origin, and what it may ask of a registry with a key. */
async function openElsewhere(t: ExecutionContext) {
  const settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'warn', FETCH_CONTENT: 'off' }
  const { started } = await startServer(t, settings)
  const scopes = 'works:read,works:write,receipts:read,receipts:verify'
  const command = ['key', 'create', '--owner', 'org:demo', '--scopes', scopes]
  const { key } = await runJson<{ key: string }>(t, command, settings)
  const elsewhere = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<!doctype html><title>Elsewhere</title>')
  })
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const page = await openWindow(t, browser)
  await page.goto(elsewhere.url)
  const ask = ({ path, method = 'GET', headers = {}, body }: Asked): Promise<Seen> => {
    const url = new URL(path, started.local_url).href
    const sent = { 'x-api-key': key, 'content-type': 'application/json', ...headers }
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    return page.evaluate(fetchJson, [url, { method, headers: sent, ...json }] as const)
  }
  return { ask, key }
}

/** Runs in the page. */
async function fetchJson([url, init]: readonly [url: string, init: RequestInit]): Promise<Seen> {
  const reply = await fetch(url, init)
  const body = (await reply.json()) as Seen['body']
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body }
}

test('a page of another origin carries a work through its whole life', async (t) => {
  const { ask, key } = await openElsewhere(t)
  const work = {
    work_title: 'Registered from a page',
    work_type: 'article',
    authors: 'Ada Ox',
    work_url: 'https://press.example/page',
    content_hash: `sha256:${'a'.repeat(64)}`,
  }
  const once = { 'idempotency-key': 'of-a-page' }
  const create = { path: '/api/v1/works', method: 'POST', headers: once, body: work }
  const created = await ask(create)
  t.is(created.status, 201, JSON.stringify(created.body))
  t.truthy(created.headers['etag'])
  t.truthy(created.headers['location'])
  t.truthy(created.headers['x-ratelimit-remaining'])
  const again = await ask(create)
  t.is(again.headers['idempotent-replayed'], 'true')
  t.is(again.body['ark_identifier'], created.body['ark_identifier'])

  const path = `/api/v1/works/${String(created.body['ark_identifier'])}`
  const stale = { 'if-match': '"another"' }
  const refused = await ask({ path, method: 'PUT', headers: stale, body: { keywords: 'pages' } })
  t.is(refused.status, 412)
  const current = { 'if-match': created.headers['etag'] ?? '' }
  const changed = await ask({ path, method: 'PUT', headers: current, body: { keywords: 'pages' } })
  t.is(changed.status, 200, JSON.stringify(changed.body))
  const bearer = { authorization: `Bearer ${key}` }
  const version = { path: `${path}/versions`, method: 'POST', headers: bearer }
  t.like(await ask({ ...version, body: { description: 'The second.' } }), { status: 201 })

  const receipt = await ask({ path: `${path.replace('/works/', '/receipts/')}/v1` })
  t.is(receipt.status, 200)
  const { receipt_id } = receipt.body
  const { content_hash } = work
  const verified = await ask({
    path: '/api/v1/receipts/verify',
    method: 'POST',
    body: { receipt_id, content_hash },
  })
  t.is(verified.status, 200, JSON.stringify(verified.body))

  t.is((await ask({ path, headers: { authorization: 'Bearer no' } })).status, 400)
  const unknown = await ask({ path, method: 'PUT', headers: { 'x-api-key': 'no' }, body: {} })
  t.is(unknown.status, 401)
  t.truthy(unknown.headers['x-request-id'])

  const ended = await ask({
    path: `${path}/withdraw`,
    method: 'POST',
    body: { reason: 'author_request' },
  })
  t.is(ended.status, 200, JSON.stringify(ended.body))
})
