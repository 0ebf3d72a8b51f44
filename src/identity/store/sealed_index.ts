import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import type { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** What an index is made from. */
export type SealedIndexOptions<T> = {
  readonly store: Pick<IdentityStore, 'catchUp'>
  readonly rows: SealedRows<T>
  /** The id under which the rows have a value. */
  readonly idOf: (value: T) => string
  /** What a value is found by beside its id, such as whose it is. */
  readonly groupOf?: (value: T) => string
}

/** Opens the index of a table: reads all its rows into memory. */
export async function openSealedIndex<T>(options: SealedIndexOptions<T>): Promise<SealedIndex<T>> {
  const index = new SealedIndex(options)
  await options.rows.follow((key, value) => index.put(key, value))
  return index
}

/**
 * All values of a table of sealed rows, opened, in memory, by their ids. It follows the rows and is
 * changed by nothing else; who reads it sees every change that was acknowledged before.
 */
export class SealedIndex<T> {
  readonly #options: SealedIndexOptions<T>
  /** A row that is deleted is known by its key alone, which does not tell its id. */
  readonly #idOfKey = new Map<string, string>()
  readonly #values = new Map<string, T>()
  readonly #groups = new Map<string, Set<string>>()

  constructor(options: SealedIndexOptions<T>) {
    this.#options = options
  }

  get(id: string): T | undefined {
    this.#options.store.catchUp()
    return this.#values.get(id)
  }

  values(): IterableIterator<T> {
    this.#options.store.catchUp()
    return this.#values.values()
  }

  /** The values of a group, in no order that means anything. */
  inGroup(group: string): T[] {
    this.#options.store.catchUp()
    return [...(this.#groups.get(group) ?? [])].flatMap((id) => this.#values.get(id) ?? [])
  }

  /** What the row at a key holds now; undefined if it was deleted. For the one who follows it. */
  put(key: string, value: T | undefined): void {
    const id = value === undefined ? this.#idOfKey.get(key) : this.#options.idOf(value)
    if (id === undefined) return
    this.#ungroup(id)
    if (value === undefined) {
      this.#idOfKey.delete(key)
      this.#values.delete(id)
      return
    }
    this.#idOfKey.set(key, id)
    this.#values.set(id, value)
    const group = this.#options.groupOf?.(value)
    if (group === undefined) return
    const ids = this.#groups.get(group) ?? new Set<string>()
    this.#groups.set(group, ids.add(id))
  }

  #ungroup(id: string): void {
    const value = this.#values.get(id)
    const group = value === undefined ? undefined : this.#options.groupOf?.(value)
    if (group === undefined) return
    const ids = this.#groups.get(group)
    ids?.delete(id)
    if (ids?.size === 0) this.#groups.delete(group)
  }
}
