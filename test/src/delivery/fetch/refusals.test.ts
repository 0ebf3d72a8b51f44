import test, { type ExecutionContext } from 'ava'

import type { FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import { briefMs, never, openFetcher } from '#test/src/delivery/fetch/_fetcher.ts'
import { privateAddresses } from '#test/src/delivery/fetch/_private_addresses.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

// The answer of a name server, which says the same of every name.
function answers(...addresses: readonly string[]) {
  return async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** A server that nobody may reach, listening on IPv4 and IPv6. */
function privateServer(t: ExecutionContext) {
  return serve(t, (_request, response) => response.end('secret'), { host: '::' })
}

for (const address of privateAddresses) {
  test(`an address that is not public is refused: ${address}`, async (t) => {
    const outcome = await openFetcher(t).fetchDigest(`http://${address}/`, { signal: never })
    t.is(outcome.type, 'refused_address')
  })
}

test('the private server is reached by no spelling of its address and port', async (t) => {
  const { port, connections } = await privateServer(t)
  const fetcher = openFetcher(t, { lookup: answers('127.0.0.1') })
  for (const host of [
    ...privateAddresses,
    'localhost',
    'a.localhost',
    'localhost.',
    'rebind.example',
  ]) {
    const { type } = await fetcher.fetchDigest(`http://${host}:${port}/`, { signal: never })
    t.is(type, 'refused_url', host)
  }
  t.is(connections(), 0)
})

const refusedUrls = {
  'file:///etc/passwd': 'scheme',
  'ftp://example.org/': 'scheme',
  'gopher://127.0.0.1:6379/_FLUSHALL': 'scheme',
  'data:text/plain,x': 'scheme',
  'javascript:alert(1)': 'scheme',
  'blob:https://example.org/x': 'scheme',
  'unix:/var/run/docker.sock': 'scheme',
  'http://user@example.org/': 'userinfo',
  'https://:secret@example.org/': 'userinfo',
  'http://example.org@127.0.0.1/': 'userinfo',
  'http://example.org:8080/': 'port',
  'http://example.org:22/': 'port',
  'http://127.0.0.1:6379/': 'port',
  'http://localhost/': 'host',
  'http://intranet/': 'host',
  'http://example.org../': 'host',
  'http://.example.org/': 'host',
  'http://a..example/': 'host',
  'http:///': 'malformed',
  'http://example.org:99999/': 'malformed',
  'http://256.256.256.256/': 'malformed',
  'http://exa mple.org/': 'malformed',
  '//example.org/': 'malformed',
  '': 'malformed',
  'https://ark.example.org/ark:/12345/k2x': 'own_host',
  'http://ARK.example.org:80/': 'own_host',
  'https://ark.example.org./': 'own_host',
} as const

for (const [url, rule] of Object.entries(refusedUrls)) {
  test(`an address that breaks a rule is refused: "${url}"`, async (t) => {
    const outcome = await openFetcher(t).fetchDigest(url, { signal: never })
    t.deepEqual(outcome, { type: 'refused_url', url, rule })
  })
}

test('an address that is too long is refused, and not repeated whole', async (t) => {
  const url = `https://example.org/${'x'.repeat(10_000)}`
  t.deepEqual(await openFetcher(t).fetchDigest(url, { signal: never }), {
    type: 'refused_url',
    url: url.slice(0, 100),
    rule: 'too_long',
  })
})

test('our own address is not fetched, even if allowed; another port is another host', async (t) => {
  const server = await serve(t, (_request, response) => response.end('content'))
  const ours = await privateServer(t)
  const ownUrl = `http://127.0.0.1:${ours.port}`
  const allow = [server.hostPort, `127.0.0.1:${ours.port}`]
  const fetcher = openFetcher(t, { allow, ownUrl })
  const refused = await fetcher.fetchDigest(`${ownUrl}/v1/x/verify`, { signal: never })
  t.like(refused, { type: 'refused_url', rule: 'own_host' })
  t.is(ours.connections(), 0)
  t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'fetched')
})

test('the allow list means host and port exactly', async (t) => {
  const server = await serve(t, (_request, response) => response.end('content'))
  const other = await privateServer(t)
  const fetcher = openFetcher(t, { allow: [`localhost:${server.port}`] })
  const typeOf = async (url: string) => (await fetcher.fetchDigest(url, { signal: never })).type
  t.is(await typeOf(`http://localhost:${server.port}/`), 'fetched')
  t.is(await typeOf(`http://LOCALHOST.:${server.port}/`), 'fetched')
  t.is(await typeOf(server.url), 'refused_url')
  t.is(await typeOf(`http://localhost:${other.port}/`), 'refused_url')
  t.is(await typeOf(`http://localhost@127.0.0.1:${server.port}/`), 'refused_url')
  t.is(other.connections(), 0)
})

test('a name is refused if any of its addresses is not public', async (t) => {
  for (const list of [
    ['127.0.0.1'],
    ['93.184.215.14', '10.0.0.1'],
    ['2606:2800:21f::1', '93.184.215.14', 'fd00::1'],
    ['::ffff:93.184.215.14'],
    ['not an address'],
  ]) {
    const fetcher = openFetcher(t, { lookup: answers(...list) })
    const url = 'http://mixed.example/'
    const outcome = await fetcher.fetchDigest(url, { signal: never, fresh: true })
    t.like(outcome, { type: 'refused_address', url, address: list.at(-1) ?? '' }, list.join())
  }
})

test('a name without an address cannot be resolved', async (t) => {
  const url = 'https://gone.example/'
  const none = openFetcher(t, { lookup: answers() })
  const expected = { type: 'dns_failed', url } as const
  t.deepEqual(await none.fetchDigest(url, { signal: never }), { ...expected, code: 'ENODATA' })
  const unknown = openFetcher(t)
  t.deepEqual(await unknown.fetchDigest(url, { signal: never }), { ...expected, code: 'ENOTFOUND' })
})

test('a name that is not resolved in time is a slow connection', async (t) => {
  const fetcher = openFetcher(t, {
    lookup: () => new Promise(() => undefined),
    limits: { connectMs: briefMs },
  })
  const url = 'https://slow.example/'
  const outcome = await fetcher.fetchDigest(url, { signal: never })
  t.deepEqual(outcome, { type: 'timed_out', url, phase: 'connect' })
})

test('every redirect is judged like a first address', async (t) => {
  const { port, connections } = await privateServer(t)
  const locations: Readonly<Record<string, FetchOutcome['type']>> = {
    [`http://127.0.0.1:${port}/`]: 'refused_url',
    [`//127.0.0.1:${port}/`]: 'refused_url',
    [`http://2130706433:${port}/`]: 'refused_url',
    'http://127.0.0.1/': 'refused_address',
    'http://[::1]/': 'refused_address',
    'http://169.254.169.254/latest/meta-data/': 'refused_address',
    'http://rebind.example/': 'refused_address',
    'https://rebind.example/': 'refused_address',
    'file:///etc/passwd': 'refused_url',
    'http://user:secret@example.org/': 'refused_url',
    'https://ark.example.org/ark:/12345/k2x': 'refused_url',
    'http://example.org:99999/': 'refused_url',
  }
  for (const [location, type] of Object.entries(locations)) {
    const server = await serve(t, ({ url }, response) => {
      response.writeHead(302, { location: url === '/last' ? location : '/last' }).end()
    })
    const fetcher = openFetcher(t, { allow: [server.hostPort], lookup: answers('10.0.0.1') })
    const outcome = await fetcher.fetchDigest(server.url, { signal: never })
    t.is(outcome.type, type, location)
    t.is(server.seen.length, 2)
  }
  t.is(connections(), 0)
})

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect ${status} leads to content at another host`, async (t) => {
    const server = await serve(t, (_request, response) => response.end('content'), { host: '::1' })
    const first = await serve(t, (_request, response) =>
      response.writeHead(status, { location: `${server.url}/paper#page=2` }).end('moved'),
    )
    const fetcher = openFetcher(t, { allow: [server.hostPort, first.hostPort] })
    const outcome = await fetcher.fetchDigest(first.url, { signal: never })
    const finalUrl = `${server.url}/paper`
    t.like(outcome, { type: 'fetched', finalUrl, redirects: 1, bytes: 7 })
  })
}

