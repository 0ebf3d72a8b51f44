import type { FastifyInstance } from 'fastify'

import { formatTimestamp } from '#actors/values/clock.ts'
import { publishedKeys, publishedKeysSchema } from '#src/use_cases/published_keys.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'

/** The addresses at which programs look for keys, and for the ARK resolver. */
export function registerWellKnownRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl' | 'environments' | 'nowMs'>,
): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const options = {
    ...admission,
    schema: {
      operationId: 'getKeys',
      tags: ['registry'],
      summary: 'The keys that sign receipts and checkpoints.',
      response: { 200: publishedKeysSchema },
    },
  }
  const inText = {
    ...admission,
    schema: {
      operationId: 'getArkResolver',
      tags: ['registry'],
      summary: 'The path that ARKs are resolved below.',
      response: { 200: contentReply('The text.', 'text/plain') },
    },
  }
  server.get('/.well-known/svc-keys.json', options, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return publishedKeys(edge.environments, edge.baseUrl, formatTimestamp(edge.nowMs()))
  })
  // Where ARKs are resolved: at this path followed by the ARK.
  server.get('/.well-known/ark', inText, async (_request, reply) => {
    return reply.header('content-type', 'text/plain; charset=utf-8').send('/\n')
  })
}

/**
 * `/healthz`: the process answers. `/readyz`: the registry can do its work, or 503. Everybody may
 * read these, so they tell no more; the reasons are at `/readyz` of the administrator's port.
 */
export function registerHealthRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'readiness'>,
): void {
  server.get('/healthz', { schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  server.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const { ready } = await edge.readiness()
    reply.header('cache-control', 'no-store')
    return reply.code(ready ? 200 : 503).send({ ready })
  })
}
