import type { Agent } from '#actors/values/agent.ts'
import { eventMetadata, type ReadRow } from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { placeClaims, type PlacedClaim, type Placement } from '#actors/people/claims/match.ts'
import { bufferOf, type ByteWriter } from '#actors/values/serialization.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import {
  metadataIn,
  type MetadataLost,
  type WorkState,
  type WorkWithdrawn,
} from '#actors/works/events.ts'
import { contentReason, hashSource } from '#actors/works/fixity_rules.ts'
import { readVersion, type StoredWork, type VersionRecord } from '#actors/works/record.ts'
import { type NoticeKind, noticesOn, type UpdateNotice } from '#actors/works/update_notices.ts'
import { assert } from '#log/tlog/errors.ts'
import { sha256 } from '#log/tlog/hash.ts'

/** The records of a work: what is before its ARK in the address of each, and what after it. */
const linkForms = {
  self: { before: '/api/v1/works/', after: '' },
  resolve: { before: '/api/v1/resolve/', after: '' },
  versions: { before: '/api/v1/works/', after: '/versions' },
  history: { before: '/api/v1/resolve/', after: '/history' },
  receipt: { before: '/api/v1/receipts/', after: '/v', endsInVersion: true },
  proofs: { before: '/api/v1/proofs/', after: '/v', endsInVersion: true },
  ark: { before: '/', after: '' },
} as const

type LinkName = keyof typeof linkForms
type LinkForm = { readonly before: string; readonly after: string; readonly endsInVersion?: true }

const linkEntries = Object.entries(linkForms) as readonly (readonly [LinkName, LinkForm])[]

/**
 * The address of one of a work's records; `base` is the public address of the service, `identifier`
 * the ARK as it is shown.
 */
export function workLink(
  name: LinkName,
  base: string,
  identifier: string,
  version: number,
): string {
  const { before, after, endsInVersion }: LinkForm = linkForms[name]
  return `${base}${before}${identifier}${after}${endsInVersion ? version : ''}`
}

/** The addresses of all of them. */
export function workLinks(
  base: string,
  identifier: string,
  version: number,
): Record<string, string> {
  return Object.fromEntries(
    linkEntries.map(([name]) => [name, workLink(name, base, identifier, version)]),
  )
}

/** Writes the same as JSON. */
export function writeWorkLinks(
  out: ByteWriter,
  base: string,
  identifier: string,
  version: number,
): void {
  if (spelledForms.base !== base) spelledForms = spellForms(base)
  const number = String(version)
  out.ascii('{')
  for (const { before, after, endsInVersion } of spelledForms.forms) {
    out.bytes(before).ascii(identifier).ascii(after)
    if (endsInVersion) out.ascii(number)
  }
  out.ascii('"}')
}

/** The forms as they stand in JSON, for the one base that a process has. */
let spelledForms = spellForms('')

function spellForms(base: string) {
  const at = JSON.stringify(base).slice(1, -1)
  const forms = linkEntries.map(([name, form], index) => {
    const end = index === 0 ? '' : '",'
    return { ...form, before: Buffer.from(`${end}"${name}":"${at}${form.before}`) }
  })
  return { base, forms }
}

/**
 * Who made a change, as clients see it: without what only the registry itself needs to know. A
 * person is named by their ppid, or by the `publicName` that their profile shows to everybody.
 */
export function publicSource(by: Agent, publicName = by.name): Record<string, string> {
  const { type, id, via } = by
  const name = type === 'person' ? publicName : by.name
  return { type, id, name, via, ...(by.client_id === undefined ? {} : { client_id: by.client_id }) }
}

/** The slug of the organization that owns a work, where no person does. */
export function ownedBy({ owner }: Pick<WorkState, 'owner'>): { readonly organization?: string } {
  return owner.type === 'organization' ? { organization: owner.id } : {}
}

/** `GET /v1/works/{ark}`: the creation response, all metadata fields, and where the work stands. */
export function renderWork(record: VersionRecord, base: string): Buffer {
  const { ark, state, event } = record
  const identity = {
    svc_id: ark.slice(ark.lastIndexOf('/') + 1),
    ark_identifier: state.identifier,
    created_at: state.created_at,
  }
  const standing = {
    version: state.version,
    updated_at: state.updated_at,
    status: state.status,
    fixity_status: state.fixity_status,
    receipt_id: state.receipt_id,
    metadata_hash: state.metadata_hash,
    source: publicSource(event.by),
    links: workLinks(base, state.identifier, state.version),
  }
  return spliceMembers(jsonOf(identity), eventMetadata(record.eventRow), jsonOf(standing))
}

function metadataOf(record: VersionRecord): Metadata {
  const metadata = metadataIn(record.eventRow)
  assert(metadata !== undefined, 'what is shown of a work was not erased')
  return metadata
}

/**
 * What a record is shown with: the base of its links, the claims on it, and what the person is
 * called who made the change, if it was one and they show it.
 */
export type PublicView = {
  readonly base: string
  readonly claims: readonly PlacedClaim[]
  readonly sourceName?: string | undefined
  /** The notices on the work, which its newest version tells. */
  readonly notices?: readonly UpdateNotice[]
}

/** The notices on a work that a version of it tells, the gravest first. */
function noticesIn(eventRow: Uint8Array): readonly UpdateNotice[] {
  // Most works have none, and are not parsed for them. A text has its quotes escaped.
  if (!bufferOf(eventRow).includes('"update_notices":[')) return []
  return noticesOn(metadataIn(eventRow) ?? {})
}

/** The kind of the gravest notice on a work that a version of it tells, if there is one. */
export function noticeMember(eventRow: Uint8Array): { readonly notice?: NoticeKind } {
  const [gravest] = noticesIn(eventRow)
  return gravest === undefined ? {} : { notice: gravest.kind }
}

