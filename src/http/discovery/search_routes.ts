import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'

import { documentArk } from '#src/discovery/search/documents.ts'
import { type IndexKind, indexKinds } from '#src/discovery/search/search_engine.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { callerName } from '#src/edge/caller.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { pageLinks, pageLinksSchema } from '#src/edge/list_page.ts'
import {
  type Parameter,
  type Parameters,
  readQuery,
  wordParameter,
} from '#src/edge/query_string.ts'
import { jsonType, sendFile } from '#src/edge/rendered_reply.ts'
import { HttpError } from '#src/edge/errors.ts'
import { component, contentSchema, nullable } from '#src/edge/reply_schemas.ts'
import { organizationSchema } from '#src/http/organizations/organization_routes.ts'
import { personSchema } from '#src/http/people/person_schemas.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { workSchema } from '#src/http/works/work_routes.ts'
import {
  countWorks,
  publicSearch,
  type RecordPage,
  renderPage,
  renderResults,
  searchRecords,
  type SearchSource,
  statisticsCsv,
  statisticsGroups,
  statisticsPath,
} from '#src/use_cases/record_search.ts'
import type { Registry, RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  filterParameters,
  namesOf,
  resultsDefault,
  type View,
  viewParameters,
} from '#src/use_cases/search_parameters.ts'
import {
  type ExportFormat,
  exportFormatNames,
  exportFormats,
  exportLimitsText,
  pageOfExport,
  searchExportPath,
  type WorkExport,
} from '#src/use_cases/work_export.ts'

