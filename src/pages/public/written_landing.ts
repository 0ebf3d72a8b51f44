import { atomType, workFeedPath } from '#src/discovery/feeds/atom.ts'
import {
  type CitationStyle,
  citationStyles,
  formatCitation,
  usualForm,
} from '#src/discovery/formats/citation_styles.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { type FormatName, formats } from '#src/discovery/formats/format_table.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import type { TypedLink } from '#src/discovery/formats/signposting.ts'
import type { Representation } from '#src/edge/rendered_reply.ts'
import { html, type Html, joinHtml } from '#src/pages/kit/html.ts'
import { publicPageHeaders, renderPublicPage } from '#src/pages/kit/public_page.ts'
import { landingPage, landingScripts } from '#src/pages/public/landing/landing_page.ts'
import {
  type CitationOffer,
  type LandingContext,
  namedAuthorsMax,
  type NamedLink,
} from '#src/pages/public/landing/work_parts.ts'
import {
  type LandingRecord,
  landingRecord,
  type LandingTask,
} from '#src/use_cases/landing_record.ts'

type LandedWork = {
  /** Its resolution, of the version that was asked for, or its tombstone. */
  readonly work: LandingRecord['work']
  /** The address of the page: it names the version if that was asked for by its number. */
  readonly url: string
  /** The typed links of the page. */
  readonly links: readonly TypedLink[]
  /** The work as formats describe it; undefined if its metadata was erased. */
  readonly described: DescribedWork | undefined
}

/** What replies say of every page of a work and of every tombstone, whatever stands in it. */
export const landingHeaders = publicPageHeaders({ scripts: landingScripts })

/** Writes the page of a work, or that of its tombstone. */
export function writeLanding(task: LandingTask, landed: LandedWork): Representation {
  const { sources, site } = task
  const page = landingPage(landingRecord(landed.work, sources), contextOf(task, landed))
  return { bytes: Buffer.from(renderPublicPage(page, site).text), headers: landingHeaders }
}

/** Files that reference managers import, the commonest first. */
const citationFormats = [
  'bibtex',
  'biblatex',
  'ris',
  'csl',
] as const satisfies readonly FormatName[]

/** Descriptions that harvesters and search engines read. */
const descriptionFormats = [
  'jsonld',
  'turtle',
  'datacite-xml',
  'datacite-json',
  'dc',
  'csv',
] as const satisfies readonly FormatName[]

function claimUrl({ accounts }: LandingTask['site'], ark: string): string {
  return `${accounts.authUrl}/account/works/claim?${new URLSearchParams({ ark })}`
}

function contextOf(task: LandingTask, landed: LandedWork): LandingContext {
  const { sources, site, nowMs, usage } = task
  const { work, url, links, described } = landed
  const path = new URL(url).pathname
  // Feeds and harvesting are of the live registry.
  const isLive = sources.environment === 'live'
  const feed = isLive ? feedLinkElement('Changes of this work', workFeedPath(work.ark)) : ''
  return {
    baseUrl: site.baseUrl,
    url,
    nowMs,
    linkElements: html`${linkElements(links)}
${feed}`,
    // A description must name all authors: a work with too many has it on a page of its own.
    jsonLd: described && (hasMany(described) ? undefined : formatSchemaOrg(described)),
    citation: offerCitation(path, described),
    ...(usage && { usage }),
    machineLinks: [
      { name: 'JSON', href: `${path}?format=json` },
      ...(described === undefined ? [] : formatLinks(path, descriptionFormats)),
      { name: 'Link set', href: `${path}?format=linkset` },
      { name: 'ERC', href: `${path}?info` },
      ...(isLive ? liveLinks(work.ark) : []),
    ],
    ...(isLive && { claimUrl: claimUrl(site, work.ark) }),
  }
}

function hasMany({ authors }: DescribedWork): boolean {
  return authors.length > namedAuthorsMax
}

function liveLinks(ark: string): readonly NamedLink[] {
  const query = new URLSearchParams({
    verb: 'GetRecord',
    metadataPrefix: 'oai_dc',
    identifier: ark,
  })
  return [
    { name: 'Atom feed', href: workFeedPath(ark) },
    { name: 'OAI-PMH record', href: `/api/v1/oai?${query}` },
  ]
}

function offerCitation(path: string, described: DescribedWork | undefined): CitationOffer {
  if (described === undefined) return { styles: [], downloads: [] }
  // A reference names the first authors and the last one.
  const { authors } = described
  const few = [...authors.slice(0, namedAuthorsMax), ...authors.slice(-1)]
  const cited = hasMany(described) ? { ...described, authors: few } : described
  const styles = Object.entries(citationStyles).map(([style, { label }]) => {
    const text = formatCitation(cited, { ...usualForm, style: style as CitationStyle }).trim()
    return { style, name: label, text, href: `${path}?format=citation&style=${style}` }
  })
  return {
    styles,
    downloads: formatLinks(path, citationFormats),
  }
}

function formatLinks(path: string, names: readonly FormatName[]): readonly NamedLink[] {
  return names.map((name) => ({ name: formats[name].label, href: `${path}?format=${name}` }))
}

/** The links as elements of the head of a page. */
export function linkElements(links: readonly TypedLink[]): Html {
  const elements = links.map(({ rel, href, type }) =>
    type === undefined
      ? html`<link rel="${rel}" href="${href}">`
      : html`<link rel="${rel}" type="${type}" href="${href}">`,
  )
  return joinHtml(elements, '\n')
}

/** The element of a page's head by which readers of feeds find one; `path` begins with a slash. */
export function feedLinkElement(title: string, path: string): Html {
  return html`<link rel="alternate" type="${atomType}" title="${title}" href="${path}">`
}
