import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import {
  type DescribedAuthor,
  type DescribedMetadata,
  type DescribedWork,
  readAuthor,
} from '#src/discovery/formats/described_work.ts'
import type { ErcRecord } from '#src/discovery/formats/erc.ts'
import { descriptionsOf } from '#src/discovery/formats/format_table.ts'
import type { SignpostedWork } from '#src/discovery/formats/signposting.ts'

/** An author, with the people who are known to be this author. */
type Author = DescribedAuthor & Pick<SignpostedWork['authors'][number], 'claims'>

/** What the representations at an ARK need of a resolution, or of the tombstone in its place. */
export type Resolution = {
  /** `ark:/naan/name`. */
  readonly ark: string
  readonly status: 'registered' | 'withdrawn'
  /** What is left of it: of a tombstone title and type, of an erased one nothing. */
  readonly metadata: Partial<Metadata>
  readonly authors: readonly Author[]
  /** Undefined once the work was withdrawn. `size` in bytes. */
  readonly content: NonNullable<DescribedWork['content']> | undefined
  readonly version: number
  readonly latestVersion: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly withdrawal: { readonly reason: string; readonly at: string } | undefined
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
    readonly url: string
    readonly media_type: string | null
    readonly hash: string | null
    readonly size: number | null
    readonly fixity_status: string
  }
  readonly metadata?: Metadata
  /** Of a tombstone; these two only as long as they were not erased. */
  readonly work_title?: string
  readonly work_type?: Metadata['work_type']
  readonly reason?: string
  readonly withdrawn_at?: string
}

/** Reads a resolution that the catalogue rendered: its facts stay in one place only. */
export function readResolution(body: ResolutionBody): Resolution {
  const { work_title, work_type, content, reason, withdrawn_at: at } = body
  const remains = { ...(work_title && { work_title }), ...(work_type && { work_type }) }
  return {
    ark: body.ark,
    status: body.status,
    metadata: body.metadata ?? remains,
    authors: (body.authors ?? []).map(readAuthor),
    content: content && contentOf(content),
    version: body.version,
    latestVersion: body.latest_version ?? body.version,
    createdAt: body.created_at,
    updatedAt: body.registered_at ?? at ?? body.created_at,
    withdrawal: reason === undefined || at === undefined ? undefined : { reason, at },
    links: body.links,
  }
}

function contentOf(content: NonNullable<ResolutionBody['content']>): Resolution['content'] {
  const { url, media_type: mediaType, hash, size, fixity_status: status } = content
  return { url, mediaType, hash, size, isOpen: status === 'verified' }
}

/** What an ERC says in place of what was suppressed on purpose. */
const suppressed = '(:unal)'

/** The description of a work; `url` is the address of its ARK here. */
export function describe(resolution: Resolution, url: string): ErcRecord {
  const { metadata, updatedAt, withdrawal } = resolution
  const { work_title: title = suppressed, published_date: publishedDate } = metadata
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
  { baseUrl, isPinned, registrant }: ShownAt,
): DescribedWork | undefined {
  const { ark, version, metadata, authors, content, withdrawal } = resolution
  const { authors: _, author_details: __, ...described } = metadata
  if (described.work_title === undefined || described.work_type === undefined) return undefined
  return {
    ark,
    url: `${baseUrl}/${ark}${isPinned ? `/v${version}` : ''}`,
    version,
    isPinned,
    latestVersion: resolution.latestVersion,
    workUrl: `${baseUrl}/${ark}`,
    metadata: described as DescribedMetadata,
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

/** The work as its typed links describe it. */
export function signpostedWork(
  resolution: Resolution,
  { baseUrl, isPinned }: ShownAt,
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
    content,
    descriptions: metadata.work_title === undefined ? [] : descriptionsOf(url),
  }
}
