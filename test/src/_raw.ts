// HTTP as bytes on a socket, for what no client library would send.

import { once } from 'node:events'
import net from 'node:net'

/** A reply as it came: the status line's code, the headers by lower-case name, the body. */
export type RawReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends bytes on a connection of its own and reads until the server ends it. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = net.connect({ host: '127.0.0.1', port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // A server may answer and close before it has read everything.
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** Sends one request, given by its lines and its body, and parses the one reply. */
export async function send(
  port: number,
  lines: readonly string[],
  body: string | Buffer = '',
): Promise<RawReply> {
  const head = Buffer.from([...lines, 'Connection: close', '', ''].join('\r\n'), 'latin1')
  return parseReply(await exchange(port, Buffer.concat([head, Buffer.from(body)])))
}

/** Takes a reply apart. */
export function parseReply(text: string): RawReply {
  const bodyAt = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, bodyAt).split('\r\n')
  const headers = lines.map((line) => {
    const colonAt = line.indexOf(':')
    return [line.slice(0, colonAt).toLowerCase(), line.slice(colonAt + 1).trim()]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: text.slice(bodyAt + 4),
  }
}
