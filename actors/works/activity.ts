import type { JournalEvent } from '#actors/journal/journal.ts'
import { positionPart } from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import type { WorkEvent } from '#actors/works/events.ts'
import type { Operation } from '#log/base/store.ts'

/** What an owner's works go through after their registration. */
export type ActivityKind = 'version' | 'withdrawal' | 'claim'

/** What begins the keys that name events of one kind of an owner's works, by position. */
export function activityPrefix(owner: OwnerRef, kind: ActivityKind): string {
  return `activity/${formatOwner(owner)}/${kind}/`
}

/** The row that names an event among those of its kind of an owner's works. */
export function activityRow(
  owner: OwnerRef,
  kind: ActivityKind,
  { position }: Pick<JournalEvent, 'position'>,
): Operation {
  const key = activityPrefix(owner, kind) + positionPart(position)
  return { type: 'put', key, value: new Uint8Array(0) }
}

/**
 * The row of an event of a work in the history of its owner. A registration has none: it stands
 * among what the owner holds, and pays for no further row.
 */
export function indexActivity(
  owner: OwnerRef,
  event: JournalEvent & WorkEvent,
): readonly Operation[] {
  switch (event.type) {
    case 'WorkVersioned':
      return [activityRow(owner, 'version', event)]
    case 'WorkWithdrawn':
    case 'WorkErased':
    case 'MetadataLost':
      return [activityRow(owner, 'withdrawal', event)]
    case 'WorkRegistered':
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FixityRequested':
      return []
  }
}
