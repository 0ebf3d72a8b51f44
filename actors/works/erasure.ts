import {
  decodeEvent,
  encodeEvent,
  eventKey,
  positionPart,
  withoutMetadata,
} from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { CheckedContent, WorkEvent } from '#actors/works/events.ts'
import type { Operation } from '#log/store.ts'

/** What begins the keys of the rows that name erasures whose old values are still in the files. */
export const purgePrefix = 'purge/'

/**
 * Key of such a row, by the position of the `WorkErased`: it stands from an erasure's commit until
 * its purge is over.
 */
export function purgeKey(position: number): string {
  return purgePrefix + positionPart(position)
}

/** Whether an event erases the metadata that the events before it in its stream hold. */
export function isErasure(event: Pick<JournalEvent, 'type'>): boolean {
  return event.type === 'WorkErased'
}

/**
 * The rows that a commit writes with an erasure, and none with any other event: every event of its
 * stream before it, without its metadata, and the row that asks for a purge. This is the one
 * exception to the rule that an event is never written again, and it hangs on the erasure's event
 * alone. `rowAt` gives the row of an event.
 */
export function blankEvents(
  erasure: JournalEvent,
  rowAt: (position: number) => Uint8Array,
): readonly Operation[] {
  if (!isErasure(erasure)) return []
  const key = purgeKey(erasure.position)
  const operations: Operation[] = [{ type: 'put', key, value: new Uint8Array(0) }]
  for (let position = erasure.previous; position >= 0; ) {
    const event = decodeEvent(position, withoutMetadata(rowAt(position)))
    const blank = { ...event, data: blankData(event as JournalEvent & WorkEvent) }
    operations.push({ type: 'put', key: eventKey(position), value: encodeEvent(blank) })
    position = event.previous
  }
  return operations
}

/** What stays of an event: hashes, names of fields, and words of ours; nothing that a work says. */
function blankData(event: WorkEvent): WorkEvent['data'] {
  switch (event.type) {
    case 'WorkRegistered':
      return { ...event.data, metadata: null }
    case 'WorkVersioned': {
      const { version_note: _, ...data } = event.data
      return { ...data, metadata: null }
    }
    case 'WorkWithdrawn':
      return { reason: event.data.reason }
    case 'FixityChecked':
      return { ...event.data, final_url: null, media_type: null, message: null }
    case 'FixityRequested':
    case 'WorkErased':
      return event.data
  }
}

/** Whether nothing is left in an event that an erasure removes. */
export function isBlank(event: WorkEvent): boolean {
  return JSON.stringify(event.data) === JSON.stringify(blankData(event))
}

/** What is known of content once the metadata of its work is erased: no words of its server. */
export function blankContent<C extends { readonly checked?: CheckedContent }>(content: C): C {
  const { checked } = content
  if (checked === undefined) return content
  const { stable } = checked
  const blankStable = stable && { stable: { ...stable, media_type: null } }
  return { ...content, checked: { ...checked, message: null, ...blankStable } }
}
