import type { ExecutionContext, TestFn } from 'ava'
import { createHash } from 'node:crypto'

import type { FetchCall, Fetcher, FetcherSettings } from '#src/delivery/fetch/fetcher.ts'
import type { FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import { until } from '#test/_until.ts'
import { briefMs, never, testLimits, testPacing } from '#test/src/delivery/fetch/_fetcher.ts'
import { serveNames } from '#test/src/delivery/fetch/_name_server.ts'
import { privateAddresses } from '#test/src/delivery/fetch/_private_addresses.ts'
import { type CountedServer, serve } from '#test/src/delivery/fetch/_servers.ts'

/** Makes the fetcher that settings describe. */
export type MakeFetcher = (t: ExecutionContext, settings: FetcherSettings) => Fetcher

/** The contract of the Fetcher port: what every fetcher does alike, wherever it runs. */
export function testFetcher(test: TestFn, make: MakeFetcher): void {
  testContent(test, make)
  testGuards(test, make)
  testEnds(test, make)
}

/** Settings that allow some servers; names are asked of nobody who is there. */
export function settingsOf(
  allow: readonly CountedServer[],
  changes: Partial<FetcherSettings> = {},
): FetcherSettings {
  return {
    limits: testLimits,
    pacing: testPacing,
    allow: allow.map(({ hostPort }) => hostPort),
    ownUrl: 'https://ark.example.org',
    nameServers: ['127.0.0.1:9'],
    egressProxy: undefined,
    userAgent: 'Arklog (+https://ark.example.org)',
    ...changes,
  }
}

/** A fetcher that is closed when the test ends. */
export function opened(t: ExecutionContext, fetcher: Fetcher) {
  t.teardown(() => fetcher.close())
  const call = (url: string, more: Partial<FetchCall> = {}): Promise<FetchOutcome> =>
    fetcher.fetchDigest(url, { signal: never, ...more })
  return { fetcher, call }
}

/** A server whose replies never end. */
export function serveEndless(t: ExecutionContext): Promise<CountedServer> {
  return serve(t, (_request, response) => response.write('x'))
}

function testContent(test: TestFn, make: MakeFetcher): void {
  test('content is hashed, at the end of its redirects', async (t) => {
    const server = await serve(t, ({ url }, response) => {
      if (url === '/paper') response.setHeader('content-type', 'application/pdf').end('content')
      else response.writeHead(302, { location: '/paper' }).end()
    })
    const { call } = opened(t, make(t, settingsOf([server])))
    t.deepEqual(await call(server.url), {
      type: 'fetched',
      status: 200,
      sha256: createHash('sha256').update('content').digest('hex'),
      sha512: createHash('sha512').update('content').digest('hex'),
      bytes: 7,
      mediaType: 'application/pdf',
      etag: undefined,
      finalUrl: `${server.url}/paper`,
      redirects: 1,
    })
  })

  test('a fetch says when its host is asked, and not while it waits for its turn', async (t) => {
    const server = await serve(t, (_request, response) => response.end('content'))
    const pacing = { ...testPacing, hostIntervalMs: 50 }
    const { call } = opened(t, make(t, settingsOf([server], { pacing })))
    const startsMs: number[] = []
    const onStart = () => startsMs.push(performance.now())
    const beganMs = performance.now()
    await Promise.all(Array.from({ length: 3 }, () => call(server.url, { onStart })))
    t.is(startsMs.length, 3)
    t.true((startsMs[2] ?? 0) - beganMs >= 98)
    t.is((await call('http://127.0.0.1/', { onStart })).type, 'refused_address')
    t.is(startsMs.length, 3)
  })

  test('a kept connection that its server has just ended is no failure', async (t) => {
    const server = await serve(t, ({ socket }, response) => {
      response.end('content')
      response.on('finish', () => socket.destroySoon())
    })
    const { call } = opened(t, make(t, settingsOf([server])))
    for (let nth = 0; nth < 10; nth += 1) t.is((await call(server.url)).type, 'fetched')
  })

  test('what a host asks for is heeded', async (t) => {
    const server = await serve(t, (_request, response) =>
      response.writeHead(429, { 'retry-after': '7' }).end(),
    )
    const { call } = opened(t, make(t, settingsOf([server])))
    t.like(await call(server.url), { type: 'http_status', status: 429, retryAfterMs: 7_000 })
    t.is((await call(server.url)).type, 'postponed')
    t.is(server.seen.length, 1)
  })
}

function testGuards(test: TestFn, make: MakeFetcher): void {
  test('a private server is reached by no spelling, name or redirect', async (t) => {
    const hidden = await serve(t, (_request, response) => response.end('secret'), { host: '::' })
    const names = await serveNames(t, () => ['127.0.0.1'])
    const hosts = [...privateAddresses, 'localhost', 'a.localhost', 'rebind.example']
    const locations = hosts.flatMap((host) => [`http://${host}/`, `http://${host}:${hidden.port}/`])
    const server = await serve(t, ({ url }, response) => {
      const location = locations[Number(url?.slice(1))] ?? ''
      const ascii = location.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent)
      response.writeHead(302, { location: ascii }).end()
    })
    const settings = settingsOf([server], { nameServers: [names.address] })
    const { call } = opened(t, make(t, settings))
    for (const [nth, location] of locations.entries()) {
      for (const fresh of [true, false]) {
        const direct = await call(location, { fresh })
        const { type } = await call(`${server.url}/${nth}`, { fresh })
        t.regex(direct.type, /^refused_(?:url|address)$/, location)
        t.is(type, direct.type, location)
      }
    }
    t.is(hidden.connections(), 0)
  })

  test('a name that is rebound between two requests is refused at the second', async (t) => {
    const names = await serveNames(t, (_name, nth) => (nth === 0 ? ['0.0.0.1'] : ['10.0.0.1']))
    const { call } = opened(t, make(t, settingsOf([], { nameServers: [names.address] })))
    for (const address of ['0.0.0.1', '10.0.0.1']) {
      t.like(await call('http://rebind.example/'), { type: 'refused_address', address })
    }
  })

  test('a name without an answer, an address that is none, and our own', async (t) => {
    const names = await serveNames(t, () => [])
    const { call } = opened(t, make(t, settingsOf([], { nameServers: [names.address] })))
    t.is((await call('https://gone.example/')).type, 'dns_failed')
    t.like(await call('not an address'), { type: 'refused_url', rule: 'malformed' })
    t.like(await call('https://ark.example.org/x'), { type: 'refused_url', rule: 'own_host' })
  })

  test('limits of time and length hold', async (t) => {
    const server = await serve(t, ({ url }, response) => {
      if (url === '/long') response.end('x'.repeat(testLimits.bytesMax + 1))
      else response.write('x')
    })
    const limits = { ...testLimits, bodyIdleMs: briefMs }
    const { call } = opened(t, make(t, settingsOf([server], { limits })))
    t.is((await call(`${server.url}/long`)).type, 'too_large')
    t.like(await call(server.url), { type: 'timed_out', phase: 'body' })
  })
}

