import type { FastifyInstance } from 'fastify'

import { readParameters } from '#src/edge/query_string.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { FacetCount } from '#src/discovery/search/search_engine.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { barDrawing, shareBar } from '#src/pages/kit/drawing.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { facts, table } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { readAsked, searchAddress, type SearchAsked } from '#src/pages/public/search_form.ts'
import {
  barsOf,
  filterLabels,
  filterText,
  type NameValue,
  valueName,
} from '#src/pages/public/search_filters.ts'
import {
  countWorks,
  publicSearch,
  statisticsGroups,
  statisticsPath,
  type WorkStatistics,
} from '#src/use_cases/record_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { filterParameters, viewParameters } from '#src/use_cases/search_parameters.ts'
import { statistics as words } from '#src/words/english.ts'
import { inLanguage, joined, number } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

type StatisticsPageEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'search'
>

/** Groups that are shown as a table with bars, in their order, and the rows that each has. */
const rankedGroups = [
  'type',
  'language',
  'license',
  'organization',
  'publisher',
  'journal',
  'affiliation',
  'funder',
] as const
const rowsMax = 10

/** Groups that are drawn over time. */
const timeGroups = {
  registered_in: words.registeredByMonth,
  year: words.byYear,
} as const

/** `GET /statistics`: all works, or those of a search, in numbers. */
export function registerStatisticsPage(server: FastifyInstance, edge: StatisticsPageEdge): void {
  server.get('/statistics', pageOptions(edge, 'search_page'), async (request, reply) => {
    const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '')
    const { asked } = readAsked(query)
    if (asked?.kind !== 'works') throw new HttpError('not_found', 'There are statistics of works')
    const { q } = viewParameters('works')
    const parameters = { q, ...filterParameters.works }
    const given = [...asked.given].filter(([name]) => Object.hasOwn(parameters, name))
    const values = readParameters(Object.fromEntries(given), parameters)
    const source = publicSearch(edge, request.ip, reply.standAside())
    const counted = await countWorks(source, values, statisticsGroups)
    const { organizations } = edge.environments.live
    const nameOf: NameValue = (filter, value) =>
      filter === 'organization'
        ? organizations.read(value)?.name
        : counted.groups[filter]?.find((one) => one.value === value)?.name
    reply.header('cache-control', 'public, max-age=60')
    return sendPublicPage(
      statisticsPage({ ...asked, given: new Map(given) }, counted, {
        nameOf,
        baseUrl: edge.baseUrl,
      }),
      reply,
      edge,
    )
  })
}

function statisticsPage(
  asked: SearchAsked,
  counted: WorkStatistics,
  { nameOf: nameValue, baseUrl }: { readonly nameOf: NameValue; readonly baseUrl: string },
): PublicPage {
  const isAll = asked.given.size === 0
  const times = Object.entries(timeGroups).map(([group, caption]) =>
    timePart(asked, { group, caption, counts: counted.groups[group] ?? [] }),
  )
  const ranked = rankedGroups.map((group) =>
    rankedPart(asked, { group, caption: filterLabels[group] ?? group, counted, nameValue }),
  )
  return {
    title: isAll ? words.title : words.titleOfSearch,
    wide: true,
    styles: [publicStyle],
    head: isAll
      ? html`<meta name="description" content="${words.description}">
${addressLinks(`${baseUrl}/statistics`)}`
      : html`<meta name="robots" content="noindex, follow">`,
    body: html`<h1>${words.title}</h1>
${isAll ? html`<p class="lead">${words.all}</p>` : searchedPart(asked, nameValue)}
${overview(counted)}
<p>${words.allNumbers({ links: fileLinks(asked) })}</p>
${counted.works === 0 ? nothing : html`${times}${ranked}`}`,
  }
}

