import { decodeRow, encodeRow, present, type ReadRow, versionPart } from '#actors/journal/rows.ts'
import {
  blankContent,
  type SupersededChecked,
  type VersionContent,
  type WorkState,
} from '#actors/works/events.ts'
import { settledContent } from '#actors/works/fixity_rules.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Operation } from '#log/base/store.ts'

/** Key of the row of a version that has a newer one; fixed width, so that versions sort. */
export function versionKey(ark: string, version: number): string {
  return `version/${ark}/${versionPart(version)}`
}

/**
 * Where a version stands: its event in the journal, and its newest statement in the log; and what
 * is known of its content. Of the newest version the state says so itself; most works have no
 * other. `waiting`: of one that nobody has looked at, the next older one of which that is true.
 */
export type VersionRow = VersionContent & {
  readonly position: number
  readonly leaf_index: number
  readonly waiting?: number
}

/** Reads the row of a version that has a newer one; `store_corrupt` if it is not there. */
export function readVersionRow(ark: string, version: number, read: ReadRow): VersionRow {
  const row = decodeRow<VersionRow>(read(versionKey(ark, version)))
  return present(row, `the row of version ${version} of the work ${ark}`)
}

/** The row of the version that was the newest until now. */
export function supersede(state: WorkState): Operation {
  const { ark, version, position, leafIndex, fixity_status, content_hash, checked } = state
  const content = { fixity_status, content_hash, ...(checked && { checked }) }
  const waiting = fixity_status === 'pending' ? state.unsettled?.version : undefined
  const next = waiting === undefined ? {} : { waiting }
  return put(ark, version, { position, leaf_index: leafIndex, ...content, ...next })
}

/** The row of a version that was superseded before its first check, with what that has found. */
export function settle(
  { ark }: WorkState,
  event: JournalEvent & SupersededChecked,
  read: ReadRow,
): Operation {
  const { version, content } = event.data
  const before = readVersionRow(ark, version, read)
  const leaf_index = content === undefined ? before.leaf_index : event.leafIndex
  const { position } = before
  return put(ark, version, { position, leaf_index, ...settledContent(before, event, event) })
}

/** The rows of the versions of an erased work, without what the servers of its content said. */
export function blankVersions({ ark, version }: WorkState, read: ReadRow): Operation[] {
  return Array.from({ length: version - 1 }, (_, index) => {
    return put(ark, index + 1, blankContent(readVersionRow(ark, index + 1, read)))
  })
}

function put(ark: string, version: number, row: VersionRow): Operation {
  return { type: 'put', key: versionKey(ark, version), value: encodeRow(row) }
}
