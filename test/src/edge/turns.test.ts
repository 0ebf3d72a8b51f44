import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import test from 'ava'
import fastify from 'fastify'

import { createLongBodyTurns, createTurnQueues, disconnectSignal } from '#src/edge/turns.ts'
import { until } from '#test/_until.ts'

test('of one caller one long body is under way at a time, and callers take turns', async (t) => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const server = fastify()
  t.teardown(() => server.close())
  server.decorateRequest('caller')
  server.addHook('onRequest', async (request) => {
    request.caller = { kind: 'anonymous', ip: String(request.headers['x-address']) }
  })
  server.post<{ Params: { name: string } }>(
    '/:name',
    { preParsing: createLongBodyTurns(createTurnQueues()) },
    async ({ params: { name } }) => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    },
  )
  const send = (name: string, address: string) =>
    server.inject({
      method: 'POST',
      url: `/${name}`,
      headers: { 'x-address': address },
      payload: { name },
    })
  const first = send('first', '192.0.2.1')
  await until('the first request has begun', () => begun.length === 1)
  const second = send('second', '192.0.2.1')
  const other = send('other', '192.0.2.2')
  await until('that of another caller has begun', () => begun.length === 2)
  t.deepEqual(begun, ['first', 'other'])
  ends.get('first')?.()
  t.is((await first).body, 'first')
  await until('the second request has begun', () => begun.length === 3)
  t.deepEqual(begun, ['first', 'other', 'second'])
  for (const name of ['other', 'second']) ends.get(name)?.()
  t.is((await other).body, 'other')
  t.is((await second).body, 'second')
})

test('a client that left before anybody listened for it is gone', async (t) => {
  const left: boolean[] = []
  const server = fastify()
  t.teardown(() => server.close())
  const begun = Promise.withResolvers<void>()
  server.get('/', async (_request, reply) => {
    begun.resolve()
    await once(reply.raw, 'close')
    left.push(disconnectSignal(reply).aborted)
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const client = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await begun.promise
  client.destroy()
  await until('it has left', () => left.length === 1)
  t.deepEqual(left, [true])
})
