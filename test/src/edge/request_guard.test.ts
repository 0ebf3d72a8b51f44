import test from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'
import { send } from '#test/src/_raw.ts'

function openEcho(t: Parameters<typeof openEdge>[0]) {
  return openEdge(t, {}, (server) => {
    server.get('/', async () => 'read')
    server.post('/', async ({ body }) => ({ body }))
  })
}

test('a request has exactly one Host', async (t) => {
  const edge = await openEcho(t)
  const port = await edge.listen()
  for (const lines of [['Host: a', 'Host: b'], ['Host: a', 'hOST: a'], []]) {
    const reply = await send(port, ['GET / HTTP/1.1', ...lines])
    t.is(reply.status, 400)
    t.is(JSON.parse(reply.body).message, 'A request has exactly one Host header')
  }
  t.is((await send(port, ['GET / HTTP/1.1', 'Host: a'])).status, 200)
  t.is((await send(port, ['GET / HTTP/1.0'])).status, 200)
})

test('a body in another encoding or charset than plain UTF-8 is refused', async (t) => {
  const { server } = await openEcho(t)
  const post = (headers: Record<string, string>, payload = '{"a":1}') =>
    server.inject({ method: 'POST', url: '/', headers, payload })
  const json = { 'content-type': 'application/json' }
  const refused = [
    { ...json, 'content-encoding': 'gzip' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json;charset="latin1"' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'nonsense' },
    {},
  ]
  for (const headers of refused) {
    const reply = await post(headers)
    t.is(reply.statusCode, 415, JSON.stringify(headers))
    t.is(reply.json().error, 'unsupported_media_type')
  }
  const accepted = [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ]
  for (const type of accepted) {
    const reply = await post({ 'content-type': type, 'content-encoding': 'identity' })
    t.deepEqual(reply.json(), { body: { a: 1 } }, type)
  }
})

test('the client names its request if the name is fit, else the server does', async (t) => {
  const { server } = await openEcho(t)
  const idFor = async (sent: string) => {
    const reply = await server.inject({ url: '/', headers: { 'x-request-id': sent } })
    return reply.headers['x-request-id']
  }
  t.is(await idFor('my_request-01'), 'my_request-01')
  for (const sent of ['short', 'x'.repeat(65), 'with space', 'a"b{}cdefgh']) {
    t.regex(String(await idFor(sent)), /^[0-9a-f]{8}-[0-9a-f]{4}-4/, sent)
  }
})

test('every reply keeps browsers from guessing, running and framing it', async (t) => {
  const { server } = await openEcho(t)
  for (const url of ['/', '/nowhere']) {
    const { headers } = await server.inject(url)
    t.is(headers['x-content-type-options'], 'nosniff')
    t.is(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    t.is(headers['strict-transport-security'], 'max-age=31536000')
  }
})
