// Requests that try to get around the limits, or that two readers could understand in two ways.

import { once } from 'node:events'
import net from 'node:net'
import test from 'ava'

import { exchange, parseReply, send } from '#test/src/_raw.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

async function open(t: { teardown(close: () => unknown): void }, settings = {}) {
  const registry = await openRegistry(settings)
  t.teardown(registry.close)
  const key = await registry.createKey(['works:read', 'works:write'])
  return { ...registry, key, headers: { authorization: `Bearer ${key}` } }
}

test('40: no spelling of a path, a key or an address gets around a limit', async (t) => {
  const { server, key, headers } = await open(t, { LIMIT_WORKS_READ: 5, LIMIT_RESOLVE: 3 })
  const path = 'ark:/12345/k2nothing'
  const counted = [
    { url: `/v1/works/${path}`, headers },
    { url: `/v1/work/${path}`, headers: { 'x-api-key': key } },
    { url: `/api/v1/work/${path}?api_key=${key}` },
    { method: 'HEAD', url: `/v1/works/${path}/versions`, headers },
  ] as const
  for (const [calls, request] of counted.entries()) {
    const reply = await server.inject(request)
    t.is(reply.statusCode, 404)
    t.is(reply.headers['x-ratelimit-remaining'], String(4 - calls))
  }
  // Neither counts: one is no call, the other no address of ours.
  t.is(
    (await server.inject({ method: 'OPTIONS', url: `/v1/works/${path}`, headers })).statusCode,
    204,
  )
  const shouted = await server.inject({ url: `/V1/Works/${path}`, headers })
  t.is(shouted.statusCode, 404)
  t.is(shouted.headers['x-ratelimit-limit'], undefined)
  t.is((await server.inject({ url: `/v1/works/${path}`, headers })).statusCode, 404)
  t.is((await server.inject({ url: `/v1/works/${path}`, headers })).statusCode, 429)

  for (const [calls, forwarded] of ['203.0.113.1', '203.0.113.2', '203.0.113.3'].entries()) {
    const reply = await server.inject({
      url: `/v1/resolve/${path}`,
      remoteAddress: `2001:db8::${calls}`,
      headers: { 'x-forwarded-for': forwarded },
    })
    t.is(reply.headers['x-ratelimit-remaining'], String(2 - calls))
  }
  const refused = await server.inject({
    url: `/v1/resolve/${path}`,
    remoteAddress: '2001:db8::9:9',
  })
  t.is(refused.statusCode, 429)
  const { request_id, ...body } = refused.json()
  t.is(request_id, refused.headers['x-request-id'])
  t.deepEqual(body, {
    error: 'rate_limit_exceeded',
    message: 'Retry after 3600 seconds',
    retry_after: 3_600,
  })
})

test('42: CR and LF reach no header', async (t) => {
  const registry = await open(t)
  const port = await registry.listen()
  const reply = await send(port, [
    'GET /v1/resolve/ark:/12345/x%0d%0aX-Evil:%201 HTTP/1.1',
    'Host: x',
  ])
  t.is(reply.status, 400)
  t.is(reply.headers['x-evil'], undefined)
  const payload = { ...goodWork, work_url: 'https://x.example/\r\nX-Evil: 1' }
  const { server, headers } = registry
  const created = await server.inject({ method: 'POST', url: '/v1/works', headers, payload })
  t.is(created.statusCode, 422)
  t.is(created.json().details[0].field, 'work_url')
})

test('42: the Host of a request is in no link', async (t) => {
  const { server, headers } = await open(t)
  const options = { method: 'POST', url: '/v1/works', payload: goodWork } as const
  const poison = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const reply = await server.inject({ ...options, headers: { ...headers, ...poison } })
  t.is(reply.statusCode, 201)
  t.true(String(reply.headers.location).startsWith(`${baseUrl}/`))
  t.false(reply.body.includes('evil'))
})

test('42: a method is not overridden by a header', async (t) => {
  const { server, headers } = await open(t)
  const override = { ...headers, 'x-http-method-override': 'DELETE', 'x-method-override': 'PUT' }
  const url = '/v1/works/ark:/12345/k2nothing'
  const reply = await server.inject({ url, headers: override })
  t.is(reply.statusCode, 404)
  t.is((await server.inject({ method: 'POST', url, headers: override })).statusCode, 405)
})

test('42: TRACE is refused and echoes nothing', async (t) => {
  const registry = await open(t)
  const port = await registry.listen()
  for (const path of ['/v1/work-types', '/v1/works/ark:/1/x']) {
    const reply = await send(port, [`TRACE ${path} HTTP/1.1`, 'Host: x', 'X-API-Key: s3cret'])
    t.is(reply.status, 405)
    t.false(reply.body.includes('s3cret'))
  }
})

test('42: a request whose length or host can be understood in two ways is refused', async (t) => {
  const registry = await open(t)
  const port = await registry.listen()
  const post = ['POST /v1/works HTTP/1.1', 'Host: x', 'Content-Type: application/json']
  const smuggled = '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const ambiguous = [
    [...post, `Content-Length: ${smuggled.length}`, 'Transfer-Encoding: chunked'],
    [...post, 'Content-Length: 5', 'Content-Length: 6'],
    [...post, 'Transfer-Encoding: chunked, identity'],
    [...post, 'Content-Length: +5'],
    ['GET /healthz HTTP/1.1', 'Host: x', 'Host: y'],
    ['GET /healthz HTTP/1.1'],
  ]
  for (const lines of ambiguous) {
    const reply = await send(port, lines, lines[0] === post[0] ? smuggled : '')
    t.is(reply.status, 400, lines.join(' '))
    t.is(JSON.parse(reply.body).error, 'bad_request')
  }
})

test('42: a request that trickles in is cut off, in its head and in its body', async (t) => {
  const registry = await open(t)
  const port = await registry.listen()
  // As the server has them, but for the length of the wait.
  registry.server.server.headersTimeout = 20
  registry.server.server.requestTimeout = 40
  const head = 'POST /v1/works HTTP/1.1\r\nHost: x\r\n'
  const rest = ['X-API-Key: ' + registry.key, 'Content-Type: application/json', 'Content-Length: 9']
  for (const bytes of [head, [head + rest.join('\r\n'), '', '{'].join('\r\n')]) {
    const reply = parseReply(await exchange(port, bytes))
    t.is(reply.status, 408)
    t.is(JSON.parse(reply.body).error, 'request_timeout')
  }
})

test('42: a crowd of idle connections keeps nobody out', async (t) => {
  const registry = await open(t)
  const port = await registry.listen()
  const from = { host: '127.0.0.1', port, localAddress: '127.0.0.2' }
  const idle = Array.from({ length: 500 }, () => net.connect(from))
  await Promise.all(idle.map((socket) => once(socket, 'connect')))
  const reply = await send(port, ['GET /healthz HTTP/1.1', 'Host: x'])
  t.is(reply.status, 200)
  for (const socket of idle) socket.destroy()
})
