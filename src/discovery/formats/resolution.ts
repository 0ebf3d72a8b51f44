import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { UpdateNotice } from '#actors/works/update_notices.ts'
import {
  type DescribedAuthor,
  type DescribedWork,
  markedTitle,
  readAuthor,
} from '#src/discovery/formats/described_work.ts'
import type { ErcRecord } from '#src/discovery/formats/erc.ts'
import { descriptionsOf } from '#src/discovery/formats/format_table.ts'
import type { SignpostedWork } from '#src/discovery/formats/signposting.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'

/** An author, with the people who are known to be this author. */
type Author = DescribedAuthor & Pick<SignpostedWork['authors'][number], 'claims'>

/** What the representations at an ARK need of a resolution, or of the tombstone in its place. */
export type Resolution = {
  /** `ark:/naan/name`. */
  readonly ark: string
  readonly status: 'registered' | 'withdrawn'
  /** What was registered; of an erased work nothing is left. */
  readonly metadata: Partial<Metadata>
  readonly authors: readonly Author[]
  /** Undefined once the work was withdrawn. `size` in bytes. */
  readonly content: NonNullable<DescribedWork['content']> | undefined
  readonly version: number
  readonly latestVersion: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly withdrawal: DescribedWork['withdrawal']
  /** The notices on the work, which its newest version tells. */
  readonly notices: readonly UpdateNotice[]
  readonly links: Readonly<Record<string, string>>
}

/** The members of the catalogue's JSON that are read here. */
export type ResolutionBody = {
  readonly ark: string
  readonly status: 'registered' | 'withdrawn'
  /** Absent once they were erased. */
  readonly authors?: readonly Author[]
  readonly version: number
  readonly created_at: string
  readonly links: Readonly<Record<string, string>>
  /** Of a work. */
  readonly latest_version?: number
  readonly registered_at?: string
  readonly content?: {
    /** Absent once the work was withdrawn. */
    readonly url?: string
    readonly media_type: string | null
    readonly hash: string | null
    readonly size: number | null
    readonly fixity_status: string
  }
  /** Absent once they were erased. */
  readonly metadata?: Metadata
  readonly notices?: readonly UpdateNotice[]
  /** Of a withdrawn work. */
  readonly reason?: string
  readonly withdrawn_at?: string
  /** Who wrote the version, or withdrew the work. */
  readonly source?: { readonly type: string; readonly name: string }
}

/** Reads a resolution that the catalogue rendered: its facts stay in one place only. */
export function readResolution(body: ResolutionBody): Resolution {
  const { content } = body
  const withdrawal = withdrawalOf(body)
  return {
    ark: body.ark,
    status: body.status,
    metadata: body.metadata ?? {},
    authors: (body.authors ?? []).map(readAuthor),
    content: content && contentOf(content),
    version: body.version,
    latestVersion: body.latest_version ?? body.version,
    createdAt: body.created_at,
    updatedAt: withdrawal?.at ?? body.registered_at ?? body.created_at,
    withdrawal,
    notices: body.notices ?? [],
    links: body.links,
  }
}

function withdrawalOf({
  reason,
  withdrawn_at: at,
  source,
}: ResolutionBody): DescribedWork['withdrawal'] {
  if (reason === undefined || at === undefined) return undefined
  // A person is known by a name of the registry alone, which says nothing in a citation.
  const by = source?.type === 'organization' ? source.name : undefined
  return { reason, at, ...(by !== undefined && { by }) }
}

function contentOf(content: NonNullable<ResolutionBody['content']>): Resolution['content'] {
  const { url, media_type: mediaType, hash, size, fixity_status: status } = content
  if (url === undefined) return undefined
  return { url, mediaType, hash, size, isOpen: status === 'verified' }
}

/** What an ERC says in place of what was suppressed on purpose. */
const suppressed = '(:unal)'

/** The description of a work; `url` is the address of its ARK here. */
export function describe(resolution: Resolution, url: string): ErcRecord {
  const { metadata, updatedAt, withdrawal } = resolution
  const { work_title = suppressed, work_title_markup, published_date: publishedDate } = metadata
  const title = markedTitle(unmarkedTitle(work_title, work_title_markup), {
    update_notices: resolution.notices,
  })
  const authors = metadata.work_title === undefined ? [{ name: suppressed }] : resolution.authors
  return { authors, title, publishedDate, url, updatedAt, ...(withdrawal && { withdrawal }) }
}

