import test, { type ExecutionContext } from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'
import { send } from '#test/src/_raw.ts'

function openMethods(t: ExecutionContext) {
  return openEdge(t, {}, (server, { admit }) => {
    server.get('/open', admit({ type: 'public', limit: 'public_read' }), async () => 'open')
    server.put('/closed/:id', async () => 'put')
    server.delete('/closed/:id', async () => 'deleted')
  })
}

test('a method that an address lacks is 405 with those that it has', async (t) => {
  const { server } = await openMethods(t)
  for (const method of ['POST', 'GET', 'PATCH', 'HEAD'] as const) {
    const reply = await server.inject({ method, url: '/closed/7' })
    t.is(reply.statusCode, 405, method)
    t.is(reply.headers.allow, 'DELETE, OPTIONS, PUT')
  }
  const reply = await server.inject({ method: 'POST', url: '/open', payload: 'not JSON' })
  t.is(reply.json().error, 'method_not_allowed')
  t.is(reply.json().message, 'This address takes GET, HEAD, OPTIONS')
  t.is((await server.inject({ method: 'POST', url: '/nowhere' })).statusCode, 404)
})

test('OPTIONS tells the methods, and lets web pages call what is public', async (t) => {
  const { server } = await openMethods(t)
  const open = await server.inject({ method: 'OPTIONS', url: '/open' })
  t.is(open.statusCode, 204)
  t.is(open.headers.allow, 'GET, HEAD, OPTIONS')
  t.is(open.headers['access-control-allow-origin'], '*')
  t.is(open.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
  t.regex(String(open.headers['access-control-allow-headers']), /If-None-Match/)
  const closed = await server.inject({ method: 'OPTIONS', url: '/closed/7' })
  t.is(closed.statusCode, 204)
  t.is(closed.headers.allow, 'DELETE, OPTIONS, PUT')
  t.is(closed.headers['access-control-allow-origin'], undefined)
})

test('what is public may be read by any web page, its errors included', async (t) => {
  const { server } = await openMethods(t)
  const read = await server.inject('/open')
  t.is(read.headers['access-control-allow-origin'], '*')
  t.regex(String(read.headers['access-control-expose-headers']), /X-RateLimit-Remaining/)
  const refused = await server.inject({ url: '/open', headers: { authorization: 'Bearer x' } })
  t.is(refused.statusCode, 401)
  t.is(refused.headers['access-control-allow-origin'], '*')
})

test('TRACE is refused and echoes nothing', async (t) => {
  const edge = await openMethods(t)
  const reply = await send(await edge.listen(), ['TRACE /open HTTP/1.1', 'Host: x', 'X-Secret: s3'])
  t.is(reply.status, 405)
  t.false(reply.body.includes('s3'))
})
