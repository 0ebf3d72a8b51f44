import { createHash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import fc from 'fast-check'

import { BodyDigest, fetcherOf } from '#src/delivery/fetch/fetcher.ts'
import { until } from '#test/_until.ts'
import { testFetcher } from '#test/contracts/fetcher.ts'
import { briefMs, never, openFetcher, testMs } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve, serveBytes } from '#test/src/delivery/fetch/_servers.ts'

const content = Buffer.from('content of a work')

function hashOf(algorithm: string, bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest('hex')
}

test('a body is hashed as served, and told of with what its server says', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'Application/PDF; charset=x')
    response.setHeader('etag', '"v1"').setHeader('set-cookie', 'a=b').end(content)
  })
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const url = `${server.url}/paper?x=1`
  const expected = {
    type: 'fetched',
    status: 200,
    sha256: hashOf('sha256', content),
    sha512: hashOf('sha512', content),
    bytes: content.length,
    mediaType: 'application/pdf',
    etag: '"v1"',
    finalUrl: url,
    redirects: 0,
  } as const
  t.deepEqual(await fetcher.fetchDigest(`${url}#part`, { signal: never }), expected)
  t.deepEqual(await fetcher.fetchDigest(url, { signal: never }), expected)
  const [first, second] = server.seen
  t.is(first?.method, 'GET')
  t.is(first?.url, '/paper?x=1')
  t.deepEqual(first?.headers, {
    host: server.hostPort,
    connection: 'keep-alive',
    'user-agent': 'Arklog (+https://ark.example.org)',
    accept: '*/*',
    'accept-encoding': 'identity',
  })
  t.deepEqual(second?.headers, first?.headers)
})

test('fetches share connections, fresh ones never do', async (t) => {
  const server = await serve(t, (_request, response) => response.end(content))
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  for (const fresh of [false, false, false]) {
    t.is((await fetcher.fetchDigest(server.url, { signal: never, fresh })).type, 'fetched')
    // A connection can be used again two turns after its reply has ended.
    await setImmediate()
    await setImmediate()
  }
  t.is(server.connections(), 1)
  for (const fresh of [true, true]) {
    t.is((await fetcher.fetchDigest(server.url, { signal: never, fresh })).type, 'fetched')
  }
  t.is(server.connections(), 3)
})

test('a fetch keeps to its own connection where it is redirected to the same host', async (t) => {
  const server = await serve(t, ({ url }, response) => {
    if (url === '/paper') response.end(content)
    else response.writeHead(302, { location: '/paper' }).end()
  })
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const outcome = await fetcher.fetchDigest(server.url, { signal: never, fresh: true })
  t.like(outcome, { type: 'fetched', redirects: 1 })
  t.is(server.connections(), 1)
})

test('what a server says wrongly of its content is not repeated', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text').setHeader('etag', 'v1').end()
  })
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const outcome = await fetcher.fetchDigest(server.url, { signal: never })
  if (outcome.type !== 'fetched') return t.fail(outcome.type)
  t.is(outcome.bytes, 0)
  t.is(outcome.mediaType, undefined)
  t.is(outcome.etag, undefined)
})

for (const status of [204, 206, 300, 304, 404, 410, 500]) {
  test(`a reply ${status} is no content`, async (t) => {
    const server = await serve(t, (_request, response) => response.writeHead(status).end())
    const fetcher = openFetcher(t, { allow: [server.hostPort] })
    t.deepEqual(await fetcher.fetchDigest(server.url, { signal: never }), {
      type: 'http_status',
      url: `${server.url}/`,
      status,
      retryAfterMs: undefined,
    })
  })
}

test('a Retry-After counts in seconds and as a date, and its host is left alone', async (t) => {
  const inAMinute = new Date(testMs + 60_000).toUTCString()
  for (const [value, retryAfterMs] of [
    ['7', 7_000],
    [inAMinute, 60_000],
    ['soon', undefined],
  ] as const) {
    const server = await serve(t, (_request, response) =>
      response.writeHead(429, { 'retry-after': value }).end(),
    )
    const fetcher = openFetcher(t, { allow: [server.hostPort] })
    const url = `${server.url}/`
    const outcome = await fetcher.fetchDigest(url, { signal: never })
    t.deepEqual(outcome, { type: 'http_status', url, status: 429, retryAfterMs }, value)
    const later = await fetcher.fetchDigest(url, { signal: never })
    if (later.type !== 'postponed') return t.fail(later.type)
    const expectedMs = retryAfterMs ?? 60_000
    t.true(later.retryAfterMs <= expectedMs && later.retryAfterMs > expectedMs - 5_000, value)
    t.is(server.seen.length, 1)
  }
})

