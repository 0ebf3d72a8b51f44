import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { RowCache } from '#src/identity/store/row_cache.ts'
import { openText, SealedRows, sealText } from '#src/identity/store/sealed_rows.ts'

const keyBytes = 32

/** `key` in base64. */
type PersonKeyRow = { readonly ppid: string; readonly key: string }

/**
 * The key of each person, under which its personal data is sealed in the journal, which forgets
 * nothing: who destroys the key erases the data. Keys are read from their rows: so nothing is
 * sealed under a key that a crash could lose, nor opened by one that is destroyed, on any thread.
 */
export class PersonKeys {
  readonly #rows: SealedRows<PersonKeyRow>
  readonly #keys: RowCache<PersonKeyRow>
  readonly #random: (bytes: number) => Uint8Array

  /** `random` gives that many bytes of a cryptographic source. */
  constructor(store: IdentityStore, random: (bytes: number) => Uint8Array) {
    this.#rows = new SealedRows(store, 'person_key')
    this.#keys = new RowCache({ store, rows: this.#rows })
    this.#random = random
  }

  /** Whether a person has a key. */
  has(ppid: string): boolean {
    return this.#keys.get(ppid) !== undefined
  }

  /** A new key for a person that has none, which it has once the operation is written. */
  create(ppid: string): Operation {
    assert(!this.has(ppid), 'a person has one key')
    const key = Buffer.from(this.#random(keyBytes)).toString('base64')
    return this.#rows.put(ppid, { ppid, key })
  }

  /**
   * The end of a person's key, once the operation is written; then purge the row. Afterwards `open`
   * gives undefined for ever.
   */
  destroy(ppid: string): Operation {
    return this.#rows.delete(ppid)
  }

  /** The key of the row that `destroy` leaves to be purged. */
  rowKey(ppid: string): string {
    return this.#rows.keyOf(ppid)
  }

  /** Seals a JSON value for a person, who must have a key. */
  seal(ppid: string, value: unknown): string {
    const key = this.#keyOf(ppid)
    assert(key !== undefined, 'a person has a key before anything of it is sealed')
    return sealText(key, ppid, JSON.stringify(value))
  }

  /** What `seal` was given; undefined once the person's key was destroyed. */
  open(ppid: string, sealed: string): unknown {
    const key = this.#keyOf(ppid)
    if (key === undefined) return undefined
    const text = openText(key, ppid, sealed)
    assert(text !== undefined, 'what a person has sealed opens with its key')
    return JSON.parse(text)
  }

  #keyOf(ppid: string): Uint8Array | undefined {
    const row = this.#keys.get(ppid)
    return row && Buffer.from(row.key, 'base64')
  }
}
