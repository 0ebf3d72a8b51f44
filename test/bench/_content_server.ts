// Serves the same content at every address, as quickly as node:http can. Arguments: its bytes, and
// how many loopback addresses it listens on. A message may say that it does not answer:
// what it is asked then is answered after the next one.

import http from 'node:http'
import type { AddressInfo } from 'node:net'

const [bytes, hosts] = process.argv.slice(2).map(Number)
const content = Buffer.alloc(bytes ?? 0, 'content of a work ')
const waiting: http.ServerResponse[] = []
let answers = true

function answer(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': content.length })
  response.end(content)
}

async function listen(host: string): Promise<string> {
  const server = http.createServer((_request, response) => {
    if (answers) answer(response)
    else waiting.push(response)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return `${host}:${(server.address() as AddressInfo).port}`
}

const addresses = Array.from({ length: hosts ?? 1 }, (_, nth) => `127.0.0.${nth + 1}`)
const hostPorts = await Promise.all(addresses.map(listen))
process.on('message', (message: { answers?: boolean }) => {
  answers = message.answers ?? true
  if (answers) for (const response of waiting.splice(0)) answer(response)
  process.send?.({ hostPorts })
})
process.once('disconnect', () => process.exit())
