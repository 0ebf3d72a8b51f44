import { noticeMember, publicSource, workLinks } from '#actors/registry/catalogue/representation.ts'
import { readClaim } from '#actors/people/claims/views.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeEventFacts, readEventRow, type ReadRow } from '#actors/journal/rows.ts'
import {
  type ClaimEvent,
  isClaimEvent,
  type PersonEvent,
  streamPpid,
} from '#actors/people/events.ts'
import type { ItemKind, Visibility } from '#actors/people/port.ts'
import { parseEntry, type SignedStatement } from '#actors/works/receipts/statement.ts'
import { type Agent, type Client, clientOf, type OwnerRef } from '#actors/values/agent.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import {
  endsWork,
  type HistoryEvent,
  isPublicEvent,
  streamArk,
  type WorkEvent,
  type WorkState,
} from '#actors/works/events.ts'
import { contentReason } from '#actors/works/fixity_rules.ts'
import { readNamedWork, type VersionRecord } from '#actors/works/record.ts'
import { evolve } from '#actors/works/rules.ts'
import type { NoticeKind } from '#actors/works/update_notices.ts'
import { assert } from '#log/tlog/errors.ts'

/** One version as lists of versions show it. */
export function describeVersion(record: VersionRecord, base: string): Record<string, unknown> {
  const { version, event, state, content } = record
  return {
    ark_identifier: state.identifier,
    version,
    kind: kindOf(event),
    created_at: event.at,
    receipt_id: event.data.receipt_id,
    metadata_hash: event.data.metadata_hash,
    content_hash: content.content_hash,
    fixity_status: content.fixity_status,
    changed_fields: event.type === 'WorkVersioned' ? event.data.changed_fields : [],
    ...(event.type === 'WorkVersioned' && event.data.version_note !== undefined
      ? { version_note: event.data.version_note }
      : {}),
    source: publicSource(event.by),
    links: workLinks(base, state.identifier, version),
  }
}

function kindOf(event: VersionRecord['event']): string {
  return event.type === 'WorkRegistered' ? 'registered' : event.data.kind
}

/**
 * One event of a work as its history shows it; `state` is the work's version and receipt now. A
 * check is shown if it changed the fixity status (`isHistoryEvent`), with the status and what led
 * to it.
 */
export function describeEvent(
  event: JournalEvent & HistoryEvent,
  state: { readonly version: number; readonly receipt_id: string },
): Record<string, unknown> {
  return {
    seq: event.seq,
    at: event.at,
    type: eventNames[event.type],
    version: versionOf(event) ?? state.version,
    by: describeWriter(event.by),
    changed_fields: event.type === 'WorkVersioned' ? event.data.changed_fields : [],
    receipt_id: 'receipt_id' in event.data ? event.data.receipt_id : state.receipt_id,
    ...ownMembers(event),
  }
}

/** Who did something to a work, as its history names them. */
type WorkWriter = Pick<Agent, 'type' | 'name'> & { readonly organization: string | null }

/** Who did something to a work; `organization` is its slug, null for anybody else. */
function describeWriter({ type, id, name }: Agent): WorkWriter {
  return { type, name, organization: type === 'organization' ? id : null }
}

/** What a change of the fixity status, or an erasure, adds to the description of an event. */
export function ownMembers(event: WorkEvent): Record<string, unknown> {
  if (event.type === 'WorkErased' || event.type === 'MetadataLost') {
    return { reason: event.data.reason }
  }
  if (event.type !== 'FixityChecked' && event.type !== 'SupersededChecked') return {}
  const { status, reason, message } = event.data
  return { fixity_status: status, reason, message }
}

/** The version that an event is about; undefined if it is about the work. */
export function versionOf(event: WorkEvent): number | undefined {
  switch (event.type) {
    case 'WorkRegistered':
      return 1
    case 'WorkVersioned':
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FixityRequested':
    case 'FileChecked':
      return event.data.version
    case 'WorkWithdrawn':
    case 'WorkErased':
    case 'MetadataLost':
      return undefined
  }
}

