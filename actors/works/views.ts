import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeKept,
  encodeKept,
  encodeRow,
  positionPart,
  type ReadRow,
  type View,
} from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { indexActivity } from '#actors/works/activity.ts'
import { indexBreakdown, type MetadataChange } from '#actors/works/breakdown.ts'
import {
  enterRecentWorks,
  leaveRecentWorks,
  moveAmongWithdrawn,
  moveInDuplicateIndex,
} from '#actors/works/duplicate_index.ts'
import {
  isHistoryEvent,
  isPublicEvent,
  metadataAt,
  type WorkEvent,
  type WorkState,
} from '#actors/works/events.ts'
import { fails, indexFailing } from '#actors/works/failing.ts'
import { isFixityEvent } from '#actors/works/fixity_rules.ts'
import { blankVersions, indexFixity, supersede } from '#actors/works/content_index.ts'
import { evolve } from '#actors/works/rules.ts'
import type { Operation } from '#log/base/store.ts'

/** How much an owner holds; works that were withdrawn are not counted. */
export type OwnerCounts = {
  readonly works_count: number
  /** Those whose content is not as it should be: `failed` or `unreachable`. */
  readonly failing_count: number
  /** People with a verified claim to one of all its works, or to several. */
  readonly people_count: number
}

/** Key of the row that says how much an owner holds. */
function countsKey(owner: OwnerRef): string {
  return `holding/${formatOwner(owner)}`
}

/** How much an owner holds, as the views say. */
export function readCounts(owner: OwnerRef, read: ReadRow): OwnerCounts {
  return decodeKept<OwnerCounts>(read(countsKey(owner))) ?? noCounts
}

const noCounts: OwnerCounts = { works_count: 0, failing_count: 0, people_count: 0 }

/** The row of an owner's counts after a change of some of them. */
export function moveCounts(owner: OwnerRef, by: Partial<OwnerCounts>, read: ReadRow): Operation {
  const { works_count, failing_count, people_count } = readCounts(owner, read)
  const counts: OwnerCounts = {
    works_count: works_count + (by.works_count ?? 0),
    failing_count: failing_count + (by.failing_count ?? 0),
    people_count: people_count + (by.people_count ?? 0),
  }
  return { type: 'put', key: countsKey(owner), value: encodeKept(counts) }
}

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

/** The rows of what an owner holds that an event of a work adds, changes or removes. */
function indexOwner(
  was: WorkState | undefined,
  state: WorkState,
  event: JournalEvent & WorkEvent,
  read: ReadRow,
): readonly Operation[] {
  const { owner, ark } = state
  const stood = was !== undefined && stands(was)
  const failed = was !== undefined && fails(was)
  const works = Number(stands(state)) - Number(stood)
  const failing = Number(fails(state)) - Number(failed)
  if (works === 0 && failing === 0) return []
  const moved = moveCounts(owner, { works_count: works, failing_count: failing }, read)
  const operations: Operation[] = [moved]
  if (was === undefined) {
    operations.push(name(ownedPrefix(owner) + positionPart(event.position), ark))
  }
  return operations
}

function stands({ status }: WorkState): boolean {
  return status === 'registered'
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
function indexHarvest(
  was: WorkState | undefined,
  state: WorkState,
  event: JournalEvent & WorkEvent,
): readonly Operation[] {
  if (!isPublicEvent(event)) return []
  const { owner, ark } = state
  const { position } = event
  const operations = [name(harvestKey(position), ark)]
  if (was === undefined) return operations
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

/** The row of an event's place in the history of its work, if it has one. */
function indexHistory({ ark }: WorkState, event: JournalEvent & WorkEvent): readonly Operation[] {
  if (event.type === 'WorkRegistered' || !isHistoryEvent(event)) return []
  const key = historyPrefix(ark) + positionPart(event.position)
  return [{ type: 'put', key, value: new Uint8Array(0) }]
}

/** A row whose value is the ARK of a work. */
function name(key: string, ark: string): Operation {
  return { type: 'put', key, value: Buffer.from(ark) }
}

/** Key of the row that says where in the journal an ARK was minted, a decimal; it never changes. */
export function mintedKey(ark: string): string {
  return `minted/${ark}`
}

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
    ...indexFailing(was, state, work, read),
    ...indexHarvest(was, state, work),
    ...indexHistory(state, work),
    ...indexActivity(state.owner, work),
  ]
  const breakdown = (change?: MetadataChange) => indexBreakdown(was, state, work, change, read)
  if (isFixityEvent(work)) return { state, operations: [...common, ...breakdown()] }
  const left = was === undefined ? undefined : metadataAt(was.position, read)
  if (work.type === 'WorkErased') {
    const operations = [
      ...moveAmongWithdrawn(state.ark, left, undefined, read),
      ...blankVersions(state, read),
      ...common,
    ]
    return { state, operations }
  }
  // What is lost has been left out of the indexes by the events of its versions.
  if (work.type === 'MetadataLost') {
    return { state, operations: [...common, ...breakdown()] }
  }
  if (work.type === 'WorkWithdrawn') {
    const operations = [
      ...breakdown({ left, entered: undefined }),
      ...moveInDuplicateIndex(state.ark, left, undefined, read),
      ...moveAmongWithdrawn(state.ark, undefined, left, read),
      ...leaveRecentWorks(state, left, undefined, read),
      ...common,
    ]
    return { state, operations }
  }
  const { ark, version, receipt_id } = state
  const receipt: ReceiptRow = { ark, version }
  const operations = [put(receiptKey(receipt_id), receipt)]
  operations.push(was === undefined ? put(mintedKey(ark), event.position) : supersede(was))
  const entered = work.data.metadata ?? undefined
  operations.push(
    ...breakdown({ left, entered }),
    ...moveInDuplicateIndex(ark, left, entered, read),
    ...(was === undefined
      ? enterRecentWorks(state, entered)
      : leaveRecentWorks(state, left, entered, read)),
    ...common,
  )
  return { state, operations }
}

function put(key: string, value: unknown): Operation {
  return { type: 'put', key, value: encodeRow(value) }
}
