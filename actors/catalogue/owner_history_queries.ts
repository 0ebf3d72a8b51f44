import {
  type HistoryEntry,
  type HistoryKind,
  type HistoryPage,
  type HistoryQuery,
  historyRowsMax,
  namedWorksMax,
  type RegistrationEntry,
} from '#actors/catalogue/owner_history.ts'
import type { JournalTimes } from '#actors/catalogue/journal_times.ts'
import { mergeScans } from '#actors/catalogue/merged_scan.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEventFacts,
  keyPosition,
  positionPart,
  readerOf,
  readEventRow,
} from '#actors/journal/rows.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { OrganizationEvent } from '#actors/organizations/events.ts'
import { describeChange } from '#actors/organizations/change.ts'
import { organizationEventPrefix } from '#actors/organizations/views.ts'
import { type ClaimEvent, streamPpid } from '#actors/people/events.ts'
import { type Agent, formatOwner, isDoneBy, type OwnerRef } from '#actors/values/agent.ts'
import { activityPrefix } from '#actors/works/activity.ts'
import { streamArk, type WorkEvent, type WorkRegistered } from '#actors/works/events.ts'
import { changedPrefix, ownedPrefix } from '#actors/works/views.ts'
import { scanSound, unlessDamaged } from '#log/store/damage.ts'
import { assert } from '#log/base/errors.ts'
import type { ReadStore, Row } from '#log/base/store.ts'

/** Registrations of one caller that are no further apart are told in one entry. */
const togetherMs = 60_000

/**
 * A page of what happened to an owner and its works, newest first. It reads the rows of the kinds
 * that are asked for, from where the page begins, and the events that they name.
 */
export async function readOwnerHistory(
  store: ReadStore,
  times: JournalTimes,
  owner: OwnerRef,
  query: HistoryQuery,
): Promise<HistoryPage> {
  const { by, limit, fromMs, untilMs } = query
  const read = readerOf(store)
  const first = fromMs === undefined ? 0 : times.firstFrom(Math.floor(fromMs / 1_000))
  const end = untilMs === undefined ? Infinity : times.firstFrom(Math.floor(untilMs / 1_000))
  const before = Math.min(end, query.before ?? Infinity)
  const entries: HistoryEntry[] = []
  const stride = new Stride()
  const above = query.before === undefined ? undefined : factsAt(query.before, read)
  let next: HistoryPage['next'] = null
  let rows = 0
  for await (const [key] of scanKinds(store, owner, query.kinds, { first, before })) {
    if (rows === historyRowsMax) return { entries: goingOn(entries), next }
    const position = keyPosition(key)
    const { event, bytes } = factsAt(position, read)
    rows += 1
    // What is damaged takes its place, and is not shown.
    if (event === undefined) continue
    if (by === undefined || isDoneBy(event.by, by)) {
      const newest = entries.at(-1)
      const joined = newest && joinRegistrations(newest, event)
      if (joined === undefined && entries.length === limit) return { entries, next }
      if (joined !== undefined) entries[entries.length - 1] = joined
      else entries.push(entries.length === 0 ? beginning(above?.event, event) : describe(event))
    }
    next = { before: position, reachedAt: event.at }
    await stride.step(bytes)
  }
  return { entries, next: null }
}

type Facts = { readonly event: JournalEvent | undefined; readonly bytes: number }

/** The event at a position with the bytes of its row; without one where it is damaged. */
function factsAt(position: number, read: ReturnType<typeof readerOf>): Facts {
  const row = unlessDamaged(() => readEventRow(position, read))
  return { event: row && decodeEventFacts(position, row), bytes: row?.length ?? 0 }
}

/** The entries of a page that ended for the events it looked at, maybe among registrations. */
function goingOn(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const last = entries.at(-1)
  if (last?.kind !== 'registration') return entries
  return [...entries.slice(0, -1), { ...last, goesOn: true }]
}

/** The first entry of a page, and whether the last event of the page before belongs to it. */
function beginning(above: JournalEvent | undefined, event: JournalEvent): HistoryEntry {
  const entry = describe(event)
  if (entry.kind !== 'registration' || above === undefined || !isRegistration(above)) return entry
  const isOne = joinRegistrations(describeRegistration(above), event) !== undefined
  return isOne ? { ...entry, began: true } : entry
}

