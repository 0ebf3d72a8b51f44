import { changedPrefix, movedPrefix, ownedPrefix } from '#actors/works/owner_rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { isPublicEvent, type WorkEvent, type WorkState } from '#actors/works/events.ts'
import { positionPart } from '#actors/journal/rows.ts'
import type { Operation } from '#log/store.ts'

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
export function indexHarvest(
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

function name(key: string, ark: string): Operation {
  return { type: 'put', key, value: Buffer.from(ark) }
}
