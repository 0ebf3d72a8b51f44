import type { FastifyInstance, FastifyReply } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { allowAnyOrigin } from '#src/edge/admission.ts'

/** Headers that a web page may send with a request. */
const allowedHeaders = 'Authorization, Content-Type, If-None-Match, X-API-Key, X-Request-Id'

/** How long a browser may remember what an address allows. */
const preflightMaxAgeSeconds = 86_400

type Methods = { readonly names: Set<string>; isPublic: boolean }

/**
 * Watches which methods each address gets. Call what it returns once all routes are there: it gives
 * every address the methods it lacks, as 405 with `Allow`, and OPTIONS as 204.
 */
export function registerMethodTable(server: FastifyInstance): () => void {
  const addresses = new Map<string, Methods>()
  server.addHook('onRoute', ({ url, method, config }) => {
    const methods = addresses.get(url) ?? { names: new Set(), isPublic: false }
    for (const name of [method].flat()) methods.names.add(name)
    methods.isPublic ||= config?.isPublic === true
    addresses.set(url, methods)
  })
  return () => {
    for (const [url, methods] of addresses) completeAddress(server, url, methods)
  }
}

function completeAddress(server: FastifyInstance, url: string, { names, isPublic }: Methods): void {
  const allow = [...names, 'OPTIONS'].sort().join(', ')
  const missing = server.supportedMethods.filter((name) => !names.has(name) && name !== 'OPTIONS')
  server.route({
    method: missing,
    url,
    schema: { hide: true },
    onRequest(_request, reply, done) {
      reply.header('allow', allow)
      done(new HttpError('method_not_allowed', `This address takes ${allow}`))
    },
    // The hook has answered already.
    handler: () => undefined,
  })
  if (names.has('OPTIONS')) return
  server.route({
    method: 'OPTIONS',
    url,
    schema: { hide: true },
    handler(_request, reply) {
      reply.header('allow', allow)
      if (isPublic) allowPreflight(reply, allow)
      return reply.code(204).send()
    },
  })
}

function allowPreflight(reply: FastifyReply, allow: string): void {
  allowAnyOrigin(reply)
  reply.header('access-control-allow-methods', allow)
  reply.header('access-control-allow-headers', allowedHeaders)
  reply.header('access-control-max-age', preflightMaxAgeSeconds)
}
