import {
  type HistoryEntry,
  type HistoryKind,
  historyKinds,
  type HistoryPage,
  type OwnerLists,
} from '#actors/registry/catalogue/owner_lists.ts'
import { isDoneBy, parseActor } from '#actors/values/agent.ts'
import type { AuditEntry, AuditLog } from '#src/identity/store/audit.ts'
import type { Html } from '#src/pages/kit/html.ts'
import { type FilterOption, listFilter } from '#src/pages/kit/parts.ts'

const dayMs = 86_400_000

/** The first and the last day of a period, `YYYY-MM-DD` of UTC; an empty text is open. */
type DaySpan = { readonly from: string; readonly until: string }

/** The first moment of a day, in milliseconds since 1970; NaN for a text that is no day. */
function startOfDay(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  // A day that no month has is read as one of the next month.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) === day ? ms : Number.NaN
}

/** What is wrong with a period, in a sentence; undefined if it can be asked for. */
function periodFault({ from, until }: DaySpan): string | undefined {
  const wrong = [from, until].find((day) => day !== '' && Number.isNaN(startOfDay(day)))
  if (wrong !== undefined) return `“${wrong.slice(0, 40)}” is no day: write it as 2026-03-31.`
  const isBackwards = from !== '' && until !== '' && startOfDay(until) < startOfDay(from)
  return isBackwards
    ? 'The period ends before it begins: nothing is between the two days.'
    : undefined
}

/** The times of a period in milliseconds since 1970; `untilMs` is the first after it. */
function periodOf({ from, until }: DaySpan): {
  readonly fromMs?: number
  readonly untilMs?: number
} {
  return {
    ...(from !== '' && { fromMs: startOfDay(from) }),
    ...(until !== '' && { untilMs: startOfDay(until) + dayMs }),
  }
}

/** An entry of a history: of the journal, or of the audit list of keys and applications. */
export type TimelineEntry =
  | { readonly type: 'journal'; readonly at: string; readonly entry: HistoryEntry }
  | { readonly type: 'audit'; readonly at: string; readonly entry: AuditEntry }

/** Where a page begins in both: what it has came before. Undefined: at the newest. */
export type TimelinePlace = {
  readonly journal?: number | undefined
  readonly audit?: number | undefined
}

/** A part of the audit list that was looked at; `next` as in a `HistoryPage`. */
export type AuditPage = {
  readonly entries: readonly AuditEntry[]
  readonly next: { readonly before: number; readonly reachedAt: string } | null
}

/** Nothing of a list comes before its beginning. */
const beginning = 0

/**
 * Puts two parts of a history into one, newest first, `limit` entries at most. Each part may go on
 * after what was looked at of it: what is older than that waits for a later page, since something
 * newer may still be found. `next` is null if nothing follows.
 */
export function mergeHistories(
  { journal, audit }: { readonly journal: HistoryPage; readonly audit: AuditPage },
  place: TimelinePlace,
  limit: number,
): { readonly entries: readonly TimelineEntry[]; readonly next: TimelinePlace | null } {
  const ofJournal = journal.entries.map(
    (entry) => ({ type: 'journal', at: entry.at, entry }) as const,
  )
  const ofAudit = audit.entries.map((entry) => ({ type: 'audit', at: entry.at, entry }) as const)
  const entries: TimelineEntry[] = []
  let [fromJournal, fromAudit] = [0, 0]
  while (entries.length < limit) {
    const [one, other] = [ofJournal[fromJournal], ofAudit[fromAudit]]
    const isJournal = one !== undefined && (other === undefined || one.at >= other.at)
    const newest = isJournal ? one : other
    const beside = isJournal ? audit.next : journal.next
    if (newest === undefined) break
    const isBesideDone = isJournal ? other === undefined : one === undefined
    if (isBesideDone && beside !== null && newest.at < beside.reachedAt) break
    entries.push(newest)
    if (isJournal) fromJournal += 1
    else fromAudit += 1
  }
  const lastOfJournal = ofJournal[fromJournal - 1]?.entry.position ?? place.journal
  const lastOfAudit = ofAudit[fromAudit - 1]?.entry.seq ?? place.audit
  const isJournalRead = fromJournal === ofJournal.length
  const isAuditRead = fromAudit === ofAudit.length
  const next = {
    journal: isJournalRead ? (journal.next?.before ?? beginning) : lastOfJournal,
    audit: isAuditRead ? (audit.next?.before ?? beginning) : lastOfAudit,
  }
  const isOver = next.journal === beginning && next.audit === beginning
  return { entries, next: isOver ? null : next }
}

