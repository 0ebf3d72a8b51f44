import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'

import { LogError } from '#log/tlog/errors.ts'
import { type AddAnswer, registerAddRoute } from '#src/cli/start/log_service.ts'
import { openEdge } from '#test/src/edge/_edge.ts'
import { exchange, parseReply, send } from '#test/src/_raw.ts'

/** A server whose log answers as told; `routed` counts what comes to its framework. */
async function openAdds(t: ExecutionContext, answer: (entry: Uint8Array) => Promise<AddAnswer>) {
  const entries: string[] = []
  const routed: string[] = []
  const edge = await openEdge(t, {}, (server) => {
    server.addHook('onSend', (request, _reply, payload, done) => {
      routed.push(request.id)
      done(null, payload)
    })
    registerAddRoute(server, {
      add(entry: Uint8Array) {
        entries.push(Buffer.from(entry).toString())
        return answer(entry)
      },
    })
  })
  const port = await edge.listen()
  const add = (lines: readonly string[], body = '') =>
    send(port, ['POST /log/add HTTP/1.1', 'Host: x', ...lines], body)
  return { ...edge, add, port, entries, routed }
}

const added = (leafIndex: number) => Promise.resolve({ type: 'added', leafIndex } as const)

test('an entry of known length goes past the framework, with the route’s headers', async (t) => {
  const { add, entries, routed, metrics, logged } = await openAdds(t, () => added(7))
  const reply = await add(['Content-Length: 5', 'X-Request-Id: request-1'], 'entry')
  t.is(reply.status, 200)
  t.is(reply.body, '7')
  t.is(reply.headers['x-request-id'], 'request-1')
  const route = await add(['Transfer-Encoding: chunked'], '5\r\nentry\r\n0\r\n\r\n')
  t.is(route.body, '7')
  const { 'x-request-id': _one, date: _date, ...headers } = route.headers
  t.like(reply.headers, headers)
  t.is((await add(['Content-Length: 0'])).body, '7')
  t.deepEqual(entries, ['entry', 'entry', ''])
  t.is(routed.length, 1)
  const name = 'arklog_http_request_duration_seconds_count'
  const written = await metrics.registry.metrics()
  t.true(written.includes(`${name}{method="POST",route="/log/add",status="200"} 3`), written)
  const line = logged.find((text) => text.includes('request-1')) ?? ''
  t.like(JSON.parse(line), { request_id: 'request-1', status: 200, ip: '127.0.0.1' })
})

test('what the framework must look at comes to the route', async (t) => {
  const { add, entries, routed } = await openAdds(t, () => added(0))
  const others: readonly (readonly [status: number, lines: readonly string[], body?: string])[] = [
    [415, ['Content-Encoding: gzip', 'Content-Length: 1'], 'x'],
    [413, ['Content-Length: 65536'], 'x'.repeat(65_536)],
    [200, []],
  ]
  for (const [status, lines, body] of others) {
    t.is((await add(lines, body)).status, status, lines.join())
  }
  t.deepEqual(entries, [''])
  t.is(routed.length, others.length)
  t.is((await add(['Host: y', 'Content-Length: 1'], 'x')).status, 400)
  t.is(entries.length, 1)
})

test('an entry that is not added is answered with an error', async (t) => {
  const answers: (() => Promise<AddAnswer>)[] = [
    () => Promise.resolve({ type: 'overloaded' }),
    () => Promise.reject(new LogError('store_failed', 'a write failed with unknown outcome')),
    () => added(1),
  ]
  const { add, logged } = await openAdds(t, () => (answers.shift() ?? (() => added(0)))())
  const busy = await add(['Content-Length: 1'], 'x')
  t.is(busy.status, 503)
  t.is(busy.headers['retry-after'], '1')
  t.like(JSON.parse(busy.body), { error: 'unavailable', message: 'Too many entries are waiting' })
  const failed = await add(['Content-Length: 1'], 'x')
  t.is(failed.status, 500)
  t.like(JSON.parse(failed.body), { error: 'internal_error' })
  t.false(failed.body.includes('unknown outcome'))
  t.true(logged.some((line) => line.includes('unknown outcome')))
  t.is((await add(['Content-Length: 1'], 'x')).body, '1')
})

test('entries of a connection are answered in order, and half of one adds nothing', async (t) => {
  let leaves = 0
  const { entries, port } = await openAdds(t, () => added(leaves++))
  const request = (body: string) =>
    `POST /log/add HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const last = 'GET /log/add HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const all = await exchange(port, `${request('a')}${request('bc')}${last}`)
  t.deepEqual(
    [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['200', '200', '405'],
  )
  t.is(parseReply(all).body.startsWith('0'), true)
  const socket = net.connect({ host: '127.0.0.1', port })
  socket.end(request('half').slice(0, -2))
  await once(socket.resume(), 'close')
  t.deepEqual(entries, ['a', 'bc'])
})
