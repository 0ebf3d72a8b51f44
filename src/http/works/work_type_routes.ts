import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { component } from '#src/edge/reply_schemas.ts'
import { workTypeNames, workTypes } from '#actors/values/work_type.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

const name = Type.String()

const workTypesSchema = component('WorkTypeList', {
  work_types: Type.Array(
    component('WorkTypeNames', {
      work_type: name,
      coar: Type.String({ description: 'Below http://purl.org/coar/resource_type/; or empty.' }),
      datacite: name,
      crossref: name,
      csl: name,
      schema_org: name,
      bibtex: name,
      ris: name,
      eu_repo: name,
    }),
  ),
})

const body = {
  work_types: workTypeNames.map((work_type) => {
    const { schemaOrg: schema_org, euRepo: eu_repo, ...names } = workTypes[work_type]
    return { work_type, ...names, schema_org, eu_repo }
  }),
}

/** The kinds of works, with their names in other vocabularies, for everyone. */
export function registerWorkTypeRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit'>,
): void {
  for (const prefix of pathPrefixes) {
    const options = {
      ...edge.admit({ type: 'public', limit: 'public_read' }),
      schema: {
        operationId: 'listWorkTypes',
        tags: ['works'],
        summary: 'Lists the kinds of works.',
        response: { 200: workTypesSchema },
      },
    }
    server.get(`${prefix}/work-types`, options, (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600')
      return reply.send(body)
    })
  }
}
