import { assert } from '#log/errors.ts'
import type { Operation } from '#log/store.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { openText, SealedRows, sealText } from '#src/identity/store/sealed_rows.ts'

const keyBytes = 32

type PersonKeyRow = { readonly ppid: string; readonly key: string }

/** Reads the key of every person. */
export async function openPersonKeys(
  store: IdentityStore,
  random: (bytes: number) => Uint8Array,
): Promise<PersonKeys> {
  const rows = new SealedRows<PersonKeyRow>(store, 'person_key')
  const keys = new Map<string, Uint8Array>()
  for await (const [, { ppid, key }] of rows.entries()) keys.set(ppid, Buffer.from(key, 'base64'))
  return new PersonKeys({ rows, keys, random })
}

type PersonKeysParts = {
  readonly rows: SealedRows<PersonKeyRow>
  readonly keys: Map<string, Uint8Array>
  readonly random: (bytes: number) => Uint8Array
}

/**
 * The key of each person, under which its personal data is sealed in the journal, which forgets
 * nothing: who destroys the key erases the data. All keys are in memory, 32 bytes a person.
 */
export class PersonKeys {
  readonly #rows: SealedRows<PersonKeyRow>
  readonly #keys: Map<string, Uint8Array>
  readonly #random: (bytes: number) => Uint8Array

  constructor({ rows, keys, random }: PersonKeysParts) {
    this.#rows = rows
    this.#keys = keys
    this.#random = random
  }

  /** Whether a person has a key. */
  has(ppid: string): boolean {
    return this.#keys.has(ppid)
  }

  /**
   * A new key for a person that has none. Write the operation, then call `use`: nothing may be
   * sealed under a key that a crash could lose.
   */
  create(ppid: string): { readonly operation: Operation; use(): void } {
    assert(!this.#keys.has(ppid), 'a person has one key')
    const key = this.#random(keyBytes)
    const row = { ppid, key: Buffer.from(key).toString('base64') }
    return { operation: this.#rows.put(ppid, row), use: () => void this.#keys.set(ppid, key) }
  }

  /**
   * The end of a person's key: write the operation, call `forget`, and purge the row. Afterwards
   * `open` gives undefined for ever.
   */
  destroy(ppid: string): { readonly operation: Operation; forget(): void } {
    return { operation: this.#rows.delete(ppid), forget: () => void this.#keys.delete(ppid) }
  }

  /** The key of the row that `destroy` leaves to be purged. */
  rowKey(ppid: string): string {
    return this.#rows.keyOf(ppid)
  }

  /** Seals a JSON value for a person, who must have a key. */
  seal(ppid: string, value: unknown): string {
    const key = this.#keys.get(ppid)
    assert(key !== undefined, 'a person has a key before anything of it is sealed')
    return sealText(key, ppid, JSON.stringify(value))
  }

  /** What `seal` was given; undefined once the person's key was destroyed. */
  open(ppid: string, sealed: string): unknown {
    const key = this.#keys.get(ppid)
    if (key === undefined) return undefined
    const text = openText(key, ppid, sealed)
    assert(text !== undefined, 'what a person has sealed opens with its key')
    return JSON.parse(text)
  }
}
