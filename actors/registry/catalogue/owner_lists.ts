import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEventFacts,
  decodeRow,
  keyPosition,
  type Page,
  positionPart,
  positionRange,
  readerOf,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { inStrides, Stride } from '#actors/kernel/stride.ts'
import {
  type ClaimEvent,
  type ClaimStatus,
  type ClaimStep,
  streamPpid,
} from '#actors/people/events.ts'
import {
  describeChange,
  type OrganizationChange,
  type OrganizationEvent,
} from '#actors/people/organizations/events.ts'
import { organizationEventPrefix } from '#actors/people/organizations/views.ts'
import { type JournalTimes, mergeScans } from '#actors/registry/catalogue/harvest.ts'
import {
  type Actor,
  type Agent,
  formatOwner,
  isDoneBy,
  type OwnerRef,
} from '#actors/values/agent.ts'
import { contentUrl } from '#actors/works/content.ts'
import {
  metadataAt,
  streamArk,
  type WorkEvent,
  type WorkRegistered,
  type WorkState,
} from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { ErasureReason, WithdrawalReason } from '#actors/works/port.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import { readNamedWork, readWork } from '#actors/works/record.ts'
import {
  activityPrefix,
  changedPrefix,
  type ContentState,
  contentState,
  failedPrefix,
  failingPrefix,
  type FailingRow,
  ownedPrefix,
  type OwnerBreakdown,
  type OwnerCounts,
  readBreakdown,
  readCounts,
  readRegistered,
  withdrawnPrefix,
} from '#actors/works/views.ts'
import { scanSound } from '#log/store/damage.ts'
import type { ReadStore, Row } from '#log/store/store.ts'
import { assert, unlessDamaged } from '#log/tlog/errors.ts'

/** What happened in an owner's history; `organization` is to its description and its members. */
export const historyKinds = [
  'registration',
  'version',
  'withdrawal',
  'claim',
  'organization',
] as const

export type HistoryKind = (typeof historyKinds)[number]

/** Where an entry stands in the journal, when it came, and who did it. */
type EntryFacts = { readonly position: number; readonly at: string; readonly by: Agent }

/** Works that one entry of a history names. */
const namedWorksMax = 10

/**
 * Works that were registered one after another by the same caller: in one import or bulk request,
 * which `batch` names, or else within a minute of each other. `works` are the newest
 * `namedWorksMax` of them, `naan/name`; `since` and `position` are those of the oldest one. Where a
 * page ends among them, `goesOn` says that older ones may be on the next page, and there
 * `began` that newer ones are on the page before: `count` is of one page.
 */
export type RegistrationEntry = EntryFacts & {
  readonly kind: 'registration'
  readonly works: readonly string[]
  readonly count: number
  readonly since: string
  readonly batch?: string
  readonly goesOn?: true
  readonly began?: true
}

export type HistoryEntry =
  | RegistrationEntry
  | (EntryFacts & {
      readonly kind: 'version'
      readonly ark: string
      readonly version: number
      readonly changed_fields: readonly string[]
      readonly note?: string
    })
  | (EntryFacts & {
      readonly kind: 'withdrawal'
      readonly ark: string
      /** `erased`: its metadata was; `lost`: nobody withdrew it. */
      readonly end: 'withdrawn' | 'erased' | 'lost'
      readonly reason: WithdrawalReason | ErasureReason | 'data_lost'
    })
  | (EntryFacts & {
      readonly kind: 'claim'
      readonly ark: string
      /** Who is said to be an author. */
      readonly ppid: string
      readonly step: ClaimStep | 'review' | 'make'
      readonly status: ClaimStatus
    })
  | (EntryFacts & { readonly kind: 'organization'; readonly change: OrganizationChange })

/** Which part of a history is asked for, newest first. */
export type HistoryQuery = {
  readonly kinds: readonly HistoryKind[]
  readonly by?: Actor
  /** Times in milliseconds since 1970; `until` is the first that does not belong to it. */
  readonly fromMs?: number
  readonly untilMs?: number
  /** The journal position that all must come before. */
  readonly before?: number
  readonly limit: number
}

/**
 * A page of a history. It looks at `historyRowsMax` events at most, so it may have fewer entries
 * than `limit`, or none, and still a `next`: all that follows came before this position, and not
 * after `reachedAt`.
 */
export type HistoryPage = {
  readonly entries: readonly HistoryEntry[]
  readonly next: { readonly before: number; readonly reachedAt: string } | null
}

/** Events that a page of a history looks at. */
export const historyRowsMax = 2_000

/** A work in a list of what an owner holds. */
export type OwnerListWork = {
  readonly ark_identifier: string
  /** Null once the metadata was erased. */
  readonly work_title: string | null
  readonly version: number
  readonly status: 'registered' | 'withdrawn'
  readonly fixity_status: FixityStatus
  readonly created_at: string
  readonly updated_at: string
}

