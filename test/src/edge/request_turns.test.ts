import { once } from 'node:events'
import net from 'node:net'
import test, { type ExecutionContext } from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'
import { until } from '#test/_until.ts'

/** A server whose reads of `/waits` are answered when the test says so. */
async function openTurns(t: ExecutionContext) {
  const begun: string[] = []
  const answer = new Map<string, () => void>()
  const edge = await openEdge(t, {}, (server) => {
    server.get<{ Params: { name: string } }>('/waits/:name', async ({ params: { name } }) => {
      begun.push(name)
      await new Promise<void>((resolve) => answer.set(name, resolve))
      return name
    })
    server.get<{ Params: { name: string } }>('/news/:name', async (request, reply) => {
      reply.standAside()
      begun.push(request.params.name)
      await new Promise<void>((resolve) => answer.set(request.params.name, resolve))
      return 'news'
    })
    server.post<{ Params: { name: string } }>('/waits/:name', async ({ params: { name } }) => {
      begun.push(name)
      await new Promise<void>((resolve) => answer.set(name, resolve))
      return name
    })
    server.get<{ Params: { name: string } }>('/long/:name', async ({ params: { name } }) => {
      begun.push(name)
      return Buffer.alloc(8_388_608, name)
    })
  })
  const port = await edge.listen()
  return {
    ...edge,
    begun,
    end: (name: string) => answer.get(name)?.(),
    /** Sends a request on a connection of its own, which is closed with the test. */
    send(line: string, localAddress = '127.0.0.1'): net.Socket {
      const socket = net.connect({ host: '127.0.0.1', port, localAddress })
      socket.on('error', () => undefined)
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`)
      t.teardown(() => socket.destroy())
      return socket
    },
  }
}

test('two reads of an address are under way at a time, its writes and others go on', async (t) => {
  const { send, begun, end } = await openTurns(t)
  for (const name of ['a', 'b']) send(`GET /waits/${name}`)
  await until('two are under way', () => begun.length === 2)
  send('GET /waits/c')
  const other = send('GET /waits/other', '127.0.0.2')
  await until('that of another address is under way', () => begun.length === 3)
  t.deepEqual(begun.toSorted(), ['a', 'b', 'other'])
  for (const name of ['d', 'e']) send(`POST /waits/${name}`)
  await until('writes are under way', () => begun.includes('d') && begun.includes('e'))
  t.false(begun.includes('c'))
  end('a')
  await until('the next read is under way', () => begun.includes('c'))
  end('other')
  const [reply] = (await once(other, 'data')) as [Buffer]
  t.regex(reply.toString(), /^HTTP\/1\.1 200 /)
})

test('what is asked behind another request of its connection holds up no other', async (t) => {
  const { send, begun } = await openTurns(t)
  const line = (name: string) => `GET /waits/${name} HTTP/1.1\r\nHost: x\r\n\r\n`
  send(line('a') + line('b') + 'GET /waits/c')
  await until('the first is under way', () => begun.includes('a'))
  send('GET /waits/d')
  await until('that of another connection is under way', () => begun.includes('d'))
  t.pass()
})

test('a client that leaves makes room for its next read', async (t) => {
  const { send, begun } = await openTurns(t)
  const first = send('GET /waits/a')
  send('GET /waits/b')
  await until('two are under way', () => begun.length === 2)
  const gone = send('GET /waits/gone')
  send('GET /waits/c')
  gone.destroy()
  first.destroy()
  await until('the next read is under way', () => begun.includes('c'))
  t.false(begun.includes('gone'))
})

test('what waits for news holds up nothing', async (t) => {
  const { send, begun } = await openTurns(t)
  for (const name of ['a', 'b', 'c']) send(`GET /news/${name}`)
  await until('all wait for news', () => begun.length === 3)
  send('GET /waits/d')
  await until('a read is under way', () => begun.includes('d'))
  t.pass()
})

test('a long reply is under way until it has been taken', async (t) => {
  const { send, begun } = await openTurns(t)
  const unread = ['a', 'b'].map((name) => send(`GET /long/${name}`).pause())
  await until('two are under way', () => begun.length === 2)
  send('GET /waits/c')
  send('GET /waits/other', '127.0.0.2')
  await until('that of another address is under way', () => begun.includes('other'))
  t.false(begun.includes('c'))
  unread[0]?.resume()
  await until('the next read is under way', () => begun.includes('c'))
})
