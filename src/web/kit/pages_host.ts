import type { FastifyReply, FastifyRequest } from 'fastify'

import { withoutHost } from '#src/edge/raw_path.ts'

/** Answers a request before its route does, or lets it go on. */
export type LeadBrowser = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Where pages have a host of their own, a browser that comes for one to the host of the registry
 * (`baseUrl`) is sent to theirs (`authUrl`): cookies, forms and tokens are good there only. A
 * request that names neither host, as some proxies send, goes on.
 */
export function leadToPages(baseUrl: string, authUrl: string): LeadBrowser {
  const { host: registryHost } = new URL(baseUrl)
  const { host: pagesHost, origin } = new URL(authUrl)
  return async (request, reply) => {
    if (pagesHost === registryHost || request.host.toLowerCase() !== registryHost) return undefined
    reply.header('cache-control', 'no-store')
    return reply.redirect(origin + withoutHost(request.originalUrl), 303)
  }
}
