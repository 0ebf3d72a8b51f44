import http from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import test from 'ava'

import { createLogger } from '#src/edge/logger.ts'
import { listenOnSecondPort } from '#src/cli/start/ports.ts'
import { openEdge } from '#test/src/edge/_edge.ts'
import { freePort } from '#test/_free_port.ts'

test('a server answers alike on its second port, and ends there too', async (t) => {
  const edge = await openEdge(t, {}, (server) => {
    server.get('/hello', { schema: { hide: true } }, () => ({ hello: 'there' }))
  })
  await edge.listen()
  const port = await freePort()
  const logger = createLogger('silent', { write: () => undefined })
  const opened = new AsyncDisposableStack()
  const second = { host: '127.0.0.1', port, reusePort: false, graceMs: 1_000, logger }
  await listenOnSecondPort(edge.server, second, opened)
  const answer = await get(port, '/hello')
  t.is(answer.status, 200)
  t.deepEqual(JSON.parse(answer.body), { hello: 'there' })
  t.like(JSON.parse((await get(port, '/nothing')).body), { error: 'not_found' })
  t.regex(await raw(port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 .*"bad_request"/s)
  await opened.disposeAsync()
  await t.throwsAsync(get(port, '/hello'), { code: 'ECONNREFUSED' })
})

async function get(port: number, path: string): Promise<{ status: number; body: string }> {
  const request = http.get({ host: '127.0.0.1', port, path, agent: false })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

async function raw(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
