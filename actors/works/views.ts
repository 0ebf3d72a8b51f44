import {
  decodeRow,
  encodeRow,
  present,
  type ReadRow,
  versionPart,
  type View,
} from '#actors/journal/rows.ts'
import { moveInDuplicateIndex } from '#actors/works/duplicate_index.ts'
import { blankContent } from '#actors/works/erasure.ts'
import { indexFixity } from '#actors/works/fixity_views.ts'
import { indexHarvest } from '#actors/works/harvest_rows.ts'
import { indexOwner } from '#actors/works/owner_rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  type ContentState,
  metadataAt,
  type WorkEvent,
  type WorkState,
} from '#actors/works/events.ts'
import { evolve } from '#actors/works/rules.ts'
import type { Operation } from '#log/store.ts'

/** Key of the row that says where in the journal an ARK was minted, a decimal; it never changes. */
export function mintedKey(ark: string): string {
  return `minted/${ark}`
}

/** Key of the row of a version that has a newer one; fixed width, so that versions sort. */
export function versionKey(ark: string, version: number): string {
  return `version/${ark}/${versionPart(version)}`
}

/**
 * Where a version stands: its event in the journal, and its newest statement in the log; and what
 * was known of its content when the next one came. Of the newest version the state says so itself;
 * most works have no other.
 */
export type VersionRow = ContentState & { readonly position: number; readonly leaf_index: number }

/** Key of the row that finds a version by its receipt's id. */
export function receiptKey(receiptId: string): string {
  return `receipt/${receiptId}`
}

/** The version that a receipt belongs to; `ark` is `naan/name`. */
export type ReceiptRow = { readonly ark: string; readonly version: number }

/** The state and the index rows that an event of a work leads to. */
export function indexWork(before: unknown, event: JournalEvent, read: ReadRow): View {
  const was = before as WorkState | undefined
  const work = event as JournalEvent & WorkEvent
  const state = evolve(was, work, event)
  const common = [
    ...indexFixity(was, state, work, read),
    ...indexOwner(was, state, work, read),
    ...indexHarvest(was, state, work),
  ]
  if (work.type === 'FixityChecked' || work.type === 'FixityRequested') {
    return { state, operations: common }
  }
  if (work.type === 'WorkErased') {
    return { state, operations: [...blankVersions(state, read), ...common] }
  }
  const left = was === undefined ? undefined : metadataAt(was.position, read)
  if (work.type === 'WorkWithdrawn') {
    return {
      state,
      operations: [...moveInDuplicateIndex(state.ark, left, undefined, read), ...common],
    }
  }
  const { ark, version, receipt_id } = state
  const receipt: ReceiptRow = { ark, version }
  const operations = [put(receiptKey(receipt_id), receipt)]
  operations.push(was === undefined ? put(mintedKey(ark), event.position) : supersede(was))
  operations.push(
    ...moveInDuplicateIndex(ark, left, work.data.metadata ?? undefined, read),
    ...common,
  )
  return { state, operations }
}

/** The row of the version that was the newest until now. */
function supersede(state: WorkState): Operation {
  const { ark, version, position, leafIndex, fixity_status, content_hash, checked } = state
  const content = { fixity_status, content_hash, ...(checked && { checked }) }
  const place: VersionRow = { position, leaf_index: leafIndex, ...content }
  return put(versionKey(ark, version), place)
}

/** The rows of the versions of an erased work, without what the servers of its content said. */
function blankVersions({ ark, version }: WorkState, read: ReadRow): Operation[] {
  return Array.from({ length: version - 1 }, (_, index) => {
    const key = versionKey(ark, index + 1)
    const row = decodeRow<VersionRow>(read(key))
    return put(key, blankContent(present(row, `the row ${key}`)))
  })
}

function put(key: string, value: unknown): Operation {
  return { type: 'put', key, value: encodeRow(value) }
}