const placeForm = /^(?<journal>\d{1,15})?\.(?<audit>\d{1,15})?$/

/** A place as an address has it: `1234.56`. */
export function placeText({ journal, audit }: TimelinePlace): string {
  return `${journal ?? ''}.${audit ?? ''}`
}

/** The inverse of `placeText`; a text that is none is the newest place. */
export function readPlace(text: string): TimelinePlace {
  const { journal, audit } = placeForm.exec(text)?.groups ?? {}
  return {
    ...(journal !== undefined && { journal: Number(journal) }),
    ...(audit !== undefined && { audit: Number(audit) }),
  }
}

/** What is told of keys, applications and invitations, from their audit list. */
const auditKinds = ['access', 'use'] as const

type AuditKind = (typeof auditKinds)[number]

/** What is asked of a history; an empty text asks for nothing. */
export type HistoryFilter = {
  readonly kind: '' | HistoryKind | AuditKind
  /** By whom, as an address has it: `person:p-…`, `key:…`, `application:…`. */
  readonly by: string
  /** The first and the last day, `YYYY-MM-DD` of UTC. */
  readonly from: string
  readonly until: string
}

/** The kinds in words; what is listed unless one is chosen is all but the uses of keys. */
const kindChoices: readonly (readonly [HistoryKind | AuditKind, string])[] = [
  ['registration', 'Registrations and imports'],
  ['version', 'New versions'],
  ['withdrawal', 'Withdrawals'],
  ['claim', 'Claims of authors'],
  ['organization', 'Members and description'],
  ['access', 'Keys, applications and invitations'],
  ['use', 'Uses of keys'],
]

/** Reads a filter from the query of an address; `fault` says what of it cannot be asked. */
export function readHistoryFilter(query: URLSearchParams): {
  readonly filter: HistoryFilter
  readonly fault?: string
} {
  const given = (name: string) => (query.get(name) ?? '').trim()
  const [from, until] = [given('from'), given('until')]
  const filter: HistoryFilter = {
    kind: kindChoices.find(([kind]) => kind === given('kind'))?.[0] ?? '',
    by: parseActor(given('by')) === undefined ? '' : given('by'),
    from: Number.isNaN(startOfDay(from)) ? '' : from,
    until: Number.isNaN(startOfDay(until)) ? '' : until,
  }
  const fault = periodFault({ from, until })
  return fault === undefined ? { filter } : { filter, fault }
}

function journalKinds({ kind }: HistoryFilter): readonly HistoryKind[] {
  return historyKinds.filter((each) => kind === '' || kind === each)
}

function isAuditWanted({ kind, by }: HistoryFilter, entry: AuditEntry): boolean {
  // The journal has changes of members, too.
  if (entry.action.startsWith('member_') && entry.action !== 'member_invited') return false
  const isUse = entry.action === 'used' || entry.action === 'refused'
  if (kind === '' ? isUse : kind !== kindOf(entry)) return false
  const actor = parseActor(by)
  switch (actor?.type) {
    case undefined:
      return true
    case 'key':
      return isUse && entry.key_id === actor.id
    case 'person':
      return entry.by !== undefined && isDoneBy(entry.by, actor)
    case 'application':
      return isUse && entry.client_id === actor.id
  }
}

