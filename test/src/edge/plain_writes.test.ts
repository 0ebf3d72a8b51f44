import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'

import type { EdgeDependencies } from '#src/edge/edge.ts'
import type { PlainWrite } from '#src/edge/fast_path.ts'
import { jsonType, sendPlain } from '#src/edge/rendered_reply.ts'
import { HttpError } from '#src/edge/errors.ts'
import { until } from '#test/_until.ts'
import { exchange, parseReply, type RawReply, send } from '#test/src/_raw.ts'
import { openEdge } from '#test/src/edge/_edge.ts'

type Body = { readonly title?: string }

const positions: NonNullable<EdgeDependencies['positions']> = {
  live: () => 0,
  sandbox: () => 0,
  identity: () => 0,
}

/**
 * A server with a route that writes. `writes` are the titles that came to its handler, and `calls`
 * the requests that came to the framework.
 */
async function openWrites(
  t: ExecutionContext,
  settings: Record<string, unknown> = {},
  more: Pick<EdgeDependencies, 'positions'> = {},
) {
  const seen = { calls: [] as unknown[], writes: [] as unknown[] }
  const plainWrite: PlainWrite = async ({ body }) => {
    const { title = '' } = body as Body
    seen.writes.push(title)
    if (title === 'refused') throw new HttpError('conflict', 'It is there already')
    if (title === 'broken') throw new TypeError('a bug')
    if (title.startsWith('many')) throw new HttpError('validation_failed', title)
    const text = Buffer.from(JSON.stringify({ title }))
    const headers = { etag: 'W/"1"', location: '/things/1', 'content-type': jsonType }
    return { status: 201, headers, body: text }
  }
  const register: Parameters<typeof openEdge>[2] = (server, { admit }) => {
    const right = 'mint works'
    const admission = admit({ type: 'key', prefix: '/v1', right, limit: 'works_create' })
    const config = { ...admission.config, plainWrite }
    server.addHook('onSend', (request, _reply, payload, done) => {
      seen.calls.push(request.url)
      done(null, payload)
    })
    server.post('/things', { ...admission, config }, async (request, reply) => {
      return sendPlain(request, reply, await plainWrite(request))
    })
  }
  const edge = await openEdge(t, settings, register, more)
  const port = await edge.listen()
  const post = (body: string, ...lines: readonly string[]): Promise<RawReply> =>
    send(port, ['POST /things HTTP/1.1', ...withDefaults(body, lines)], body)
  /** In a form that the framework alone takes. */
  const postChunked = (body: string, ...lines: readonly string[]): Promise<RawReply> => {
    const chunks = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const own = withDefaults(body, [...lines, 'Content-Length:', 'Transfer-Encoding: chunked'])
    return send(port, ['POST /things HTTP/1.1', ...own], chunks)
  }
  return { ...edge, ...seen, port, post, postChunked }
}

const plainLines = ['Host: x', 'Authorization: Bearer writer', 'Content-Type: application/json']

/** The lines of a plain request, but for headers that are told: `Name:` alone leaves one out. */
function withDefaults(body: string, lines: readonly string[]): string[] {
  const nameOf = (line: string) => line.split(':', 1)[0]
  const told = new Set(lines.map(nameOf))
  const all = [...plainLines, `Content-Length: ${Buffer.byteLength(body)}`]
  const kept = all.filter((line) => !told.has(nameOf(line)))
  return [...kept, ...lines.filter((line) => !line.endsWith(':'))]
}

/** An id of a refusal changes its length in a coding. */
const ofBody = { 'content-length': '' }

const titled = (title: string) => JSON.stringify({ title })

/** The headers of a reply, but for those that tell one request from another. */
function lasting({ headers }: RawReply): Record<string, string> {
  const own = ['date', 'x-request-id', 'x-ratelimit-remaining']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))
}

test('a plain write goes past the framework, and its reply is that of the route', async (t) => {
  const { post, postChunked, calls, writes } = await openWrites(t)
  for (const title of ['Über — 山田', 'refused', 'broken']) {
    const direct = await post(titled(title))
    const routed = await postChunked(titled(title))
    t.is(direct.status, routed.status)
    t.deepEqual(lasting(direct), lasting(routed))
    const [one, other] = [direct, routed].map(({ body }) => JSON.parse(body) as object)
    t.deepEqual({ ...one, request_id: '' }, { ...other, request_id: '' })
  }
  t.deepEqual(
    writes,
    ['Über — 山田', 'refused', 'broken'].flatMap((title) => [title, title]),
  )
  t.is(calls.length, 3)
})

