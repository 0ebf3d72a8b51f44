// What a client does when a registry is slow, busy, gone or strict, against a real server.

import type http from 'node:http'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'

import {
  Arklog,
  type ArklogOptions,
  ConnectionError,
  RefusedError,
  UsageError,
} from '#src/client/arklog.ts'
import { until } from '#test/_until.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

type Seen = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** An answer: its status, headers and JSON; `none` breaks the connection, `never` is silent. */
type Reply =
  | 'none'
  | 'never'
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }

/** A server that gives one reply after the other, the last for ever, and a client of it. */
async function open(
  t: ExecutionContext,
  replies: readonly Reply[],
  options: Partial<ArklogOptions> = {},
) {
  const seen: Seen[] = []
  const server = await serve(t, (request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request
      const reply = replies[Math.min(seen.length, replies.length - 1)] ?? {}
      seen.push({ method, url, headers, body })
      if (reply === 'none') request.socket.destroy()
      if (typeof reply === 'string') return
      response.writeHead(reply.status ?? 200, { date: dateAt(nowMs), ...reply.headers })
      response.end(JSON.stringify(reply.body ?? {}))
    })
  })
  const slept: number[] = []
  let nowMs = Date.parse('2026-03-04T05:06:07.000Z')
  let ids = 0
  const client = new Arklog({
    baseUrl: server.url,
    key: 'svc_live_key',
    verify: false,
    surroundings: {
      nowMs: () => nowMs,
      random: () => 0.5,
      newId: () => `id-${ids++}`,
      async sleep(ms) {
        slept.push(ms)
        nowMs += ms
      },
    },
    ...options,
  })
  return { client, seen, slept, clock: () => nowMs }
}

function dateAt(ms: number): string {
  return new Date(ms).toUTCString()
}

const work = { work_title: 'A', work_type: 'article', authors: 'B', work_url: 'https://c.example/' }
const newWork = work as typeof work & { work_type: 'article' }
const created = { status: 201, body: { ark_identifier: 'ark:/12345/k2', version: 1 } }
const busy = { status: 503, body: { error: 'unavailable', message: 'Busy.' } }

test('a write is sent again under one name, after longer and longer pauses', async (t) => {
  const { client, seen, slept } = await open(t, ['none', busy, { status: 502 }, created])
  const answer = await client.works.create(newWork)
  t.is(answer.ark_identifier, 'ark:/12345/k2')
  t.deepEqual(
    seen.map(({ headers }) => headers['idempotency-key']),
    ['id-0', 'id-0', 'id-0', 'id-0'],
  )
  t.is(answer.response.idempotencyKey, 'id-0')
  // Half of 500, 1,000 and 2,000 milliseconds: the jitter is the whole of each.
  t.deepEqual(slept, [250, 500, 1_000])
  t.deepEqual(
    seen.map(({ body }) => JSON.parse(body) as unknown),
    [work, work, work, work],
  )
  t.is(seen[0]?.headers.authorization, 'Bearer svc_live_key')
  t.is(seen[0]?.url, '/v1/works')
})

test('what a client calls a write is its name; each other write has one of its own', async (t) => {
  const { client, seen } = await open(t, [created])
  await client.works.create(newWork, { idempotencyKey: 'mine' })
  await client.works.create(newWork)
  await client.works.create(newWork)
  t.deepEqual(
    seen.map(({ headers }) => headers['idempotency-key']),
    ['mine', 'id-0', 'id-1'],
  )
})

test('a client gives up in the end, with what was last said', async (t) => {
  const { client, seen, slept } = await open(t, [busy], { maxRetries: 2 })
  const refused = await t.throwsAsync(client.works.get('k2'), { instanceOf: RefusedError })
  t.like(refused, { code: 'unavailable', status: 503, message: 'Busy.' })
  t.is(seen.length, 3)
  t.is(slept.length, 2)
  const gone = await open(t, ['none'], { maxRetries: 1 })
  const lost = gone.client.works.create(newWork)
  const error = await t.throwsAsync(lost, { instanceOf: ConnectionError })
  t.like(error, { code: 'network_error', idempotencyKey: 'id-0' })
})

