import { may } from '#actors/values/authority.ts'
import { type ClaimEvent, isClaimEvent } from '#actors/people/events.ts'
import type { Claims } from '#actors/claims/port.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { UndoAnswer } from '#actors/people/port.ts'
import { readWrite } from '#actors/people/views.ts'
import { isUndoable, type UndoCommand } from '#actors/people/work_undo.ts'
import { readEvent, type ReadRow } from '#actors/journal/rows.ts'
import { streamArk, type WorkRegistered } from '#actors/works/events.ts'

/** What makes a work a person's: its registration for them, or a claim. */
type ClaimWrite = JournalEvent & (WorkRegistered | ClaimEvent)

/** What taking back a claim goes by. */
type UndoOptions = { readonly claims: Claims; readonly read: ReadRow }

/**
 * Takes back what has made a work a person's; resolves to undefined if what was written for them
 * was of another kind.
 */
export function claimUndo({
  claims,
  read,
}: UndoOptions): (command: UndoCommand) => Promise<UndoAnswer | undefined> {
  return async (command) => {
    const event = readClaimWrite(command, read)
    return event && undoClaim(command, event, { claims, read })
  }
}

/** The event by which a work was written for a person; undefined if it was no such event. */
function readClaimWrite({ ppid, position }: UndoCommand, read: ReadRow): ClaimWrite | undefined {
  if (readWrite(ppid, position, read) === undefined) return undefined
  const event = readEvent(position, read) as ClaimWrite
  return event.type === 'WorkRegistered' || isClaimEvent(event) ? event : undefined
}

/**
 * Takes back what has made a work a person's: they disclaim it, so that it is not written again.
 * The work stays, since it is its registrant's. What became of a claim afterwards is not undone.
 */
async function undoClaim(
  { ppid, by, position }: UndoCommand,
  event: ClaimWrite,
  { claims, read }: UndoOptions,
): Promise<UndoAnswer> {
  if (!may(by, 'person', 'undo write', { ppid })) return { type: 'forbidden' }
  if (readWrite(ppid, position, read)?.undone_at !== undefined) return { type: 'already_undone' }
  if (!isUndoable(event, ppid)) return { type: 'not_undoable' }
  const ark = event.type === 'ClaimMade' ? event.data.ark : streamArk(event.stream)
  const asked = { ppid, ark, step: 'disclaim', by, undoes: position } as const
  const answer = await claims.change(asked)
  if (answer.type === 'changed') return { type: 'undone' }
  return answer.type === 'unchanged'
    ? { type: 'changed_since', position: -1 }
    : { type: 'not_undoable' }
}
