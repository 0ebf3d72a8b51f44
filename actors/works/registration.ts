import {
  idempotencyKey,
  type IdempotencyRow,
  type RequestKey,
} from '#actors/journal/idempotency.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeRow, readEvent, type ReadRow } from '#actors/journal/rows.ts'
import {
  type Edition,
  entityTag,
  type FieldEdit,
  isCurrent,
  type Precondition,
  type PreconditionFailed,
} from '#actors/values/entity_tag.ts'
import type { FieldFault, Invalid } from '#actors/values/fault_list.ts'
import { readOnly } from '#actors/values/field_table.ts'
import {
  doiKey,
  duplicateListsOf,
  newestOf,
  recentKeyOf,
  recentWork,
} from '#actors/works/duplicate_index.ts'
import {
  editionOf,
  metadataIn,
  streamArk,
  type WorkEvent,
  type WorkState,
} from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type {
  ChangeAnswer,
  RegisterAnswer,
  RegisterCommand,
  WorkChange,
} from '#actors/works/port.ts'
import { readNamedWork, readVersion, readWork, type VersionRecord } from '#actors/works/record.ts'
import { type Change, describeNewest } from '#actors/works/rules.ts'
import { assert } from '#log/base/errors.ts'

/**
 * The row that names a work like the one to register: with its DOI and title or, for one without a
 * DOI, registered by the same owner with its title and address. Undefined where that is allowed.
 */
export function duplicateKey(
  metadata: Metadata,
  {
    by,
    allowDuplicate,
    allowRepeat,
  }: Pick<RegisterCommand, 'by' | 'allowDuplicate' | 'allowRepeat'>,
): string | undefined {
  if (allowDuplicate) return undefined
  const lists = duplicateListsOf(metadata)
  if (lists !== undefined) return lists.edition
  return allowRepeat ? undefined : recentKeyOf(by, metadata)
}

/** The refusal for the work that such a row names; undefined if it was registered too long ago. */
export function refuseDuplicate(
  row: Uint8Array,
  { existing_doi: doi }: Metadata,
  { at, read }: { readonly at: string; readonly read: ReadRow },
): RegisterAnswer | undefined {
  const ark = doi === undefined ? recentWork(row, at) : newestOf(row)
  if (ark === undefined) return undefined
  const type = doi === undefined ? 'repeated_work' : 'duplicate_work'
  return { type, existingArk: readNamedWork(ark, read).state.identifier }
}

/**
 * Warns of a work that has the same DOI. Volumes share a DOI, so with another title it is worth a
 * word and no refusal.
 */
export function sharedDoi({ existing_doi: doi }: Metadata, read: ReadRow): readonly FieldFault[] {
  const row = doi === undefined ? undefined : read(doiKey(doi))
  if (row === undefined) return []
  const { identifier } = readNamedWork(newestOf(row), read).state
  const message = `${identifier} has the same DOI and another title`
  return [{ field: 'existing_doi', code: 'shared_doi', message }]
}

/** The answer that a keyed request had the first time; undefined if it is new. */
export function replay(keyed: RequestKey, read: ReadRow): RegisterAnswer | undefined {
  const row = decodeRow<IdempotencyRow>(read(idempotencyKey(keyed.key)))
  if (row === undefined) return undefined
  if (row.body_hash !== keyed.body_hash) return { type: 'idempotency_mismatch' }
  const record = readVersion(readNamedWork(streamArk(row.stream), read), 1, read)
  assert(record !== undefined, 'every work has a first version')
  const { event } = record
  assert(event.type === 'WorkRegistered', 'a first version was registered')
  const metadata = metadataIn(record.eventRow)
  const { identifier } = record.state
  if (metadata === undefined) return { type: 'erased', ark_identifier: identifier }
  const change = {
    ...event.data,
    ark_identifier: identifier,
    created_at: event.at,
    source: event.by,
  }
  const answer = describeRegistered(change, metadata, [])
  return { ...answer, replayed: true, etag: entityTag(record.state) }
}

