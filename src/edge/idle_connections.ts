import type { FastifyInstance } from 'fastify'

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