type Span = { readonly first: number; readonly before: number }

/** The rows that name events of some kinds, from the newest on; their keys end with positions. */
function scanKinds(
  store: ReadStore,
  owner: OwnerRef,
  kinds: readonly HistoryKind[],
  { first, before }: Span,
): AsyncIterable<Row> {
  const prefixes = kinds.flatMap((kind) => prefixesOf(owner, kind))
  const scans = prefixes.map((prefix): AsyncIterable<Row> => {
    const lt = before === Infinity ? `${prefix}~` : prefix + positionPart(before)
    return scanSound(store, { gte: prefix + positionPart(first), lt, reverse: true })
  })
  const [one, ...others] = scans
  assert(one !== undefined, 'a history of some kinds is asked for')
  return others.reduce((merged, scan) => mergeScans([merged, scan], { reverse: true }), one)
}

function prefixesOf(owner: OwnerRef, kind: HistoryKind): readonly string[] {
  switch (kind) {
    case 'registration':
      return [ownedPrefix(owner), changedPrefix(owner)]
    case 'organization':
      return owner.type === 'organization' ? [organizationEventPrefix(owner.id)] : []
    case 'version':
    case 'withdrawal':
    case 'claim':
      return [activityPrefix(owner, kind)]
  }
}

/** An entry with one more registration, an older one, that belongs to it; else undefined. */
function joinRegistrations(
  entry: HistoryEntry,
  event: JournalEvent,
): RegistrationEntry | undefined {
  if (entry.kind !== 'registration' || !isRegistration(event)) return undefined
  const older = describeRegistration(event)
  const isOne =
    entry.batch === undefined && older.batch === undefined
      ? Date.parse(entry.since) - Date.parse(older.at) <= togetherMs
      : entry.batch === older.batch
  if (!isOne || callerText(entry.by) !== callerText(older.by)) return undefined
  const { position, at: since } = older
  const works = [...entry.works, ...older.works].slice(0, namedWorksMax)
  return { ...entry, position, since, works, count: entry.count + 1 }
}

function callerText({ member, key_id, client_id, on_behalf_of, via, ...owner }: Agent): string {
  return JSON.stringify([formatOwner(owner), via, member, key_id, client_id, on_behalf_of])
}

function isRegistration(event: JournalEvent): event is JournalEvent & WorkRegistered {
  return event.type === 'WorkRegistered'
}

function describeRegistration(event: JournalEvent & WorkRegistered): RegistrationEntry {
  const { position, at, by, stream, idempotency } = event
  const batch = idempotency?.batch
  const facts = { kind: 'registration', position, at, by, since: at, count: 1 } as const
  return { ...facts, works: [streamArk(stream)], ...(batch !== undefined && { batch }) }
}

function describe(any: JournalEvent): HistoryEntry {
  const event = any as JournalEvent & (WorkEvent | ClaimEvent | OrganizationEvent)
  const { position, at, by, stream } = event
  const facts = { position, at, by }
  switch (event.type) {
    case 'WorkRegistered':
      return describeRegistration(event)
    case 'WorkVersioned': {
      const { version, changed_fields, version_note: note } = event.data
      const made = { version, changed_fields, ...(note !== undefined && { note }) }
      return { ...facts, kind: 'version', ark: streamArk(stream), ...made }
    }
    case 'WorkWithdrawn':
    case 'WorkErased':
    case 'MetadataLost': {
      const { reason } = event.data
      return { ...facts, kind: 'withdrawal', ark: streamArk(stream), end: ends[event.type], reason }
    }
    case 'ClaimMade':
    case 'ClaimChanged': {
      const { ark, status } = event.data
      const step = event.type === 'ClaimMade' ? 'make' : event.data.step
      return { ...facts, kind: 'claim', ark, ppid: streamPpid(stream) ?? '', step, status }
    }
    case 'OrganizationCreated':
    case 'OrganizationUpdated':
    case 'MemberAdded':
    case 'MemberRoleChanged':
    case 'MemberRemoved':
      return { ...facts, kind: 'organization', change: describeChange(event) }
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FixityRequested':
      throw new Error('assertion failed: no row of a history names a check')
  }
}

const ends = { WorkWithdrawn: 'withdrawn', WorkErased: 'erased', MetadataLost: 'lost' } as const