/** What clients call the events, in feeds and histories. */
export const eventNames = {
  WorkRegistered: 'work.registered',
  WorkVersioned: 'work.versioned',
  WorkWithdrawn: 'work.withdrawn',
  WorkErased: 'work.erased',
  MetadataLost: 'work.metadata_lost',
  FixityChecked: 'work.fixity_changed',
  SupersededChecked: 'work.fixity_changed',
} as const

/** A statement about a version, read from its log entry, with the JSON of its chain proof. */
type ProvenStatement = { readonly entry: Uint8Array; readonly chainProof: Buffer }

/** `signatures[]` of the proofs of a version; `keyId` names the receipt key that signed. */
export function describeSignature(
  proven: ProvenStatement,
  keyId: (publicKey: string) => string,
): Record<string, unknown> {
  const { statement, signature } = parseLogged(proven.entry)
  assert(statement.statement !== 'key_rotated', 'a version has statements about a work')
  return {
    statement: statement.statement,
    receipt_id: statement.receipt_id,
    timestamp: statement.timestamp,
    algorithm: signature.algorithm,
    public_key: signature.public_key,
    key_id: keyId(signature.public_key),
    signature: signature.signature,
    chain_proof: JSON.parse(proven.chainProof.toString('utf8')) as unknown,
  }
}

function parseLogged(entry: Uint8Array): SignedStatement {
  const parsed = parseEntry(entry)
  assert(!('type' in parsed), 'an entry that was committed is a signed statement')
  return parsed
}

/** `content_proofs` of a version; `checks` are those of its content, oldest first. */
export function describeContent(
  { version, content }: VersionRecord,
  checks: readonly FixityCheck[],
): Record<string, unknown> {
  const { content_hash, checked } = content
  return {
    sha256: content_hash === null ? null : content_hash.slice('sha256:'.length),
    sha512: checked?.stable?.sha512 ?? null,
    ...contentReason(content),
    fixity_checks: checks.filter((check) => check.version <= version),
  }
}

/** The place of an event in the journal, as `GET /v1/changes` counts it, and when it was. */
type Place = { readonly seq: number; readonly at: string }

/** Something that happened to a work; `type` as in the feed of changes. */
type WorkOccurrence = Place & {
  readonly about: 'work'
  readonly type: (typeof eventNames)[keyof typeof eventNames]
  /** The ARK as it is shown, `ark:/naan/name`. */
  readonly ark: string
  readonly version: number
  readonly status: 'registered' | 'withdrawn'
  readonly fixity_status?: string
  /** Of a version that was made: the gravest notice on the work that it tells. */
  readonly notice?: NoticeKind
  /** Who did it, which need not be the owner. */
  readonly by: WorkWriter
  readonly owner: OwnerRef
  /** The application that registered the work for a person, if one did. */
  readonly client?: Client
}

/** An affiliation or an education record was added. */
export type ItemOccurrence = Place & {
  readonly about: 'item'
  readonly ppid: string
  readonly item: string
  readonly kind: ItemKind
  readonly source: Agent
  readonly visibility: Visibility
}

/** A person's profile was changed: which of its fields. */
type ProfileOccurrence = Place & {
  readonly about: 'profile'
  readonly ppid: string
  readonly fields: readonly string[]
}

/** A claim was made that waits for a word, or is verified from now on. */
type ClaimOccurrence = Place & {
  readonly about: 'claim'
  readonly type: 'requested' | 'verified'
  readonly ppid: string
  readonly claim_id: string
  readonly ark: string
  /** Whose work it is, and who has said that the person is its author. */
  readonly owner: OwnerRef
  readonly source: Agent
}

/**
 * An event as far as those are told of it who may hear of it: what it is about, by names and words
 * of ours, and what decides who that is. Nothing of it is personal but whom it names.
 */
export type Occurrence = WorkOccurrence | ItemOccurrence | ProfileOccurrence | ClaimOccurrence

