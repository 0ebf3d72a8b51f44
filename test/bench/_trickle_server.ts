// Serves content that never ends, a little a second. Each message sets how much each reply gets,
// and is answered with the replies under way.

import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What each reply gets a second; next to nothing if 0. */
export type TrickleOrder = { readonly bytesPerSecond: number }

/** What a server of content that trickles is doing. */
export type TrickleReport = { readonly hostPort: string; readonly open: number }

// A fifth of the replies goes on every 200 ms, so that they do not all go on at once.
const turns = 5

// A reply that gets nothing for ten seconds is taken for dead. This little counts as nothing.
const signOfLifeEveryMs = 4_000

const open = new Set<ServerResponse>()
let chunk = Buffer.alloc(0)
let turn = 0

const server = http.createServer((_request, response) => {
  open.add(response)
  response.on('close', () => open.delete(response))
  response.writeHead(200, { 'content-type': 'application/pdf' }).write('content')
})
setInterval(() => {
  turn = (turn + 1) % turns
  if (chunk.length === 0) return
  for (const [nth, response] of [...open].entries()) if (nth % turns === turn) response.write(chunk)
}, 1_000 / turns)
setInterval(() => {
  for (const response of open) response.write('.')
}, signOfLifeEveryMs)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`

process.on('message', (order: TrickleOrder) => {
  chunk = Buffer.alloc(order.bytesPerSecond, 'content of a work ')
  process.send?.({ hostPort, open: open.size })
})
process.once('disconnect', () => process.exit())
