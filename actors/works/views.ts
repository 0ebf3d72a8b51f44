import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  encodeRow,
  type Index,
  positionPart,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { indexChecks, indexDue, indexTally, indexVersions } from '#actors/works/content_index.ts'
import {
  indexDuplicates,
  indexRecent,
  indexWithdrawnDoi,
  recentPrefix,
} from '#actors/works/duplicate_index.ts'
import {
  isHistoryEvent,
  isPublicEvent,
  metadataAt,
  type WorkEvent,
  type WorkState,
  type WorkStep,
} from '#actors/works/events.ts'
import { isFixityEvent } from '#actors/works/fixity_rules.ts'
import {
  indexActivity,
  indexBreakdown,
  indexCounts,
  indexFailing,
  indexMonth,
  indexWithdrawn,
} from '#actors/works/owner_index.ts'
import { mintedKey, workInRow } from '#actors/works/record.ts'
import { evolve } from '#actors/works/rules.ts'
import type { Operation } from '#log/base/store.ts'

/** What begins the keys of an owner's works that are as they were registered. */
export function ownedPrefix(owner: OwnerRef): string {
  return `owned/${formatOwner(owner)}/`
}

/** What begins the keys of an owner's works that were changed, or withdrawn, since. */
export function changedPrefix(owner: OwnerRef): string {
  return `changed/${formatOwner(owner)}/`
}

/** What begins the keys that name works of an owner by their last change, if there was one. */
export function movedPrefix(owner: OwnerRef): string {
  return `moved/${formatOwner(owner)}/`
}

// Each work has one place in the order of the changes that harvesters see: that of its newest one.
// In the order of its owner, a work that was never changed stands where it was registered, and the
// row for the list of its owner's works serves both: a registration writes one row for all of this.

/** What begins the keys that name works by their last change, all of them. */
export const harvestPrefix = 'harvest/'

/** Key of the row that names a work by the journal position of its last change. */
export function harvestKey(position: number): string {
  return harvestPrefix + positionPart(position)
}

/** The journal position and the time of the newest event of a work that harvesters see. */
export function lastChange(state: WorkState): { readonly position: number; readonly at: string } {
  return state.changed ?? { position: state.position, at: state.created_at }
}

/** The rows of a work's places in the orders of changes, as an event moves them. */
function indexOrder({ was, state, event }: WorkStep): Operation[] {
  if (!isPublicEvent(event)) return []
  const { owner, ark } = state
  const { position } = event
  const operations = [name(harvestKey(position), ark)]
  if (was === undefined) {
    operations.push(name(ownedPrefix(owner) + positionPart(position), ark))
    return operations
  }
  const { position: before } = lastChange(was)
  operations.push({ type: 'del', key: harvestKey(before) })
  operations.push(name(movedPrefix(owner) + positionPart(position), ark))
  if (was.changed !== undefined) {
    operations.push({ type: 'del', key: movedPrefix(owner) + positionPart(before) })
  } else {
    operations.push({ type: 'del', key: ownedPrefix(owner) + positionPart(before) })
    operations.push(name(changedPrefix(owner) + positionPart(before), ark))
  }
  return operations
}

/** What begins the keys that name what a history shows of a work after its registration. */
export function historyPrefix(ark: string): string {
  return `history/${ark}/`
}

function indexHistory({ state, event }: WorkStep): Operation[] {
  if (!isHistoryEvent(event)) return []
  const key = historyPrefix(state.ark) + positionPart(event.position)
  return [{ type: 'put', key, value: new Uint8Array(0) }]
}

/** A row whose value is the ARK of a work. */
function name(key: string, ark: string): Operation {
  return { type: 'put', key, value: Buffer.from(ark) }
}

/** Key of the row that finds a version by its receipt's id. */
export function receiptKey(receiptId: string): string {
  return `receipt/${receiptId}`
}

/** The version that a receipt belongs to; `ark` is `naan/name`. */
export type ReceiptRow = { readonly ark: string; readonly version: number }

function indexReceipt({ state: { ark, version, receipt_id } }: WorkStep): Operation[] {
  const row: ReceiptRow = { ark, version }
  return [{ type: 'put', key: receiptKey(receipt_id), value: encodeRow(row) }]
}

function indexMinted({ state, event }: WorkStep): Operation[] {
  return [{ type: 'put', key: mintedKey(state.ark), value: encodeRow(event.position) }]
}

type WorkIndex = Index<WorkStep> & { readonly on?: readonly WorkEvent['type'][] }

const versions = ['WorkRegistered', 'WorkVersioned'] as const
const checks = ['FixityChecked', 'SupersededChecked'] as const
const ends = ['WorkWithdrawn', 'WorkErased', 'MetadataLost'] as const

/** The indexes of works. */
export const workIndexes: readonly WorkIndex[] = [
  { keys: ['receipt/'], on: versions, rows: indexReceipt },
  { keys: ['minted/'], on: ['WorkRegistered'], rows: indexMinted },
  {
    keys: ['version/'],
    on: ['WorkVersioned', 'SupersededChecked', 'WorkErased'],
    rows: indexVersions,
  },
  { keys: ['due/'], rows: indexDue },
  { keys: ['fixity/'], on: checks, rows: indexChecks },
  { keys: ['tally/'], rows: indexTally },
  { keys: ['holding/'], rows: indexCounts },
  { keys: ['owned/', 'changed/', 'moved/', 'harvest/'], rows: indexOrder },
  { keys: ['history/'], on: ['WorkVersioned', ...ends, ...checks], rows: indexHistory },
  { keys: ['activity/'], on: ['WorkVersioned', ...ends], rows: indexActivity },
  {
    keys: ['failing/', 'failed/'],
    on: ['WorkVersioned', ...ends, ...checks],
    rows: indexFailing,
  },
  {
    keys: ['breakdown/'],
    on: [...versions, 'WorkWithdrawn', 'MetadataLost', ...checks],
    rows: indexBreakdown,
  },
  { keys: ['registered/'], on: ['WorkRegistered'], rows: indexMonth },
  { keys: ['withdrawn/'], on: ends, rows: indexWithdrawn },
  { keys: ['doi/', 'edition/'], on: [...versions, 'WorkWithdrawn'], rows: indexDuplicates },
  { keys: ['withdrawn_doi/'], on: ['WorkWithdrawn', 'WorkErased'], rows: indexWithdrawnDoi },
  {
    keys: [recentPrefix],
    on: [...versions, 'WorkWithdrawn'],
    endsAfterDay: true,
    rows: indexRecent,
  },
]

/** What an event changes of a work. */
export function workStep(
  before: StreamRow | undefined,
  event: JournalEvent & WorkEvent,
  read: ReadRow,
): WorkStep {
  const was = before && workInRow(before, read).state
  const state = evolve(was, event, event)
  // What is lost has been left out of the indexes by the events of its versions.
  const isAboutMetadata = !isFixityEvent(event) && event.type !== 'MetadataLost'
  const left = was && isAboutMetadata ? metadataAt(was.position, read) : undefined
  const entered = 'metadata' in event.data ? (event.data.metadata ?? undefined) : undefined
  return { event, was, state, left, entered }
}