/** What is told of the event at a position; undefined for one that nobody is told of. */
export function readOccurrence(position: number, read: ReadRow): Occurrence | undefined {
  const row = readEventRow(position, read)
  const event = decodeEventFacts(position, row)
  const place = { seq: position + 1, at: event.at }
  if (event.stream.startsWith('work/')) return ofWork(event as JournalEvent & WorkEvent, row, read)
  const ppid = streamPpid(event.stream)
  if (ppid === undefined) return undefined
  if (isClaimEvent(event)) return ofClaim(event, { ...place, ppid }, read)
  return ofPerson(event as JournalEvent & PersonEvent, { ...place, ppid })
}

function ofWork(
  event: JournalEvent & WorkEvent,
  row: Uint8Array,
  read: ReadRow,
): WorkOccurrence | undefined {
  if (!isPublicEvent(event)) return undefined
  const state = workAfter(event, read)
  const { fixity_status } = ownMembers(event) as { readonly fixity_status?: string }
  const { owner, client } = state
  return {
    about: 'work',
    seq: event.position + 1,
    at: event.at,
    type: eventNames[event.type],
    ark: state.identifier,
    version: versionOf(event) ?? state.version,
    status: endsWork(event) ? 'withdrawn' : 'registered',
    ...(fixity_status !== undefined && { fixity_status }),
    ...noticeMember(row),
    by: describeWriter(event.by),
    owner: { type: owner.type, id: owner.id },
    ...(client !== undefined && { client }),
  }
}

/** A registration says all of the work that is told of it: nothing else is read. */
function workAfter(event: JournalEvent & WorkEvent, read: ReadRow): WorkState {
  if (event.type === 'WorkRegistered') return evolve(undefined, event, event)
  return readNamedWork(streamArk(event.stream), read).state
}

function ofPerson(
  event: JournalEvent & PersonEvent,
  place: Place & { readonly ppid: string },
): ItemOccurrence | ProfileOccurrence | undefined {
  if (event.type === 'ItemAdded') {
    const { item, kind, visibility } = event.data
    return { about: 'item', ...place, item, kind, visibility, source: event.by }
  }
  const isRestored = event.type === 'WriteUndone' && event.data.effect === 'profile_restored'
  if (event.type !== 'ProfileUpdated' && !isRestored) return undefined
  const { fields } = event.data as { readonly fields: readonly string[] }
  return { about: 'profile', ...place, fields }
}

function ofClaim(
  event: JournalEvent & ClaimEvent,
  place: Place & { readonly ppid: string },
  read: ReadRow,
): ClaimOccurrence | undefined {
  const { claim_id, ark, status } = event.data
  const isRequest = event.type === 'ClaimMade' && status === 'pending'
  const wasVerified = event.type === 'ClaimChanged' && event.data.from === 'verified'
  const isVerified = status === 'verified' && !wasVerified
  if (event.data.blocked === true || (!isRequest && !isVerified)) return undefined
  const work = readNamedWork(ark, read).state
  const source = event.type === 'ClaimMade' ? event.by : readClaim(place.ppid, ark, read)?.source
  return {
    about: 'claim',
    ...place,
    type: isRequest ? 'requested' : 'verified',
    claim_id,
    ark: work.identifier,
    owner: { type: work.owner.type, id: work.owner.id },
    source: source ?? event.by,
  }
}

/** The application that wrote what an occurrence tells of, if one did. */
export function writerOf(occurrence: Occurrence): Client | undefined {
  if (occurrence.about === 'work') return occurrence.client
  return occurrence.about === 'profile' ? undefined : clientOf(occurrence.source)
}

/** The person whom an occurrence is about; undefined for a work that is nobody's own. */
export function personIn(occurrence: Occurrence): string | undefined {
  if (occurrence.about !== 'work') return occurrence.ppid
  return occurrence.owner.type === 'person' ? occurrence.owner.id : occurrence.client?.ppid
}
