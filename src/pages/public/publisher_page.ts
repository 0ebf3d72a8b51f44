import { type Fact, facts, pagination, time } from '#src/pages/kit/parts.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Organization } from '#actors/organizations/port.ts'
import { organizationFeedPath } from '#src/discovery/feeds/atom.ts'
import { formatSetSpec } from '#src/discovery/oai/set_spec.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { workList } from '#src/pages/public/result_list.ts'
import type { ListedWork } from '#src/use_cases/listed_works.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'
import type { OwnerCounts } from '#actors/works/views.ts'

/** What readers see of an organization. */
export type ShownPublisher = {
  readonly organization: Organization
  readonly counts: OwnerCounts
  /** Newest first, one page of them. */
  readonly works: readonly ListedWork[]
  /** Where this page began, if it is not the first, and where the next one does. */
  readonly before: number | undefined
  readonly next: number | null
}

/** The page of an organization for readers: who it is, and the works that it has registered. */
export function publisherPage(publisher: ShownPublisher): Page {
  const { organization, counts, before } = publisher
  const { slug, name } = organization
  const feed = organizationFeedPath(slug)
  return {
    title: name,
    wide: true,
    styles: [publicStyle],
    head: html`<link rel="alternate" type="application/atom+xml" title="${name}" href="${feed}">
${before === undefined ? '' : html`<meta name="robots" content="noindex, follow">`}`,
    body: html`<h1>${name}</h1>
<p class="lead">${countText(counts)}.</p>
${factList(organization)}
<section aria-labelledby="works"><h2 id="works">Works, newest first</h2>
${worksPart(publisher)}</section>
<p class="aside">For programs: <a href="/api/v1/organizations/${slug}">JSON</a> ·
<a href="${feed}">feed</a> ·
<a href="${harvestPath(slug)}">OAI-PMH set</a></p>`,
  }
}

/** Where the works of an organization are harvested. */
function harvestPath(slug: string): string {
  return `/api/v1/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${formatSetSpec(slug)}`
}

function countText({ works_count: works, people_count: people }: OwnerCounts): string {
  const registered = `${plural(works, 'work')} registered here`
  return people === 0 ? registered : `${registered}; ${plural(people, 'verified author')}`
}

function factList({ slug, aliases, ror, country, url, created_at: since }: Organization): Html {
  const rows: Fact[] = [
    ['Also known as', aliases.length === 0 ? undefined : aliases.join(', ')],
    ['Website', url === undefined ? undefined : link(url)],
    ['ROR id', ror === undefined ? undefined : link(ror)],
    ['Country', country === undefined ? undefined : countryName(country)],
    ['Name in the registry', html`<code>${slug}</code>`],
    ['Here since', time(since)],
  ]
  return facts(rows)
}

// Stored addresses are http or https.
function link(url: string): Html {
  return html`<a href="${url}" rel="noreferrer nofollow">${url}</a>`
}

function countryName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
}

function worksPart({ organization, counts, works, before, next }: ShownPublisher): Html {
  if (works.length === 0 && before === undefined && next === null) {
    return html`<p>It has not registered any yet.</p>`
  }
  const { slug } = organization
  const all = counts.works_count
  const search = html`<form class="search-form" role="search" action="/search">
<input type="hidden" name="organization" value="${slug}">
<div class="search-box"><input type="search" name="q" maxlength="1000" autocomplete="off"
aria-label="Search these works" placeholder="Search these ${formatNumber(all)} works">
<button class="button" type="submit">Search</button></div></form>`
  const list = {
    path: `/publishers/${slug}`,
    parameter: 'before',
    next,
    isFirst: before === undefined,
  }
  return html`${all > works.length ? search : ''}${workList(works)}${pagination(list)}`
}
