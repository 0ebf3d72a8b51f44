import type { Operation } from '#log/store/store.ts'
import type { AuditEntry, AuditLog, KeyRefusal, NewAuditEntry } from '#src/identity/store/audit.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

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

/** What would fill an audit list: that a key or a permission was used, or why a key was refused. */
type Note = 'used' | KeyRefusal

const notedEveryMs = 60 * 60_000

/** Which entries are noted: those about keys, or about permissions. */
type Noticed = 'key_id' | 'grant_id'

/** Puts into the audit lists what happens often: once an hour, on however many threads it does. */
export class AuditNotes {
  readonly #audit: AuditLog
  readonly #of: Noticed
  /** When this thread has last taken it upon itself to note something, and when anybody has. */
  readonly #taken = new RecentTimes(notedEveryMs)
  readonly #written = new RecentTimes(notedEveryMs)

  constructor(audit: AuditLog, of: Noticed) {
    this.#audit = audit
    this.#of = of
    audit.follow((entry) => {
      const name = this.#nameOf(entry)
      if (name !== undefined) this.#written.set(name, Date.parse(entry.at))
      if (entry.action === 'revoked') this.#forget(entry.grant_id)
    })
  }

  /** Whether it is to be noted of a key or a permission: true to the first caller in an hour. */
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
        return !this.#written.has(this.#nameOf(entry) ?? '', Date.parse(entry.at))
      }),
    )
  }

  /** A permission that has ended is not used again. */
  #forget(grantId: string | undefined): void {
    this.#taken.delete(`${grantId} used`)
    this.#written.delete(`${grantId} used`)
  }

  #nameOf(entry: Omit<AuditEntry, 'seq'>): string | undefined {
    const { action, reason } = entry
    const id = entry[this.#of]
    if (id === undefined) return undefined
    if (action === 'used') return `${id} used`
    return action === 'refused' ? `${id} ${reason}` : undefined
  }
}

/** When things were done, by their names, of which those are forgotten that lie too far back. */
export class RecentTimes {
  readonly #keptMs: number
  /** The longest ago first. */
  readonly #timesMs = new Map<string, number>()

  /** A time counts for so many milliseconds. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** Whether it was done so shortly before that its time still counts. */
  has(name: string, nowMs: number): boolean {
    const timeMs = this.#timesMs.get(name)
    return timeMs !== undefined && nowMs - timeMs < this.#keptMs
  }

  /** Notes that it is done now. */
  set(name: string, nowMs: number): void {
    this.#timesMs.delete(name)
    this.#timesMs.set(name, nowMs)
    for (const [other, timeMs] of this.#timesMs) {
      if (nowMs - timeMs < this.#keptMs) return
      this.#timesMs.delete(other)
    }
  }

  delete(name: string): void {
    this.#timesMs.delete(name)
  }

  /** How many names are known. */
  get size(): number {
    return this.#timesMs.size
  }
}

/** What gathering needs. `report` is told of a write that failed. */
export type GatheredWritesOptions = {
  readonly store: Pick<IdentityStore, 'isShared'>
  /** Writes all that has gathered. */
  readonly write: () => Promise<void>
  readonly report: (fault: unknown) => void
}

/**
 * How long notes gather where each write is a message to all nodes: who uses what, and when, is
 * much and worth little. A node that is killed loses those of as long.
 */
const gatheredMs = 60_000

/** Writes down what is only noted: at once, or, where nodes share the store, once a minute. */
export class GatheredWrites {
  readonly #options: GatheredWritesOptions
  #isDue = false

  constructor(options: GatheredWritesOptions) {
    this.#options = options
  }

  /** Says that there is something; one write takes all that has gathered until then. */
  request(): void {
    if (this.#isDue) return
    this.#isDue = true
    if (this.#options.store.isShared) setTimeout(() => this.#write(), gatheredMs).unref()
    else this.#write()
  }

  /** What gathers from now on is for the next write. Called by the one that is under way. */
  begin(): void {
    this.#isDue = false
  }

  #write(): void {
    this.#options.write().catch((fault: unknown) => {
      this.#isDue = false
      this.#options.report(fault)
    })
  }
}