/** The answer that a keyed change of a work had the first time; undefined if it is new. */
export function replayChange(
  state: WorkState,
  { idempotency: keyed, type }: Change,
  read: ReadRow,
): ChangeAnswer | undefined {
  const row = keyed && decodeRow<IdempotencyRow>(read(idempotencyKey(keyed.key)))
  if (keyed === undefined || row === undefined) return undefined
  if (row.body_hash !== keyed.body_hash) return { type: 'idempotency_mismatch' }
  const event = readEvent(row.position, read) as JournalEvent & WorkEvent
  return { type: 'changed', change: describeMade(state, event, type), replayed: true }
}

/**
 * What a change of a work has answered whose first event this is; `state` is the work as it stands
 * since.
 */
function describeMade(
  state: WorkState,
  { data, at, by, ...event }: JournalEvent & WorkEvent,
  type: Change['type'],
): WorkChange {
  if ('kind' in data) {
    const { kind, version, receipt_id, metadata_hash, content_hash } = data
    const { fixity_status, changed_fields } = data
    const made = { kind, version, receipt_id, metadata_hash, content_hash }
    const about = { ark_identifier: state.identifier, created_at: at, source: by }
    return { ...about, ...made, fixity_status, changed_fields }
  }
  const isEnd = event.type === 'WorkWithdrawn' || event.type === 'WorkErased'
  assert(isEnd, 'a change makes a version, or is the end of a work')
  return describeNewest(state, { kind: type === 'erase' ? 'erased' : 'withdrawn', at, source: by })
}

/** The answer to a registration that was made just now. */
export function describeRegistered(
  change: Pick<
    WorkChange,
    'ark_identifier' | 'created_at' | 'receipt_id' | 'metadata_hash' | 'source'
  >,
  metadata: Metadata,
  warnings: readonly FieldFault[],
): Extract<RegisterAnswer, { type: 'registered' }> {
  const { ark_identifier, created_at, receipt_id, metadata_hash, source } = change
  const work = {
    svc_id: ark_identifier.slice(ark_identifier.lastIndexOf('/') + 1),
    ark_identifier,
    work_title: metadata.work_title,
    work_type: metadata.work_type,
    created_at,
    version: 1,
    receipt_id,
    fixity_status: 'pending',
    metadata_hash,
    source,
    warnings,
  } as const
  return { type: 'registered', work, replayed: false, etag: entityTag({ seq: 1, revision: 1 }) }
}

/** Versions that are looked through for the one that a client has read. */
const versionsMax = 50

/**
 * What became of a work since the client read it, whose change was refused as `failed`: the fields
 * that later versions have changed, each by the newest one. A body that no version ever was like
 * is `invalid`: it is not stale, but wants to change what nobody changes.
 */
export function explainStale(
  ark: string,
  { ifMatch, seen }: Precondition,
  failed: PreconditionFailed,
  read: ReadRow,
): PreconditionFailed | Invalid {
  const stored = readWork(ark, read)
  assert(stored !== undefined, 'a work that was edited is there')
  const newest = stored.state.version
  const oldest = Math.max(1, newest - versionsMax + 1)
  const changes = new Map<string, FieldEdit>()
  let wasSeen = seen === undefined
  const precondition = { ...(ifMatch && { ifMatch }), ...(seen && { seen }) }
  for (let version = newest; version >= oldest; version -= 1) {
    const record = readVersion(stored, version, read)
    assert(record !== undefined, 'the versions of a work have no gaps')
    const edition = editionOfVersion(record)
    wasSeen ||= seen !== undefined && isCurrent({ seen }, edition)
    if (isCurrent(precondition, edition)) return { ...failed, changes: [...changes.values()] }
    for (const edit of editsOf(record)) {
      if (!changes.has(edit.field)) changes.set(edit.field, edit)
    }
  }
  if (oldest > 1) return { ...failed, changes: [...changes.values()] }
  if (wasSeen) return failed
  const now: Edition = editionOf(stored.state)
  const wishes = Object.entries(seen ?? {}).filter(([name, value]) => now[name] !== value)
  return { type: 'invalid', faults: wishes.map(([name]) => readOnly(name)) }
}

function editionOfVersion({ version, event: { seq, at, data } }: VersionRecord) {
  const { receipt_id, metadata_hash } = data
  return editionOf({ revision: seq, version, updated_at: at, receipt_id, metadata_hash })
}

function editsOf({ version, event: { at, data } }: VersionRecord): readonly FieldEdit[] {
  const fields = 'changed_fields' in data ? data.changed_fields : []
  return fields.map((field) => ({ field, at, version }))
}
