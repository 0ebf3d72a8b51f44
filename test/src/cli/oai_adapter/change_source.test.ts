import type http from 'node:http'
import test, { type ExecutionContext } from 'ava'

import { type ChangeSource, httpChangeSource } from '#src/cli/oai_adapter/change_source.ts'
import { pageOf, registered } from '#test/src/cli/oai_adapter/_feed.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

/** A source whose registry answers so. */
async function answering(t: ExecutionContext, answer: http.RequestListener): Promise<ChangeSource> {
  const { url } = await serve(t, answer)
  return httpChangeSource(url, 'svc_live_key', () => 0)
}

const query = { after: 7, waitSeconds: 25 }
const { signal } = new AbortController()

test('a page is asked for with the key, and has the time of the registry', async (t) => {
  const page = pageOf([registered(8, '12345/a')])
  const read = await answering(t, ({ url, headers }, response) => {
    t.is(url, '/v1/changes?after=7&limit=1000&wait=25')
    t.is(headers.authorization, 'Bearer svc_live_key')
    response.setHeader('date', 'Thu, 01 Jan 1970 00:01:00 GMT').end(JSON.stringify(page))
  })
  t.deepEqual(await read(query, signal), { type: 'page', page, atSecond: 60 })
})

test('a refusal is told with its words and its wait, and without the key', async (t) => {
  const read = await answering(t, (_request, response) => {
    response.writeHead(429, { 'retry-after': '7' })
    response.end('{"error": "rate_limit_exceeded", "message": "Retry after 7 seconds"}')
  })
  const outcome = await read(query, signal)
  t.like(outcome, { type: 'failed', waitMs: 7_000 })
  t.regex(JSON.stringify(outcome), /answers 429: Retry after 7 seconds/)
  t.notRegex(JSON.stringify(outcome), /svc_live/)
})

test('what is no page is a failure', async (t) => {
  const change = registered(8, '12345/a')
  const bodies = [
    'no JSON',
    '[]',
    '{"changes": []}',
    '{"changes": [], "next": -1, "end": 0}',
    JSON.stringify(pageOf([{ ...change, sets: undefined } as never])),
    JSON.stringify(pageOf([{ ...change, status: 'lost' } as never])),
  ]
  for (const body of bodies) {
    const read = await answering(t, (_request, response) => response.end(body))
    t.like(await read(query, signal), { type: 'failed', waitMs: 0 }, body)
  }
})

test('changes that say nothing to harvesters are passed over', async (t) => {
  const { source, at } = registered(1, '12345/a')
  const rotated = { seq: 1, at, source, sets: [], type: 'receipt_key.rotated', old_key_id: 'a' }
  const page = { changes: [rotated], next: 1, end: 1 }
  const read = await answering(t, (_request, response) => response.end(JSON.stringify(page)))
  t.like(await read(query, signal), { type: 'page' })
})

test('a redirect is not followed: the key would go with it', async (t) => {
  const read = await answering(t, (_request, response) => {
    response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
  })
  const outcome = await read(query, signal)
  t.regex(JSON.stringify(outcome), /answers 302/)
})

test('a registry that is not there is a failure', async (t) => {
  const read = httpChangeSource('http://127.0.0.1:1', 'key', () => 0)
  const outcome = await read(query, signal)
  t.like(outcome, { type: 'failed' })
  t.regex(JSON.stringify(outcome), /127\.0\.0\.1:1 cannot be read: /)
})
