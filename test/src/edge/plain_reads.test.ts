import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'

import type { PlainRead, PlainReply } from '#src/edge/fast_path.ts'
import { sendPlain } from '#src/edge/rendered_reply.ts'
import { until } from '#test/_until.ts'
import { exchange, parseReply, type RawReply, send } from '#test/src/_raw.ts'
import { openEdge } from '#test/src/edge/_edge.ts'

const text = Buffer.from(JSON.stringify({ long: 'Things that are asked for. '.repeat(100) }))

const own = { 'content-type': 'application/json', etag: 'W/"1"' }

/**
 * A server with a route that may change. `route.made` counts what was made of it past the
 * framework, and `route.calls` how often the route itself was asked.
 */
async function openHot(
  t: ExecutionContext,
  settings: Record<string, unknown> = {},
  read?: PlainRead,
) {
  const route = { calls: 0, made: 0, body: text }
  const readText: PlainRead = (rest) => {
    if (rest.includes('cold')) return undefined
    route.made += 1
    const { body } = route
    return { status: 200, headers: own, body, isCurrent: () => route.body === body }
  }
  const edge = await openEdge(t, settings, (server, { admit }) => {
    const admission = admit({ type: 'public', limit: 'resolve' })
    const config = { ...admission.config, plainRead: read ?? readText }
    server.get('/hot/:name', { ...admission, config }, (request, reply) => {
      route.calls += 1
      const { body } = route
      return sendPlain(request, reply, { status: 200, headers: own, body })
    })
  })
  const port = await edge.listen()
  const get = (url: string, lines: readonly string[] = ['Host: x']): Promise<RawReply> =>
    send(port, [`GET ${url} HTTP/1.1`, ...lines])
  return { ...edge, route, port, get }
}

/** The headers of a reply, but for those that tell one request from another. */
function lasting({ headers }: RawReply): Record<string, string> {
  const passing = ['date', 'x-request-id', 'x-ratelimit-remaining']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)))
}

test('a reply is made once, and is that of its route, in each coding', async (t) => {
  const { get, route } = await openHot(t)
  const codings = ['', 'gzip, deflate', 'br', 'identity']
  for (const [asked, coding] of codings.entries()) {
    const lines = ['Host: x', ...(coding === '' ? [] : [`Accept-Encoding: ${coding}`])]
    const first = await get('/hot/a', lines)
    const again = await get('/hot/a', [...lines, 'User-Agent: another'])
    t.is(route.made, asked + 1)
    // A header that nothing knows is the framework's.
    const routed = await get('/hot/a', [...lines, 'X-New: 1'])
    t.is(route.calls, asked + 1)
    for (const reply of [again, routed]) {
      t.is(reply.status, 200)
      t.is(reply.body, first.body)
      t.deepEqual(lasting(reply), lasting(first))
    }
    t.is(first.headers['vary'], 'Accept-Encoding')
  }
})

