import type { Rendered } from '#actors/registry/catalogue/port.ts'
import type { PublicClaim, UnplacedClaim } from '#actors/people/claims/match.ts'
import { bufferOf } from '#actors/values/serialization.ts'
import type { FileFixity } from '#actors/works/file_fixity.ts'
import type { FixityChecks } from '#actors/works/fixity/client.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import type { EnvironmentName, ServedEnvironment } from '#actors/registry/environment.ts'
import type { Owner } from '#actors/values/agent.ts'
import type { HashSource } from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { UpdateNotice } from '#actors/works/update_notices.ts'
import type { AuthorDetail } from '#actors/works/names.ts'
import { assert } from '#log/tlog/errors.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import type { Commitment } from '#src/discovery/formats/erc.ts'
import type { FormatChoice } from '#src/discovery/formats/format_table.ts'
import type { ShownAt } from '#src/discovery/formats/resolution.ts'
import type { Representation } from '#src/edge/rendered_reply.ts'
import type { UsageReport } from '#src/use_cases/usage_report.ts'

/** Who made a change; a person's `name` is the one that they show to everybody, or their ppid. */
type Source = Owner & { readonly via: string }

/** An author with what is known of them, and the people who are known to be this author. */
export type AuthorReply = AuthorDetail & {
  readonly name: string
  readonly claims: readonly PublicClaim[]
}

/** What is known of the content of a version. */
export type ContentReply = {
  /** Absent once the work was withdrawn. */
  readonly url?: string
  /** `sha256:` and lower-case hex. */
  readonly hash: string | null
  readonly hash_source: HashSource | null
  readonly media_type: string | null
  readonly size: number | null
  readonly fixity_status: FixityStatus
  readonly reason: string | null
  readonly message: string | null
  readonly checked_at: string | null
}

/** The parts of a receipt that a page names. */
export type ReceiptReply = {
  readonly statement: 'registered' | 'content' | 'tombstoned'
  readonly receipt_id: string
  /** Of this statement, which is not that of the registration where it is about the content. */
  readonly timestamp: string
  readonly version: number
  readonly content_hash: string | null
  readonly metadata_hash: string
  readonly signature: { readonly public_key: string }
  readonly chain_proof: {
    readonly leaf_index: number
    readonly tree_size: number
    readonly merkle_root: string
  }
}

/** Why a work was withdrawn, and when. */
type WithdrawalReply = {
  readonly status: 'withdrawn'
  readonly reason: string
  readonly note?: string | null
  /** `ark:/naan/name` of the work to use instead. */
  readonly replaced_by?: string | null
  readonly withdrawn_at: string
}

/**
 * A version of a work, as `GET /v1/resolve/{ark}` describes it. Of a withdrawn one, `source` is who
 * withdrew it.
 */
export type WorkReply = {
  readonly ark: string
  readonly version: number
  readonly latest_version: number
  readonly is_latest: boolean
  readonly created_at: string
  readonly updated_at: string
  /** When this version was registered; the receipt's time is that of its newest statement. */
  readonly registered_at: string
  readonly metadata: Metadata
  readonly content: ContentReply
  readonly authors: readonly AuthorReply[]
  readonly unplaced_claims?: readonly UnplacedClaim[]
  /** On the work, as its newest version tells them. */
  readonly notices?: readonly UpdateNotice[]
  readonly source: Source
  readonly links: Readonly<Record<string, string>>
} & ({ readonly status: 'registered'; readonly receipt: ReceiptReply } | WithdrawalReply)

/** What stands in place of a withdrawn work whose metadata was erased, or is lost. */
export type TombstoneReply = WithdrawalReply & {
  readonly ark: string
  readonly metadata?: undefined
  readonly created_at: string
  readonly erased_at?: string
  /** When the registry found that it has less of the work than its log proves. */
  readonly lost_at?: string
  readonly version: number
  readonly receipt_id: string
  readonly source?: Source
  readonly links: Readonly<Record<string, string>>
}

/** A line of the list of versions. */
export type VersionReply = {
  readonly version: number
  readonly kind: 'registered' | 'updated' | 'versioned'
  readonly created_at: string
  readonly changed_fields: readonly string[]
  readonly version_note?: string
  readonly source: Source
}

/** A line of the history. */
export type EventReply = {
  readonly at: string
  readonly type: string
  readonly version: number
  readonly by: {
    readonly type: Owner['type']
    readonly name: string
    readonly organization: string | null
  }
  readonly changed_fields: readonly string[]
  readonly fixity_status?: FixityStatus
  readonly reason?: string | null
  readonly message?: string | null
}

