import { once } from 'node:events'
import net from 'node:net'
import test from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'
import { exchange, parseReply } from '#test/src/_raw.ts'

test('a shutdown finishes what is in flight and ends connections that are kept', async (t) => {
  const started = Promise.withResolvers<void>()
  const mayFinish = Promise.withResolvers<void>()
  const edge = await openEdge(t, {}, (server) => {
    server.get('/slow', async () => {
      started.resolve()
      await mayFinish.promise
      return 'done'
    })
    server.get('/quick', async () => 'done')
  })
  const port = await edge.listen()
  const idle = net.connect({ host: '127.0.0.1', port })
  idle.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  const busy = exchange(port, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await started.promise
  const closed = edge.server.close()
  mayFinish.resolve()
  const reply = parseReply(await busy)
  t.is(reply.status, 200)
  t.is(reply.body, 'done')
  await closed
  if (!idle.destroyed) await once(idle, 'close')
  t.pass()
})

test('a shutdown ends within its grace, whatever a handler does', async (t) => {
  const started = Promise.withResolvers<void>()
  const edge = await openEdge(t, { SHUTDOWN_GRACE_MS: 100 }, (server) => {
    server.get('/never', () => {
      started.resolve()
      return new Promise<never>(() => undefined)
    })
  })
  const port = await edge.listen()
  const hanging = exchange(port, 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n')
  await started.promise
  await edge.server.close()
  t.is(await hanging, '')
})

test('connections beyond the bound are closed', async (t) => {
  const edge = await openEdge(t, { CONNECTIONS_MAX: 1 }, (server) => {
    server.get('/', async () => 'done')
  })
  const port = await edge.listen()
  const first = net.connect({ host: '127.0.0.1', port })
  first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(first, 'data')
  t.is(await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'), '')
  first.destroy()
})

test('requests are measured by the pattern of their route', async (t) => {
  const { server, metrics } = await openEdge(t, {}, (routes) => {
    routes.get('/v1/works/:ark', async () => 'work')
  })
  await server.inject('/v1/works/ark:/12345/k2bcd')
  await server.inject('/v1/work/ark:/12345/k2bcf')
  await server.inject('/nowhere/at/all')
  const text = await metrics.registry.metrics()
  const name = 'arklog_http_request_duration_seconds_count'
  t.true(text.includes(`${name}{method="GET",route="/v1/works/:ark",status="200"} 2`), text)
  t.true(text.includes(`${name}{method="GET",route="none",status="404"} 1`))
  t.false(text.includes('k2bcd'))
})

test('a request is one line of the log, without the key in its address', async (t) => {
  const { server, logged } = await openEdge(t, {}, (routes) => {
    routes.get('/', async () => 'done')
  })
  await server.inject('/?api_key=svc_live_0123456789abcdef')
  await server.inject('/nowhere')
  const lines = logged.map((line) => JSON.parse(line))
  t.is(lines.length, 2)
  t.like(lines[0], { level: 20, method: 'GET', url: '/?api_key=[redacted]', status: 200 })
  t.like(lines[1], { level: 30, method: 'GET', url: '/nowhere', status: 404 })
})