/** The notices on a work: they are about all of its versions, whichever of them tells so. */
export function noticesOf(
  stored: StoredWork,
  { eventRow, version }: Pick<VersionRecord, 'eventRow' | 'version'>,
  read: ReadRow,
): readonly UpdateNotice[] {
  const { state } = stored
  const newest = version === state.version ? undefined : readVersion(stored, state.version, read)
  return noticesIn(newest?.eventRow ?? eventRow)
}

/** The entity tag of a work as it is shown with claims and a name, which change without it. */
export function tagWithPeople(
  tag: string,
  claims: readonly PlacedClaim[],
  sourceName = '',
): string {
  if (claims.length === 0 && sourceName === '') return tag
  const hash = Buffer.from(sha256(jsonOf([sourceName, claims]))).toString('hex', 0, 8)
  return `${tag.slice(0, -1)}-${hash}"`
}

/**
 * What stands in place of a version of a withdrawn work: all that was registered of it, and why it
 * is withdrawn. The content has no address there, for nothing leads to it any more.
 */
export function renderTombstone(
  record: VersionRecord,
  withdrawal: JournalEvent & WorkWithdrawn,
  { base, claims, notices = [] }: PublicView,
): Buffer {
  const { state, version, event } = record
  const metadata = metadataOf(record)
  return jsonOf({
    ark: state.identifier,
    status: state.status,
    title: metadata.work_title,
    work_title: metadata.work_title,
    work_type: metadata.work_type,
    ...authorsOf(metadata, claims),
    reason: withdrawal.data.reason,
    note: withdrawal.data.note ?? null,
    replaced_by: withdrawal.data.replaced_by ?? null,
    created_at: state.created_at,
    updated_at: state.updated_at,
    registered_at: event.at,
    withdrawn_at: withdrawal.at,
    version,
    latest_version: state.version,
    is_latest: version === state.version,
    receipt_id: event.data.receipt_id,
    metadata_hash: event.data.metadata_hash,
    source: publicSource(withdrawal.by),
    links: workLinks(base, state.identifier, version),
    identifiers: identifiersOf(state.identifier, metadata),
    content: contentFacts(record),
    ...(notices.length > 0 && { notices }),
    metadata,
  })
}

/** What is known of the content of a version, but for where it is. */
function contentFacts({ content }: Pick<VersionRecord, 'content'>) {
  const { content_hash: hash, fixity_status, checked } = content
  const { media_type = null, bytes: size = null } = checked?.stable ?? {}
  return {
    hash,
    hash_source: hashSource(content),
    media_type,
    size,
    fixity_status,
    ...contentReason(content),
    checked_at: checked?.checked_at ?? null,
  }
}

/** What is left in place of a withdrawn work whose metadata was erased. */
export function renderErasure(
  state: WorkState,
  withdrawal: JournalEvent & WorkWithdrawn,
  base: string,
): Buffer {
  return jsonOf({
    ark: state.identifier,
    status: state.status,
    reason: withdrawal.data.reason,
    withdrawn_at: withdrawal.at,
    metadata_erased: true,
    erased_at: state.erased_at,
    created_at: state.created_at,
    version: state.version,
    receipt_id: state.receipt_id,
    source: publicSource(withdrawal.by),
    links: workLinks(base, state.identifier, state.version),
  })
}

/** What stands in place of a work of which the log proves more than the registry still has. */
export function renderLoss(
  state: WorkState,
  { data, at }: JournalEvent & MetadataLost,
  base: string,
): Buffer {
  return jsonOf({
    ark: state.identifier,
    status: state.status,
    reason: data.reason,
    note:
      'The work was registered, and what was registered is lost: the registry was restored from ' +
      'an older copy of itself. Its log proves the registration, and receipts stay good.',
    withdrawn_at: state.updated_at,
    metadata_lost: true,
    lost_at: at,
    created_at: state.created_at,
    version: state.version,
    receipt_id: state.receipt_id,
    links: workLinks(base, state.identifier, state.version),
  })
}

/** The JSON of a value, as bytes. */
export function jsonOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Joins the members of JSON objects, each given as its text, into one object. */
export function spliceMembers(...objects: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = []
  for (const object of objects) {
    if (object.length <= '{}'.length) continue
    parts.push(parts.length === 0 ? openBrace : comma, object.subarray(1, -1))
  }
  return Buffer.concat([...parts, closeBrace])
}

const openBrace = Buffer.from('{')
const closeBrace = Buffer.from('}')
const comma = Buffer.from(',')

/** What a work is known by: its ARK as it is shown, and the DOI that it has already. */
export function identifiersOf(
  identifier: string,
  metadata: Pick<Metadata, 'existing_doi'>,
): Record<string, string>[] {
  const identifiers = [{ type: 'ark', value: identifier }]
  const doi = metadata.existing_doi
  if (doi !== undefined) identifiers.push({ type: 'doi', value: doi })
  return identifiers
}

/** The authors of a work, with the claims that are shown beside them and those beside none. */
export function authorsOf(
  metadata: Pick<Metadata, 'authors' | 'author_details'>,
  claims: readonly PlacedClaim[],
): Record<string, unknown> {
  const details = metadata.author_details ?? []
  const names = splitAuthors(metadata.authors)
  const { beside, unplaced } = claims.length === 0 ? noClaims : placeClaims(claims, names, details)
  const authors = names.map((name, index) => ({
    name,
    ...details[index],
    claims: beside.get(index) ?? [],
  }))
  return { authors, ...(unplaced.length > 0 && { unplaced_claims: unplaced }) }
}

const noClaims: Placement = { beside: new Map(), unplaced: [] }
