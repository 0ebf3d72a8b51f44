import type { FastifyInstance } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { allowPreflight } from '#src/edge/cross_origin.ts'

type Methods = { readonly names: Set<string>; anyOrigin: boolean }

/**
 * Watches which methods each address gets. Call what it returns once all routes are there: it gives
 * every address the methods it lacks, as 405 with `Allow`, and OPTIONS as 204.
 */
export function registerMethodTable(server: FastifyInstance): () => void {
  const addresses = new Map<string, Methods>()
  server.addHook('onRoute', ({ url, method, config }) => {
    const methods = addresses.get(url) ?? { names: new Set(), anyOrigin: false }
    for (const name of [method].flat()) methods.names.add(name)
    methods.anyOrigin ||= config?.anyOrigin === true
    addresses.set(url, methods)
  })
  return () => {
    for (const [url, methods] of addresses) completeAddress(server, url, methods)
  }
}

function completeAddress(
  server: FastifyInstance,
  url: string,
  { names, anyOrigin }: Methods,
): void {
  const allow = [...names, 'OPTIONS'].sort().join(', ')
  const missing = server.supportedMethods.filter((name) => !names.has(name) && name !== 'OPTIONS')
  server.route({
    method: missing,
    url,
    config: { anyOrigin },
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
    config: { anyOrigin },
    schema: { hide: true },
    handler(_request, reply) {
      reply.header('allow', allow)
      if (anyOrigin) allowPreflight(reply, allow)
      return reply.code(204).send()
    },
  })
}
