import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeKept,
  decodeRow,
  encodeKept,
  encodeRow,
  positionPart,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import type { WorkEvent, WorkState } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { Operation } from '#log/base/store.ts'

/**
 * What is known of the content of a work that stands, as its owner is told: `pending` was not
 * looked at yet, `changed` is not what was registered, `unreachable` was read before and cannot be
 * now, `never_read` could not be read at any time.
 */
export const contentStates = [
  'verified',
  'pending',
  'changed',
  'unreachable',
  'never_read',
] as const

export type ContentState = (typeof contentStates)[number]

/** What is known of the content of a work that stands. */
export function contentState({
  fixity_status: fixity,
  checked,
}: Pick<WorkState, 'fixity_status' | 'checked'>): ContentState {
  if (fixity === 'failed') return 'changed'
  if (fixity !== 'unreachable') return fixity
  return checked?.stable === undefined ? 'never_read' : 'unreachable'
}

/** An owner's works that stand by what is known of their content and by type, and the others. */
export type OwnerBreakdown = {
  readonly content: Readonly<Partial<Record<ContentState, number>>>
  /** By the `work_type` of their newest version. */
  readonly types: Readonly<Record<string, number>>
  readonly withdrawn: number
}

const nothing: OwnerBreakdown = { content: {}, types: {}, withdrawn: 0 }

function breakdownKey(owner: OwnerRef): string {
  return `breakdown/${formatOwner(owner)}`
}

function monthKey(owner: OwnerRef, month: string): string {
  return `registered/${formatOwner(owner)}/${month}`
}

/** What begins the keys that name an owner's withdrawn works, in the order of their withdrawal. */
export function withdrawnPrefix(owner: OwnerRef): string {
  return `withdrawn/${formatOwner(owner)}/`
}

/** An owner's works by content and type, as the views say. */
export function readBreakdown(owner: OwnerRef, read: ReadRow): OwnerBreakdown {
  return decodeKept<OwnerBreakdown>(read(breakdownKey(owner))) ?? nothing
}

/** How many works an owner registered in a month `YYYY-MM` of UTC, withdrawn ones too. */
export function readRegistered(owner: OwnerRef, month: string, read: ReadRow): number {
  return decodeRow<number>(read(monthKey(owner, month))) ?? 0
}

/** The metadata of a work before an event, and after it: undefined if there is none. */
export type MetadataChange = {
  readonly left: Metadata | undefined
  readonly entered: Metadata | undefined
}

/**
 * The rows of an owner's breakdown that an event of a work changes. `change` is undefined for an
 * event that leaves the metadata alone. What was erased has no type, before and after: the counts
 * are the same where the journal is projected anew.
 */
export function indexBreakdown(
  was: WorkState | undefined,
  state: WorkState,
  event: JournalEvent & WorkEvent,
  change: MetadataChange | undefined,
  read: ReadRow,
): readonly Operation[] {
  const { owner, ark, created_at } = state
  const operations: Operation[] = []
  if (was === undefined) {
    const month = created_at.slice(0, 7)
    const count = readRegistered(owner, month, read) + 1
    operations.push({ type: 'put', key: monthKey(owner, month), value: encodeRow(count) })
  }
  const withdraws = state.status === 'withdrawn' && was?.status !== 'withdrawn'
  if (withdraws) {
    const key = withdrawnPrefix(owner) + positionPart(event.position)
    operations.push({ type: 'put', key, value: Buffer.from(ark) })
  }
  const [from, to] = [stateOf(was), stateOf(state)]
  const typeFrom = change?.left?.work_type
  const typeTo = change?.entered?.work_type
  if (from === to && typeFrom === typeTo && !withdraws) return operations
  const before = readBreakdown(owner, read)
  const after: OwnerBreakdown = {
    content: moved(before.content, from, to),
    types: moved(before.types, typeFrom, typeTo),
    withdrawn: before.withdrawn + Number(withdraws),
  }
  operations.push({ type: 'put', key: breakdownKey(owner), value: encodeKept(after) })
  return operations
}

function stateOf(state: WorkState | undefined): ContentState | undefined {
  return state?.status === 'registered' ? contentState(state) : undefined
}

/** Counts after one thing was moved; what there is none of has no member. */
function moved<Name extends string>(
  counts: Readonly<Partial<Record<Name, number>>>,
  from: Name | undefined,
  to: Name | undefined,
): Partial<Record<Name, number>> {
  if (from === to) return counts
  const after: Partial<Record<Name, number>> = { ...counts }
  if (from !== undefined) {
    const left = (after[from] ?? 0) - 1
    if (left > 0) after[from] = left
    else delete after[from]
  }
  if (to !== undefined) after[to] = (after[to] ?? 0) + 1
  return after
}