/** What a work relates to, in one direction. */
export type RelatedReply = {
  /** Of a work of this registry. */
  readonly ark_identifier?: string
  /** As the record of the work names it, of `out`. */
  readonly identifier?: string
  readonly scheme?: string
  readonly direction: 'out' | 'in'
  readonly relation: string
  readonly inverse: string | null
  readonly notice?: Pick<UpdateNotice, 'kind' | 'direction'>
  readonly title: string | null
  readonly type: string | null
  readonly status: 'registered' | 'withdrawn' | null
}

/** The same of a work of this registry. */
export type RelatedHere = RelatedReply & { readonly ark_identifier: string }

/** All that is shown of a work at its ARK. */
export type LandingRecord = {
  readonly environment: EnvironmentName
  /** Whether the log has a map, which proves which version is the newest. */
  readonly hasMap?: boolean
  readonly work: WorkReply | TombstoneReply
  readonly owner: Owner
  /** Versions around the shown one, newest first, and how many there are in all. */
  readonly versions: readonly VersionReply[]
  readonly versionsTotal: number
  /** The newest events, newest first; `hasOlder` if there are more. */
  readonly events: readonly EventReply[]
  readonly hasOlder: boolean
  /** Works here that the newest version relates to, and those that say they relate to it. */
  readonly related: readonly RelatedHere[]
  readonly hasMoreRelated: boolean
  /** What the checks of the newest version's content have shown; of no other version. */
  readonly fixity: FixityChecks | undefined
  /** What is known of the content and the files of the newest version; of no other. */
  readonly files: readonly FileFixity[]
  /** The statement about the version, and that it is in the log. */
  readonly receipt: ReceiptReply
}

// Lines of a page's lists; the whole lists are a link away.
const listedVersionsMax = 20
const listedEventsMax = 20
const listedRelatedMax = 20

// Versions after the shown one, where it is not the newest.
const laterVersionsMax = 10

/** What the page of a work is made from beside its resolution: data alone, JSON as bytes. */
type LandingSources = Pick<LandingRecord, 'environment' | 'hasMap' | 'owner' | 'versionsTotal'> & {
  readonly versions: Uint8Array
  readonly history: Uint8Array
  /** What the work relates to, and what relates to it. */
  readonly related: readonly Uint8Array[]
  /** Of a tombstone; a resolution has its own. */
  readonly receipt: Uint8Array | undefined
  /** What the checks have shown of the newest version's content, and of its files. */
  readonly fixity: FixityChecks | undefined
  readonly files: readonly FileFixity[]
}

/**
 * Reads what the page of a work, or of one version of it, is made from; `found` is its resolution
 * or its tombstone. A page's worth of each list, so that it costs the same for every work.
 */
export async function readLandingSources(
  { name, catalogue, fixity, map }: ServedEnvironment,
  ark: string,
  { status, body }: Rendered,
  pinned: number | undefined,
): Promise<LandingSources | undefined> {
  const state = catalogue.state(ark)
  if (state === undefined) return undefined
  const isGone = status === 'withdrawn'
  // Most works have none, and their metadata need not be read again.
  const hasFiles = bufferOf(body).includes('"files":[')
  const version = pinned ?? state.version
  const last = Math.min(state.version, version + laterVersionsMax)
  const after = Math.max(0, last - listedVersionsMax)
  const listed = { limit: listedRelatedMax }
  const [versions, history, receipt, outward, inward] = await Promise.all([
    catalogue.versions(ark, { cursor: after, limit: last - after }),
    catalogue.history(ark, { limit: listedEventsMax }),
    isGone ? catalogue.receipt(ark, version) : undefined,
    catalogue.related(ark, { ...listed, side: 'out' }),
    catalogue.related(ark, { ...listed, side: 'in' }),
  ])
  if (versions.type === 'not_found' || history.type === 'not_found') return undefined
  if (receipt?.type === 'not_found') return undefined
  if (outward.type === 'not_found' || inward.type === 'not_found') return undefined
  return {
    environment: name,
    hasMap: map !== undefined,
    owner: state.owner,
    versionsTotal: state.version,
    versions: versions.body,
    history: history.body,
    related: [outward.body, inward.body],
    receipt: receipt?.body,
    fixity: isGone ? undefined : fixity.checks(ark),
    files: !isGone && hasFiles ? fixity.files(ark) : [],
  }
}