/** What an entry is listed as: a bulk change has made versions. */
function kindOf({ action }: AuditEntry): HistoryFilter['kind'] {
  if (action === 'works_changed' || action === 'works_undone') return 'version'
  return action === 'used' || action === 'refused' ? 'use' : 'access'
}

/** Whether a filter may ask for anything of the audit list at all. */
function isAuditAsked({ kind }: HistoryFilter): boolean {
  return kind === '' || kind === 'version' || auditKinds.some((each) => each === kind)
}

/** The form of the filter; `actors` are those by whom things were done. */
export function historyForm(
  action: string,
  { kind, by, from, until }: HistoryFilter,
  actors: readonly FilterOption[],
): Html {
  return listFilter(
    action,
    'History of the organization',
    [
      {
        name: 'kind',
        label: 'What',
        value: kind,
        options: [['', 'Everything but uses of keys'], ...kindChoices],
      },
      { name: 'by', label: 'By', value: by, options: [['', 'Anybody'], ...actors] },
      { name: 'from', label: 'From', value: from, type: 'date' },
      { name: 'until', label: 'Until', value: until, type: 'date' },
    ],
    'Show the whole history',
  )
}

const auditRowsMax = 1_000

const nothingAsked = { entries: [], next: null } as const

type HistorySource = {
  readonly holdings: Pick<OwnerLists, 'history'>
  readonly audit: AuditLog
  readonly slug: string
}

/** A page of the history of an organization, newest first; `next` is where the next one begins. */
export type Timeline = {
  readonly entries: readonly TimelineEntry[]
  readonly next: TimelinePlace | null
}

/** Reads a page of it, of `limit` entries at most. */
export async function readTimeline(
  source: HistorySource,
  filter: HistoryFilter,
  place: TimelinePlace,
  limit: number,
): Promise<Timeline> {
  const [journal, audit] = await Promise.all([
    readJournal(source, filter, place, limit),
    readAudit(source, filter, place, limit),
  ])
  return mergeHistories({ journal, audit }, place, limit)
}

async function readJournal(
  { holdings, slug }: HistorySource,
  filter: HistoryFilter,
  { journal: before }: TimelinePlace,
  limit: number,
): Promise<HistoryPage> {
  const kinds = journalKinds(filter)
  if (kinds.length === 0) return nothingAsked
  const by = parseActor(filter.by)
  return holdings.history(
    { type: 'organization', id: slug },
    {
      kinds,
      limit,
      ...periodOf(filter),
      ...(by !== undefined && { by }),
      ...(before !== undefined && { before }),
    },
  )
}

async function readAudit(
  { audit, slug }: HistorySource,
  filter: HistoryFilter,
  { audit: before }: TimelinePlace,
  limit: number,
): Promise<AuditPage> {
  if (!isAuditAsked(filter)) return nothingAsked
  const owner = { type: 'organization', id: slug } as const
  const { fromMs, untilMs } = periodOf(filter)
  const end = untilMs === undefined ? undefined : await audit.firstFrom(owner, untilMs)
  const cursor = end === undefined || (before !== undefined && before < end) ? before : end
  const page = {
    order: 'newest',
    limit: auditRowsMax,
    ...(cursor !== undefined && { cursor }),
  } as const
  const rows = await audit.read(owner, page)
  const entries: AuditEntry[] = []
  let next: AuditPage['next'] = null
  for (const entry of rows) {
    if (fromMs !== undefined && Date.parse(entry.at) < fromMs) return { entries, next: null }
    const isWanted = isAuditWanted(filter, entry)
    if (isWanted && entries.length === limit) return { entries, next }
    if (isWanted) entries.push(entry)
    next = { before: entry.seq, reachedAt: entry.at }
  }
  return { entries, next: rows.length < auditRowsMax ? null : next }
}
