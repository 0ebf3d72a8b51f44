import { connect, type Socket } from 'node:net'

/** What a load run asks for: raw requests, one in flight on each keep-alive connection. */
export type Load = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** The bytes of the n-th request of this run, from 0; undefined: there are no more. */
  request(n: number): Buffer | undefined
}

/** What a load run saw. `cpu` is the load's own share of one core. */
export type LoadResult = {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly cpu: number
}

/**
 * Sends requests for a time and measures every reply. It parses no more of a reply than its
 * status and length, so that it costs a small part of what the server does.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = []
  const statuses: Record<string, number> = {}
  const startMs = performance.now()
  const cpuStart = process.cpuUsage()
  let sent = 0
  const next = () => {
    if (performance.now() - startMs >= load.durationMs) return undefined
    const request = load.request(sent)
    sent += 1
    return request
  }
  const note = (status: string, latencyMs: number) => {
    latenciesMs.push(latencyMs)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const connections = Array.from({ length: load.connections }, () => drive(load.port, next, note))
  await Promise.all(connections)
  const seconds = (performance.now() - startMs) / 1_000
  const cpu = process.cpuUsage(cpuStart)
  latenciesMs.sort((left, right) => left - right)
  return {
    requests: latenciesMs.length,
    seconds,
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    maxMs: latenciesMs.at(-1) ?? 0,
    statuses,
    cpu: (cpu.user + cpu.system) / 1e6 / seconds,
  }
}

/** The value below which `share` of the sorted values lie; 0 if there are none. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function drive(
  port: number,
  next: () => Buffer | undefined,
  note: (status: string, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentMs = 0
    const send = () => {
      const request = next()
      if (request === undefined) return void socket.end(resolve)
      sentMs = performance.now()
      socket.write(request)
    }
    socket.once('connect', send)
    socket.on('error', reject)
    onReplies(socket, (status) => {
      note(status, performance.now() - sentMs)
      send()
    })
  })
}

function onReplies(socket: Socket, onReply: (status: string) => void): void {
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const headEnd = pending.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = pending.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) throw new Error(`the load needs replies with a length: ${head}`)
    if (pending.length < headEnd + 4 + Number(length)) return
    pending = Buffer.alloc(0)
    onReply(head.slice(9, 12))
  })
}

/** The bytes of a request; with a body, its content type is JSON. */
export function formatRequest(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body === undefined) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  const bytes = Buffer.byteLength(body)
  lines.push('content-type: application/json', `content-length: ${bytes}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