/**
 * Where a resolution is shown: the public address of the registry, whether the version was asked
 * for by its number, so that addresses name it, and the organization that registered the work.
 */
export type ShownAt = {
  readonly baseUrl: string
  readonly isPinned: boolean
  readonly registrant: string | undefined
  /** What works of the registry say of this one, as it would say it. */
  readonly incoming?: readonly RelatedIdentifier[]
}

/** The name of the organization that registered a work, even if another has changed it since. */
export function registrantOf(
  { catalogue, organizations }: Pick<ServedEnvironment, 'catalogue' | 'organizations'>,
  ark: string,
): string | undefined {
  const owner = catalogue.state(ark)?.owner
  return owner?.type === 'organization' ? organizations.read(owner.id)?.name : undefined
}

/** The work as formats describe it; undefined if its metadata was erased. */
export function describedWork(
  resolution: Resolution,
  { baseUrl, isPinned, registrant, incoming = [] }: ShownAt,
): DescribedWork | undefined {
  const { ark, version, metadata, authors, content, withdrawal } = resolution
  const { authors: _, author_details: __, ...described } = metadata
  const { work_title: title, work_type } = described
  if (title === undefined || work_type === undefined) return undefined
  return {
    ark,
    url: `${baseUrl}/${ark}${isPinned ? `/v${version}` : ''}`,
    version,
    isPinned,
    latestVersion: resolution.latestVersion,
    workUrl: `${baseUrl}/${ark}`,
    metadata: {
      ...described,
      work_type,
      work_title: withdrawal === undefined ? title : markedTitle(title, { withdrawal }),
      ...noticesFor(resolution),
      ...relationsWith(metadata, incoming),
    },
    authors,
    publisher: metadata.publisher_name ?? registrant,
    createdAt: resolution.createdAt,
    updatedAt: resolution.updatedAt,
    ...(content && { content }),
    receiptUrl: resolution.links['receipt'] ?? '',
    registry: new URL(baseUrl).host,
    ...(withdrawal && { withdrawal }),
  }
}

/** Relations of both sides; what both say is said once. */
export function relationsWith(
  { related_identifiers: own = [] }: Partial<Metadata>,
  incoming: readonly RelatedIdentifier[],
): Pick<Metadata, 'related_identifiers'> {
  if (incoming.length === 0) return {}
  const keyOf = ({ relation, scheme, identifier, note }: RelatedIdentifier) =>
    JSON.stringify([relation, scheme, identifier, note])
  const told = new Map([...own, ...incoming].map((one) => [keyOf(one), one]))
  return { related_identifiers: [...told.values()] }
}

/** Of a version that is not the newest: the notices of that one, which are about all versions. */
function noticesFor({ version, latestVersion, metadata, notices }: Resolution) {
  if (version === latestVersion) return {}
  const own = (metadata.update_notices ?? []).filter(({ direction }) => direction === 'by_this')
  const update_notices = [...notices, ...own]
  const { update_notices: former } = metadata
  return former === undefined && update_notices.length === 0 ? {} : { update_notices }
}

/** The work as its typed links describe it. */
export function signpostedWork(
  resolution: Resolution,
  { baseUrl, isPinned, incoming = [] }: ShownAt,
): SignpostedWork {
  const { ark, version, metadata, content = null } = resolution
  const url = `${baseUrl}/${ark}${isPinned ? `/v${version}` : ''}`
  return {
    baseUrl,
    ark,
    version,
    latestVersion: resolution.latestVersion,
    isPinned,
    workType: metadata.work_type,
    authors: resolution.authors,
    license: metadata.license,
    doi: metadata.existing_doi,
    related: [...new Set(incoming.map(({ identifier }) => `${baseUrl}/${identifier}`))],
    content,
    descriptions:
      metadata.work_title === undefined
        ? []
        : descriptionsOf(url, {
            metadata,
            ...(resolution.content && { content: resolution.content }),
          }),
  }
}