test('a body that is not strict JSON is refused as by the route', async (t) => {
  const { post, postChunked, calls, writes } = await openWrites(t)
  for (const body of ['{"title":1,"title":2}', '{', '\ufeff{}', '{"a":"\\ud800"}', '{}x']) {
    const direct = await post(body)
    const routed = await postChunked(body)
    t.is(direct.status, 400)
    t.deepEqual(lasting(direct), lasting(routed))
    const { message } = JSON.parse(direct.body) as { message: string }
    t.is(message, (JSON.parse(routed.body) as { message: string }).message)
  }
  t.deepEqual([calls.length, writes.length], [5, 0])
})

test('a long reply, and a long refusal, come in the coding that is asked for', async (t) => {
  const { post, postChunked, calls, writes } = await openWrites(t)
  for (const [title, coding] of [
    ['x'.repeat(2_000), 'gzip'],
    [`many ${'x'.repeat(2_000)}`, 'br'],
    ['short', 'gzip'],
  ] as const) {
    const accepted = `Accept-Encoding: ${coding}`
    const direct = await post(titled(title), accepted)
    const routed = await postChunked(titled(title), accepted)
    t.is(direct.headers['content-encoding'], title === 'short' ? undefined : coding)
    t.deepEqual({ ...lasting(direct), ...ofBody }, { ...lasting(routed), ...ofBody })
  }
  t.deepEqual([calls.length, writes.length], [3, 6])
})

test('what is not plain is the framework’s', async (t) => {
  const { port, post, calls, writes } = await openWrites(t)
  const body = titled('one')
  const others: readonly (readonly [status: number, ...lines: string[]])[] = [
    [415, 'Content-Type: text/plain'],
    [415, 'Content-Type: application/json; charset=latin1'],
    [415, 'Content-Encoding: gzip'],
    [400, 'Content-Length: 0'],
    [201, 'Idempotency-Key: one'],
    [201, 'Content-Type: application/json;profile=x'],
    [201, 'Cookie: svc_read_after=1.2.3'],
  ]
  for (const [nth, [status, ...lines]] of others.entries()) {
    t.is((await post(body, ...lines)).status, status, lines.join())
    t.is(calls.length, nth + 1, lines.join())
  }
  const long = titled('x'.repeat(65_536))
  t.is((await post(long)).status, 201)
  const asked = ['POST /things?a=b HTTP/1.1', ...withDefaults(body, [])]
  t.is((await send(port, asked, body)).status, 201)
  t.deepEqual([calls.length, writes.length], [others.length + 2, 5])
  t.is((await post(body, 'Content-Type: Application/JSON; charset=UTF-8')).status, 201)
  t.deepEqual([calls.length, writes.length], [others.length + 2, 6])
})

test('a plain write that is not admitted is refused as by the route', async (t) => {
  const { post, postChunked, calls, writes } = await openWrites(t)
  const body = titled('one')
  for (const [status, ...lines] of [
    [401, 'Authorization: Basic eA=='],
    [401, 'Authorization: Bearer unknown'],
    [403, 'Authorization: Bearer reader'],
    [400, 'Host: y', 'Host: x'],
  ] as const) {
    const direct = await post(body, ...lines)
    t.is(direct.status, status, lines.join())
    t.deepEqual(lasting(direct), lasting(await postChunked(body, ...lines)))
  }
  t.deepEqual([calls.length, writes.length], [4, 0])
})

test('what is written in the sandbox says so', async (t) => {
  const { post } = await openWrites(t)
  const { headers } = await post(titled('one'), 'Authorization: Bearer trier')
  t.is(headers['x-svc-environment'], 'sandbox')
})

test('a write is counted once, whichever way it goes', async (t) => {
  const { post, postChunked, calls, writes } = await openWrites(t, { LIMIT_WORKS_CREATE: 3 })
  const left: unknown[] = []
  for (const ask of [post, postChunked, post, post, post]) {
    const { status, headers } = await ask(titled('one'))
    left.push([status, headers['x-ratelimit-remaining']])
  }
  const admitted = ['2', '1', '0'].map((remaining) => [201, remaining])
  t.deepEqual(left, [...admitted, [429, '0'], [429, '0']])
  t.deepEqual([calls.length, writes.length], [1, 3])
})

