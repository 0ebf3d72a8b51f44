import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { readQuery, wordParameter } from '#src/edge/query_string.ts'
import { component, contentSchema } from '#src/edge/reply_schemas.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import { publicSearch } from '#src/use_cases/record_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { filterParameters, namesOf, viewParameters } from '#src/use_cases/search_parameters.ts'
import {
  countWorks,
  statisticsCsv,
  statisticsGroups,
  statisticsPath,
} from '#src/use_cases/work_statistics.ts'

type StatisticsEdge = Pick<RegistryEdge, 'admit' | 'search'>

const formatParameter = wordParameter('UsageFormat', ['json', 'csv'])

/** The values of a facet with their numbers. */
export const facetSchema = Type.Array(
  component('FacetValue', {
    value: Type.String({ description: 'What the filter of that name takes.' }),
    name: Type.Optional(Type.String({ description: 'What people call it, if that differs.' })),
    count: Type.Integer(),
  }),
)

const statisticsSchema = component('WorkStatistics', {
  works: Type.Integer({ description: 'Works that the search finds.' }),
  groups: Type.Record(Type.String(), facetSchema, {
    title: 'StatisticsGroups',
    description: 'By the name of each group, the values that most works have, with their numbers.',
  }),
})

const parameters = {
  group_by: {
    ...namesOf(statisticsGroups, 'What works are counted by; by all of it unless told.'),
  },
  q: viewParameters('works').q,
  ...filterParameters.works,
  format: formatParameter,
}

/** `GET /v1/statistics/works`: how many live works a search finds, by groups, for everybody. */
export function registerStatisticsRoutes(server: FastifyInstance, edge: StatisticsEdge): void {
  for (const prefix of pathPrefixes) {
    const options = {
      ...edge.admit({ type: 'public', limit: 'search_page' }, parameters),
      schema: {
        operationId: 'countWorks',
        tags: ['search'],
        summary: 'Counts all works that a search finds by their type, year and more.',
        response: {
          200: {
            description: 'The numbers, as JSON or as a table.',
            content: {
              'application/json': { schema: statisticsSchema },
              'text/csv': { schema: contentSchema('text/csv', 'A row for each value.') },
            },
          },
        },
      },
    }
    server.get(`${prefix}${statisticsPath}`, options, async (request, reply) => {
      const { format, group_by = statisticsGroups, ...values } = readQuery(request, parameters)
      const source = publicSearch(edge, request.ip, reply.standAside())
      const counted = await countWorks(source, values, group_by)
      reply.header('cache-control', 'public, max-age=60')
      if (format !== 'csv') return reply.send(counted)
      return reply.header('content-type', 'text/csv; charset=utf-8').send(statisticsCsv(counted))
    })
  }
}
