import type { FastifyInstance } from 'fastify'

import { formatTimestamp } from '#actors/clock.ts'
import { publishedKeys } from '#src/http/published_keys.ts'
import type { Edge } from '#src/http/server.ts'

/** What the registry promises about its identifiers, as `?info` refers to it. */
const policy = `What this registry promises

Identifier: an ARK is never assigned again, and stays resolvable. When a work is withdrawn, its ARK
leads to a record that says so.
Description: every version of a work's metadata is kept as it was registered. Versions are only
added.
Object: the content lies where its publisher keeps it, and may change there. Its hash, where one is
registered, tells whether it did.
History: every change is in the work's history, and every version has a receipt in a public log.
`

/** The addresses that programs look for by convention: keys, ARK resolver, policy. */
export function registerWellKnownRoutes(server: FastifyInstance, edge: Edge): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const options = { ...admission, schema: { tags: ['registry'] } }
  server.get('/.well-known/svc-keys.json', options, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return publishedKeys(edge.environments, edge.baseUrl, formatTimestamp(edge.nowMs()))
  })
  // Where ARKs are resolved: at this path followed by the ARK.
  server.get('/.well-known/ark', options, async (_request, reply) => {
    return reply.header('content-type', 'text/plain; charset=utf-8').send('/\n')
  })
  server.get('/policy', options, async (_request, reply) => {
    return reply.header('content-type', 'text/plain; charset=utf-8').send(policy)
  })
}
