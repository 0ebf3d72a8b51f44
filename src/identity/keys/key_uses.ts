import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { KeyRecord, KeyUse } from '#src/identity/keys/key_record.ts'
import type { AuditLog, KeyRefusal } from '#src/identity/store/audit.ts'
import { AuditNotes } from '#src/identity/store/audit_notes.ts'
import { followRows } from '#src/identity/store/followed_rows.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { networkOf } from '#src/identity/store/ip_list.ts'

/** Where a request came from. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** What the notes need; `report` is told of one that could not be written down. */
export type KeyUsesOptions = {
  readonly store: IdentityStore
  readonly audit: AuditLog
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

const useWrittenEveryMs = 60_000
const userAgentCharactersMax = 200
const prefix = 'used/'

/** Opens the notes of an identity store: reads the last use of every key into memory. */
export async function openKeyUses(options: KeyUsesOptions): Promise<KeyUses> {
  const uses = new KeyUses(options)
  await followRows<KeyUse>(options.store, prefix, (key, use) => {
    if (use !== undefined) uses.keep(key.slice(prefix.length), use)
  })
  return uses
}

/**
 * What is noted of the uses of keys, and of their refusals: in the background, and once in a while.
 * Rows: `used/<id>` the last use of a key, at most one a minute from each thread.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions
  readonly #notes: AuditNotes
  /** The newest use of each key that is known: one's own at once, that of others when written. */
  readonly #uses = new Map<string, KeyUse>()
  readonly #notedMs = new Map<string, number>()
  readonly #unwritten = new Set<string>()

  constructor(options: KeyUsesOptions) {
    this.#options = options
    this.#notes = new AuditNotes(options.audit)
  }

  /** The newest use of a key that was noted. */
  lastOf(id: string): KeyUse | undefined {
    return this.#uses.get(id)
  }

  /** Keeps a use, unless a newer one is known. For the one who reads the rows. */
  keep(id: string, use: KeyUse): void {
    const known = this.#uses.get(id)
    if (known === undefined || Date.parse(known.at) <= Date.parse(use.at)) this.#uses.set(id, use)
  }

  /** Notes that a key was used. */
  noteUse({ id, owner }: KeyRecord, origin: Origin, nowMs: number): void {
    const notedMs = this.#notedMs.get(id)
    if (notedMs !== undefined && nowMs - notedMs < useWrittenEveryMs) return
    this.#notedMs.set(id, nowMs)
    const user_agent = origin.userAgent.slice(0, userAgentCharactersMax)
    const network = networkOf(origin.ip)
    const at = formatTimestamp(nowMs)
    this.keep(id, { at, network, user_agent })
    if (this.#notes.isDue(id, 'used', nowMs)) {
      this.#note({ owner, at: this.#at(), key_id: id, action: 'used', network })
    }
    this.#unwritten.add(id)
    // One write takes all uses that gathered while it waited for its turn.
    if (this.#unwritten.size === 1) this.#inBackground(() => this.#writeUses())
  }

  /** Notes why a key was refused. */
  noteRefusal({ id, owner }: KeyRecord, reason: KeyRefusal, { ip }: Origin, nowMs: number): void {
    if (!this.#notes.isDue(id, reason, nowMs)) return
    const network = networkOf(ip)
    this.#note({ owner, at: this.#at(), key_id: id, action: 'refused', reason, network })
  }

  #at(): string {
    return formatTimestamp(this.#options.clock.nowMs())
  }

  #note(entry: Parameters<AuditNotes['rows']>[0]): void {
    this.#inBackground(async () => {
      const rows = await this.#notes.rows(entry)
      if (rows.length > 0) await this.#options.store.commit(rows)
    })
  }

  async #writeUses(): Promise<void> {
    const rows = [...this.#unwritten].map((id) => putRow(prefix + id, this.#uses.get(id)))
    this.#unwritten.clear()
    await this.#options.store.commit(rows)
  }

  #inBackground(change: () => Promise<void>): void {
    const { store, report } = this.#options
    store.inTurn(change).catch(report)
  }
}
