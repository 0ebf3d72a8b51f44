import { workLink } from '#actors/registry/catalogue/representation.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'

/** A link of the page at a work's ARK to something else (RFC 8288). */
export type TypedLink = {
  readonly rel: string
  /** Absolute, in ASCII. */
  readonly href: string
  /** Media type of what is there. */
  readonly type?: string
  /** URI of the schema or the vocabulary that it follows. */
  readonly profile?: string
}

/** A description of a work for programs: where it is, and what it is written in. */
export type DescriptionLink = Required<Pick<TypedLink, 'href' | 'type'>> &
  Pick<TypedLink, 'profile'>

/** What typed links need to know of a work, or of the tombstone in its place. */
export type SignpostedWork = {
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** `ark:/naan/name`. */
  readonly ark: string
  readonly version: number
  readonly latestVersion: number
  /** Whether the version was asked for by its number: then its page is at `/v<n>`. */
  readonly isPinned: boolean
  /** Undefined once the metadata was erased. */
  readonly workType: WorkType | undefined
  readonly authors: readonly {
    readonly orcid?: string
    readonly claims?: readonly { readonly ppid: string; readonly orcid?: string }[]
  }[]
  /** SPDX identifier or address. */
  readonly license: string | undefined
  readonly doi: string | undefined
  /** Pages of works here that say they relate to this one. */
  readonly related?: readonly string[]
  /** Null once the work was withdrawn; `mediaType` is as its server named it. */
  readonly content: { readonly url: string; readonly mediaType: string | null } | null
  readonly descriptions: readonly DescriptionLink[]
}

/** What the address of a page is made of. */
type SignpostedPage = Pick<SignpostedWork, 'baseUrl' | 'ark' | 'version' | 'isPinned'>

/** Bytes of a Link header: servers and proxies take 8 kB of headers altogether. */
export const linkHeaderBytesMax = 4_095

/** Authors beyond whom only the link set tells who they are. */
const authorsMax = 5

const aboutPage = 'https://schema.org/AboutPage'

const linksetTypes = ['application/linkset+json', 'application/linkset'] as const

/** The query by which a representation at an ARK is asked for. */
const linksetFormats = { 'application/linkset+json': 'linkset', 'application/linkset': 'links' }

/** What a header leaves to the link set where not all fits, in this order. */
const leftFirst = [
  'author',
  'related',
  'version-history',
  'successor-version',
  'predecessor-version',
  'latest-version',
  'license',
  'describedby',
  'item',
]

/** The address of the page of a work, or of one version of it. */
export function pageUrl({ baseUrl, ark, version, isPinned }: SignpostedPage): string {
  return `${baseUrl}/${ark}${isPinned ? `/v${version}` : ''}`
}

/**
 * The links of the page at a work's ARK: those of the FAIR Signposting Profile, and those between
 * versions (RFC 5829). Its identifier is the ARK; a DOI of its own is only `related`.
 */
export function typedLinks(work: SignpostedWork): readonly TypedLink[] {
  const { workType, license, doi, related = [], content, descriptions } = work
  const url = pageUrl(work)
  const kind = workType === undefined ? undefined : workTypes[workType].schemaOrg
  return [
    { rel: 'cite-as', href: url },
    { rel: 'type', href: aboutPage },
    ...(kind === undefined ? [] : [{ rel: 'type', href: `https://schema.org/${kind}` }]),
    ...authorUrls(work).map((href) => ({ rel: 'author', href })),
    ...(license === undefined ? [] : [{ rel: 'license', href: licenseNames(license).address }]),
    ...descriptions.map((description) => ({ rel: 'describedby', ...description })),
    ...(content === null ? [] : [itemLink(content)]),
    ...(doi === undefined ? [] : [{ rel: 'related', href: doiUrl(doi) }]),
    ...related.map((href) => ({ rel: 'related', href })),
    ...versionLinks(work),
    ...linksetLinks(url),
  ]
}

function linksetLinks(url: string): readonly TypedLink[] {
  return linksetTypes.map((type) => {
    return { rel: 'linkset', href: `${url}?format=${linksetFormats[type]}`, type }
  })
}

/** The ORCID iD of an author, or else the page of the person who is known to be the author. */
function authorUrls({ baseUrl, authors }: SignpostedWork): readonly string[] {
  const urls = authors.flatMap(({ orcid, claims = [] }) => {
    const known = orcid ?? claims.find((claim) => claim.orcid !== undefined)?.orcid
    if (known !== undefined) return [`https://orcid.org/${known}`]
    return claims.slice(0, 1).map(({ ppid }) => `${baseUrl}/people/${ppid}`)
  })
  return [...new Set(urls)]
}

// A server may have sent any text as the type of its content.
const mediaTypeForm = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?=\s*(?:;|$))/