test('a 503 pauses its host only if it says for how long', async (t) => {
  const server = await serve(t, ({ url }, response) =>
    response.writeHead(503, url === '/named' ? { 'retry-after': '9' } : {}).end(),
  )
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const types: string[] = []
  for (const path of ['/', '/', '/named', '/named']) {
    types.push((await fetcher.fetchDigest(server.url + path, { signal: never })).type)
  }
  t.deepEqual(types, ['http_status', 'http_status', 'http_status', 'postponed'])
})

for (const field of ['content-encoding', 'transfer-encoding']) {
  test(`an encoded body is refused unread (${field})`, async (t) => {
    const server = await serveBytes(t, (socket) => {
      const coding = field === 'transfer-encoding' ? 'gzip, chunked' : 'gzip'
      socket.write(`HTTP/1.1 200 OK\r\n${field}: ${coding}\r\n\r\n`)
    })
    const fetcher = openFetcher(t, { allow: [server.hostPort] })
    t.deepEqual(await fetcher.fetchDigest(server.url, { signal: never }), {
      type: 'content_encoding',
      url: `${server.url}/`,
      encoding: field === 'transfer-encoding' ? 'gzip, chunked' : 'gzip',
    })
  })
}

test('an encoding that changes nothing is content', async (t) => {
  const server = await serve(t, (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'identity' }).end(content),
  )
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'fetched')
})

test('a body may have exactly the bytes of the limit', async (t) => {
  for (const chunked of [true, false]) {
    const server = await serve(t, ({ url }, response) => {
      const body = Buffer.alloc(Number(url?.slice(1)), 'x')
      if (!chunked) response.setHeader('content-length', body.length)
      response.write(body)
      response.end()
    })
    const fetcher = openFetcher(t, { allow: [server.hostPort], limits: { bytesMax: 100_000 } })
    const fetchOf = (bytes: number) =>
      fetcher.fetchDigest(`${server.url}/${bytes}`, { signal: never })
    t.is((await fetchOf(100_000)).type, 'fetched')
    t.deepEqual(await fetchOf(100_001), {
      type: 'too_large',
      url: `${server.url}/100001`,
      bytesMax: 100_000,
    })
  }
})

test('an endless body ends at the limit', async (t) => {
  const server = await serve(t, (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'too_large')
})

test('a body that is shorter than announced is no content', async (t) => {
  const server = await serveBytes(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
  )
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const outcome = await fetcher.fetchDigest(server.url, { signal: never })
  if (outcome.type !== 'bad_response') return t.fail(outcome.type)
  t.is(outcome.reason, 'it broke off (UND_ERR_SOCKET)')
})

test('a chunked body that breaks off is no content', async (t) => {
  const server = await serveBytes(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n'),
  )
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'bad_response')
})