test('wrong credentials are counted once', async (t) => {
  const { post } = await openWrites(t, { LIMIT_FAILED_CREDENTIALS: 2 })
  const statuses: number[] = []
  for (const _ of [1, 2, 3]) {
    statuses.push((await post(titled('one'), 'Authorization: Bearer unknown')).status)
  }
  t.deepEqual(statuses, [401, 401, 429])
})

test('a write is measured and logged, and a bug with its cause', async (t) => {
  const { post, metrics, logged } = await openWrites(t)
  await post(titled('one'), 'X-Request-Id: request-1')
  const broken = await post(titled('broken'), 'X-Request-Id: request-2')
  t.is(broken.headers['x-request-id'], 'request-2')
  t.like(JSON.parse(broken.body), { error: 'internal_error', request_id: 'request-2' })
  const name = 'arklog_http_request_duration_seconds_count'
  const written = await metrics.registry.metrics()
  for (const status of ['201', '500']) {
    t.true(written.includes(`${name}{method="POST",route="/things",status="${status}"} 1`), written)
  }
  const all = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  const lines = all.filter((line) => 'request_id' in line)
  const request = { msg: 'request', method: 'POST', url: '/things', ip: '127.0.0.1' }
  t.like(lines[0], { level: 20, request_id: 'request-1', status: 201, ...request })
  t.like(lines[1], { level: 50, request_id: 'request-2', err: { message: 'a bug' } })
  t.like(lines[2], { level: 30, request_id: 'request-2', status: 500, ...request })
})

test('a body may come in pieces, and one that is never whole writes nothing', async (t) => {
  const { port, server, writes, calls } = await openWrites(t)
  const body = titled('in pieces, Über')
  const bytes = Buffer.from(body)
  const head = ['POST /things HTTP/1.1', ...withDefaults(body, ['Connection: close'])]
  const sendPieces = async (pieces: readonly Uint8Array[]) => {
    const connected = once(server.server, 'connection')
    const socket = net.connect({ host: '127.0.0.1', port }).setNoDelay()
    const [accepted] = (await connected) as [net.Socket]
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    for (const piece of pieces) {
      await until('what was sent is read', () => accepted.bytesRead === socket.bytesWritten)
      socket.write(piece)
    }
    if (pieces.reduce((sum, { length }) => sum + length, 0) < bytes.length) socket.end()
    await once(socket, 'close')
    return Buffer.concat(chunks).toString()
  }
  const middle = bytes.indexOf(0xc3) + 1
  const whole = await sendPieces([bytes.subarray(0, middle), bytes.subarray(middle)])
  t.is(parseReply(whole).status, 201)
  await sendPieces([bytes.subarray(0, middle)])
  t.deepEqual([writes, calls], [['in pieces, Über'], []])
})

test('writes that are sent at once are answered in their order', async (t) => {
  const { port, writes } = await openWrites(t)
  const ask = (title: string, ...lines: string[]) => {
    const body = titled(title)
    return ['POST /things HTTP/1.1', ...withDefaults(body, lines), '', body].join('\r\n')
  }
  const all = await exchange(port, ask('a') + ask('b') + ask('c', 'Connection: close'))
  t.deepEqual(
    [...all.matchAll(/"title":"(\w)"/g)].map(([, title]) => title),
    ['a', 'b', 'c'],
  )
  t.deepEqual(writes, ['a', 'b', 'c'])
})

test('where other nodes have the registry, replies tell how far it has come', async (t) => {
  const { post, postChunked, calls } = await openWrites(t, {}, { positions })
  for (const lines of [[], ['Cookie: a=b']]) {
    const direct = await post(titled('one'), ...lines)
    t.is(direct.headers['x-read-after'], '0.0.0')
    t.deepEqual(lasting(direct), lasting(await postChunked(titled('one'), ...lines)))
  }
  t.is(calls.length, 2)
})

test('a write that is under way at a shutdown is answered', async (t) => {
  const { port, server, writes } = await openWrites(t)
  const socket = net.connect({ host: '127.0.0.1', port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const body = titled('late')
  const arrived = once(server.server, 'request')
  socket.write(['POST /things HTTP/1.1', ...withDefaults(body, []), '', ''].join('\r\n'))
  await arrived
  const closed = server.close()
  await until('nobody is let in', () => !server.server.listening)
  socket.write(body)
  await once(socket, 'close')
  await closed
  t.is(parseReply(Buffer.concat(chunks).toString()).status, 201)
  t.deepEqual(writes, ['late'])
})