/** The values of a facet with their numbers. */
const facetSchema = Type.Array(
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

const statisticsParameters = {
  group_by: {
    ...namesOf(statisticsGroups, 'What works are counted by; by all of it unless told.'),
  },
  q: viewParameters('works').q,
  ...filterParameters.works,
  format: wordParameter('UsageFormat', ['json', 'csv']),
}

/** `GET /v1/statistics/works`: how many live works a search finds, by groups, for everybody. */
const counting: Route<SearchEdge> = {
  method: 'GET',
  path: statisticsPath,
  demands: { type: 'public', limit: 'search_page' },
  parameters: statisticsParameters,
  operationId: 'countWorks',
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
  async handle(edge, request, reply) {
    const {
      format,
      group_by = statisticsGroups,
      ...values
    } = readQuery(request, statisticsParameters)
    const source = publicSearch(edge, request.ip, reply.standAside())
    const counted = await countWorks(source, values, group_by)
    reply.header('cache-control', 'public, max-age=60')
    if (format !== 'csv') return reply.send(counted)
    return reply.header('content-type', 'text/csv; charset=utf-8').send(statisticsCsv(counted))
  },
}

type ExportEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'exporter' | 'search'>
type SearchEdge = Pick<
  RegistryEdge,
  'admit' | 'baseUrl' | 'elapsedMs' | 'environments' | 'exporter' | 'search'
>

const operationIds: Readonly<Record<IndexKind, string>> = {
  works: 'searchWorks',
  people: 'searchPeople',
  organizations: 'searchOrganizations',
}

/** Search of works, people and organizations below both prefixes; works exported and counted. */
export function registerSearchRoutes(server: FastifyInstance, edge: SearchEdge): void {
  registerSearchExport(server, edge)
  registerRoutes(server, edge, 'search', [counting, ...indexKinds.map(finding)])
}

function finding(kind: IndexKind): Route<SearchEdge> {
  const parameters: Parameters = { ...viewParameters(kind), ...filterParameters[kind] }
  return {
    method: 'GET',
    path: `/search/${kind}`,
    demands: { right: 'search records', limit: 'search' },
    parameters,
    operationId: operationIds[kind],
    summary: `Finds ${kind}.`,
    response: { 200: searchSchemas[kind] },
    async handle(edge, request, reply) {
      reply.header('content-type', jsonType)
      keepPrivate(reply)
      const values = readQuery(request, parameters)
      const { environment: name } = knownCaller(request)
      const searcher = { caller: callerName(request.caller), signal: reply.standAside() }
      const source = { service: edge.search?.[name], searcher }
      return reply.send(await answer(edge, { source, kind, values }, request))
    },
  }
}

/** `GET /search/export`: all works that a search of live ones finds, as one file, for everybody. */
function registerSearchExport(server: FastifyInstance, edge: ExportEdge): void {
  const { q, sort, cursor } = viewParameters('works')
  const parameters = { format: formatParameter, q, sort, ...filterParameters.works, cursor }
  const types = exportFormatNames.map((name) => {
    const { label, mediaType } = exportFormats[name]
    return [mediaType, { schema: contentSchema(mediaType, label) }] as const
  })
  const options = {
    ...edge.admit({ type: 'public', limit: 'search_page' }, parameters),
    schema: {
      operationId: 'exportWorks',
      tags: ['search'],
      summary: 'Exports all works that a search finds as one file.',
      description:
        `A file stops at ${exportLimitsText}; its last line then has the address of the rest. ` +
        'One file of a caller is made at a time.',
      response: { 200: { description: 'The file.', content: Object.fromEntries(types) } },
    },
  }
  server.get(searchExportPath, options, async (request, reply) => {
    const { format, ...values } = readQuery(request, parameters)
    if (format === undefined) {
      throw new HttpError('bad_request', `The query parameter format must be ${formatNames}`)
    }
    const signal = reply.standAside()
    const source = publicSearch(edge, request.ip, signal)
    const wanted: WorkExport = {
      format,
      name: 'works',
      async page(from) {
        const asked = { ...values, ...(from !== undefined && { cursor: from }) }
        const found = await searchRecords(source, 'works', asked, pageOfExport)
        return { arks: found.ids.map(documentArk), next: found.nextCursor }
      },
      addressAt(place) {
        const query = new URLSearchParams(request.originalUrl.split('?')[1])
        query.set('cursor', place)
        return `${edge.baseUrl}${searchExportPath}?${query}`
      },
    }
    const { caller } = source.searcher
    await edge.exporter.run({ caller, signal }, wanted, (file) => sendFile(reply, file))
    return reply
  })
}

const formatNames = `one of ${exportFormatNames.join(', ')}`

const formatParameter: Parameter<ExportFormat> = {
  read: (text) => exportFormatNames.find((name) => name === text),
  accepts: formatNames,
  required: true,
  schema: Type.String({
    title: 'ExportFormat',
    description: 'The format of the file.',
    enum: [...exportFormatNames],
  }),
}

/** What is looked for, and where. */
type Asked = {
  readonly source: SearchSource
  readonly kind: IndexKind
  readonly values: Readonly<Record<string, unknown>>
}

async function answer(
  edge: SearchEdge,
  { source, kind, values }: Asked,
  request: FastifyRequest,
): Promise<string> {
  const beganMs = edge.elapsedMs()
  const { q: text = '', limit = resultsDefault } = values as View
  const name = knownCaller(request).environment
  const registry = { environment: edge.environments[name], baseUrl: edge.baseUrl }
  const { page, results } = await readPage({ source, kind, values }, limit, registry)
  const head = JSON.stringify({
    query: text,
    total: page.total,
    total_is_exact: page.isExact,
    sort: page.sort,
    facets: page.facets,
    facets_of: page.facetsOf,
    also_searched_for: page.alsoSearchedFor,
    not_understood: page.notUnderstood,
    next_cursor: page.nextCursor,
    took_ms: Math.round(edge.elapsedMs() - beganMs),
    engine: page.engine,
    fallback: page.isFallback,
    links: pageLinks(edge.baseUrl, request, page.nextCursor),
  })
  return `${head.slice(0, -1)},"results":[${results.join(',')}]}`
}

/** A page of so many records, or of fewer if these are long. */
async function readPage(
  { source, kind, values }: Asked,
  limit: number,
  registry: Registry,
): Promise<{ readonly page: RecordPage; readonly results: readonly string[] }> {
  const page = await searchRecords(source, kind, values, limit)
  const { texts, read } = await renderPage(kind, page.ids, registry)
  if (read === page.ids.length) return { page, results: texts }
  // Only a search knows where the page after a shorter one begins.
  const shorter = await searchRecords(source, kind, values, read)
  return { page: shorter, results: await renderResults(kind, shorter.ids, registry) }
}

function pageSchema(name: string, result: TSchema) {
  return component(name, {
    query: Type.String({ description: 'The text that was looked for, as it was typed.' }),
    total: Type.Integer({ description: 'Records that were found, as far as they were counted.' }),
    total_is_exact: Type.Boolean({ description: 'Whether there are no more than `total`.' }),
    sort: Type.String({
      description:
        'The order of the results. If there are more than can be ranked, they come newest first, ' +
        'no matter which order was asked for.',
    }),
    results: Type.Array(result),
    facets: Type.Record(Type.String(), facetSchema, {
      title: 'Facets',
      description: 'The values that most results have.',
    }),
    facets_of: Type.Integer({
      description: 'How many results, the newest ones, the facets were counted over.',
    }),
    also_searched_for: Type.Array(Type.String(), {
      description:
        'Words of another form or a similar spelling that were searched for too, because nothing ' +
        'had all words.',
    }),
    not_understood: Type.Array(Type.String(), {
      description:
        'What was typed like a command of other searches, such as `AND` or `journal:`, and was ' +
        'looked for as words.',
    }),
    next_cursor: nullable(Type.String(), 'What `cursor` takes for the next page; null at the end.'),
    took_ms: Type.Integer(),
    engine: Type.String({ title: 'SearchEngine', enum: ['embedded', 'meilisearch'] }),
    fallback: Type.Boolean({
      description: 'Whether the embedded index answered in place of the search server.',
    }),
    links: pageLinksSchema,
  })
}

const { claims: _, ...shownPerson } = personSchema.properties

/** The replies of each kind of search. */
export const searchSchemas: Readonly<Record<IndexKind, TSchema>> = {
  works: pageSchema('WorkSearchPage', workSchema),
  people: pageSchema('PersonSearchPage', component('FoundPerson', shownPerson)),
  organizations: pageSchema('OrganizationSearchPage', organizationSchema),
}
