import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { setTimeout as sleep } from 'node:timers/promises'

import { encodeText } from '#actors/values/serialization.ts'
import type { DirectReply, ReplyAtOnce } from '#src/edge/direct_replies.ts'
import { openEdge } from '#test/src/edge/_edge.ts'
import { exchange, parseReply, type RawReply, send } from '#test/src/_raw.ts'

const text = Buffer.from(JSON.stringify({ long: 'Things that are asked for. '.repeat(100) }))

/** A server with a route that counts how often it was asked, may change, and replies `direct`. */
async function openHot(
  t: ExecutionContext,
  settings: Record<string, unknown> = {},
  direct: ReplyAtOnce = () => undefined,
) {
  const route = { calls: 0, body: text }
  const edge = await openEdge(t, settings, (server, { admit }) => {
    const admission = admit({ type: 'public', limit: 'resolve' })
    const config = { ...admission.config, direct }
    server.get('/hot/:name', { ...admission, config }, (request, reply) => {
      const { body } = route
      route.calls += 1
      reply.isCurrent = () => route.body === body && !request.url.includes('cold')
      if (request.url.includes('cookie')) reply.header('set-cookie', 'own=1')
      return reply.type('application/json').header('etag', 'W/"1"').send(body)
    })
  })
  const port = await edge.listen()
  const get = (url: string, lines: readonly string[] = ['Host: x']): Promise<RawReply> =>
    send(port, [`GET ${url} HTTP/1.1`, ...lines])
  return { ...edge, route, port, get }
}

/** The headers of a reply, but for those that tell one request from another. */
function lasting({ headers }: RawReply): Record<string, string> {
  const own = ['date', 'x-request-id', 'x-ratelimit-remaining']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))
}

test('a reply is sent again as its route has sent it, in each coding', async (t) => {
  const { get, route } = await openHot(t)
  const codings = ['', 'gzip, deflate', 'br', 'identity']
  for (const [asked, coding] of codings.entries()) {
    const lines = ['Host: x', ...(coding === '' ? [] : [`Accept-Encoding: ${coding}`])]
    const first = await get('/hot/a', lines)
    const again = await get('/hot/a', [...lines, 'User-Agent: another'])
    t.is(route.calls, asked + 1)
    t.is(again.status, 200)
    t.is(again.body, first.body)
    t.deepEqual(lasting(again), lasting(first))
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
  t.is(route.calls, 1)
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
  t.is(route.calls, 1)
})

test('what is no longer current is made anew', async (t) => {
  const { get, route } = await openHot(t)
  await get('/hot/a')
  route.body = Buffer.from('{"new":true}')
  t.is((await get('/hot/a')).body, '{"new":true}')
  t.is((await get('/hot/a')).body, '{"new":true}')
  t.is(route.calls, 2)
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
  for (const url of ['/hot/a?b=c', '/hot/a?b=c', '/hot/b']) await get(url)
  t.is(route.calls, before + 3)
  const head = await exchange(port, 'HEAD /hot/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  t.is(parseReply(head).body, '')
  t.is(route.calls, before + 4)
  // A reply to a credential is not for others.
  await get('/hot/c', ['Host: x', 'Authorization: Bearer reader'])
  await get('/hot/c')
  t.is(route.calls, before + 6)
})

const accented = JSON.stringify({ title: 'Über — 山田' })
const made: DirectReply = { body: encodeText(accented), etag: 'W/"2"', uses: [] }

test('what is made at once is sent with the headers of the route', async (t) => {
  const asked: string[] = []
  const { get, route } = await openHot(t, {}, (rest) => {
    asked.push(rest)
    return made
  })
  const first = await get('/hot/cold')
  t.is(first.body, text.toString())
  const second = await get('/hot/cold%2e')
  t.is(second.body, accented)
  t.is(second.headers['content-length'], String(Buffer.byteLength(accented)))
  t.deepEqual(asked, ['cold', 'cold%2e'])
  t.is(route.calls, 1)
  const ofBody = { etag: 'W/"1"', 'content-length': String(text.length) }
  t.deepEqual({ ...lasting(second), ...ofBody }, lasting(first))
  // In a content coding it is the route's.
  const coded = await get('/hot/cold', ['Host: x', 'Accept-Encoding: gzip'])
  t.is(coded.headers['content-encoding'], 'gzip')
  t.is(route.calls, 2)
})

test('a reply that sets a cookie is neither kept nor learned from', async (t) => {
  const { get, route } = await openHot(t, {}, () => made)
  for (const name of ['a', 'cookie', 'cookie']) await get(`/hot/${name}`)
  t.is(route.calls, 1)
  const other = await openHot(t, {}, () => made)
  for (const _ of [1, 2]) t.truthy((await other.get('/hot/cookie')).headers['set-cookie'])
  t.is(other.route.calls, 2)
  t.is((await other.get('/hot/cold')).headers['set-cookie'], undefined)
  t.is((await other.get('/hot/cold')).body, accented)
})

test('what is made at once and may be kept is not made again', async (t) => {
  let times = 0
  let isCurrent = true
  const { get, route } = await openHot(t, {}, () => {
    times += 1
    return { ...made, body: Buffer.from(accented), isCurrent: () => isCurrent }
  })
  await get('/hot/cold')
  for (const _ of [1, 2, 3]) t.is((await get('/hot/other')).body, accented)
  t.is(times, 2)
  isCurrent = false
  t.is((await get('/hot/other')).body, accented)
  t.is(times, 3)
  t.is(route.calls, 1)
})

test('what cannot be made at once is the route’s, and is counted once', async (t) => {
  const asked: string[] = []
  const { get, route } = await openHot(t, { LIMIT_RESOLVE: 6 }, (rest) => {
    asked.push(rest)
    if (rest === 'damaged') throw new Error('a row fails its checksum')
    if (rest === 'long') return { ...made, body: 'x'.repeat(65_537) as typeof made.body }
    return rest === 'cold' ? made : undefined
  })
  const left: unknown[] = []
  for (const name of ['cold', 'cold', 'unknown', 'damaged', 'long', 'cold', 'cold', 'unknown']) {
    left.push((await get(`/hot/${name}`)).headers['x-ratelimit-remaining'])
  }
  t.deepEqual(left, ['5', '4', '3', '2', '1', '0', '0', '0'])
  // The first, the three that could not be made, and the two beyond the limit, which it refuses.
  t.is(route.calls, 4)
  t.deepEqual(asked, ['cold', 'cold', 'unknown', 'damaged', 'long', 'cold'])
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
  const socket = net.connect({ host: '127.0.0.1', port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'connect')
  socket.write('GET /hot/a HTTP/1.1\r\nHost: x\r\n')
  // The request has begun, so that its connection is not idle.
  while ((await connectionsOf(server.server)) === 0) await sleep(5)
  await sleep(50)
  const closed = server.close()
  while (server.server.listening) await sleep(5)
  socket.write('\r\n')
  await once(socket, 'close')
  await closed
  t.is(parseReply(Buffer.concat(chunks).toString()).headers['connection'], 'close')
  t.is(route.calls, 2)
})

function connectionsOf(server: net.Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count))
  })
}