function searchedPart(asked: SearchAsked, nameValue: NameValue): Html {
  const said = [...asked.given].map(([name, value]) =>
    name === 'q'
      ? words.quoted({ words: value })
      : filterText(name, valueName(name, value, nameValue)),
  )
  return html`<p class="lead">${words.foundBy({ what: joined(said, ' · ') })}</p>
<p><a href="${searchAddress(asked)}">${words.showWorks}</a> ·
<a href="/statistics">${words.ofAll}</a></p>`
}

function overview({ works, groups }: WorkStatistics): Html {
  const of = (group: string, value: string) =>
    groups[group]?.find((one) => one.value === value)?.count ?? 0
  const share = (count: number) =>
    works === 0
      ? number(count)
      : words.countAndShare({ count: number(count), share: percentage(count / works) })
  const licensed = (groups['license'] ?? []).reduce((sum, { count }) => sum + count, 0)
  return facts([
    [words.works, number(works)],
    [words.withOrcid, share(of('has_orcid', 'true'))],
    [words.withAbstract, share(of('has_abstract', 'true'))],
    [words.withDoi, share(of('has_doi', 'true'))],
    [words.withLicense, share(licensed)],
    [words.withVerifiedContent, share(of('fixity_status', 'verified'))],
    [words.withdrawn, share(of('status', 'withdrawn'))],
  ])
}

/** A part of all, such as `4.5 %`. */
function percentage(part: number): Text {
  return inLanguage((language) => language.percentage(part))
}

/** Links to the numbers as a table and as JSON, of one group or of all. */
function fileLinks({ given }: SearchAsked, group?: string, caption?: Text): Html {
  const address = (format?: string) => {
    const query = new URLSearchParams([...given])
    if (group !== undefined) query.set('group_by', group)
    if (format !== undefined) query.set('format', format)
    return `/v1${statisticsPath}${query.size === 0 ? '' : `?${query}`}`
  }
  const of = caption === undefined ? '' : html`<span class="unseen"> (${caption})</span>`
  return html`<a href="${address('csv')}" rel="nofollow">CSV${of}</a> ·
<a href="${address()}" rel="nofollow">JSON${of}</a>`
}

type TimeGroup = {
  readonly group: string
  readonly caption: Text
  readonly counts: readonly FacetCount[]
}

function timePart(asked: SearchAsked, { group, caption, counts }: TimeGroup): Html {
  if (counts.length === 0) return nothing
  const inOrder = counts.toSorted((one, other) => (one.value < other.value ? -1 : 1))
  const bars =
    group === 'year'
      ? barsOf(inOrder)
      : inOrder.map(({ value, count }) => ({ label: value, count }))
  return html`<section class="statistics"><h2>${caption}</h2>
${bars.length < 2 ? nothing : barDrawing(bars, caption)}
<details><summary>${words.numbers}</summary>${table(caption, inOrder.toReversed().slice(0, 50), [
    [group === 'year' ? words.year : words.month, ({ value }) => value],
    [words.works, ({ count }) => number(count)],
  ])}</details><p class="hint">${fileLinks(asked, group, caption)}</p></section>`
}

type RankedGroup = {
  readonly group: string
  readonly caption: Text
  readonly counted: WorkStatistics
  readonly nameValue: NameValue
}

function rankedPart(asked: SearchAsked, { group, caption, counted, nameValue }: RankedGroup): Html {
  const counts = counted.groups[group] ?? []
  if (counts.length === 0) return nothing
  const cut = counts.length > rowsMax ? html`${words.mostCommon} ` : nothing
  return html`<section class="statistics"><h2>${caption}</h2>${table(
    caption,
    counts.slice(0, rowsMax),
    [
      [
        caption,
        ({ value }) => html`<a href="${searchAddress(asked, { [group]: value })}"
rel="nofollow">${valueName(group, value, nameValue)}</a>`,
      ],
      [words.works, ({ count }) => number(count)],
      [
        words.share,
        ({ count }) => html`${shareBar(count, counted.works)}
${percentage(count / counted.works)}`,
      ],
    ],
  )}<p class="hint">${cut}${fileLinks(asked, group, caption)}</p></section>`
}