test('it is counted, measured and logged as any other', async (t) => {
  const { get, route, metrics, logged, time } = await openHot(t, { LIMIT_RESOLVE: 3 })
  const left: unknown[] = []
  for (const id of ['request-1', 'request-2', 'request-3']) {
    const reply = await get('/hot/a', ['Host: x', `X-Request-Id: ${id}`])
    t.is(reply.headers['x-request-id'], id)
    t.is(reply.headers['x-ratelimit-limit'], '3')
    left.push(reply.headers['x-ratelimit-remaining'])
    t.is(reply.headers['x-ratelimit-reset'], String(time.nowMs / 1_000 + 3_600))
  }
  t.deepEqual([route.calls, route.made], [0, 1])
  t.deepEqual(left, ['2', '1', '0'])
  const refused = await get('/hot/a')
  t.is(refused.status, 429)
  t.like(JSON.parse(refused.body), { error: 'rate_limit_exceeded', retry_after: 3_600 })
  t.is(refused.headers['x-ratelimit-remaining'], '0')
  t.regex(refused.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
  const name = 'arklog_http_request_duration_seconds_count'
  const written = await metrics.registry.metrics()
  t.true(written.includes(`${name}{method="GET",route="/hot/:name",status="200"} 3`), written)
  const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  const ofReplies = lines.filter(({ status }) => status === 200)
  t.deepEqual(ofReplies.map(Object.keys), Array(3).fill(Object.keys(ofReplies[0] ?? {})))
  for (const line of ofReplies) {
    t.like(line, { level: 20, msg: 'request', method: 'GET', url: '/hot/a', ip: '127.0.0.1' })
  }
})

test('addresses are counted as the trusted proxies tell them', async (t) => {
  const { get, route } = await openHot(t, { LIMIT_RESOLVE: 5, TRUST_PROXY: ['127.0.0.0/8'] })
  const left = async (from: string) => {
    const reply = await get('/hot/a', ['Host: x', `X-Forwarded-For: ${from}`])
    return reply.headers['x-ratelimit-remaining']
  }
  t.is(await left('192.0.2.1'), '4')
  t.is(await left('192.0.2.2'), '4')
  t.is(await left('192.0.2.1'), '3')
  t.is(route.calls, 0)
})

test('what is no longer current is made anew', async (t) => {
  const { get, route } = await openHot(t)
  await get('/hot/a')
  route.body = Buffer.from('{"new":true}')
  t.is((await get('/hot/a')).body, '{"new":true}')
  t.is((await get('/hot/a')).body, '{"new":true}')
  t.is(route.made, 2)
})

test('only whoever asks for no more than the address is sent it', async (t) => {
  const { get, route, port } = await openHot(t)
  const more: readonly (readonly [status: number, ...lines: string[]])[] = [
    [200, 'Host: x', 'Authorization: Bearer reader'],
    [401, 'Host: x', 'Authorization: Bearer unknown'],
    [200, 'Host: x', 'If-None-Match: "2"'],
    [200, 'Host: x', 'X-API-Key: reader'],
    [400, 'Host: x', 'Host: y'],
    [400, 'Accept: */*'],
    [415, 'Host: x', 'Content-Encoding: gzip'],
  ]
  await get('/hot/a')
  for (const [status, ...lines] of more) {
    const before = route.calls
    t.is((await get('/hot/a', lines)).status, status, lines.join())
    t.is(route.calls, before + (status === 200 ? 1 : 0), lines.join())
  }
  const before = route.calls
  for (const url of ['/hot/a?b=c', '/hot/a?b=c', '/hot/b?']) await get(url)
  t.is(route.calls, before + 3)
  const head = await exchange(port, 'HEAD /hot/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  t.is(parseReply(head).body, '')
  t.is(route.calls, before + 4)
  // A reply to a credential is not for others.
  await get('/hot/c', ['Host: x', 'Authorization: Bearer reader'])
  await get('/hot/c')
  t.deepEqual([route.calls, route.made], [before + 5, 2])
})

const accented = JSON.stringify({ title: 'Über — 山田' })
const made: PlainReply = { status: 200, headers: own, body: Buffer.from(accented) }

test('a body is sent as it is, and in a coding', async (t) => {
  const asked: string[] = []
  const { get, route } = await openHot(t, {}, (rest) => {
    asked.push(rest)
    return made
  })
  const plain = await get('/hot/a%2e')
  t.is(plain.body, accented)
  t.is(plain.headers['content-length'], String(Buffer.byteLength(accented)))
  t.deepEqual(asked, ['a%2e'])
  const long = JSON.stringify({ title: 'Über — 山田 '.repeat(200) })
  const other = await openHot(t, {}, () => ({ ...made, body: Buffer.from(long) }))
  other.route.body = Buffer.from(long)
  const coded = await other.get('/hot/a', ['Host: x', 'Accept-Encoding: gzip'])
  const routed = await other.get('/hot/a', ['Host: x', 'Accept-Encoding: gzip', 'X-New: 1'])
  t.is(coded.headers['content-encoding'], 'gzip')
  t.is(coded.headers['etag'], routed.headers['etag'])
  t.is(coded.body, routed.body)
  t.deepEqual([route.calls, other.route.calls], [0, 1])
})

test('what is made at once and may be kept is not made again', async (t) => {
  let times = 0
  let isCurrent = true
  const { get, route } = await openHot(t, {}, () => {
    times += 1
    return { ...made, body: Buffer.from(accented), isCurrent: () => isCurrent }
  })
  for (const _ of [1, 2, 3]) t.is((await get('/hot/other')).body, accented)
  t.is(times, 1)
  isCurrent = false
  t.is((await get('/hot/other')).body, accented)
  t.is(times, 2)
  t.is(route.calls, 0)
})

test('what cannot be made at once is the route’s, and is counted once', async (t) => {
  const asked: string[] = []
  const { get, route } = await openHot(t, { LIMIT_RESOLVE: 6 }, (rest) => {
    asked.push(rest)
    if (rest === 'damaged') throw new Error('a row fails its checksum')
    if (rest === 'long') return { ...made, body: Buffer.alloc(65_537) }
    return rest === 'cold' ? made : undefined
  })
  const left: unknown[] = []
  for (const name of ['cold', 'cold', 'unknown', 'damaged', 'long', 'cold', 'cold', 'unknown']) {
    left.push((await get(`/hot/${name}`)).headers['x-ratelimit-remaining'])
  }
  t.deepEqual(left, ['5', '4', '3', '2', '1', '0', '0', '0'])
  t.is(route.calls, 3)
  t.deepEqual(asked, ['cold', 'cold', 'unknown', 'damaged', 'long', 'cold'])
})

test('a route below the address of another one admits its callers itself', async (t) => {
  const seen: string[] = []
  const { listen } = await openEdge(t, {}, (server, { admit }) => {
    const open = admit({ type: 'public', limit: 'resolve' })
    const config = { ...open.config, plainRead: () => undefined }
    server.get('/hot/:name', { ...open, config }, async () => 'open')
    const right = 'read works'
    const closed = admit({ type: 'key', prefix: '/v1', right, limit: 'works_read' })
    server.get('/hot/:name/secret', closed, async ({ caller }) => {
      seen.push(caller.kind)
      return 'secret'
    })
  })
  const port = await listen()
  const reply = await send(port, ['GET /hot/a/secret HTTP/1.1', 'Host: x'])
  t.is(reply.status, 401)
  t.deepEqual(seen, [])
  t.is((await send(port, ['GET /hot/a HTTP/1.1', 'Host: x'])).body, 'open')
})

test('requests that are sent at once are answered in their order', async (t) => {
  const { get, port } = await openHot(t)
  await get('/hot/a')
  const ask = (url: string) => `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`
  const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const all = await exchange(port, `${ask('/hot/a')}${ask('/hot/new')}${ask('/hot/a')}${last}`)
  const statuses = [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  t.deepEqual(statuses, ['200', '200', '200', '404'])
})

test('during a shutdown its reply ends the connection', async (t) => {
  const { get, port, server, route } = await openHot(t)
  await get('/hot/a')
  const connected = once(server.server, 'connection')
  const socket = net.connect({ host: '127.0.0.1', port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const [accepted] = (await connected) as [net.Socket]
  const begun = 'GET /hot/a HTTP/1.1\r\nHost: x\r\n'
  socket.write(begun)
  // Its connection is not idle by then.
  await until('the request has begun', () => accepted.bytesRead === begun.length)
  const closed = server.close()
  await until('nobody is let in', () => !server.server.listening)
  socket.write('\r\n')
  await once(socket, 'close')
  await closed
  t.is(parseReply(Buffer.concat(chunks).toString()).headers['connection'], 'close')
  t.is(route.calls, 1)
})
