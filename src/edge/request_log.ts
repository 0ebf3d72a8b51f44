import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import { maskedUrl } from '#src/edge/logger.ts'

/**
 * Writes one line for every request: at `debug`, or at `info` if it was refused. What failed has
 * been logged with its cause already.
 */
export function logRequests(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode < 400 ? 'debug' : 'info'
    if (logger.isLevelEnabled(level)) {
      const { id, method, originalUrl, ip } = request
      const ms = Math.round(reply.elapsedTime * 10) / 10
      const url = maskedUrl(originalUrl)
      logger[level]({ request_id: id, method, url, status: reply.statusCode, ip, ms }, 'request')
    }
    done()
  })
}
