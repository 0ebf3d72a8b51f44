import type { Operation } from '#log/base/store.ts'
import type { NewAuditEntry } from '#src/identity/store/audit.ts'
import type { AuditNotes } from '#src/identity/store/audit_notes.ts'
import { GatheredWrites } from '#src/identity/store/gathered_writes.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { RecentTimes } from '#src/identity/store/recent_times.ts'

/** When something was used, `YYYY-MM-DDThh:mm:ss.sssZ`, and what is told of it beside that. */
type Use = { readonly at: string }

/** What the notes of last uses need; `report` is told of one that could not be written down. */
export type LastUsesOptions<U extends Use> = {
  readonly store: Pick<IdentityStore, 'inTurn' | 'commit' | 'isShared'>
  readonly notes: AuditNotes
  readonly report: (fault: unknown) => void
  /** The last use of an id that was written, on whichever thread. */
  readonly written: (id: string) => U | undefined
  /** The row of the last use of an id; undefined if what was used is there no more. */
  readonly rowOf: (id: string, use: U) => Operation | undefined
}

/** The newest use of an id, and what the audit list is to say of it and of those before it. */
type Noted<U> = { readonly use: U; readonly entries: readonly NewAuditEntry[] }

const writtenEveryMs = 60_000

/**
 * The last use of each key, or of each permission. It is noted in the background, at most once a
 * minute on each thread, and for the audit list once in a while. Where nodes share the store, all
 * uses of a minute are one change.
 */
export class LastUses<U extends Use> {
  readonly #options: LastUsesOptions<U>
  /** When this thread has last noted a use. */
  readonly #noted = new RecentTimes(writtenEveryMs)
  readonly #unwritten = new Map<string, Noted<U>>()
  readonly #writes: GatheredWrites

  constructor(options: LastUsesOptions<U>) {
    const { store, report } = options
    this.#options = options
    this.#writes = new GatheredWrites({ store, report, write: () => this.#write() })
  }

  /** The newest use that is known: of this thread at once, of others when it is written. */
  of(id: string): U | undefined {
    const own = this.#unwritten.get(id)?.use
    const written = this.#options.written(id)
    return own !== undefined && (written === undefined || written.at <= own.at) ? own : written
  }

  /** Notes that an id was used; `describe` tells how, and what the audit list says of it. */
  note(
    id: string,
    nowMs: number,
    describe: () => { readonly use: U; readonly entry: NewAuditEntry },
  ): void {
    if (this.#noted.has(id, nowMs)) return
    this.#noted.set(id, nowMs)
    const { use, entry } = describe()
    const isNews = this.#options.notes.isDue(id, 'used', nowMs)
    const { entries = [] } = this.#unwritten.get(id) ?? {}
    this.#unwritten.set(id, { use, entries: isNews ? [...entries, entry] : entries })
    this.#writes.request()
  }

  async #write(): Promise<void> {
    const { store, notes, rowOf } = this.#options
    let noted: [id: string, Noted<U>][] = []
    try {
      await store.inTurn(async () => {
        // In turn, so that it takes all uses that gathered while it waited.
        this.#writes.begin()
        noted = [...this.#unwritten]
        const written = noted.flatMap(([id, { use, entries }]) => {
          const row = rowOf(id, this.of(id) ?? use)
          return row === undefined ? [] : [{ row, entries }]
        })
        const entries = await notes.rows(written.flatMap((each) => each.entries))
        const rows = [...written.map(({ row }) => row), ...entries]
        if (rows.length > 0) await store.commit(rows)
      })
    } finally {
      for (const [id, { use }] of noted) {
        if (this.#unwritten.get(id)?.use === use) this.#unwritten.delete(id)
      }
    }
  }
}
