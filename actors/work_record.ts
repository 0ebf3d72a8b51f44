import { decodeEvent, eventKey } from '#actors/event_row.ts'
import type { FixityCheck } from '#actors/fixity.ts'
import { describeCheck } from '#actors/fixity_rules.ts'
import { type CheckEvent, readChecks } from '#actors/fixity_views.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { WorkRecord } from '#actors/representation.ts'
import { decodeRow, type ReadRow, type StreamRow } from '#actors/view_row.ts'
import { type WorkState, workStream } from '#actors/work_events.ts'
import { type VersionRow, versionKey } from '#actors/work_views.ts'
import { LogError } from '#log/errors.ts'

/** The state row of a work and the journal position of its newest event. */
export type StoredWork = { readonly state: WorkState; readonly newest: number }

/** Reads the state of a work from its row; `ark` is `naan/name`. */
export function readWork(ark: string, read: ReadRow): StoredWork | undefined {
  const row = decodeRow<StreamRow>(read(workStream(ark)))
  return row && { state: row.state as WorkState, newest: row.newest }
}

/** Reads an event that a view points to. A journal with a hole is `store_corrupt`. */
export function readEvent(position: number, read: ReadRow): JournalEvent {
  return decodeEvent(position, readEventRow(position, read))
}

/** The row of an event that a view points to, as stored. Errors as `readEvent`. */
export function readEventRow(position: number, read: ReadRow): Uint8Array {
  const row = read(eventKey(position))
  if (row !== undefined) return row
  throw new LogError(
    'store_corrupt',
    `the event at position ${position} is missing; restore the store from a copy and run audit`,
  )
}

/** Where a version of a work stands; undefined for a version that does not exist. */
function readVersion(
  { state }: StoredWork,
  version: number,
  read: ReadRow,
): VersionRow | undefined {
  if (version !== state.version) return decodeRow(read(versionKey(state.ark, version)))
  const { position, leafIndex, fixity_status, content_hash, checked } = state
  return {
    position,
    leaf_index: leafIndex,
    fixity_status,
    content_hash,
    ...(checked && { checked }),
  }
}

/** Reads what the representations of one version are made of; undefined if there is none. */
export function readRecord(
  stored: StoredWork,
  version: number,
  read: ReadRow,
): WorkRecord | undefined {
  const { state } = stored
  const place = readVersion(stored, version, read)
  if (place === undefined) return undefined
  const { position, leaf_index: leafIndex, ...content } = place
  const eventRow = readEventRow(position, read)
  const event = decodeEvent(position, eventRow) as WorkRecord['event']
  return { ark: state.ark, state, version, eventRow, event, leafIndex, content }
}

/** Reads the newest checks of a content, which came with version `since`, oldest first. */
export function readFixityChecks(ark: string, since: number, read: ReadRow): FixityCheck[] {
  return readChecks(ark, since, read).map((position) => {
    const event = readEvent(position, read) as CheckEvent
    return describeCheck(event, event.at)
  })
}