test('five redirects are followed, a sixth is not, and loops end', async (t) => {
  const server = await serve(t, ({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) response.end('content')
    else response.writeHead(302, { location: left > 9 ? url : `/${left - 1}` }).end()
  })
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const fetchOf = (left: number) => fetcher.fetchDigest(`${server.url}/${left}`, { signal: never })
  t.like(await fetchOf(5), { type: 'fetched', redirects: 5 })
  for (const left of [6, 10]) {
    const before = server.seen.length
    t.like(await fetchOf(left), { type: 'too_many_redirects', redirectsMax: 5 })
    t.is(server.seen.length, before + 6)
  }
})

test('a redirect that names no address, or two, is malformed', async (t) => {
  for (const location of [[], ['/a', '/b']]) {
    const server = await serve(t, (_request, response) => {
      if (location.length > 0) response.setHeader('location', location)
      response.writeHead(302).end()
    })
    const fetcher = openFetcher(t, { allow: [server.hostPort] })
    t.deepEqual(await fetcher.fetchDigest(server.url, { signal: never }), {
      type: 'bad_response',
      url: `${server.url}/`,
      reason: 'a redirect without one location',
    })
  }
})

test('the endless body of a redirect is not waited for', async (t) => {
  const server = await serve(t, ({ url }, response) => {
    if (url === '/content') return response.end('content')
    response.writeHead(302, { location: '/content' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
    return response
  })
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.like(await fetcher.fetchDigest(server.url, { signal: never }), { type: 'fetched', bytes: 7 })
})
