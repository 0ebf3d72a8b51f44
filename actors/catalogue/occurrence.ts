import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeEventFacts, readEventRow, type ReadRow } from '#actors/journal/rows.ts'
import {
  eventNames,
  ownMembers,
  versionOf,
  type WorkWriter,
  describeWriter,
} from '#actors/catalogue/provenance.ts'
import { readClaim } from '#actors/claims/views.ts'
import {
  type ClaimEvent,
  isClaimEvent,
  type PersonEvent,
  streamPpid,
} from '#actors/people/events.ts'
import type { ItemKind, Visibility } from '#actors/people/port.ts'
import { type Agent, type Client, clientOf, type OwnerRef } from '#actors/values/agent.ts'
import {
  endsWork,
  isPublicEvent,
  streamArk,
  type WorkEvent,
  type WorkState,
} from '#actors/works/events.ts'
import { readNamedWork } from '#actors/works/record.ts'
import { evolve } from '#actors/works/rules.ts'

/** The place of an event in the journal, as `GET /v1/changes` counts it, and when it was. */
type Place = { readonly seq: number; readonly at: string }

/** Something that happened to a work; `type` as in the feed of changes. */
export type WorkOccurrence = Place & {
  readonly about: 'work'
  readonly type: (typeof eventNames)[keyof typeof eventNames]
  /** The ARK as it is shown, `ark:/naan/name`. */
  readonly ark: string
  readonly version: number
  readonly status: 'registered' | 'withdrawn'
  readonly fixity_status?: string
  /** Who did it, which need not be the owner. */
  readonly by: WorkWriter
  readonly owner: OwnerRef
  /** The application that registered the work for a person, if one did. */
  readonly client?: Client
}

/** An affiliation or an education record was added. */
export type ItemOccurrence = Place & {
  readonly about: 'item'
  readonly ppid: string
  readonly item: string
  readonly kind: ItemKind
  readonly source: Agent
  readonly visibility: Visibility
}

/** A person's profile was changed: which of its fields. */
export type ProfileOccurrence = Place & {
  readonly about: 'profile'
  readonly ppid: string
  readonly fields: readonly string[]
}

/** A claim was made that waits for a word, or is verified from now on. */
export type ClaimOccurrence = Place & {
  readonly about: 'claim'
  readonly type: 'requested' | 'verified'
  readonly ppid: string
  readonly claim_id: string
  readonly ark: string
  /** Whose work it is, and who has said that the person is its author. */
  readonly owner: OwnerRef
  readonly source: Agent
}

/**
 * An event as far as those are told of it who may hear of it: what it is about, by names and words
 * of ours, and what decides who that is. Nothing of it is personal but whom it names.
 */
export type Occurrence = WorkOccurrence | ItemOccurrence | ProfileOccurrence | ClaimOccurrence

/** What is told of the event at a position; undefined for one that nobody is told of. */
export function readOccurrence(position: number, read: ReadRow): Occurrence | undefined {
  const event = decodeEventFacts(position, readEventRow(position, read))
  const place = { seq: position + 1, at: event.at }
  if (event.stream.startsWith('work/'))
    return ofWork(event as JournalEvent & WorkEvent, place, read)
  const ppid = streamPpid(event.stream)
  if (ppid === undefined) return undefined
  if (isClaimEvent(event)) return ofClaim(event, { ...place, ppid }, read)
  return ofPerson(event as JournalEvent & PersonEvent, { ...place, ppid })
}

function ofWork(
  event: JournalEvent & WorkEvent,
  place: Place,
  read: ReadRow,
): WorkOccurrence | undefined {
  if (!isPublicEvent(event)) return undefined
  const state = workAfter(event, read)
  const { fixity_status } = ownMembers(event) as { readonly fixity_status?: string }
  const { owner, client } = state
  return {
    about: 'work',
    ...place,
    type: eventNames[event.type],
    ark: state.identifier,
    version: versionOf(event) ?? state.version,
    status: endsWork(event) ? 'withdrawn' : 'registered',
    ...(fixity_status !== undefined && { fixity_status }),
    by: describeWriter(event.by),
    owner: { type: owner.type, id: owner.id },
    ...(client !== undefined && { client }),
  }
}

/** A registration says all of the work that is told of it: nothing else is read. */
function workAfter(event: JournalEvent & WorkEvent, read: ReadRow): WorkState {
  if (event.type === 'WorkRegistered') return evolve(undefined, event, event)
  return readNamedWork(streamArk(event.stream), read).state
}

function ofPerson(
  event: JournalEvent & PersonEvent,
  place: Place & { readonly ppid: string },
): ItemOccurrence | ProfileOccurrence | undefined {
  if (event.type === 'ItemAdded') {
    const { item, kind, visibility } = event.data
    return { about: 'item', ...place, item, kind, visibility, source: event.by }
  }
  const isRestored = event.type === 'WriteUndone' && event.data.effect === 'profile_restored'
  if (event.type !== 'ProfileUpdated' && !isRestored) return undefined
  const { fields } = event.data as { readonly fields: readonly string[] }
  return { about: 'profile', ...place, fields }
}

function ofClaim(
  event: JournalEvent & ClaimEvent,
  place: Place & { readonly ppid: string },
  read: ReadRow,
): ClaimOccurrence | undefined {
  const { claim_id, ark, status } = event.data
  const isRequest = event.type === 'ClaimMade' && status === 'pending'
  const wasVerified = event.type === 'ClaimChanged' && event.data.from === 'verified'
  const isVerified = status === 'verified' && !wasVerified
  if (event.data.blocked === true || (!isRequest && !isVerified)) return undefined
  const work = readNamedWork(ark, read).state
  const source = event.type === 'ClaimMade' ? event.by : readClaim(place.ppid, ark, read)?.source
  return {
    about: 'claim',
    ...place,
    type: isRequest ? 'requested' : 'verified',
    claim_id,
    ark: work.identifier,
    owner: { type: work.owner.type, id: work.owner.id },
    source: source ?? event.by,
  }
}

/** The application that wrote what an occurrence tells of, if one did. */
export function writerOf(occurrence: Occurrence): Client | undefined {
  if (occurrence.about === 'work') return occurrence.client
  return occurrence.about === 'profile' ? undefined : clientOf(occurrence.source)
}

/** The person whom an occurrence is about; undefined for a work that is nobody's own. */
export function personIn(occurrence: Occurrence): string | undefined {
  if (occurrence.about !== 'work') return occurrence.ppid
  return occurrence.owner.type === 'person' ? occurrence.owner.id : occurrence.client?.ppid
}