/** What the page shows of a work: its resolution, or its tombstone, and what was read with it. */
export function landingRecord(
  work: LandingRecord['work'],
  { versions, history, related, receipt, fixity, files, ...rest }: LandingSources,
): LandingRecord {
  const { events, next } = parseJson<{ events: EventReply[]; next: number | null }>(history)
  const lists = related.map((list) => parseJson<RelatedLists>(list))
  const isNewest = work.status === 'registered' && work.is_latest
  return {
    ...rest,
    work,
    versions: parseJson<{ versions: VersionReply[] }>(versions).versions.toReversed(),
    events,
    hasOlder: next !== null,
    related: lists.flatMap((list) => list.related).filter(isHere),
    hasMoreRelated: lists.some((list) => list.next !== null),
    fixity: isNewest ? fixity : undefined,
    files: isNewest ? files : [],
    receipt: receiptOf(work, receipt),
  }
}

type RelatedLists = {
  readonly related: readonly RelatedReply[]
  readonly next: string | null
}

function isHere(one: RelatedReply): one is RelatedHere {
  return one.ark_identifier !== undefined
}

function receiptOf(work: LandingRecord['work'], read: Uint8Array | undefined): ReceiptReply {
  if ('receipt' in work) return work.receipt
  assert(read !== undefined, 'the receipt of a work that has ended is read by itself')
  return parseJson(read)
}

function parseJson<T>(json: Uint8Array): T {
  return JSON.parse(Buffer.from(json).toString('utf8')) as T
}

/** Who pages say they are of, and how they look. */
export type Branding = {
  readonly name: string
  /** The file of the logo that pages show, if it is not ours. */
  readonly logo?: Logo
  /** The stylesheet with the colours of the registry, after that of all pages. */
  readonly sheet?: { readonly path: string }
  /** A page of the operator that says who is responsible. */
  readonly imprintUrl?: string
}

/** A picture, with its size in pixels or in proportion. */
export type Logo = {
  readonly path: string
  readonly type: string
  readonly width: number
  readonly height: number
}

/** What every public page is told of the registry. */
export type PublicSite = {
  readonly branding: Branding
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** `authUrl` is the public address of the pages of accounts. */
  readonly accounts: { readonly authUrl: string }
}

/** What is told of a NAAN whose ARKs are resolved here. */
export type NaanFacts = {
  /** `ark:12345`. */
  readonly ark: string
  readonly naan: string
  readonly environment: EnvironmentName
  /** Whether the NAAN is one that anybody may use in examples: its ARKs do not persist. */
  readonly is_example: boolean
  /** The address that an ARK is put after. */
  readonly resolver: string
  readonly policy: string
}

/** What the page of a work is written from beside the work: data alone. */
export type LandingTask = {
  readonly sources: LandingSources
  readonly site: PublicSite
  /** How often the work was used, by month. */
  readonly usage?: UsageReport
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The tag of the language of the page. */
  readonly language: string
}

/** What is wanted of a work: a representation, or nothing but to know where things are. */
export type WantedRepresentation =
  | { readonly name: 'none' }
  /** The page, or only what its reply says of it. */
  | { readonly name: 'html'; readonly landing: LandingTask | undefined }
  | { readonly name: 'erc'; readonly commitment: Commitment | undefined }
  | { readonly name: 'linkset' }
  | { readonly name: 'links' }
  | FormatChoice

/** What a work is written from: data alone, so that another thread can write it. */
export type WorkTask = {
  /** The catalogue's JSON of the work, or of the tombstone in its place. */
  readonly resolution: Uint8Array
  readonly place: ShownAt
  readonly wanted: WantedRepresentation
  /** Who runs the registry, as formats that are sent on name them. */
  readonly operator?: DescribedWork['operator']
}

/** What a reply about a work needs to know of it, however long it is. */
export type WrittenWork = Partial<Representation> & {
  /** The value of the Link header: of the page at the ARK, or of a description of the work. */
  readonly link: string
  /** Where the work is, and its content; undefined once the work was withdrawn. */
  readonly workAddress: string | undefined
  readonly contentUrl: string | undefined
  /** Whether nothing is left that was registered: it was erased, or is lost. */
  readonly isGone: boolean
  /** Why the work is not written in the format that was asked for, as a sentence. */
  readonly lacking?: string
}
