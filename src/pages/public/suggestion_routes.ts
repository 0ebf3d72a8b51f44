import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { readListedWorks } from '#src/use_cases/listed_works.ts'
import { publicSearch, searchRecords } from '#src/use_cases/record_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { suggestionsPath } from '#src/pages/public/search_form.ts'

/** Titles that are offered, and characters of what is typed and of a title that is offered. */
const suggestionsMax = 6
const typedMax = 100
const titleMax = 300

const parameters = {
  q: textParameter('What is typed.', /^[^]{0,100}$/, `text of ${typedMax} characters at most`),
}

/**
 * `GET /search/suggestions`: titles of works with the words that a reader is typing, for the search
 * box. It is counted apart from searches, and finds nothing where they cannot be made.
 */
export function registerSuggestionRoute(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'count' | 'baseUrl' | 'environments' | 'search'>,
): void {
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      edge.count('suggestions', request, reply),
    schema: { hide: true },
  }
  server.get(suggestionsPath, options, async (request, reply) => {
    const { q = '' } = readPageQuery(request, parameters)
    reply.header('cache-control', 'no-store')
    if (q.trim() === '') return { suggestions: [] }
    const source = publicSearch(edge, request.ip, reply.standAside())
    const { ids } = await searchRecords(source, 'works', { q: q.trimStart() }, suggestionsMax)
    const { baseUrl, environments } = edge
    const works = await readListedWorks(ids, { environment: environments.live, baseUrl })
    const titles = works.map(({ work_title: title }) => title)
    return { suggestions: [...new Set(titles)].filter(({ length }) => length <= titleMax) }
  })
}
