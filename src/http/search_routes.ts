import type { FastifyInstance, FastifyRequest } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { knownCaller } from '#src/http/admission.ts'
import { type Parameters, readQuery } from '#src/http/query_string.ts'
import { jsonType } from '#src/http/rendered_reply.ts'
import { formatCursor, parseCursor } from '#src/http/search_cursor.ts'
import {
  filterParameters,
  resultsDefault,
  type View,
  viewParameters,
} from '#src/http/search_parameters.ts'
import { renderResults } from '#src/http/search_results.ts'
import { searchSchemas } from '#src/http/search_schemas.ts'
import type { Edge } from '#src/http/server.ts'
import { type Filter, type IndexKind, indexKinds } from '#src/search/search_engine.ts'
import { SearchError } from '#src/search/search_error.ts'
import type { FoundPage, SearchQuery, SearchService } from '#src/search/search_service.ts'

/** Seconds after which a search that could not be answered may be tried again. */
const retrySeconds = 5

/** Search of works, people and organizations, in both path families. */
export function registerSearchRoutes(server: FastifyInstance, edge: Edge): void {
  for (const family of ['/v1', '/api/v1'] as const) {
    for (const kind of indexKinds) {
      const parameters: Parameters = { ...viewParameters(kind), ...filterParameters[kind] }
      const access = { type: 'key', family, right: 'search records', limit: 'search' } as const
      const options = {
        ...edge.admit(access, parameters),
        schema: {
          tags: ['search'],
          summary: `Finds ${kind}.`,
          response: { 200: searchSchemas[kind] },
        },
      }
      server.get(`${family}/search/${kind}`, options, async (request, reply) => {
        reply.header('content-type', jsonType)
        reply.header('cache-control', 'private, no-store')
        return reply.send(await answer(edge, kind, request, parameters))
      })
    }
  }
}

async function answer(
  edge: Edge,
  kind: IndexKind,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<string> {
  const beganMs = edge.elapsedMs()
  const values = readQuery(request, parameters)
  const { q: text = '', sort = 'relevance', limit = resultsDefault, facets = [] } = values as View
  const asked = JSON.stringify([kind, text, sort, filtersOf(kind, values)])
  const query = { text, sort, limit, facets, filters: filtersOf(kind, values) }
  const { cursor } = values as View
  const after = cursor === undefined ? undefined : parseCursor(cursor, asked)
  if (cursor !== undefined && after === undefined) throw wrongCursor()
  const name = knownCaller(request).environment
  const page = await find(edge.search?.[name], kind, { ...query, ...(after && { after }) })
  const registry = { environment: edge.environments[name], baseUrl: edge.baseUrl }
  const results = await renderResults(kind, page.ids, registry)
  const next = page.next === undefined ? null : formatCursor(page.next, asked)
  const head = JSON.stringify({
    query: text,
    total: page.total,
    total_is_exact: page.isExact,
    sort: page.sort,
    facets: page.facets,
    facets_of: page.facetsOf,
    also_searched_for: page.alsoSearchedFor,
    next_cursor: next,
    took_ms: Math.round(edge.elapsedMs() - beganMs),
    engine: page.engine,
    fallback: page.isFallback,
    links: linksOf(edge.baseUrl, request, next),
  })
  return `${head.slice(0, -1)},"results":[${results.join(',')}]}`
}

function filtersOf(kind: IndexKind, values: Readonly<Record<string, unknown>>): readonly Filter[] {
  const names = Object.keys(filterParameters[kind])
  return names.flatMap((name) => (values[name] as readonly Filter[] | undefined) ?? [])
}

async function find(
  service: SearchService | undefined,
  kind: IndexKind,
  query: SearchQuery,
): Promise<FoundPage> {
  if (service === undefined) throw unavailable()
  try {
    return await service.find(kind, query)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    if (error.code === 'search_place_lost') throw wrongCursor()
    throw unavailable(error)
  }
}

/** The address of this page and of the next; a key in it stays out of it. */
function linksOf(baseUrl: string, request: FastifyRequest, next: string | null) {
  const [path = ''] = request.url.split('?', 1)
  const { api_key: _, ...given } = request.query as Record<string, string>
  const address = (query: Record<string, string>) => {
    const text = new URLSearchParams(query).toString()
    return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`
  }
  return { self: address(given), next: next === null ? null : address({ ...given, cursor: next }) }
}

function wrongCursor(): HttpError {
  return new HttpError(
    'bad_request',
    'The query parameter cursor must be the next_cursor of this very search; else begin without it',
  )
}

function unavailable(cause?: Error): HttpError {
  const message = 'Search is not available now; everything else is'
  const extra = { retry_after: retrySeconds }
  return new HttpError('unavailable', message, { extra, ...(cause && { cause }) })
}