test('what is refused for good is not sent again', async (t) => {
  for (const status of [400, 401, 403, 404, 409, 410, 412, 422, 500]) {
    const details = [{ field: 'authors', code: 'required', message: 'authors is required' }]
    const body = { error: 'some_code', message: 'No.', details, request_id: 'r-1' }
    const { client, seen } = await open(t, [{ status, body }])
    const refused = await t.throwsAsync(client.works.create(newWork), { instanceOf: RefusedError })
    t.like(refused, { status, code: 'some_code', message: 'No.', requestId: 'r-1', details })
    t.is(seen.length, 1, String(status))
  }
})

test('a write whose first attempt may still be at work waits for it', async (t) => {
  const conflict = { status: 409, body: { error: 'conflict', message: 'At work.' } }
  const { client, seen } = await open(t, ['none', conflict, created])
  await client.works.create(newWork)
  t.is(seen.length, 3)
  const first = await open(t, [conflict, created])
  await t.throwsAsync(first.client.works.create(newWork), { message: 'At work.' })
})

test('Retry-After is waited for, in seconds or until a time, unless it is too long', async (t) => {
  const limited = (after: string) => ({
    status: 429,
    headers: { 'retry-after': after },
    body: { error: 'rate_limit_exceeded', message: 'Later.' },
  })
  const { client, slept } = await open(t, [limited('7'), created])
  await client.works.create(newWork)
  t.deepEqual(slept, [7_250])
  const dated = await open(t, [limited(dateAt(Date.parse('2026-03-04T05:06:17.000Z'))), created])
  await dated.client.works.create(newWork)
  t.deepEqual(dated.slept, [10_250])
  const long = await open(t, [limited('3600'), created])
  const refused = await t.throwsAsync(long.client.works.create(newWork), {
    instanceOf: RefusedError,
  })
  t.is(refused?.retryAfterMs, 3_600_000)
  t.deepEqual(long.slept, [])
})

test('a limit that is used up is waited for before the next call under it', async (t) => {
  const resetAt = Date.parse('2026-03-04T05:06:37.000Z') / 1_000
  const counted = (remaining: number) => ({
    headers: {
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetAt),
    },
  })
  const { client, slept, seen } = await open(t, [counted(1), counted(0), {}])
  await client.works.get('k2')
  await client.works.get('k2')
  t.deepEqual(slept, [])
  // Another limit has its own count.
  await client.people.get('p1')
  t.deepEqual(slept, [])
  await client.works.get('k2')
  t.deepEqual(slept, [30_000])
  t.is(seen.length, 4)
})

