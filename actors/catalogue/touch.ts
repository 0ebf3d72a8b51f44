import type { PublicClaim } from '#actors/claims/placement.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { isClaimEvent, streamPpid } from '#actors/people/events.ts'
import {
  isPublicEvent,
  streamArk,
  type WorkEvent,
  type WorkState,
  workStream,
} from '#actors/works/events.ts'

/** A record of the registry. `id` is an ARK, `naan/name`, a ppid or a slug. */
export type RecordName = {
  readonly type: 'work' | 'person' | 'organization'
  readonly id: string
}

/** A work that stands, as everybody may see it: plain data, which may go to another thread. */
export type StandingWork = {
  readonly state: StandingState
  /** Its metadata as JSON. */
  readonly metadata: string
  /** Those that are verified, of people who show theirs. */
  readonly claims: readonly PublicClaim[]
  /** Position of its registration in the journal. */
  readonly registered: number
}

type StandingState = Pick<
  WorkState,
  'ark' | 'identifier' | 'owner' | 'fixity_status' | 'created_at' | 'updated_at'
>

/** What of the state of a work is told of one that stands. */
export function standingState(state: WorkState): StandingState {
  const { ark, identifier, owner, fixity_status, created_at, updated_at } = state
  return { ark, identifier, owner, fixity_status, created_at, updated_at }
}

/** What one event was about: records, whether it erased them, and its bytes, about. */
export type Touch = {
  readonly records: readonly RecordName[]
  readonly isErasure: boolean
  readonly bytes: number
}

/** What an event of so many bytes was about, as far as followers see it. */
export function touchOf(event: JournalEvent, bytes: number): Touch {
  const isErasure = event.type === 'WorkErased' || event.type === 'PersonErased'
  return { records: recordsOf(event), isErasure, bytes }
}

/** The records whose present state an event may have changed, as far as followers see it. */
function recordsOf(event: JournalEvent): readonly RecordName[] {
  const { stream } = event
  const ppid = streamPpid(stream)
  if (ppid !== undefined) {
    const person = { type: 'person', id: ppid } as const
    return isClaimEvent(event) ? [person, { type: 'work', id: event.data.ark }] : [person]
  }
  if (stream.startsWith(workStream(''))) {
    const shown = isPublicEvent(event as JournalEvent & WorkEvent)
    return shown ? [{ type: 'work', id: streamArk(stream) }] : []
  }
  const [type, id] = stream.split('/', 2)
  return type === 'organization' && id !== undefined ? [{ type, id }] : []
}
