import dgram from 'node:dgram'
import net from 'node:net'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** A name server on loopback; `questions` are the names and types it was asked for. */
export type NameServer = { readonly address: string; readonly questions: readonly string[] }

/** The addresses of a name, or `fail` for an error of the server, or `silent`. */
export type Answer = readonly string[] | 'fail' | 'silent'

const types: ReadonlyMap<number, 4 | 6> = new Map([
  [1, 4],
  [28, 6],
])

/**
 * Answers questions for IPv4 and IPv6 addresses as RFC 1035 says, until the test ends; on a random
 * port if none is given.
 */
export async function serveNames(
  t: Owner,
  answerOf: (name: string, nth: number) => Answer,
  port = 0,
): Promise<NameServer> {
  const socket = dgram.createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (message, from) => {
    const { name, end } = readName(message)
    const family = types.get(message.readUInt16BE(end))
    const question = `${name} ${family === 6 ? 'AAAA' : 'A'}`
    const nth = questions.filter((asked) => asked === question).length
    questions.push(question)
    const answer = answerOf(name, nth)
    if (answer !== 'silent')
      socket.send(formatReply(message, end + 4, answer, family), from.port, from.address)
  })
  t.teardown(() => socket.close())
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

function readName(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function formatReply(
  query: Buffer,
  end: number,
  answer: Answer,
  family: 4 | 6 | undefined,
): Buffer {
  const found = typeof answer === 'string' ? [] : answer.filter((ip) => net.isIP(ip) === family)
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(answer === 'fail' ? 0x81_82 : 0x81_80, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(found.length, 6)
  return Buffer.concat([head, query.subarray(12, end), ...found.map(formatRecord)])
}

/** A record of the name in question, to be forgotten at once. */
function formatRecord(ip: string): Buffer {
  const data = addressBytes(ip)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc0_0c, 0)
  head.writeUInt16BE(data.length === 4 ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function addressBytes(ip: string): Buffer {
  if (net.isIPv4(ip)) return Buffer.from(ip.split('.').map(Number))
  const [left = '', right = ''] = ip.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = 8 - groups(left).length - groups(right).length
  const all = [...groups(left), ...Array.from({ length: missing }, () => '0'), ...groups(right)]
  const bytes = Buffer.alloc(16)
  all.forEach((group, index) => bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2))
  return bytes
}
