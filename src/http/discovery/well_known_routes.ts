import type { FastifyInstance } from 'fastify'

import { formatTimestamp } from '#actors/values/clock.ts'
import { formatPolicy, policyPath } from '#src/api/policy.ts'
import { publishedKeys } from '#src/http/receipts/published_keys.ts'
import type { RegistryEdge } from '#src/api/registry_edge.ts'
import { prefersHtml } from '#src/web/kit/error_answer.ts'
import { policyPage } from '#src/web/public/policy_page.ts'
import { sendPublicPage } from '#src/web/kit/public_page.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'

/** The addresses that programs look for by convention: keys, ARK resolver, policy. */
export function registerWellKnownRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl' | 'environments' | 'nowMs' | 'accounts'>,
): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const options = { ...admission, schema: { tags: ['registry'] } }
  const tellIn = (...types: readonly string[]) => {
    return {
      ...admission,
      schema: { tags: ['registry'], response: { 200: contentReply('The text.', ...types) } },
    }
  }
  server.get('/.well-known/svc-keys.json', options, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return publishedKeys(edge.environments, edge.baseUrl, formatTimestamp(edge.nowMs()))
  })
  // Where ARKs are resolved: at this path followed by the ARK.
  server.get('/.well-known/ark', tellIn('text/plain'), async (_request, reply) => {
    return reply.header('content-type', 'text/plain; charset=utf-8').send('/\n')
  })
  server.get(policyPath, tellIn('text/plain', 'text/html'), async (request, reply) => {
    reply.header('vary', 'Accept')
    if (prefersHtml(request)) return sendPublicPage(policyPage(), reply, edge)
    reply.header('cache-control', 'no-cache')
    return reply.header('content-type', 'text/plain; charset=utf-8').send(formatPolicy())
  })
}
