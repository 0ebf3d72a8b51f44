import type { HistoryPage, OwnerLists } from '#actors/catalogue/owner_lists.ts'
import type { AuditEntry, AuditLog } from '#src/identity/store/audit.ts'
import {
  actorOf,
  type HistoryFilter,
  isAuditAsked,
  isAuditWanted,
  journalKinds,
} from '#src/pages/organization/history_filter.ts'
import { periodOf } from '#src/pages/organization/day_span.ts'
import {
  type AuditPage,
  mergeHistories,
  type TimelineEntry,
  type TimelinePlace,
} from '#src/pages/organization/history_timeline.ts'

/** Entries of the audit list that a page looks at. */
const auditRowsMax = 1_000

const nothingAsked = { entries: [], next: null } as const

/** Where the history of an organization is read from. */
export type HistorySource = {
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
  const by = actorOf(filter.by)
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
