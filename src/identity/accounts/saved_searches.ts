import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** A search of works that a person has saved; one of works by their ARKs is a list of theirs. */
export type SavedSearch = {
  /** What the person calls it. */
  readonly name?: string
  /** Its words and filters as the page of the search has them: `q=whales&year=2024`. */
  readonly query: string
  /** The time from which on works are new to the person. */
  readonly new_since: string
}

/** All of one person. `told_week` is the first day of the last week that was looked at for them. */
export type PersonSearches = {
  readonly ppid: string
  readonly searches: readonly SavedSearch[]
  readonly told_week?: string
}

/** Searches that one person can save. */
export const savedSearchesMax = 20

/** The searches that people have saved, in sealed rows by ppid. */
export class SavedSearches {
  readonly #store: IdentityStore
  readonly #rows: SealedRows<PersonSearches>

  constructor(store: IdentityStore) {
    this.#store = store
    this.#rows = new SealedRows(store, 'saved_searches')
  }

  /** Those of a person, the oldest first. */
  list(ppid: string): readonly SavedSearch[] {
    return this.#rows.read(ppid)?.searches ?? []
  }

  /** Those of everybody who has saved any. */
  async *everybody(): AsyncGenerator<PersonSearches> {
    for await (const [, saved] of this.#rows.entries()) yield saved
  }

  /**
   * Saves a search in the place of the one with the query `replaced`, or of the same one, if there
   * is that; false if there are too many.
   */
  save(ppid: string, search: SavedSearch, replaced: string = search.query): Promise<boolean> {
    return this.#change(ppid, (saved) => {
      const others = saved.filter(({ query }) => query === replaced || query !== search.query)
      const isSaved = others.some(({ query }) => query === replaced)
      if (!isSaved) return others.length < savedSearchesMax ? [...others, search] : undefined
      return others.map((one) => (one.query === replaced ? search : one))
    })
  }

  async remove(ppid: string, query: string): Promise<void> {
    await this.#change(ppid, (saved) => saved.filter((one) => one.query !== query))
  }

  /** Notes that a week, by its first day, was looked at for a person. */
  noteTold(ppid: string, week: string): Promise<void> {
    return this.#store.inTurn(async () => {
      const saved = this.#rows.read(ppid)
      if (saved === undefined) return
      await this.#store.commit([this.#rows.put(ppid, { ...saved, told_week: week })])
    })
  }

  /** Forgets all of an account that is erased, and leaves nothing of it in any file. */
  forget(ppid: string): Promise<void> {
    return this.#rows.purge(ppid)
  }

  #change(
    ppid: string,
    change: (saved: readonly SavedSearch[]) => readonly SavedSearch[] | undefined,
  ): Promise<boolean> {
    return this.#store.inTurn(async () => {
      const before = this.#rows.read(ppid)
      const searches = change(before?.searches ?? [])
      if (searches === undefined) return false
      await this.#store.commit([this.#rows.put(ppid, { ...before, ppid, searches })])
      return true
    })
  }
}
