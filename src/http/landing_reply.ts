import type { FastifyReply } from 'fastify'

import type { Ark } from '#actors/ark.ts'
import type { Rendered } from '#actors/catalogue.ts'
import type { Environment } from '#actors/environment.ts'
import { feedLinkElement } from '#src/feeds/atom.ts'
import { workFeedPath } from '#src/feeds/feed_paths.ts'
import type { DescribedWork } from '#src/formats/described_work.ts'
import { type FormatName, formats } from '#src/formats/format_table.ts'
import {
  type CitationStyle,
  citationStyles,
  formatCitation,
} from '#src/formats/formatted_citation.ts'
import { formatSchemaOrg } from '#src/formats/schema_org.ts'
import { workNotFound } from '#src/http/named_work.ts'
import type { Edge } from '#src/http/server.ts'
import { linkElements, type TypedLink } from '#src/http/signposting.ts'
import { namedAuthorsMax } from '#src/web/landing/author_list.ts'
import type { CitationOffer, LandingContext, NamedLink } from '#src/web/landing/landing_context.ts'
import { landingPage } from '#src/web/landing/landing_page.ts'
import { readLandingRecord } from '#src/web/landing/landing_record.ts'
import { sendPublicPage } from '#src/web/public_page.ts'

/** A work whose page is asked for. */
export type LandingWish = {
  readonly environment: Environment
  readonly ark: Ark
  /** Its resolution, of the version that was asked for, or its tombstone. */
  readonly found: Rendered
  /** The address of the page: it names the version if that was asked for by its number. */
  readonly url: string
  /** The typed links of the page. */
  readonly links: readonly TypedLink[]
  /** The work as formats describe it; undefined if its metadata was erased. */
  readonly described: DescribedWork | undefined
}

/** Sends the page of a work, or 410 and the page of its tombstone. */
export async function sendLandingPage(
  edge: Edge,
  reply: FastifyReply,
  wish: LandingWish,
): Promise<FastifyReply> {
  const { environment, ark, found } = wish
  const record = await readLandingRecord(environment, ark, found)
  if (record === undefined) throw workNotFound(environment, ark)
  const context = contextOf(edge, wish, record.work)
  return sendPublicPage(landingPage(record, context), reply, edge)
}

/** Files that reference managers import, the commonest first. */
const citationFormats = ['bibtex', 'ris', 'csl'] as const satisfies readonly FormatName[]

/** Descriptions that harvesters and search engines read. */
const descriptionFormats = [
  'jsonld',
  'datacite-xml',
  'datacite-json',
  'dc',
  'csv',
] as const satisfies readonly FormatName[]

type Identified = {
  readonly ark: string
  readonly links: Readonly<Record<string, string>>
}

function contextOf(edge: Edge, wish: LandingWish, work: Identified): LandingContext {
  const { environment, url, links, described } = wish
  const path = new URL(url).pathname
  // Feeds and harvesting are of the live registry.
  const isLive = environment.name === 'live'
  const feed = isLive ? feedLinkElement('Changes of this work', workFeedPath(work.ark)) : ''
  return {
    baseUrl: edge.baseUrl,
    url,
    nowMs: edge.nowMs(),
    linkElements: `${linkElements(links)}\n${feed}`,
    // What is true of some authors only is no description: a work with more has it a link away.
    jsonLd: described && (hasMany(described) ? undefined : formatSchemaOrg(described)),
    citation: offerCitation(path, described),
    machineLinks: [
      { name: 'JSON', href: `${path}?format=json` },
      ...(described === undefined ? [] : formatLinks(path, descriptionFormats)),
      { name: 'Link set', href: `${path}?format=linkset` },
      { name: 'ERC', href: `${path}?info` },
      ...(isLive ? liveLinks(work.ark) : []),
    ],
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
  if (described === undefined) return { text: undefined, styles: [], downloads: [] }
  const styles = Object.entries(citationStyles).map(([style, { label }]) => {
    return { name: label, href: `${path}?format=citation&style=${style}` }
  })
  // A reference names the first authors and the last one.
  const { authors } = described
  const few = [...authors.slice(0, namedAuthorsMax), ...authors.slice(-1)]
  const cited = hasMany(described) ? { ...described, authors: few } : described
  return {
    text: formatCitation(cited, 'apa' satisfies CitationStyle).trim(),
    styles,
    downloads: formatLinks(path, citationFormats),
  }
}

function formatLinks(path: string, names: readonly FormatName[]): readonly NamedLink[] {
  return names.map((name) => ({ name: formats[name].label, href: `${path}?format=${name}` }))
}
