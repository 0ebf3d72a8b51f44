import { LRUCache } from 'lru-cache'

import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

/** A table whose values are kept: by their ids, with the keys of their rows. */
export type CachedRows<T> = {
  keyOf(id: string): string
  read(id: string): T | undefined
  /** Tells of every row that is written or deleted from now on, by its key. */
  followKeys(listener: (key: string) => void): void
}

/** What a cache is made from. */
export type RowCacheOptions<T> = {
  readonly store: Pick<IdentityStore, 'catchUp'>
  readonly rows: CachedRows<T>
}

type Kept<T> = { readonly key: string; readonly value: T }

/** Values of one table that a thread keeps, some kilobytes each at most. */
const keptMax = 2_048

/**
 * Values of a table by their ids, of which those that were read last are kept in
 * memory. A row that is written or deleted, on whichever thread or node, is kept no more: a reader
 * sees every change that was acknowledged before.
 */
export class RowCache<T extends object> {
  readonly #store: Pick<IdentityStore, 'catchUp'>
  readonly #rows: CachedRows<T>
  readonly #kept: LRUCache<string, Kept<T>>
  /** A change is told by the key of its row alone, which does not tell the id. */
  readonly #idOfKey = new Map<string, string>()

  constructor({ store, rows }: RowCacheOptions<T>) {
    this.#store = store
    this.#rows = rows
    this.#kept = new LRUCache({ max: keptMax, dispose: ({ key }) => this.#idOfKey.delete(key) })
    rows.followKeys((key) => {
      const id = this.#idOfKey.get(key)
      if (id !== undefined) this.#kept.delete(id)
    })
  }

  /**
   * The value of an id, if there is one: the same object until its row is written, or others were
   * read meanwhile. Errors as `read` of the table.
   */
  get(id: string): T | undefined {
    this.#store.catchUp()
    const kept = this.#kept.get(id)
    if (kept !== undefined) return kept.value
    const value = this.#rows.read(id)
    if (value === undefined) return undefined
    const key = this.#rows.keyOf(id)
    this.#idOfKey.set(key, id)
    this.#kept.set(id, { key, value })
    return value
  }
}
