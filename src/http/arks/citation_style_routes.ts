import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { cslTitles } from '#src/discovery/csl/csl_data.ts'
import {
  nameCursor,
  nextDescription,
  pageLinks,
  pageLinksSchema,
  pageOf,
  pagesOf,
} from '#src/edge/list_page.ts'
import { component, nullable } from '#src/edge/reply_schemas.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

const pages = pagesOf({ cursor: nameCursor, limit: 200, limitMax: 1_000, order: 'oldest' })

const pageSchema = component('CitationStylePage', {
  styles: Type.Array(
    component('CitationStyle', {
      id: Type.String({ description: 'What `style` takes, and what CSL calls it.' }),
      title: Type.String(),
    }),
  ),
  next: nullable(Type.String(), nextDescription),
  links: pageLinksSchema,
})

/** The styles of references, open to everyone, below both prefixes. */
export function registerCitationStyleRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl'>,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, pages.parameters),
    schema: {
      operationId: 'listCitationStyles',
      tags: ['works'],
      summary: 'Lists the styles of formatted citations by their names, A to Z unless told.',
      response: { 200: pageSchema },
    },
  }
  for (const prefix of pathPrefixes) {
    server.get(`${prefix}/citation-styles`, options, async (request, reply) => {
      const { entries, next } = pageOf([...cslTitles()], pages.read(request), ([id]) => id)
      reply.header('cache-control', 'no-cache')
      const styles = entries.map(([id, title]) => ({ id, title }))
      return { styles, next, links: pageLinks(edge.baseUrl, request, next) }
    })
  }
}