function testEnds(test: TestFn, make: MakeFetcher): void {
  test('a fetch that is called off ends at once, and gives up its connection', async (t) => {
    let ended = 0
    const server = await serve(t, (_request, response) => {
      response.on('close', () => (ended += 1)).write('x')
    })
    const { call } = opened(t, make(t, settingsOf([server])))
    const stop = new AbortController()
    const running = call(server.url, { signal: stop.signal })
    const waiting = call(server.url, { signal: stop.signal, fresh: true })
    await until('both requests are there', () => server.seen.length === 2)
    stop.abort()
    t.deepEqual(await Promise.all([running, waiting]), [{ type: 'aborted' }, { type: 'aborted' }])
    await until('both replies are broken off', () => ended === 2)
    t.deepEqual(await call(server.url, { signal: stop.signal }), { type: 'aborted' })
    t.is(server.seen.length, 2)
  })

  test('closing calls off what runs and what waits, and all that comes later', async (t) => {
    const server = await serveEndless(t)
    const pacing = { ...testPacing, hostConcurrencyMax: 1 }
    const { fetcher, call } = opened(t, make(t, settingsOf([server], { pacing })))
    const fetches = [call(server.url), call(server.url), call(server.url)]
    await until('a request is there', () => server.seen.length === 1)
    await fetcher.close()
    for (const outcome of await Promise.all(fetches)) t.deepEqual(outcome, { type: 'aborted' })
    t.deepEqual(await call(server.url), { type: 'aborted' })
    t.is(server.seen.length, 1)
    await fetcher.close()
  })
}
