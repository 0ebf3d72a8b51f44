import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

import type { Config } from '#config/schema.ts'
import { countedAddress, readAddress } from '#src/edge/caller.ts'
import { rawReply } from '#src/edge/error_reply.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { HttpError } from '#src/edge/errors.ts'
import { ipAllowed, type IpList, parseIpList } from '#src/identity/store/ip_list.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Has a further listener of the server take no more connections than the first may have. */
    readonly boundConnections: BoundConnections
  }
}

/** The settings of connections. */
export type ConnectionConfig = Pick<
  Config,
  'TRUST_PROXY' | 'CONNECTIONS_PER_ADDRESS_MAX' | 'RATE_LIMITS'
>

/** What the connections of a server are watched with. */
export type ConnectionOptions = {
  readonly config: ConnectionConfig
  readonly metrics: Pick<Metrics, 'requests'>
  /** Is told of each connection that was accepted, before anything else is done with it. */
  readonly accepted: () => void
}

/** Has a listener take the connections that it may have. */
export type BoundConnections = (listener: Server) => void

/** Seconds after which a client is refused, and may connect again. */
const retryAfterSeconds = 1

/** Connections that wait to be refused; further ones are closed at once. */
const refusedMax = 1_000

/**
 * Bounds the open connections of each address, as limits count it, on all listeners together. One
 * beyond the bound is told so with 429 and closed, and nothing is read from it. Those of our
 * proxies have no bound: many clients come over them.
 */
export function createConnectionBound(options: ConnectionOptions): BoundConnections {
  const { config, metrics, accepted } = options
  const max = config.RATE_LIMITS ? config.CONNECTIONS_PER_ADDRESS_MAX : 'off'
  const proxies = parseIpList(config.TRUST_PROXY)
  const open = new Map<string, number>()
  const refused = new RefusedConnections()
  const admit = (socket: Socket): boolean => {
    const address = max === 'off' ? undefined : boundAddress(socket, proxies)
    if (max === 'off' || address === undefined) return true
    const count = open.get(address) ?? 0
    if (count >= max) {
      metrics.requests.count('none', 'connection', 429, 0)
      refused.add(socket)
      return false
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    return true
  }
  return (listener) => {
    const others = listener.listeners('connection')
    listener.removeAllListeners('connection')
    listener.on('connection', (socket) => {
      accepted()
      if (!admit(socket)) return
      for (const other of others) other.call(listener, socket)
    })
  }
}

/** What a connection is counted by; undefined for one of our proxies, or one that has gone. */
function boundAddress({ remoteAddress = '' }: Socket, proxies: IpList): string | undefined {
  const peer = readAddress(remoteAddress)
  if (peer === undefined) return undefined
  return proxies.length > 0 && ipAllowed(proxies, peer) ? undefined : countedAddress(peer)
}

/**
 * Tells clients that they have too many connections open, after a moment: who connects again as
 * soon as it is refused would otherwise be all that is accepted.
 */
class RefusedConnections {
  #waiting = 0

  add(socket: Socket): void {
    socket.on('error', () => undefined)
    if (this.#waiting >= refusedMax) {
      socket.destroy()
      return
    }
    this.#waiting += 1
    const timer = setTimeout(() => {
      socket.end(rawReply(refusal), () => socket.destroy())
    }, retryAfterSeconds * 1_000)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#waiting -= 1
    })
  }
}

const refusal = new HttpError(
  'rate_limit_exceeded',
  'Too many connections are open from your address; use those, or close some',
  { extra: { retry_after: retryAfterSeconds } },
)

/** How often connections that have fallen idle are ended during a shutdown. */
const closeIdleEveryMs = 50

/**
 * Lets a shutdown end: a client that keeps its connection open would hold it up for ever. Each
 * connection is closed as it falls idle, and all that is left when the grace is over.
 */
export function endIdleConnections(server: FastifyInstance, graceMs: number): void {
  server.addHook('preClose', (done) => {
    const { server: listener } = server
    if (listener.listening) {
      const idle = setInterval(() => listener.closeIdleConnections(), closeIdleEveryMs)
      const all = setTimeout(() => listener.closeAllConnections(), graceMs)
      listener.once('close', () => {
        clearInterval(idle)
        clearTimeout(all)
      })
    }
    done()
  })
}
