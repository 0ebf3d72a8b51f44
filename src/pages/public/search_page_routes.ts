import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { exactRecord, suggestedArk } from '#src/use_cases/exact_record.ts'
import { listedWork } from '#src/use_cases/listed_works.ts'
import { givenTwice, type Parameters, readParameters } from '#src/edge/query_string.ts'
import {
  publicSearch,
  type RecordPage,
  searchRecords,
  searchRetrySeconds,
  type SearchSource,
} from '#src/use_cases/record_search.ts'
import {
  filterParameters,
  resultsDefault,
  viewParameters,
} from '#src/use_cases/search_parameters.ts'
import { renderResults } from '#src/use_cases/search_results.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  type FacetCount,
  type IndexKind,
  indexKinds,
  SearchError,
} from '#src/discovery/search/search_engine.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import {
  searchDescription,
  searchDescriptionPath,
  searchDescriptionType,
  sendPublicPage,
} from '#src/pages/kit/public_page.ts'
import { keptFor } from '#src/pages/public/kept_result.ts'
import { readAsked, type SearchAsked } from '#src/pages/public/search_form.ts'
import { shownFacets } from '#src/pages/public/search_filters.ts'
import { type Found, type SearchOutcome, searchPage } from '#src/pages/public/search_page.ts'

type SearchPageEdge = Pick<
  RegistryEdge,
  'count' | 'admit' | 'baseUrl' | 'environments' | 'accounts' | 'search' | 'elapsedMs'
>

/** `GET /search`: the live registry as readers search it, without a key. */
export function registerSearchPageRoute(server: FastifyInstance, edge: SearchPageEdge): void {
  registerSearchDescription(server, edge)
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      edge.count('search_page', request, reply),
    schema: { hide: true },
  }
  const all = keptFor(edge.elapsedMs, () => allWorks(edge))
  server.get('/search', options, async (request, reply) => {
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '')
    const { asked, cursor, repeated } = readAsked(query)
    if (asked === undefined) throw new HttpError('not_found', 'Nothing like that is searched here')
    reply.header('cache-control', 'no-store')
    const source = publicSearch(edge, request.ip, reply.standAside())
    const { outcome, location } =
      repeated === undefined
        ? await outcomeOf({ ...edge, all }, source, asked, cursor)
        : { outcome: failedOutcome(givenTwice(repeated)) }
    if (location !== undefined) return reply.redirect(location, 303)
    if (outcome.type === 'unavailable') reply.header('retry-after', searchRetrySeconds)
    const nameOf = (slug: string) => edge.environments.live.organizations.read(slug)?.name
    return sendPublicPage(searchPage(asked, outcome, nameOf), reply, edge)
  })
}

/** `GET /opensearch.xml`: the search, as browsers offer it where addresses are typed. */
function registerSearchDescription(
  server: FastifyInstance,
  { admit, baseUrl }: SearchPageEdge,
): void {
  const options = {
    ...admit({ type: 'public', limit: 'public_read' }),
    schema: { hide: true },
  }
  const text = searchDescription(baseUrl)
  server.get(searchDescriptionPath, options, (_request, reply) => {
    reply.header('content-type', searchDescriptionType)
    return reply.header('cache-control', 'public, max-age=86400').send(text)
  })
}

/** What the page is made from; `all` finds all works, which many ask for. */
type FoundFrom = SearchPageEdge & { readonly all: () => Promise<RecordPage> }

function allWorks({ search }: SearchPageEdge): Promise<RecordPage> {
  const source = { service: search?.live, searcher: { caller: 'the page of all works' } }
  return searchRecords(source, 'works', { facets: shownFacets.works }, resultsDefault)
}

/** What became of a search; `location` leads to the one record that was named. */
async function outcomeOf(
  edge: FoundFrom,
  source: SearchSource,
  asked: SearchAsked,
  cursor: string | undefined,
): Promise<
  | { readonly outcome: SearchOutcome; readonly location?: never }
  | { readonly outcome?: never; readonly location: string }
> {
  const { environments } = edge
  const typed = asked.given.get('q') ?? ''
  try {
    const isBare = asked.given.size === 1 && cursor === undefined
    const location = isBare ? await exactRecord(typed, environments, source) : undefined
    return location === undefined
      ? { outcome: await find(edge, source, asked, cursor) }
      : { location }
  } catch (error) {
    return { outcome: failedOutcome(error) }
  }
}

async function find(
  edge: FoundFrom,
  source: SearchSource,
  asked: SearchAsked,
  cursor: string | undefined,
): Promise<Found> {
  const { environments, baseUrl } = edge
  const { kind, given } = asked
  const { q, sort, cursor: place } = viewParameters(kind)
  const parameters: Parameters = { q, sort, cursor: place, ...filterParameters[kind] }
  const sent = { ...Object.fromEntries(given), ...(cursor !== undefined && { cursor }) }
  const values = { ...readParameters(sent, parameters), facets: shownFacets[kind] }
  const isAll = kind === 'works' && given.size === 0 && cursor === undefined
  const page = await (isAll ? edge.all() : searchRecords(source, kind, values, resultsDefault))
  const others = cursor === undefined ? await countOtherChoices(source, kind, values) : {}
  const registry = { environment: environments.live, baseUrl }
  const texts = await renderResults(kind, page.ids, registry)
  const isFirst = cursor === undefined
  const isEmpty = page.total === 0 && isFirst
  const typed = given.get('q') ?? ''
  return {
    ...page,
    facets: { ...page.facets, ...others },
    type: 'found',
    records: texts.map((text) =>
      kind === 'works'
        ? listedWork(text, registry)
        : (JSON.parse(text) as Readonly<Record<string, unknown>>),
    ),
    elsewhere: isEmpty && typed !== '' ? await countElsewhere(source, kind, typed) : [],
    meant: isEmpty ? suggestedArk(typed, environments) : undefined,
    isFirst,
  }
}

/** The order of a search of which only numbers are wanted: to rank what it finds takes longest. */
const anyOrder = newest

/**
 * How many results the other values of a filter would bring: of what the search finds without it.
 * There are as many searches as facets that filter, one after another.
 */
async function countOtherChoices(
  source: SearchSource,
  kind: IndexKind,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, readonly FacetCount[]>> {
  const counts: Record<string, readonly FacetCount[]> = {}
  for (const name of shownFacets[kind]) {
    if (values[name] === undefined) continue
    const without = { ...values, [name]: undefined, facets: [name], sort: anyOrder }
    const { facets } = await searchRecords(source, kind, without, 1)
    counts[name] = facets[name] ?? []
  }
  return counts
}

/** Other kinds in which there is something with the same words. */
async function countElsewhere(
  source: SearchSource,
  kind: IndexKind,
  q: string,
): Promise<(readonly [IndexKind, number])[]> {
  const others = indexKinds.filter((one) => one !== kind)
  const counts = await Promise.all(
    others.map(async (other) => {
      const { total } = await searchRecords(source, other, { q, sort: anyOrder }, 1)
      return [other, total] as const
    }),
  )
  return counts.filter(([, total]) => total > 0)
}

/** Why nothing was found, as the page says it. Failures that are not of the search are thrown. */
function failedOutcome(error: unknown): Exclude<SearchOutcome, Found> {
  if (error instanceof SearchError) return { type: 'unavailable', message: 'Search has failed' }
  if (!(error instanceof HttpError)) throw error
  const { code, message } = error
  if (code === 'bad_request') return { type: 'refused', message }
  if (code === 'timeout') return { type: 'ended', message }
  if (code === 'unavailable') return { type: 'unavailable', message }
  throw error
}
