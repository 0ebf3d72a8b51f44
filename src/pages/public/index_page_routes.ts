import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { publicSearch, renderResults, searchRecords } from '#src/use_cases/record_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { viewParameters } from '#src/use_cases/search_parameters.ts'
import { readPageQuery } from '#src/edge/query_string.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { type IndexedKind, indexPage, indexPaths } from '#src/pages/public/index_page.ts'

/** Records on one page. */
const recordsMax = 50

type IndexEdge = Pick<RegistryEdge, 'count' | 'baseUrl' | 'environments' | 'accounts' | 'search'>

/** `GET /people` and `GET /publishers`: who is here, by name and page by page. */
export function registerIndexPageRoutes(server: FastifyInstance, edge: IndexEdge): void {
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      edge.count('search_page', request, reply),
    schema: { hide: true },
  }
  for (const kind of ['people', 'organizations'] as const) {
    server.get(indexPaths[kind], options, async (request, reply) => {
      const page = indexPage(await readIndex(edge, kind, request, reply))
      return sendPublicPage(page, reply, edge)
    })
  }
}

/** Errors as `searchRecords`: there is no index where nothing can be searched. */
async function readIndex(
  edge: IndexEdge,
  kind: IndexedKind,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { cursor } = readPageQuery(request, { cursor: viewParameters(kind).cursor })
  const source = publicSearch(edge, request.ip, reply.standAside())
  const asked = { sort: 'name', ...(cursor !== undefined && { cursor }) }
  const { ids, total, isExact, nextCursor } = await searchRecords(source, kind, asked, recordsMax)
  const { baseUrl, environments } = edge
  const texts = await renderResults(kind, ids, { environment: environments.live, baseUrl })
  const records = texts.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
  return { kind, records, total, isExact, next: nextCursor, isFirst: cursor === undefined }
}
