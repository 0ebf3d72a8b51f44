import { formatOwner, type Owner, type OwnerRef } from '#actors/values/agent.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { AuditLog } from '#src/identity/store/audit.ts'
import { deleteRow, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** What a reader reports of a work, `naan/name`. */
type NewReport = {
  readonly ark: string
  /** What is wrong, with the words of the reader. */
  readonly because: string
  /** Where the answer goes, and the tag of its language; absent once it went there. */
  readonly reader?: { readonly email: string; readonly language: string }
}

/** A report; `atMs` is when it came, in milliseconds since 1970, and differs among an owner's. */
export type WorkReport = NewReport & {
  readonly atMs: number
  readonly answer?: { readonly text: string; readonly at: string }
}

/** What came of an answer: `reader` of one that is to be mailed now. */
export type ReportAnswer =
  | {
      readonly type: 'answered'
      readonly report: WorkReport
      readonly reader: WorkReport['reader']
    }
  | { readonly type: 'not_found' }
  | { readonly type: 'answered_before' }

/** Reports of readers on works, by who registered the works, in sealed rows. */
export class WorkReports {
  readonly #store: IdentityStore
  readonly #rows: SealedRows<WorkReport>

  constructor(store: IdentityStore) {
    this.#store = store
    this.#rows = new SealedRows(store, table)
  }

  /** Keeps a report, and writes it into the audit list of the owner. */
  add(owner: OwnerRef, report: NewReport, audit: AuditLog, nowMs: number): Promise<void> {
    return this.#store.inTurn(async () => {
      let atMs = nowMs
      while (this.#rows.readAt(keyOf(owner, atMs)) !== undefined) atMs += 1
      const { ark, because } = report
      const at = formatTimestamp(nowMs)
      await this.#store.commit([
        this.#rows.putAt(keyOf(owner, atMs), { ...report, atMs }),
        ...(await audit.rows([{ owner, at, action: 'work_reported', ark, because }])),
      ])
    })
  }

  /** The newest reports of an owner since a time, at most `limit` of them, newest first. */
  async newest(
    owner: OwnerRef,
    { sinceMs = 0, limit }: { readonly sinceMs?: number; readonly limit?: number } = {},
  ): Promise<readonly WorkReport[]> {
    const bounds = { after: keyOf(owner, sinceMs), before: keyOf(owner) }
    const range = { ...bounds, ...(limit !== undefined && { limit }), reverse: true }
    return (await Array.fromAsync(this.#rows.entries(range))).map(([, report]) => report)
  }

  /** Answers a report once, in its owner's audit list too, and forgets where the answer goes. */
  answer(
    owner: OwnerRef,
    atMs: number,
    { text, by, nowMs }: { readonly text: string; readonly by: Owner; readonly nowMs: number },
    audit: AuditLog,
  ): Promise<ReportAnswer> {
    return this.#store.inTurn(async () => {
      const key = keyOf(owner, atMs)
      const found = this.#rows.readAt(key)
      if (found === undefined) return { type: 'not_found' }
      if (found.answer !== undefined) return { type: 'answered_before' }
      const at = formatTimestamp(nowMs)
      const { reader, ...rest } = found
      const report = { ...rest, answer: { text, at } }
      const entry = { owner, at, by, ark: found.ark, because: text }
      await this.#store.commit([
        this.#rows.putAt(key, report),
        ...(await audit.rows([{ ...entry, action: 'report_answered' }])),
      ])
      await this.#store.purge([key])
      return { type: 'answered', report, reader }
    })
  }

  /** Leaves nothing of the reports of an owner. */
  async forget(owner: OwnerRef): Promise<void> {
    const range = { after: keyOf(owner, 0), before: keyOf(owner) }
    const keys = (await Array.fromAsync(this.#rows.entries(range))).map(([key]) => key)
    if (keys.length === 0) return
    await this.#store.inTurn(async () => {
      await this.#store.commit(keys.map(deleteRow))
      await this.#store.purge(keys)
    })
  }
}

const table = 'work_report'

/** The keys of an owner are in the order in which reports came; by default after all of them. */
function keyOf(owner: OwnerRef, atMs?: number): string {
  const place = atMs === undefined ? '~' : Math.max(0, atMs).toString().padStart(16, '0')
  return `${table}/${formatOwner(owner)}/${place}`
}
