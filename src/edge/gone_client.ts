import type { FastifyReply } from 'fastify'

/** Set off when the client has gone, or has its reply. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
