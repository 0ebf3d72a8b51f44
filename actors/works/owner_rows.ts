import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeRow, encodeRow, positionPart, type ReadRow } from '#actors/journal/rows.ts'
import type { WorkEvent, WorkState } from '#actors/works/events.ts'
import type { OwnerRef } from '#actors/values/agent.ts'
import type { Operation } from '#log/store.ts'

/** How much an owner holds; works that were withdrawn are not counted. */
export type OwnerCounts = {
  readonly works_count: number
  /** Those whose content is not as it should be: `failed` or `unreachable`. */
  readonly failing_count: number
  /** People with a verified claim to one of all its works, or to several. */
  readonly people_count: number
}

/** An owner as it stands in keys: `organization:demo`. */
export function formatOwner({ type, id }: OwnerRef): string {
  return `${type}:${id}`
}

/** The owner that such a text names. */
export function parseOwnerText(text: string): OwnerRef {
  const [type, id = ''] = text.split(':', 2)
  return { type: type as OwnerRef['type'], id }
}

/** Key of the row that says how much an owner holds. */
function countsKey(owner: OwnerRef): string {
  return `holding/${formatOwner(owner)}`
}

/** How much an owner holds, as the views say. */
export function readCounts(owner: OwnerRef, read: ReadRow): OwnerCounts {
  return decodeRow<OwnerCounts>(read(countsKey(owner))) ?? noCounts
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
  return { type: 'put', key: countsKey(owner), value: encodeRow(counts) }
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

/** What begins the keys that name an owner's works whose content is not as it should be. */
export function failingPrefix(owner: OwnerRef): string {
  return `failing/${formatOwner(owner)}/`
}

/** The rows of what an owner holds that an event of a work adds, changes or removes. */
export function indexOwner(
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
    const key = ownedPrefix(owner) + positionPart(event.position)
    operations.push({ type: 'put', key, value: Buffer.from(ark) })
  }
  const key = failingPrefix(owner) + ark
  if (failing > 0) operations.push({ type: 'put', key, value: new Uint8Array(0) })
  if (failing < 0) operations.push({ type: 'del', key })
  return operations
}

function stands({ status }: WorkState): boolean {
  return status === 'registered'
}

function fails(state: WorkState): boolean {
  const { fixity_status: fixity } = state
  return stands(state) && (fixity === 'failed' || fixity === 'unreachable')
}
