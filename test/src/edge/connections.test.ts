import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'
import { parseReply } from '#test/src/_raw.ts'

const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function openBound(t: ExecutionContext, settings: Record<string, unknown>) {
  const edge = await openEdge(t, settings, (server) => {
    server.get('/', async () => 'done')
  })
  const port = await edge.listen()
  const connect = async (localAddress = '127.0.0.1') => {
    const socket = net.connect({ host: '127.0.0.1', port, localAddress })
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  return { ...edge, connect }
}

async function answerOn(socket: net.Socket): Promise<number> {
  socket.write(ask)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return parseReply(chunk.toString()).status
}

test('an address has so many connections, and is told of the next one', async (t) => {
  const { connect, metrics } = await openBound(t, { CONNECTIONS_PER_ADDRESS_MAX: 2 })
  const first = await connect()
  t.is(await answerOn(first), 200)
  t.is(await answerOn(await connect()), 200)
  const third = await connect()
  const [chunk] = (await once(third, 'data')) as [Buffer]
  const reply = parseReply(chunk.toString())
  t.is(reply.status, 429)
  t.is(reply.headers['connection'], 'close')
  t.is(reply.headers['retry-after'], '1')
  t.like(JSON.parse(reply.body), { error: 'rate_limit_exceeded', retry_after: 1 })
  await once(third, 'close')
  t.is(await answerOn(await connect('127.0.0.2')), 200)
  t.is(await answerOn(first), 200)
  const written = await metrics.registry.metrics()
  t.true(written.includes('count{method="none",route="connection",status="429"} 1'), written)
  first.destroy()
  let status = 0
  while (status !== 200) status = await answerOn(await connect())
  t.is(status, 200)
})

for (const settings of [
  { CONNECTIONS_PER_ADDRESS_MAX: 'off' },
  { CONNECTIONS_PER_ADDRESS_MAX: 1, RATE_LIMITS: false },
  { CONNECTIONS_PER_ADDRESS_MAX: 1, TRUST_PROXY: ['127.0.0.0/8'] },
]) {
  test(`there is no bound with ${JSON.stringify(settings)}`, async (t) => {
    const { connect } = await openBound(t, settings)
    const sockets = [await connect(), await connect(), await connect()]
    for (const socket of sockets) t.is(await answerOn(socket), 200)
  })
}
