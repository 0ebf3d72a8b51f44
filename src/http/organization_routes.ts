import type { FastifyInstance, FastifyRequest } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { readQuery } from '#src/http/query_string.ts'
import type { Edge } from '#src/http/server.ts'

type OrganizationRequest = FastifyRequest<{ Params: { slug: string } }>

/** Organizations, open to everyone. */
export function registerOrganizationRoutes(server: FastifyInstance, edge: Edge): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const options = { ...admission, schema: { tags: ['organizations'], summary: 'An organization.' } }
  for (const family of ['/v1', '/api/v1']) {
    server.get(
      `${family}/organizations/:slug`,
      options,
      async (request: OrganizationRequest, reply) => {
        readQuery(request, {})
        const { caller, params } = request
        const environment = edge.environments[caller.kind === 'key' ? caller.environment : 'live']
        const organization = environment.organizations.read(params.slug)
        if (organization === undefined) {
          throw new HttpError('not_found', 'There is no organization with this name')
        }
        reply.header('cache-control', 'no-cache')
        const self = `${edge.baseUrl}/api/v1/organizations/${organization.slug}`
        return { ...organization, links: { self } }
      },
    )
  }
}
