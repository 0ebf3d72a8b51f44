import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { readPageQuery } from '#src/edge/query_string.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { html } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { pagination } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { resultList } from '#src/pages/public/result_list.ts'
import { frame, owners, search } from '#src/words/english.ts'
import { publicSearch, renderResults, searchRecords } from '#src/use_cases/record_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { viewParameters } from '#src/use_cases/search_parameters.ts'

type IndexedKind = 'people' | 'organizations'

/** One page of an index, by name; `next` leads on, and is null at the end. */
type IndexedPage = {
  readonly kind: IndexedKind
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly total: number
  readonly isExact: boolean
  readonly next: string | null
  readonly isFirst: boolean
}

const indexPaths: Readonly<Record<IndexedKind, string>> = {
  people: '/people',
  organizations: '/publishers',
}

const words = {
  people: {
    title: frame.people,
    lead: owners.peopleLead,
    search: owners.searchPeople,
    count: search.countPeople,
    moreThan: search.moreThanPeople,
    none: search.noneYetPeople,
  },
  organizations: {
    title: frame.publishers,
    lead: owners.publishersLead,
    search: owners.searchPublishers,
    count: search.countOrganizations,
    moreThan: search.moreThanOrganizations,
    none: search.noneYetOrganizations,
  },
} as const

function indexPage(page: IndexedPage, baseUrl: string): PublicPage {
  const { kind, records, total, isExact, next, isFirst } = page
  const { title, lead, search: label, count, moreThan, none } = words[kind]
  const list = { path: indexPaths[kind], parameter: 'cursor', next, isFirst }
  const amount = isExact ? count({ count: total }) : moreThan({ count: total })
  const found =
    records.length === 0
      ? html`<p>${none}</p>`
      : html`<p>${amount}</p>
${resultList(kind, records, { words: new Set(), beginnings: [] })}${pagination(list)}`
  return {
    title,
    wide: true,
    current: indexPaths[kind],
    styles: [publicStyle],
    head: isFirst
      ? addressLinks(baseUrl + indexPaths[kind])
      : html`<meta name="robots" content="noindex, follow">`,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<form class="search-form" role="search" aria-label="${label}" action="/search">
<input type="hidden" name="in" value="${kind}">
<div class="search-box"><input type="search" name="q" maxlength="1000" autocomplete="off"
aria-label="${label}"><button class="button" type="submit">${search.search}</button></div></form>
<h2>${owners.byName}</h2>
${found}`,
  }
}

const recordsMax = 50

type IndexEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'search'
>

/** `GET /people` and `GET /publishers`: who is here, by name and page by page. */
export function registerIndexPageRoutes(server: FastifyInstance, edge: IndexEdge): void {
  const options = pageOptions(edge, 'search_page')
  for (const kind of ['people', 'organizations'] as const) {
    server.get(indexPaths[kind], options, async (request, reply) => {
      const page = indexPage(await readIndex(edge, kind, request, reply), edge.baseUrl)
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
