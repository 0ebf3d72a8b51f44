import type { HistoryEntry, HistoryPage } from '#actors/catalogue/owner_lists.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'

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
