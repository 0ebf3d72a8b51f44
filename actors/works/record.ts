import {
  decodeEventFacts,
  decodeRow,
  encodeRow,
  present,
  readEvent,
  readEventRow,
  type ReadRow,
  restoreAdvice,
  type StreamRow,
} from '#actors/journal/rows.ts'
import {
  describeCheck,
  settleWithdrawn,
  type UnsettledVersion,
} from '#actors/works/fixity_rules.ts'
import { type CheckEvent, readChecks, readVersionRow } from '#actors/works/content_index.ts'
import {
  metadataIn,
  type VersionContent,
  type WorkEvent,
  type WorkRegistered,
  type WorkState,
  workStream,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { evolve } from '#actors/works/rules.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import { assert, LogError } from '#log/base/errors.ts'

/** One version of a work, with the row that its representations are spliced from. */
export type VersionRecord = {
  /** The normal form `naan/name`. */
  readonly ark: string
  readonly state: WorkState
  readonly version: number
  /** The event that holds the version's metadata, as stored, and decoded but for these if asked. */
  readonly eventRow: Uint8Array
  readonly event: JournalEvent & (Facts<WorkRegistered> | Facts<WorkVersioned>)
  /** The leaf of the newest statement about the version. */
  readonly leafIndex: number
  /** What is known of the version's content: now, or when the next version had come. */
  readonly content: VersionContent
}

/** An event but for its metadata, which may be long. */
type Facts<E extends { readonly data: object }> = Omit<E, 'data'> & {
  readonly data: Omit<E['data'], 'metadata'>
}

/** A version's event, and the row that it was decoded from, but for its metadata. */
type VersionEvent = Pick<VersionRecord, 'eventRow' | 'event'>

/** A work as it stands and the journal position of its newest event. */
export type StoredWork = {
  readonly state: WorkState
  readonly newest: number
  /** Its registration, if nothing has happened to it since. */
  readonly registration?: VersionEvent
}

/**
 * The row of a stream after an event. A registration says all of the state that it leads to, and is
 * read wherever the work is: so the row of a work that was left alone since has none.
 */
export function streamRowAfter(event: JournalEvent, stream: StreamRow): Uint8Array {
  return encodeRow(event.type === 'WorkRegistered' ? { ...stream, state: undefined } : stream)
}

/** The work that the row of its stream tells of. */
export function workInRow({ newest, state }: StreamRow, read: ReadRow): StoredWork {
  if (state !== undefined) return { state: state as WorkState, newest }
  const registration = readVersionEvent(newest, read)
  const { event } = registration
  return {
    state: evolve(undefined, event as JournalEvent & WorkEvent, event),
    newest,
    registration,
  }
}

function readVersionEvent(position: number, read: ReadRow): VersionEvent {
  const eventRow = readEventRow(position, read)
  return { eventRow, event: decodeEventFacts(position, eventRow) as VersionRecord['event'] }
}

/** Key of the row that says where in the journal an ARK was minted, a decimal; it never changes. */
export function mintedKey(ark: string): string {
  return `minted/${ark}`
}

/**
 * Reads the state of a work; `ark` is `naan/name`. LevelDB does not see a damaged key, and would
 * say that the row is not there: that the ARK was minted stands in a row of its own, so that a work
 * whose row is lost is `store_corrupt`, and not unknown.
 */
export function readWork(ark: string, read: ReadRow): StoredWork | undefined {
  const row = decodeRow<StreamRow>(read(workStream(ark)))
  if (row !== undefined) return workInRow(row, read)
  if (read(mintedKey(ark)) === undefined) return undefined
  throw new LogError('store_corrupt', `the row of the work ${ark} is missing; ${restoreAdvice}`)
}

/** Reads a work that another row names; `store_corrupt` if it is not there. */
export function readNamedWork(ark: string, read: ReadRow): StoredWork {
  return present(readWork(ark, read), `the row of the work ${ark}`)
}

/** Where a version of a work stands; undefined if there is no such version. Errors as above. */
function placeOf(
  { state }: StoredWork,
  version: number,
  read: ReadRow,
): (Pick<VersionRecord, 'leafIndex' | 'content'> & { readonly position: number }) | undefined {
  if (version < 1 || version > state.version) return undefined
  if (version === state.version) {
    return { position: state.position, leafIndex: state.leafIndex, content: state }
  }
  const row = readVersionRow(state.ark, version, read)
  const content = state.status === 'withdrawn' ? settleWithdrawn(row) : row
  return { position: row.position, leafIndex: row.leaf_index, content }
}

/** Reads what the representations of one version are made of; undefined if there is none. */
export function readVersion(
  stored: StoredWork,
  version: number,
  read: ReadRow,
): VersionRecord | undefined {
  const { state } = stored
  const place = placeOf(stored, version, read)
  if (place === undefined) return undefined
  const { position, leafIndex, content } = place
  const about = { ark: state.ark, state, version, leafIndex, content }
  if (stored.registration !== undefined) return { ...about, ...stored.registration }
  const eventRow = readEventRow(position, read)
  return {
    ...about,
    eventRow,
    get event() {
      return decodeEventFacts(position, eventRow) as VersionRecord['event']
    },
  }
}

/**
 * Reads the version of a work that waits for its only check, and was superseded; undefined if there
 * is none.
 */
export function readUnsettled(
  { ark, unsettled, status }: WorkState,
  read: ReadRow,
): UnsettledVersion | undefined {
  if (unsettled === undefined || status === 'withdrawn') return undefined
  const { version } = unsettled
  const { position, content_hash, waiting = null } = readVersionRow(ark, version, read)
  const eventRow = readEventRow(position, read)
  const { data } = decodeEventFacts(position, eventRow) as VersionRecord['event']
  const metadata = metadataIn(eventRow)
  assert(metadata !== undefined, 'a work that stands has its metadata')
  const { receipt_id, metadata_hash } = data
  return { version, receipt_id, metadata_hash, content_hash, metadata, waiting }
}

/** Reads the newest checks of a content, which came with version `since`, oldest first. */
export function readFixityChecks(ark: string, since: number, read: ReadRow): FixityCheck[] {
  return readChecks(ark, since, read).map((position) => {
    const event = readEvent(position, read) as CheckEvent
    return describeCheck(event, event.at)
  })
}

/** The metadata of a version of a work, `naan/name`; undefined once it was erased. */
export function metadataOf(ark: string, version: number, read: ReadRow): Metadata | undefined {
  const stored = readWork(ark, read)
  const record = stored && readVersion(stored, version, read)
  return record && metadataIn(record.eventRow)
}

/** The leaves of the statements about a version, lowest first. */
export function statedLeaves({ version, event, leafIndex, content }: VersionRecord): number[] {
  const { stable } = content.checked ?? {}
  const leaves = new Set([event.leafIndex, leafIndex])
  // The content statement of an earlier version is part of that version's proofs.
  if (stable?.version === version) leaves.add(stable.leaf)
  return [...leaves].sort((a, b) => a - b)
}
