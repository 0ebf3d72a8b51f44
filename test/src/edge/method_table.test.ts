import test, { type ExecutionContext } from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'

function openMethods(t: ExecutionContext) {
  return openEdge(t, {}, (server, { admit }) => {
    server.get('/open', admit({ type: 'public', limit: 'public_read' }), async () => 'open')
    const access = { type: 'key', prefix: '/v1', limit: 'works_update' } as const
    server.put('/keyed', admit(access), async () => 'put')
    server.put('/closed/:id', async () => 'put')
    server.delete('/closed/:id', async () => 'deleted')
    server.post('/closed/all', async () => 'all')
    server.get('/:label(^k.*$)/*', async () => 'label')
    server.put('/:room(^o.*$)', async () => 'room')
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

test('a method that an address lacks leads to no other address that has it', async (t) => {
  const { server } = await openMethods(t)
  const put = await server.inject({ method: 'PUT', url: '/closed/all' })
  t.is(put.headers.allow, 'OPTIONS, POST')
  const post = await server.inject({ method: 'POST', url: '/closed/7' })
  t.is(post.headers.allow, 'DELETE, OPTIONS, PUT')
  t.is((await server.inject({ method: 'POST', url: '/closed/all' })).body, 'all')
  t.is((await server.inject('/k1/all')).body, 'label')
  t.is((await server.inject({ method: 'PUT', url: '/o1' })).body, 'room')
  t.is((await server.inject({ method: 'PUT', url: '/open' })).headers.allow, 'GET, HEAD, OPTIONS')
  const label = await server.inject({ method: 'DELETE', url: '/k1/x' })
  t.is(label.headers.allow, 'GET, HEAD, OPTIONS')
  const options = await server.inject({ method: 'OPTIONS', url: '/closed/all' })
  t.is(options.headers.allow, 'OPTIONS, POST')
})

test('what an address does not take is measured by its pattern', async (t) => {
  const { server, metrics } = await openMethods(t)
  await server.inject({ method: 'PATCH', url: '/closed/7' })
  await server.inject({ method: 'PATCH', url: '/nowhere' })
  const text = await metrics.registry.metrics()
  t.regex(text, /count\{method="PATCH",route="\/closed\/:id",status="405"\} 1/)
  t.regex(text, /count\{method="PATCH",route="none",status="404"\} 1/)
})

test('OPTIONS tells the methods, and lets web pages call what admits its callers', async (t) => {
  const { server } = await openMethods(t)
  const open = await server.inject({ method: 'OPTIONS', url: '/open' })
  t.is(open.statusCode, 204)
  t.is(open.headers.allow, 'GET, HEAD, OPTIONS')
  t.is(open.headers['access-control-allow-origin'], '*')
  t.is(open.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
  t.regex(String(open.headers['access-control-allow-headers']), /If-None-Match/)
  const keyed = await server.inject({ method: 'OPTIONS', url: '/keyed' })
  t.is(keyed.headers['access-control-allow-origin'], '*')
  t.is(keyed.headers['access-control-allow-methods'], 'OPTIONS, PUT')
  const sent = String(keyed.headers['access-control-allow-headers']).split(', ')
  for (const name of ['Authorization', 'X-API-Key', 'If-Match', 'Idempotency-Key']) {
    t.true(sent.includes(name), name)
  }
  const closed = await server.inject({ method: 'OPTIONS', url: '/closed/7' })
  t.is(closed.statusCode, 204)
  t.is(closed.headers.allow, 'DELETE, OPTIONS, PUT')
  t.is(closed.headers['access-control-allow-origin'], undefined)
})

test('a web page of any origin reads what admits its callers, refusals too', async (t) => {
  const { server } = await openMethods(t)
  const read = await server.inject('/open')
  t.is(read.headers['access-control-allow-origin'], '*')
  t.regex(String(read.headers['access-control-expose-headers']), /X-RateLimit-Remaining/)
  const refused = await server.inject({ url: '/open', headers: { authorization: 'Bearer x' } })
  t.is(refused.statusCode, 401)
  t.is(refused.headers['access-control-allow-origin'], '*')
  const refusals = [
    { method: 'PUT', url: '/keyed' },
    { method: 'PUT', url: '/keyed', payload: 'x'.repeat(2_000_000) },
    { method: 'PUT', url: '/keyed', headers: { 'content-encoding': 'gzip' } },
    { method: 'DELETE', url: '/keyed' },
  ] as const
  for (const request of refusals) {
    const reply = await server.inject(request)
    t.true(reply.statusCode >= 400)
    t.is(reply.headers['access-control-allow-origin'], '*', reply.body)
    t.is(reply.headers['access-control-allow-credentials'], undefined)
  }
})
