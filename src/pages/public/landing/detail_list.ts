import { type Html, html, joinHtml } from '#src/pages/kit/html.ts'
import {
  doiUrl,
  encodePath,
  hasDotSegment,
  type RelatedIdentifier,
  shownDoiUrl,
} from '#actors/values/identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { keywordsOf, licenseUrl } from '#src/discovery/formats/described_work.ts'
import { card, facts, foldedList } from '#src/pages/kit/parts.ts'
import type { WorkReply } from '#src/use_cases/landing_record.ts'
import { typeName } from '#src/pages/kit/words.ts'

const languages = new Intl.DisplayNames(['en'], { type: 'language' })

// Identifiers and links of a list that are shown at once.
const openItemsMax = 10

/** What else the metadata of a version say, each under its name. */
export function detailList(work: WorkReply): Html {
  const { metadata, content } = work
  return card(
    'Details',
    facts([
      ['Type', typeLink(metadata.work_type)],
      ['Published', text(metadata.published_date)],
      ['Publisher', text(metadata.publisher_name)],
      ['Published in', containerLine(metadata)],
      ['DOI', metadata.existing_doi && doiLink(metadata.existing_doi)],
      ['Language', metadata.language && html`${languages.of(metadata.language)}`],
      ['License', metadata.license && licenseLink(metadata.license)],
      ['Keywords', keywordLinks(metadata)],
      ['Funding', fundingList(metadata)],
      ['Related', relatedList(metadata.related_identifiers)],
      ['Content', contentLine(content)],
    ]),
  )
}

/** The number of bytes of a file, as people read it: `1.2 MB`. */
export function sizeName(bytes: number): string {
  const unit = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
  const power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toPrecision(3)} ${unit[power] ?? ''}`
}

function text(value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<bdi>${value}</bdi>`
}

function typeLink(workType: string): Html {
  return html`<a href="/search?type=${workType}">${typeName(workType)}</a>`
}

/** The journal or book, with the place in it: `Taylor’s Memoirs, volume 3, pages 1–9`. */
function containerLine({ container_title, volume, issue, pages }: Metadata): Html | undefined {
  const parts = [
    container_title === undefined ? undefined : html`<bdi>${container_title}</bdi>`,
    volume === undefined ? undefined : html`volume <bdi>${volume}</bdi>`,
    issue === undefined ? undefined : html`issue <bdi>${issue}</bdi>`,
    pages === undefined ? undefined : html`pages <bdi>${pages}</bdi>`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : joinHtml(parts, ', ')
}

function doiLink(doi: string): Html {
  return html`<a href="${doiUrl(doi)}" rel="noreferrer">${shownDoiUrl(doi)}</a>`
}

function licenseLink(license: string): Html {
  return html`<a href="${licenseUrl(license)}" rel="license noreferrer">${license}</a>`
}

function keywordLinks(metadata: Metadata): Html | undefined {
  const words = keywordsOf(metadata)
  if (words.length === 0) return undefined
  const items = words.map((word) => {
    const query = new URLSearchParams({ keyword: word }).toString()
    return html`<li><a href="/search?${query}" dir="auto">${word}</a></li>`
  })
  return html`<ul class="tags">${items}</ul>`
}

function fundingList({ funding = [] }: Metadata): Html | undefined {
  return listOf(
    funding.map(({ funder, award }) => {
      const grant = award === undefined ? '' : html`, award <bdi>${award}</bdi>`
      return html`<li><bdi>${funder}</bdi>${grant}</li>`
    }),
  )
}

function relatedList(related: readonly RelatedIdentifier[] = []): Html | undefined {
  return listOf(
    related.map((one) => html`<li>${relationName(one.relation)} ${relatedLink(one)}</li>`),
  )
}

// `IsSupplementedBy` → `is supplemented by`
function relationName(relation: string): string {
  return relation.replaceAll(/(?<=.)([A-Z])/g, ' $1').toLowerCase()
}

function relatedLink(related: RelatedIdentifier): Html {
  const { scheme, identifier } = related
  const url = addressOf(related)
  const shown = html`<bdi>${scheme === 'URL' ? '' : `${scheme} `}${identifier}</bdi>`
  return url === undefined ? shown : html`<a href="${url}" rel="noreferrer">${shown}</a>`
}

/** Where identifiers lead, for the schemes that have a resolver. */
const resolvers: { readonly [S in RelatedIdentifier['scheme']]?: (identifier: string) => string } =
  {
    DOI: doiUrl,
    ARK: (identifier) => `/${identifier}`,
    Handle: (identifier) => `https://hdl.handle.net/${encodePath(identifier)}`,
    arXiv: (identifier) =>
      `https://arxiv.org/abs/${encodePath(identifier.replace(/^arxiv:/i, ''))}`,
    PMID: (identifier) => `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(identifier)}/`,
  }

function addressOf({ scheme, identifier }: RelatedIdentifier): string | undefined {
  const resolver = resolvers[scheme]
  // No encoding keeps a dot segment from leading elsewhere.
  if (resolver !== undefined && !hasDotSegment(identifier)) return resolver(identifier)
  return /^https?:\/\//i.test(identifier) ? identifier : undefined
}

/** The items as a list; undefined if there are none. */
function listOf(items: readonly Html[]): Html | undefined {
  if (items.length === 0) return undefined
  const more = (count: number) => `and ${count} more`
  return foldedList({ items, openMax: openItemsMax, kind: 'items', more })
}

function contentLine({ media_type, size }: WorkReply['content']): Html | undefined {
  const parts = [media_type, size === null ? null : sizeName(size)].filter((part) => part !== null)
  return parts.length === 0 ? undefined : html`${parts.join(', ')}`
}