test('calls at one time share what is left of a limit', async (t) => {
  const resetAt = Date.parse('2026-03-04T05:06:37.000Z') / 1_000
  const headers = { 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': String(resetAt) }
  const { client, slept } = await open(t, [{ headers }, {}])
  await client.works.get('k2')
  await Promise.all([1, 2, 3].map(() => client.works.get('k2')))
  t.deepEqual(slept, [30_000])
})

test('an answer that does not come is an error, and may be asked for again', async (t) => {
  const { client, slept } = await open(t, ['never'], { timeoutMs: 100, maxRetries: 2 })
  const error = await t.throwsAsync(client.works.get('k2'), { instanceOf: ConnectionError })
  t.is(error?.code, 'timeout')
  t.deepEqual(slept, [250, 500])
})

test('a caller ends a call, its attempts and its pauses', async (t) => {
  const reason = new Error('enough')
  const stop = new AbortController()
  const { client, seen } = await open(t, ['never'])
  const call = client.works.get('k2', { signal: stop.signal })
  const ends = t.throwsAsync(call)
  await until('the call was seen', () => seen.length === 1)
  stop.abort(reason)
  t.is(await ends, reason)
  t.is(seen.length, 1)
  const server = await serve(t, (_request, response) => response.writeHead(503).end('{}'))
  const patient = new Arklog({ baseUrl: server.url, verify: false, maxRetries: 1_000 })
  const ended = AbortSignal.timeout(300)
  const error = await t.throwsAsync(patient.works.get('k2', { signal: ended }))
  t.is(error?.name, 'TimeoutError')
})

test('what gives tokens is asked for another one when one was refused, once', async (t) => {
  const asked: unknown[] = []
  const token = async (refused?: { readonly rejected: string }) => {
    asked.push(refused)
    return `token-${asked.length}`
  }
  const unauthorized = { status: 401, body: { error: 'unauthorized', message: 'Invalid API key' } }
  const { client, seen } = await open(t, [unauthorized, {}], { token, key: undefined as never })
  await client.works.get('k2')
  t.deepEqual(asked, [undefined, { rejected: 'token-1' }])
  t.is(seen[1]?.headers.authorization, 'Bearer token-2')
  const never = await open(t, [unauthorized], { token, key: undefined as never })
  await t.throwsAsync(never.client.works.get('k2'), { message: 'Invalid API key' })
  t.is(never.seen.length, 2)
})

test('a credential is not sent on to where an answer points', async (t) => {
  const elsewhere = await serve(t, (_request, response) => response.end('{}'))
  const moved = { status: 301, headers: { location: `${elsewhere.url}/v1/works` } }
  const { client } = await open(t, [moved])
  const error = await t.throwsAsync(client.works.create(newWork), { instanceOf: ConnectionError })
  t.is(error?.code, 'redirected')
  t.is(elsewhere.seen.length, 0)
  const far = { works: [{}], links: { next: `${elsewhere.url}/v1/organizations/a/works?cursor=2` } }
  const listed = await open(t, [{ body: far }, { body: { works: [{}] } }])
  t.is((await listed.client.organizations.works('a').take(10)).length, 2)
  t.is(listed.seen[1]?.url, '/v1/organizations/a/works?cursor=2')
  t.is(elsewhere.seen.length, 0)
})

test('lists are read page by page, and only as far as they are wanted', async (t) => {
  const page = (name: string, next: string | null) => ({
    body: { results: [{ work_title: `${name}1` }, { work_title: `${name}2` }], links: { next } },
  })
  const pages = [page('a', 'https://r.example/v1/search/works?q=x&cursor=b'), page('b', null)]
  const { client, seen } = await open(t, pages)
  const titles: unknown[] = []
  const found = client.search.works({ q: 'x y', has_doi: true })
  t.is(seen.length, 0)
  for await (const { work_title } of found) titles.push(work_title)
  t.deepEqual(titles, ['a1', 'a2', 'b1', 'b2'])
  t.deepEqual(
    seen.map(({ url }) => url),
    ['/v1/search/works?q=x+y&has_doi=true', '/v1/search/works?q=x&cursor=b'],
  )
  const some = await open(t, pages)
  t.is((await some.client.search.works({ q: 'x' }).take(2)).length, 2)
  t.is(some.seen.length, 1)
  const again = '/v1/search/works?q=x&cursor=b'
  const circle = await open(t, [page('a', again), page('b', again)])
  await t.throwsAsync(circle.client.search.works({ q: 'x' }).take(100), {
    instanceOf: ConnectionError,
    message: /that page again/,
  })
})

test('a client that cannot work says so when it is made', (t) => {
  const baseUrl = 'https://registry.example'
  const refuses = (options: ArklogOptions, code: string) => {
    t.is(t.throws(() => new Arklog(options), { instanceOf: UsageError })?.code, code)
  }
  refuses({ baseUrl, key: 'k' }, 'no_trusted_keys')
  refuses({ baseUrl: 'registry.example', verify: false }, 'bad_argument')
  refuses({ baseUrl: 'ftp://registry.example', verify: false }, 'bad_argument')
  refuses({ baseUrl, key: 'k', token: 't', verify: false }, 'bad_argument')
  t.notThrows(() => new Arklog({ baseUrl, trustOnFirstUse: true }))
})
