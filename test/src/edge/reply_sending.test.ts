// How long replies leave a server, and what becomes of readers who do not take them.

import { once } from 'node:events'
import net from 'node:net'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import type { Config } from '#config/schema.ts'
import { until } from '#test/_until.ts'
import { openEdge, type TestEdge } from '#test/src/edge/_edge.ts'
import { parseReply } from '#test/src/_raw.ts'

const mebibyte = 1_048_576

/** More than the kernel takes for a reader who takes nothing. */
const longBytes = 24 * mebibyte

const texts = ['x'.repeat(65_537), '\u{1F4DA}'.repeat(40_000), 'x'.repeat(65_536), 'short', '']

async function openLong(
  t: ExecutionContext,
  settings: Partial<Record<keyof Config, unknown>> = {},
): Promise<TestEdge & { readonly port: number }> {
  const edge = await openEdge(t, settings, (server) => {
    server.get('/long', async () => Buffer.alloc(longBytes, 'x'))
    server.get('/short', async () => 'short')
    server.get('/text/:index', async (request) => {
      const { index } = request.params as { index: string }
      return texts[Number(index)]
    })
  })
  return { ...edge, port: await edge.listen() }
}

function ask(port: number, path: string, localAddress = '127.0.0.1'): net.Socket {
  const socket = net.connect({ host: '127.0.0.1', port, localAddress })
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return socket
}

/** Begins to read a reply and takes no more of it. */
async function stall(t: ExecutionContext, port: number, path: string): Promise<net.Socket> {
  const socket = ask(port, path)
  t.teardown(() => socket.destroy())
  await once(socket, 'readable')
  return socket
}

async function read(socket: net.Socket): Promise<ReturnType<typeof parseReply>> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return parseReply(Buffer.concat(chunks).toString())
}

test('replies arrive whole, however long they are, and say how long', async (t) => {
  const { server, port } = await openLong(t)
  for (const [index, text] of texts.entries()) {
    const reply = await read(ask(port, `/text/${index}`))
    t.is(reply.body, text)
    t.is(reply.headers['content-length'], String(Buffer.byteLength(text)))
    const injected = await server.inject(`/text/${index}`)
    t.is(injected.body, text)
    const head = await server.inject({ method: 'HEAD', url: `/text/${index}` })
    t.is(head.headers['content-length'], String(Buffer.byteLength(text)))
    t.is(head.body, '')
  }
})

test('who takes nothing of a reply is cut off, and who waits for a request is not', async (t) => {
  const { server, port, time } = await openLong(t, { SEND_STALL_MS: 5_000 })
  const idle = net.connect({ host: '127.0.0.1', port })
  t.teardown(() => idle.destroy())
  idle.write('GET /short HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  await stall(t, port, '/long')
  const connections = promisify(server.server.getConnections.bind(server.server))
  t.is(await connections(), 2)
  await until('one is cut off', async () => {
    time.elapsedMs += 1_000
    return (await connections()) === 1
  })
  idle.write('GET /short HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  t.pass()
})

test('who takes a reply slowly gets all of it', async (t) => {
  const { port, time } = await openLong(t, { SEND_STALL_MS: 5_000 })
  const socket = ask(port, '/long')
  let bytes = 0
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length
    // An hour for the whole, a little at a time.
    time.elapsedMs += 1
  }
  t.true(bytes > longBytes)
})

test('who has much to take is refused more, until it is taken or given up', async (t) => {
  const settings = { SEND_STALL_MS: 60_000, UNSENT_CLIENT_BYTES_MAX: 40 * mebibyte }
  const { server, port, time } = await openLong(t, settings)
  const stalled = await stall(t, port, '/long')
  const refused = await read(ask(port, '/long'))
  t.is(refused.status, 429)
  t.is(refused.headers['retry-after'], '5')
  t.like(JSON.parse(refused.body), { error: 'rate_limit_exceeded', retry_after: 5 })
  // What is short is sent, and others are served.
  t.is((await read(ask(port, '/short'))).body, 'short')
  t.is((await read(ask(port, '/long', '127.0.0.2'))).body.length, longBytes)
  time.elapsedMs += 1
  t.is((await read(ask(port, '/long'))).status, 429)
  // Who has taken nothing for a while makes room.
  time.elapsedMs += 2_000
  t.is((await read(ask(port, '/long'))).body.length, longBytes)
  const connections = promisify(server.server.getConnections.bind(server.server))
  await until('all have gone', async () => (await connections()) === 0)
  t.false(stalled.destroyed)
})

test('beyond what may be unsent in all, nobody is sent more', async (t) => {
  const settings = { SEND_STALL_MS: 60_000, UNSENT_BYTES_MAX: 40 * mebibyte }
  const { port } = await openLong(t, settings)
  await stall(t, port, '/long')
  const refused = await read(ask(port, '/long', '127.0.0.2'))
  t.is(refused.status, 503)
  t.is(refused.headers['retry-after'], '5')
  t.like(JSON.parse(refused.body), { error: 'unavailable', retry_after: 5 })
})
