import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Organization } from '#actors/people/organizations/events.ts'
import type { OwnerCounts } from '#actors/works/views.ts'
import { organizationFeedPath } from '#src/discovery/feeds/atom.ts'
import { formatSetSpec } from '#src/discovery/oai/oai_request.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { integerParameter, readPageQuery } from '#src/edge/query_string.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { addressLinks, feedAddress, type Page } from '#src/pages/kit/page.ts'
import { type Fact, facts, pagination, time } from '#src/pages/kit/parts.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { workList } from '#src/pages/public/result_list.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import { frame, owners, search } from '#src/words/english.ts'
import { joined, regionName } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'
import { nameOrganization } from '#src/use_cases/organization_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type ShownPublisher = {
  readonly organization: Organization
  readonly counts: OwnerCounts
  /** Newest first, one page of them. */
  readonly works: readonly ListedWork[]
  /** Where this page began, if it is not the first, and where the next one does. */
  readonly before: number | undefined
  readonly next: number | null
}

function publisherPage(publisher: ShownPublisher, baseUrl: string): Page {
  const { organization, counts, before } = publisher
  const { slug, name } = organization
  const feed = feedAddress(organizationFeedPath(slug))
  return {
    title: name,
    wide: true,
    styles: [publicStyle],
    head: html`<link rel="alternate" type="application/atom+xml" title="${name}" href="${feed}">
${before === undefined ? addressLinks(`${baseUrl}/publishers/${slug}`) : noIndexFollow}`,
    body: html`<h1>${name}</h1>
<p class="lead">${countText(counts)}</p>
${factList(organization)}
<section aria-labelledby="works"><h2 id="works">${owners.newestFirst}</h2>
${worksPart(publisher)}</section>
<p class="aside">${owners.forPrograms} <a href="/api/v1/organizations/${slug}">JSON</a> ·
<a href="${feed}">${frame.feed}</a> ·
<a href="${harvestPath(slug)}">${owners.oaiSet}</a></p>`,
  }
}

function harvestPath(slug: string): string {
  return `/api/v1/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${formatSetSpec(slug)}`
}

function countText({ works_count: works, people_count: people }: OwnerCounts): Text {
  const registered = owners.registered({ count: works })
  return people === 0 ? registered : joined([registered, owners.authors({ count: people })], ' · ')
}

function factList({ slug, aliases, ror, country, url, created_at: since }: Organization): Html {
  const rows: Fact[] = [
    [owners.alsoKnownAs, aliases.length === 0 ? undefined : aliases.join(', ')],
    [owners.website, url === undefined ? undefined : link(url)],
    ['ROR', ror === undefined ? undefined : link(ror)],
    [owners.country, country === undefined ? undefined : regionName(country)],
    [owners.registryName, html`<code>${slug}</code>`],
    [owners.since, time(since)],
  ]
  return facts(rows)
}

// Stored addresses are http or https.
function link(url: string): Html {
  return html`<a href="${url}" rel="noreferrer nofollow">${url}</a>`
}

function worksPart({ organization, counts, works, before, next }: ShownPublisher): Html {
  if (works.length === 0 && before === undefined && next === null) {
    return html`<p>${owners.noWorks}</p>`
  }
  const { slug } = organization
  const all = counts.works_count
  const searching = html`<form class="search-form" role="search" action="/search">
<input type="hidden" name="organization" value="${slug}">
<div class="search-box"><input type="search" name="q" maxlength="1000" autocomplete="off"
aria-label="${owners.searchThese}" placeholder="${owners.searchThese}">
<button class="button" type="submit">${search.search}</button></div></form>`
  const list = {
    path: `/publishers/${slug}`,
    parameter: 'before',
    next,
    isFirst: before === undefined,
  }
  const numbers = html`<p><a href="/statistics?organization=${slug}">${owners.statistics}</a></p>`
  return html`${all > works.length ? searching : ''}${numbers}${workList(works)}${pagination(list)}`
}

/** Further pages of a list are not found by themselves. */
const noIndexFollow = html`<meta name="robots" content="noindex, follow">`

const worksMax = 20

const parameters = {
  before: integerParameter('Where the page begins: what the link to it says.', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
}

/** `GET /publishers/{slug}`: an organization as readers see it, with the works that stand. */
export function registerPublisherPageRoute(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl' | 'branding' | 'environments' | 'accounts'>,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, parameters),
    schema: { hide: true },
  }
  type Named = FastifyRequest<{ Params: { slug: string } }>
  server.get('/publishers/:slug', options, async (request: Named, reply) => {
    const { before } = readPageQuery(request, parameters)
    const { baseUrl, environments } = edge
    const environment = environments.live
    const organization = nameOrganization(environment, request.params.slug)
    const { slug } = organization
    const owner = { type: 'organization', id: slug } as const
    const place = { limit: worksMax, ...(before !== undefined && { cursor: before }) }
    const { works: held, next } = await environment.holdings.works(owner, place)
    const ids = held.map(({ ark_identifier: ark }) =>
      documentId({ type: 'work', id: ark.replace(/^ark:\/?/, '') }),
    )
    const shown = {
      organization,
      counts: environment.holdings.counts(owner),
      works: await readListedWorks(ids, { environment, baseUrl }),
      before,
      next,
    }
    reply.header('link', [
      `<${baseUrl}/api/v1/organizations/${slug}>; rel="alternate"; type="application/json"`,
      `<${baseUrl}${organizationFeedPath(slug)}>; rel="alternate"; type="application/atom+xml"`,
    ])
    return sendPublicPage(publisherPage(shown, baseUrl), reply, edge)
  })
}
