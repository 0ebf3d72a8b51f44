import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { indexShapes } from '#src/discovery/search/index_shape.ts'
import type { FacetCount, IndexKind, SearchDocument } from '#src/discovery/search/search_engine.ts'

/**
 * Facet sets: what a record has in all facets of its kind, taken together, by a number that stands
 * in its row. Many records share one, so that hits are counted by numbers, and only the few sets
 * that they have are read.
 */

/** Sets that are remembered; a writer meets some often, and a reader those of common words. */
const rememberedMax = 20_000

/** The table of a kind's sets. */
function tableOf(kind: IndexKind): string {
  return `${kind}_facets`
}

/** Makes the table of a kind, which may have no facets. */
export function createFacetSets(db: DatabaseSync, kind: IndexKind): void {
  // A number is never given again: who remembers a set need not look whether it is still the same.
  const columns = ['number INTEGER PRIMARY KEY AUTOINCREMENT', 'facets TEXT NOT NULL UNIQUE']
  db.exec(`CREATE TABLE ${tableOf(kind)} (${columns.join(', ')})`)
}

/**
 * Gives the sets of documents that are written their numbers. It is of no use any more once a
 * transaction in which it gave some is taken back, or sets are removed.
 */
export class FacetSetWriter {
  readonly #facets: readonly string[]
  readonly #find: StatementSync
  readonly #add: StatementSync
  readonly #remembered = new Map<string, number>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    const table = tableOf(kind)
    this.#facets = indexShapes[kind].facets
    this.#find = db.prepare(`SELECT number FROM ${table} WHERE facets = ?`)
    this.#add = db.prepare(`INSERT INTO ${table} (facets) VALUES (?)`)
  }

  /** The number of a document's set, which is made if no document has had it. */
  numberOf({ values, numbers }: SearchDocument): number {
    const facets = JSON.stringify(this.#facets.map((name) => values[name] ?? numbers[name] ?? null))
    const known = this.#remembered.get(facets)
    if (known !== undefined) return known
    const found = this.#find.get(facets)?.['number'] ?? this.#add.run(facets).lastInsertRowid
    const number = Number(found)
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear()
    this.#remembered.set(facets, number)
    return number
  }
}

/** Removes the sets that no record has any more. */
export function dropUnusedFacetSets(db: DatabaseSync, kind: IndexKind): void {
  db.exec(`DELETE FROM ${tableOf(kind)} WHERE number NOT IN (SELECT facets FROM ${kind})`)
}

/** One value for each facet of a kind, in their order. */
type FacetSet = readonly (string | number | null)[]

/** Reads the sets that hits have. */
export class FacetSetReader {
  readonly #facets: readonly string[]
  readonly #read: StatementSync
  readonly #remembered = new Map<number, FacetSet>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#facets = indexShapes[kind].facets
    this.#read = db.prepare(`SELECT facets FROM ${tableOf(kind)} WHERE number = ?`)
  }

  /** The values of a facet, commonest first, among hits that have these sets so many times. */
  count(facet: string, hits: ReadonlyMap<number, number>): readonly FacetCount[] {
    const place = this.#facets.indexOf(facet)
    const counts = new Map<string, number>()
    for (const [number, count] of hits) {
      const value = this.#setOf(number)[place] ?? null
      if (value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + count)
    }
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
  }

  #setOf(number: number): FacetSet {
    const known = this.#remembered.get(number)
    if (known !== undefined) return known
    const row = this.#read.get(number)
    const set = row === undefined ? [] : (JSON.parse(String(row['facets'])) as FacetSet)
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear()
    this.#remembered.set(number, set)
    return set
  }
}