/** The same, with what its owner is told beside it; the type is null once it was erased. */
export type HeldWork = OwnerListWork & {
  readonly work_type: string | null
  readonly standing: ContentState
}

/** A page of such a list; `next` is the cursor of the one that follows, null if none does. */
export type OwnerListPage<Next> = {
  readonly works: readonly OwnerListWork[]
  readonly next: Next | null
}

/** Why content is not as it should be: what is known of it, the word for it, its host's tag. */
export type FailureCause = Pick<FailingRow, 'standing' | 'reason' | 'host'>

/** How many works fail for each cause. `isWhole`: all that fail were looked at. */
export type FailureCauses = {
  readonly causes: readonly (FailureCause & {
    readonly count: number
    /** The name of the host, and what a check of one of the works said, for people. */
    readonly hostName: string
    readonly message: string | null
  })[]
  readonly isWhole: boolean
}

/** A work whose content is not as it should be, with the cause and since when. */
export type FailingWork = OwnerListWork &
  Pick<FailingRow, 'standing' | 'since'> & {
    readonly hostName: string
    readonly message: string | null
  }

/** Works of one owner that fail and are looked at, to tell the causes or to find those of one. */
export const failuresReadMax = 5_000

/** Causes that are told, those of most works. */
export const causesMax = 100

/** What owners hold: the works they have registered. */
export type OwnerLists = {
  counts(owner: OwnerRef): OwnerCounts
  /** Those that stand by what is known of their content and by type, and how many do not. */
  breakdown(owner: OwnerRef): OwnerBreakdown
  /** How many works it registered in each of these months, `YYYY-MM` of UTC, withdrawn ones too. */
  registered(owner: OwnerRef, months: readonly string[]): readonly number[]
  /** One of its works, `naan/name`; undefined for that of another, and for one that is damaged. */
  work(owner: OwnerRef, ark: string): HeldWork | undefined
  /** Newest first by default, withdrawn ones too. */
  works(owner: OwnerRef, page: Page<number>): Promise<OwnerListPage<number>>
  /** Those that were withdrawn, the last one first by default. */
  withdrawn(owner: OwnerRef, page: Page<number>): Promise<OwnerListPage<number>>
  /**
   * Those that count as failing, by ARK, for one cause if it is given; `after` is the `next` of the
   * page before. A page of one cause looks at `failuresReadMax` works at most: it may have fewer
   * than `limit`, or none, and still a `next`.
   */
  failing(
    owner: OwnerRef,
    page: { readonly after?: string; readonly limit: number; readonly cause?: FailureCause },
  ): Promise<OwnerListPage<string>>
  /** The causes why works of an owner fail, the one of most works first. */
  failureCauses(owner: OwnerRef): Promise<FailureCauses>
  /** Those that began to fail last, the newest first. */
  newestFailures(owner: OwnerRef, limit: number): Promise<readonly FailingWork[]>
  /** What happened to its works, to the claims on them and to an organization itself. */
  history(owner: OwnerRef, query: HistoryQuery): Promise<HistoryPage>
}

/** Registrations of one caller that are no further apart are told in one entry. */
const togetherMs = 60_000

/**
 * A page of what happened to an owner and its works, newest first. It reads the rows of the kinds
 * that are asked for, from where the page begins, and the events that they name.
 */
async function readOwnerHistory(
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
    case 'ParentInvited':
    case 'ParentInvitationEnded':
    case 'ParentChanged':
      return { ...facts, kind: 'organization', change: describeChange(event) }
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FixityRequested':
    case 'FileChecked':
      throw new Error('assertion failed: no row of a history names a check')
  }
}

const ends = { WorkWithdrawn: 'withdrawn', WorkErased: 'erased', MetadataLost: 'lost' } as const