function itemLink({ url, mediaType }: NonNullable<SignpostedWork['content']>): TypedLink {
  const [type] = mediaTypeForm.exec(mediaType ?? '') ?? []
  const { href } = new URL(url)
  return { rel: 'item', href, ...(type !== undefined && { type: type.toLowerCase() }) }
}

function versionLinks(work: SignpostedWork): readonly TypedLink[] {
  const { baseUrl, ark, version, latestVersion } = work
  const url = `${baseUrl}/${ark}`
  const history = workLink('history', baseUrl, ark, version)
  return [
    { rel: 'latest-version', href: url },
    ...(version > 1 ? [{ rel: 'predecessor-version', href: `${url}/v${version - 1}` }] : []),
    ...(version < latestVersion
      ? [{ rel: 'successor-version', href: `${url}/v${version + 1}` }]
      : []),
    { rel: 'version-history', href: history, type: 'application/json' },
  ]
}

/**
 * Those of the links that a header or a page gives: all of them, or, if there are many authors or
 * the header would be too long, those that matter most: the link set has the others.
 */
export function signposts(links: readonly TypedLink[]): readonly TypedLink[] {
  const hasMany = links.filter(({ rel }) => rel === 'author').length > authorsMax
  let shown = hasMany ? links.filter(({ rel }) => rel !== 'author') : links
  for (const left of leftFirst) {
    if (Buffer.byteLength(formatLinkHeader(shown)) <= linkHeaderBytesMax) return shown
    shown = shown.filter(({ rel }) => rel !== left)
  }
  return shown
}

/** The links of a description of a work: what it describes, by which name to cite that. */
export function descriptionLinks(page: SignpostedPage): readonly TypedLink[] {
  const url = pageUrl(page)
  const described = { rel: 'describes', href: url, type: 'text/html' }
  return [described, { rel: 'cite-as', href: url }, ...linksetLinks(url)]
}

/**
 * The value of a Link header (RFC 8288 §3). Much used readers part it at each `;` or `,`, and take
 * quotation marks off its ends: within an address these signs are percent-encoded.
 */
export function formatLinkHeader(links: readonly TypedLink[]): string {
  return links.map((link) => formatLink(link, plainAddress(link.href))).join(', ')
}

const partingSigns = /[;,']/g
const encodings: Readonly<Record<string, string>> = { ';': '%3B', ',': '%2C', "'": '%27' }

function plainAddress(href: string): string {
  return href.replace(partingSigns, (sign) => encodings[sign] ?? sign)
}

/** One link as headers and link sets write it; `anchor` is the page that it is a link of. */
function formatLink({ rel, type, profile }: TypedLink, href: string, anchor?: string): string {
  const typed = type === undefined ? '' : `; type="${type}"`
  const profiled = profile === undefined ? '' : `; profile="${profile}"`
  const anchored = anchor === undefined ? '' : `; anchor="${anchor}"`
  return `<${href}>; rel="${rel}"${typed}${profiled}${anchored}`
}

/** The links of one page or file, its `anchor`. */
type Context = { readonly anchor: string; readonly links: readonly TypedLink[] }

/**
 * A target in a link set as JSON. Profiles would be lists there (RFC 9264 §4.2.4.3), by which
 * readers of Signposting fail: the header and the text form have them.
 */
type Target = { readonly href: string; readonly type?: string }

/**
 * All typed links around a work as a link set in JSON (RFC 9264 §4.2): those of its page, and those
 * that lead from its content and its descriptions back to the page.
 */
export function linksetJson(work: SignpostedWork): string {
  const linkset = contextsOf(work).map(({ anchor, links }) => {
    const relations = Object.groupBy(links, ({ rel }) => rel)
    const targets = Object.entries(relations).map(
      ([rel, some = []]) => [rel, some.map(targetOf)] as const,
    )
    return { anchor, ...Object.fromEntries(targets) }
  })
  return JSON.stringify({ linkset })
}

/** The same as `application/linkset`: the text of a Link header, a link a line (RFC 9264 §4.1). */
export function linksetText(work: SignpostedWork): string {
  const links = contextsOf(work).flatMap((context) =>
    context.links.map((link) => formatLink(link, link.href, context.anchor)),
  )
  return `${links.join(',\n')}\n`
}

function contextsOf(work: SignpostedWork): readonly Context[] {
  const page = pageUrl(work)
  // A link set does not link to itself.
  const links = typedLinks(work).filter(({ rel }) => rel !== 'linkset')
  const back = { href: page, type: 'text/html' }
  return [
    { anchor: page, links },
    ...links.flatMap(({ rel, href }): Context[] => {
      if (rel === 'item') return [{ anchor: href, links: [{ rel: 'collection', ...back }] }]
      if (rel === 'describedby') return [{ anchor: href, links: [{ rel: 'describes', ...back }] }]
      return []
    }),
  ]
}

function targetOf({ href, type }: TypedLink): Target {
  return { href, ...(type !== undefined && { type }) }
}
