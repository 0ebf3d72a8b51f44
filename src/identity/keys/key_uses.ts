import { formatTimestamp } from '#actors/values/clock.ts'
import type { KeyRecord, KeyUse } from '#src/identity/keys/key_record.ts'
import type { AuditLog, KeyRefusal } from '#src/identity/store/audit.ts'
import { AuditNotes } from '#src/identity/store/audit_notes.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { networkOf } from '#src/identity/store/ip_list.ts'
import { LastUses } from '#src/identity/store/last_uses.ts'

/** Where a request came from. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** What the notes need; `report` is told of one that could not be written down. */
export type KeyUsesOptions = {
  readonly store: IdentityStore
  readonly audit: AuditLog
  readonly report: (fault: unknown) => void
}

const userAgentCharactersMax = 200
const prefix = 'used/'

/**
 * What is noted of the uses of keys, and of their refusals: in the background, and once in a while.
 * Rows: `used/<id>` the last use of a key.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions
  readonly #notes: AuditNotes
  readonly #uses: LastUses<KeyUse>

  constructor(options: KeyUsesOptions) {
    const { store, report } = options
    this.#options = options
    this.#notes = new AuditNotes(options.audit)
    this.#uses = new LastUses({
      store,
      notes: this.#notes,
      report,
      written: (id) => store.read(prefix + id),
      rowOf: (id, use) => putRow(prefix + id, use),
    })
  }

  /** The newest use of a key that was noted. */
  lastOf(id: string): KeyUse | undefined {
    return this.#uses.of(id)
  }

  /** Notes that a key was used. */
  noteUse({ id, owner }: KeyRecord, origin: Origin, nowMs: number): void {
    this.#uses.note(id, nowMs, () => {
      const at = formatTimestamp(nowMs)
      const network = networkOf(origin.ip)
      const user_agent = origin.userAgent.slice(0, userAgentCharactersMax)
      const entry = { owner, at, key_id: id, action: 'used', network } as const
      return { use: { at, network, user_agent }, entry }
    })
  }

  /** Notes why a key was refused. */
  noteRefusal({ id, owner }: KeyRecord, reason: KeyRefusal, { ip }: Origin, nowMs: number): void {
    if (!this.#notes.isDue(id, reason, nowMs)) return
    const network = networkOf(ip)
    const at = formatTimestamp(nowMs)
    const entry = { owner, at, key_id: id, action: 'refused', reason, network } as const
    const { store, report } = this.#options
    const note = async () => {
      const rows = await this.#notes.rows([entry])
      if (rows.length > 0) await store.commit(rows)
    }
    store.inTurn(note).catch(report)
  }
}