/** The queries on what owners hold, as reads of the committed views. */
export function openOwnerLists(store: ReadStore, times: JournalTimes): OwnerLists {
  const read = readerOf(store)
  return {
    counts: (owner) => readCounts(owner, read),
    breakdown: (owner) => readBreakdown(owner, read),
    registered: (owner, months) => months.map((month) => readRegistered(owner, month, read)),
    work(owner, ark) {
      const state = unlessDamaged(() => readWork(ark, read))?.state
      if (state === undefined || formatOwner(state.owner) !== formatOwner(owner)) return undefined
      return unlessDamaged(() => describeHeld(state, metadataAt(state.position, read)))
    },
    works(owner, page) {
      const { order = 'newest' } = page
      const scan = (prefix: string) => scanSound(store, positionRange(prefix, page))
      const scans = [scan(ownedPrefix(owner)), scan(changedPrefix(owner))] as const
      return pageOf(mergeScans(scans, { reverse: order === 'newest' }), page, read)
    },
    withdrawn(owner, page) {
      return pageOf(scanSound(store, positionRange(withdrawnPrefix(owner), page)), page, read)
    },
    async failing(owner, { after = '', limit, cause }) {
      const prefix = failingPrefix(owner)
      const range = { gt: prefix + after, lt: `${prefix}~` }
      const works: OwnerListWork[] = []
      let count = 0
      let next: string | null = null
      let rows = 0
      for await (const [key, row] of inStrides(scanSound(store, range))) {
        if (count === limit || rows === failuresReadMax) return { works, next }
        next = key.slice(prefix.length)
        rows += 1
        const isMeant =
          cause === undefined || causeKey(causeIn(row, next, read)) === causeKey(cause)
        if (!isMeant) continue
        count += 1
        works.push(...describeSound(next, read))
      }
      return { works, next: null }
    },
    async failureCauses(owner) {
      const prefix = failingPrefix(owner)
      const range = { gt: prefix, lt: `${prefix}~`, limit: failuresReadMax + 1 }
      const found = new Map<string, FailureCause & { count: number; readonly ark: string }>()
      let rows = 0
      for await (const [key, row] of inStrides(scanSound(store, range))) {
        rows += 1
        if (rows > failuresReadMax) break
        const ark = key.slice(prefix.length)
        const cause = { ...causeIn(row, ark, read), ark }
        const known = found.get(causeKey(cause))
        if (known === undefined) found.set(causeKey(cause), { ...cause, count: 1 })
        else known.count += 1
      }
      const most = [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, causesMax)
      const causes = most.map(({ ark, ...cause }) => ({ ...cause, ...explained(ark, read) }))
      return { causes, isWhole: rows <= failuresReadMax }
    },
    newestFailures: (owner, limit) => readNewestFailures(store, owner, limit),
    history: (owner, query) => readOwnerHistory(store, times, owner, query),
  }
}

async function readNewestFailures(
  store: ReadStore,
  owner: OwnerRef,
  limit: number,
): Promise<readonly FailingWork[]> {
  const read = readerOf(store)
  const works: FailingWork[] = []
  const page = { limit: limit - 1, order: 'newest' } as const
  const failed = scanSound(store, positionRange(failedPrefix(owner), page))
  for await (const [, row] of inStrides(failed)) {
    const ark = Buffer.from(row).toString('utf8')
    const failing = read(failingPrefix(owner) + ark)
    if (failing === undefined) continue
    const { standing, since } = decodeRow<FailingRow>(failing)
    const told = { standing, since, ...explained(ark, read) }
    works.push(...describeSound(ark, read).map((work) => ({ ...work, ...told })))
  }
  return works
}

/** At which host the content of a work should be, and what its last check said. */
function explained(ark: string, read: ReadRow) {
  const state = unlessDamaged(() => readNamedWork(ark, read).state)
  const metadata = state && unlessDamaged(() => metadataAt(state.position, read))
  const hostName = state && metadata ? new URL(contentUrl(metadata, state)).host : ''
  return { hostName, message: state?.checked?.message ?? null }
}

/** The cause of a row: what a server answered, such as 404 or 500, makes causes of its own. */
function causeIn(row: Uint8Array, ark: string, read: ReadRow): FailureCause {
  const { standing, reason, host } = decodeRow<FailingRow>(row)
  if (reason !== 'http_status') return { standing, reason, host }
  const [status] = /\b[1-5]\d\d\b/.exec(explained(ark, read).message ?? '') ?? []
  return { standing, reason: status === undefined ? reason : `http_${status}`, host }
}

function causeKey({ standing, reason, host }: FailureCause): string {
  return `${standing} ${reason} ${host}`
}

/** The works of a page, by rows that name them and whose keys end with a position. */
async function pageOf(
  rows: AsyncIterable<readonly [string, Uint8Array]>,
  { limit }: Page<number>,
  read: ReadRow,
): Promise<OwnerListPage<number>> {
  const works: OwnerListWork[] = []
  let count = 0
  let next: number | null = null
  for await (const [key, row] of inStrides(rows)) {
    if (count === limit) return { works, next }
    next = keyPosition(key)
    count += 1
    works.push(...describeSound(Buffer.from(row).toString('utf8'), read))
  }
  return { works, next: null }
}

// One that is damaged takes its place on a page, and is not shown.
function describeSound(ark: string, read: ReadRow): readonly OwnerListWork[] {
  const work = unlessDamaged(() => {
    const { state } = readNamedWork(ark, read)
    const {
      work_type: _,
      standing: __,
      ...listed
    } = describeHeld(state, metadataAt(state.position, read))
    return listed
  })
  return work === undefined ? [] : [work]
}

/** A work as lists of works show it to its owner. */
function describeHeld(state: WorkState, metadata: Metadata | undefined): HeldWork {
  const { identifier, version, status, fixity_status, created_at, updated_at } = state
  return {
    ark_identifier: identifier,
    work_title: metadata?.work_title ?? null,
    version,
    status,
    fixity_status,
    created_at,
    updated_at,
    work_type: metadata?.work_type ?? null,
    standing: contentState(state),
  }
}
