import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { readPageQuery } from '#src/edge/query_string.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { pagination } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { plural } from '#src/pages/kit/words.ts'
import { resultList } from '#src/pages/public/result_list.ts'
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
    title: 'People',
    lead: 'Researchers who show everybody who they are.',
    search: 'Search people',
    one: 'person',
    many: 'people',
  },
  organizations: {
    title: 'Publishers',
    lead: 'Organizations that register works here.',
    search: 'Search publishers',
    one: 'publisher',
    many: 'publishers',
  },
} as const

function indexPage(page: IndexedPage): PublicPage {
  const { kind, records, next, isFirst } = page
  const { title, lead, search, many } = words[kind]
  const list = { path: indexPaths[kind], parameter: 'cursor', next, isFirst }
  const found =
    records.length === 0
      ? html`<p>There are no ${many} here yet.</p>`
      : html`${resultList(kind, records, { words: new Set(), beginnings: [] })}${pagination(list)}`
  return {
    title,
    wide: true,
    current: indexPaths[kind],
    styles: [publicStyle],
    ...(!isFirst && { head: html`<meta name="robots" content="noindex, follow">` }),
    body: html`<h1>${title}</h1>
<p class="lead">${lead} ${totalText(page)}</p>
<form class="search-form" role="search" aria-label="${search}" action="/search">
<input type="hidden" name="in" value="${kind}">
<div class="search-box"><input type="search" name="q" maxlength="1000" autocomplete="off"
aria-label="${search}"><button class="button" type="submit">Search</button></div></form>
<h2>By name</h2>
${found}`,
  }
}

function totalText({ kind, total, isExact }: IndexedPage): Html | '' {
  if (total === 0) return ''
  const { one, many } = words[kind]
  return html`${isExact ? '' : 'More than '}${plural(total, one, many)}, by name.`
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
