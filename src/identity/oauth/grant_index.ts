import { Stride } from '#actors/kernel/stride.ts'
import type { Operation } from '#log/base/store.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** What a permission is found by; `exp` is in seconds since 1970. */
export type IndexedGrant = {
  readonly id: string
  readonly ppid: string
  readonly client_id: string
  readonly payload: { readonly exp?: number | undefined }
}

/** What takes as long as to find and open one permission, in bytes of `Stride`. */
const grantBytes = 4_096

/**
 * Rows by which permissions are found that lie in `rows`, written in the batch that changes them:
 * `grant_list/<person>` the ids of what a person permitted, sealed; and two of no content,
 * `grant_application/<application>/<row>` and `grant_expiry/<seconds>/<row>`, where `<row>` is what
 * the key of the permission's row ends with.
 */
export class GrantIndex<G extends IndexedGrant> {
  readonly #store: IdentityStore
  readonly #rows: SealedRows<G>
  readonly #lists: SealedRows<readonly string[]>
  readonly #applications: SealedRows<never>

  constructor(store: IdentityStore, rows: SealedRows<G>) {
    this.#store = store
    this.#rows = rows
    this.#lists = new SealedRows(store, 'grant_list')
    this.#applications = new SealedRows(store, 'grant_application')
  }

  /** The ids of what a person permitted, in the order in which it was written. */
  idsOf(ppid: string): readonly string[] {
    return this.#lists.read(ppid) ?? []
  }

  /** Every permission of an application, in no order that means anything. */
  ofApplication(clientId: string): AsyncGenerator<G> {
    return this.#grantsBelow(`${this.#applications.keyOf(clientId)}/`)
  }

  /** Every permission that has expired, at a time in seconds since 1970. */
  expired(atSeconds: number): AsyncGenerator<G> {
    return this.#grantsBelow(expiryPrefix, expiryKey(atSeconds + 1))
  }

  /** Has permissions found that were written, in place of those that were before. In turn. */
  change(before: readonly G[], after: readonly G[]): Operation[] {
    const lists = new Map<string, Set<string>>()
    const listOf = (ppid: string): Set<string> => {
      const list = lists.get(ppid) ?? new Set(this.idsOf(ppid))
      lists.set(ppid, list)
      return list
    }
    for (const { id, ppid } of before) listOf(ppid).delete(id)
    for (const { id, ppid } of after) listOf(ppid).add(id)
    const keysOf = (grant: G) => this.#keysOf(grant)
    return [
      ...before.flatMap(keysOf).map((key): Operation => ({ type: 'del', key })),
      ...after.flatMap(keysOf).map((key) => putRow(key, 0)),
      ...[...lists].map(([ppid, ids]) => {
        return ids.size === 0 ? this.#lists.delete(ppid) : this.#lists.put(ppid, [...ids])
      }),
    ]
  }

  /** Whether a permission is found by all that it is to be found by. */
  has(grant: G): boolean {
    const isThere = (key: string) => this.#store.read<number>(key) !== undefined
    return this.#keysOf(grant).every(isThere) && this.idsOf(grant.ppid).includes(grant.id)
  }

  #keysOf({ id, client_id, payload }: G): readonly [application: string, expiry: string] {
    const row = this.#rows.keyOf(id).slice(rowPrefix.length)
    return [`${this.#applications.keyOf(client_id)}/${row}`, `${expiryKey(payload.exp)}/${row}`]
  }

  async *#grantsBelow(prefix: string, before = `${prefix}~`): AsyncGenerator<G> {
    const stride = new Stride()
    for await (const [key] of this.#store.scan<number>(prefix, { before })) {
      const grant = this.#rows.readAt(rowPrefix + key.slice(key.lastIndexOf('/') + 1))
      // A version that knows nothing of these rows may have ended or prolonged it.
      if (grant !== undefined && this.#keysOf(grant).includes(key)) yield grant
      await stride.step(grantBytes)
    }
  }
}

const rowPrefix = 'grant/'
const expiryPrefix = 'grant_expiry/'

function expiryKey(seconds = 0): string {
  return expiryPrefix + seconds.toString(16).padStart(12, '0')
}
