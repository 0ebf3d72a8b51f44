// Readers who ask for much and take nothing of it: what they hold up in memory is bounded, and they
// are cut off.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import test from 'ava'

import { until } from '#test/_until.ts'
import { standBy } from '#test/scenario/_bystander.ts'
import { registerLarge, registerSmall } from '#test/scenario/_large_works.ts'
import { memoryBytesMax, watchMemory } from '#test/scenario/_memory_watch.ts'
import { firstKey, newDataDir, startServer } from '#test/scenario/_process.ts'

const mebibyte = 1_048_576
const readersMax = 40
const repliesWanted = 12
const stallMs = 2_000

test('readers who take nothing hold up neither memory nor others', async (t) => {
  const settings = {
    DATA_DIR: await newDataDir(t),
    RATE_LIMITS: 'off',
    SEND_STALL_MS: String(stallMs),
    UNSENT_CLIENT_BYTES_MAX: String(16 * mebibyte),
  }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const titles = Array.from({ length: 20 }, (_, index) => `Work ${index}`)
  await registerLarge(t, server, { key, titles, authors: 20_000 })
  const memory = watchMemory(t)
  memory.follow(server.child.pid)
  const ark = await registerSmall(server, key)
  const bystander = standBy(t, server, { ark, waitMs: 5 })
  const { port } = new URL(server.started.local_url)
  const request = (connection: string) =>
    [
      'GET /v1/changes?limit=1000 HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      `Connection: ${connection}`,
      '',
      '',
    ].join('\r\n')
  // Of many replies on one connection, the kernel takes the first ones in any case.
  const requests = request('keep-alive').repeat(repliesWanted - 1) + request('close')
  const readers = Array.from({ length: readersMax }, () => {
    const socket = net.connect({ host: '127.0.0.1', port: Number(port) })
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(requests)
    return socket
  })
  await Promise.all(readers.map((socket) => once(socket, 'readable')))
  const before = bystander.answers
  await until('others are answered', () => bystander.answers > before, { pauseMs: 5 })
  const ports = new Set(readers.map(({ localPort }) => localPort))
  const isNobodyServed = async () => (await servedPorts(Number(port))).isDisjointFrom(ports)
  await until('all are cut off', isNobodyServed, { pauseMs: 200 })
  // To read on is the only way for a reader to see the end.
  const replies = await Promise.all(readers.map(countReplies))
  t.true(replies.some((count) => count < repliesWanted))
  await bystander.leave()
  t.log(`${memory.peaks[0]} bytes of memory at most`)
  // Replies that nobody takes any more are garbage until they are collected: at any time.
  t.true((memory.peaks[0] ?? Infinity) < 1.5 * memoryBytesMax)
})

/** The ports of this machine whose connections a server at a port of the loopback has open. */
async function servedPorts(port: number): Promise<Set<number>> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1)
  const established = '01'
  const served = rows.flatMap((row) => {
    const [, local, remote, state] = row.trim().split(/\s+/)
    const [own, other] = [local, remote].map((address) => Number(`0x${address?.split(':')[1]}`))
    return own === port && other !== undefined && state === established ? [other] : []
  })
  return new Set(served)
}

/** Reads to the end; gives how many replies began. */
async function countReplies(socket: net.Socket): Promise<number> {
  let count = 0
  socket.on('data', (chunk) => (count += chunk.toString('latin1').split('HTTP/1.1 ').length - 1))
  if (!socket.closed) await once(socket, 'close')
  return count
}
