import { setImmediate } from 'node:timers/promises'
import test from 'ava'

import { loadConfig } from '#config/config.ts'
import {
  configuredFetcher,
  contentFetcher,
  contentOutcome,
  type RefusedHost,
} from '#src/delivery/fetch/content_fetcher.ts'
import { testContentReader } from '#test/contracts/content_reader.ts'
import { never, openFetcher } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

test('content is read on a connection of its own where that is wanted', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'Text/Plain; charset=utf-8' }).end('abc')
  })
  const fetch = contentFetcher(openFetcher(t, { allow: [server.hostPort] }), ({ host }) =>
    t.fail(host),
  )
  for (const [fresh, connections] of [
    [true, 1],
    [true, 2],
    [false, 3],
    [false, 3],
  ] as const) {
    const outcome = await fetch(`${server.url}/a`, { signal: never, fresh })
    t.like(outcome, {
      type: 'fetched',
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      bytes: 3,
      mediaType: 'text/plain',
      finalUrl: `${server.url}/a`,
    })
    t.is(server.connections(), connections)
    // A connection can be used again two turns after its reply has ended.
    await setImmediate()
    await setImmediate()
  }
})

test('why there is no content is told by a word and a clause', (t) => {
  const url = 'https://example.org/'
  t.deepEqual(contentOutcome({ type: 'http_status', url, status: 503, retryAfterMs: 5_000 }), {
    type: 'unavailable',
    reason: 'http_status',
    message: 'the server answered 503',
    url,
    httpStatus: 503,
    retryAfterMs: 5_000,
  })
  t.deepEqual(contentOutcome({ type: 'timed_out', url, phase: 'body' }), {
    type: 'unavailable',
    reason: 'timed_out',
    message: 'the server stopped in the middle of the content',
    url,
    httpStatus: undefined,
    retryAfterMs: undefined,
  })
})

test('the private address of a host is told to the operator and to nobody else', async (t) => {
  const lookup = () => Promise.resolve([{ address: '10.1.2.3', family: 4 }])
  const refused: RefusedHost[] = []
  const fetch = contentFetcher(openFetcher(t, { lookup }), (host) => refused.push(host))
  const named = await fetch('http://intranet.example/wiki?page=1', { signal: never, fresh: true })
  const numbered = await fetch('http://192.168.1.1/', { signal: never, fresh: true })
  const message = 'the address is not fetched: the address of its host is not public'
  t.like(named, { type: 'unavailable', reason: 'refused_address', message })
  t.like(numbered, { type: 'unavailable', reason: 'refused_address', message })
  t.false(JSON.stringify([named]).includes('10.1.2.3'))
  t.deepEqual(refused, [
    { host: 'intranet.example', reason: '10.1.2.3 is private' },
    { host: '192.168.1.1', reason: '192.168.1.1 is private' },
  ])
})

test('what says nothing of content stays what it is', (t) => {
  for (const type of ['aborted', 'interrupted'] as const) {
    t.deepEqual(contentOutcome({ type }), { type })
  }
  const postponed = { type: 'postponed', url: 'https://example.org/', retryAfterMs: 9 } as const
  t.deepEqual(contentOutcome(postponed), postponed)
})

test('a configured fetcher keeps to its limits and says who it is', async (t) => {
  const server = await serve(t, ({ url }, response) =>
    response.end('x'.repeat(Number(url?.slice(1)))),
  )
  const ours = await serve(t, (_request, response) => response.end('ours'))
  const config = loadConfig({
    FETCH_ALLOW: `${server.hostPort},${ours.hostPort}`,
    FETCH_BYTES_MAX: '1000',
  })
  const fetcher = configuredFetcher(config, ours.url, (fault) => t.fail(fault.message))
  t.teardown(() => fetcher.close())
  const typeOf = async (url: string) => (await fetcher.fetchDigest(url, { signal: never })).type
  t.is(await typeOf(`${server.url}/1000`), 'fetched')
  t.is(await typeOf(`${server.url}/1001`), 'too_large')
  t.is(await typeOf(ours.url), 'refused_url')
  t.is(await typeOf('http://127.0.0.1/'), 'refused_address')
  t.is(ours.connections(), 0)
  t.is(server.seen[0]?.headers['user-agent'], `Arklog (+${ours.url})`)
  await fetcher.close()
  t.is(await typeOf(server.url), 'aborted')
})

testContentReader(test, (_t, reader) => reader)
