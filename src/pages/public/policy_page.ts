import type { FastifyInstance } from 'fastify'

import { html } from '#src/pages/kit/html.ts'
import { formatPolicy, policy, policyPath } from '#src/use_cases/policy.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'
import { type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'

type PolicyEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'accounts'>

/** `GET /policy`: what the registry promises, as a text, or as a page to browsers. */
export function registerPolicyRoute(server: FastifyInstance, edge: PolicyEdge): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }),
    schema: {
      operationId: 'getPolicy',
      tags: ['registry'],
      summary: 'What the registry promises.',
      response: { 200: contentReply('The text.', 'text/plain', 'text/html') },
    },
  }
  server.get(policyPath, options, async (request, reply) => {
    reply.header('vary', 'Accept')
    if (prefersHtml(request)) return sendPublicPage(policyPage(), reply, edge)
    reply.header('cache-control', 'no-cache')
    return reply.header('content-type', 'text/plain; charset=utf-8').send(formatPolicy())
  })
}

function policyPage(): PublicPage {
  const sections = policy.sections.map(
    ({ heading, text }) => html`<h2>${heading}</h2><p>${text}</p>`,
  )
  return {
    title: policy.title,
    current: policyPath,
    body: html`<h1>${policy.title}</h1>${sections}`,
  }
}