test('headers over the limit are refused', async (t) => {
  const server = await serveBytes(t, (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`),
  )
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.deepEqual(await fetcher.fetchDigest(server.url, { signal: never }), {
    type: 'bad_response',
    url: `${server.url}/`,
    reason: 'its header fields are too long',
  })
})

test('what is not HTTP is refused', async (t) => {
  const server = await serveBytes(t, (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'))
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.deepEqual(await fetcher.fetchDigest(server.url, { signal: never }), {
    type: 'bad_response',
    url: `${server.url}/`,
    reason: 'it is not HTTP/1.1',
  })
})

test('a closed port is a failed connection', async (t) => {
  const fetcher = openFetcher(t, { allow: ['127.0.0.1:9'] })
  t.deepEqual(await fetcher.fetchDigest('http://127.0.0.1:9/', { signal: never }), {
    type: 'connection_failed',
    url: 'http://127.0.0.1:9/',
    code: 'ECONNREFUSED',
  })
})

test('a server that hangs up without an answer is a failed connection', async (t) => {
  const server = await serveBytes(t, (socket) => socket.end())
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const outcome = await fetcher.fetchDigest(server.url, { signal: never })
  t.deepEqual(outcome, {
    type: 'connection_failed',
    url: `${server.url}/`,
    code: 'UND_ERR_SOCKET',
  })
})

test('what is slow ends with the phase in which it was', async (t) => {
  const server = await serve(t, ({ url }, response) => {
    if (url === '/headers') return
    response.write('x')
    if (url === '/body') return
    const drip = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(drip))
  })
  for (const [path, phase, limits] of [
    ['/headers', 'headers', { headersMs: briefMs }],
    ['/body', 'body', { bodyIdleMs: briefMs }],
    ['/drip', 'total', { totalMs: 1_200 }],
  ] as const) {
    const fetcher = openFetcher(t, { allow: [server.hostPort], limits })
    const url = server.url + path
    const outcome = await fetcher.fetchDigest(url, { signal: never })
    t.deepEqual(outcome, { type: 'timed_out', url, phase })
  }
})

test('headers that trickle in, or are announced for ever, end', async (t) => {
  for (const line of ['x: y\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n']) {
    const server = await serveBytes(t, (socket) => {
      if (line.startsWith('x')) socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write(line), 50)
      socket.on('close', () => clearInterval(drip))
    })
    const limits = { headersMs: briefMs, totalMs: 1_200 }
    const fetcher = openFetcher(t, { allow: [server.hostPort], limits })
    t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'timed_out')
  }
})

test('redirects share one time', async (t) => {
  // Each alone is far within the time; all that may be followed are twice as long, at the least.
  const server = await serve(t, (_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/next' }).end(), 50)
  })
  const limits = { totalMs: 1_000, redirectsMax: 40 }
  const fetcher = openFetcher(t, { allow: [server.hostPort], limits })
  const outcome = await fetcher.fetchDigest(server.url, { signal: never })
  t.like(outcome, { type: 'timed_out', phase: 'total' })
})

test('a fetch that is called off ends at once, and all do when the fetcher closes', async (t) => {
  const server = await serve(t, (_request, response) => response.write('x'))
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const stop = new AbortController()
  const called = fetcher.fetchDigest(server.url, { signal: stop.signal })
  const fresh = fetcher.fetchDigest(server.url, { signal: never, fresh: true })
  const other = fetcher.fetchDigest(server.url, { signal: never })
  await until('all requests are there', () => server.seen.length === 3)
  stop.abort()
  t.deepEqual(await called, { type: 'aborted' })
  await fetcher.close()
  t.deepEqual(await Promise.all([fresh, other]), [{ type: 'aborted' }, { type: 'aborted' }])
  t.deepEqual(await fetcher.fetchDigest(server.url, { signal: never }), { type: 'aborted' })
  t.deepEqual(await fetcher.fetchDigest(server.url, { signal: stop.signal }), { type: 'aborted' })
})

test('no proxy of the environment is asked', async (t) => {
  const proxy = await serve(t, (_request, response) => response.end('from the proxy'))
  const server = await serve(t, (_request, response) => response.end(content))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) process.env[name] = proxy.url
  process.env['NODE_USE_ENV_PROXY'] = '1'
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'fetched')
  t.is(proxy.connections(), 0)
})

testFetcher(test, (_t, settings) => fetcherOf(settings))

const chunkLists = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 })

test('the hashes are those of the whole body, however it is cut', (t) => {
  fc.assert(
    fc.property(chunkLists, (chunks) => {
      const whole = Buffer.concat(chunks)
      const digest = new BodyDigest(whole.length)
      for (const chunk of chunks) t.true(digest.add(chunk))
      t.deepEqual(digest.end(), {
        sha256: hash('sha256', whole),
        sha512: hash('sha512', whole),
        bytes: whole.length,
      })
    }),
  )
})

test('a body that is too long is refused with the chunk that makes it so', (t) => {
  const digest = new BodyDigest(55)
  const taken = Array.from({ length: 6 }, () => digest.add(Buffer.alloc(10)))
  t.deepEqual(taken, [true, true, true, true, true, false])
})
