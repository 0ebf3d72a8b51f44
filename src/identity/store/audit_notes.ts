import type { Operation } from '#log/base/store.ts'
import type { AuditEntry, AuditLog, KeyRefusal, NewAuditEntry } from '#src/identity/store/audit.ts'
import { RecentTimes } from '#src/identity/store/recent_times.ts'

/** What would fill an audit list: that a key or a permission was used, or why a key was refused. */
type Note = 'used' | KeyRefusal

const notedEveryMs = 60 * 60_000

/** Puts into the audit lists what happens often: once an hour, on however many threads it does. */
export class AuditNotes {
  readonly #audit: AuditLog
  /** When this thread has last taken it upon itself to note something, and when anybody has. */
  readonly #taken = new RecentTimes(notedEveryMs)
  readonly #written = new RecentTimes(notedEveryMs)

  constructor(audit: AuditLog) {
    this.#audit = audit
    audit.follow((entry) => {
      const name = nameOf(entry)
      if (name !== undefined) this.#written.set(name, Date.parse(entry.at))
      if (entry.grant_id !== undefined && entry.action === 'revoked') this.#forget(entry.grant_id)
    })
  }

  /** Whether it is to be noted of a key or a permission: true to the first who asks in an hour. */
  isDue(id: string, note: Note, nowMs: number): boolean {
    const name = `${id} ${note}`
    if (this.#taken.has(name, nowMs)) return false
    this.#taken.set(name, nowMs)
    return true
  }

  /** The rows of such entries, but of those that another thread has written; call it in turn. */
  rows(entries: readonly NewAuditEntry[]): Promise<Operation[]> {
    return this.#audit.rows(
      entries.filter((entry) => {
        return !this.#written.has(nameOf(entry) ?? '', Date.parse(entry.at))
      }),
    )
  }

  /** A permission that has ended is not used again. */
  #forget(grantId: string): void {
    this.#taken.delete(`${grantId} used`)
    this.#written.delete(`${grantId} used`)
  }
}

function nameOf({ action, key_id, grant_id, reason }: Omit<AuditEntry, 'seq'>): string | undefined {
  if (action === 'used') return `${key_id ?? grant_id} used`
  return action === 'refused' ? `${key_id} ${reason}` : undefined
}
