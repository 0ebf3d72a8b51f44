import type { ReadRow } from '#actors/journal/rows.ts'
import {
  type Edition,
  type FieldEdit,
  isCurrent,
  type Precondition,
  type PreconditionFailed,
} from '#actors/values/entity_tag.ts'
import type { Invalid } from '#actors/values/fault_list.ts'
import { readOnly } from '#actors/values/field_table.ts'
import { editionOf } from '#actors/works/events.ts'
import { readVersion, readWork, type VersionRecord } from '#actors/works/record.ts'
import { assert } from '#log/base/errors.ts'

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
