import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { indexShapes } from '#src/discovery/search/index_shape.ts'
import type {
  FacetCount,
  FacetValue,
  IndexKind,
  SearchDocument,
} from '#src/discovery/search/search_engine.ts'

/**
 * Facet values: each value of a facet has a number, and a row of the index has the codes of its
 * values. So hits are counted by codes, and only the values that are shown are read.
 */

/** A code is a number of a value times this, and the place of the facet among those of its kind. */
const facetsMax = 32

/** Values that a writer remembers. */
const rememberedMax = 50_000

/** The table of a kind's values. */
function tableOf(kind: IndexKind): string {
  return `${kind}_value`
}

/** Makes the table of a kind, which may have no facets. */
export function createFacetValues(db: DatabaseSync, kind: IndexKind): void {
  // A number is never given again: what a row means does not change.
  const columns = [
    'number INTEGER PRIMARY KEY AUTOINCREMENT',
    'facet INTEGER NOT NULL',
    'value TEXT NOT NULL',
    'name TEXT',
    'UNIQUE (facet, value)',
  ]
  db.exec(`CREATE TABLE ${tableOf(kind)} (${columns.join(', ')})`)
}

/**
 * Gives the values of documents that are written their codes. It is of no use any more once a
 * transaction in which it gave some is taken back, or values are removed.
 */
export class FacetValueWriter {
  readonly #facets: readonly string[]
  readonly #add: StatementSync
  readonly #unname: StatementSync
  readonly #remembered = new Map<string, number>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    const table = tableOf(kind)
    this.#facets = indexShapes[kind].facets
    this.#add = db.prepare(
      `INSERT INTO ${table} (facet, value, name) VALUES (?, ?, ?) ON CONFLICT (facet, value) ` +
        `DO UPDATE SET name = coalesce(name, excluded.name) RETURNING number`,
    )
    this.#unname = db.prepare(
      `UPDATE ${table} SET name = NULL WHERE number IN ` +
        `(SELECT value / ${facetsMax} FROM json_each('[' || ? || ']'))`,
    )
  }

  /** The codes of a document's values, as a row has them: joined by commas. */
  codesOf({ values, numbers, named }: SearchDocument): string {
    const codes: number[] = []
    for (const [place, facet] of this.#facets.entries()) {
      const single = values[facet] ?? numbers[facet]
      const all = single === undefined ? (named[facet] ?? []) : [{ value: String(single) }]
      for (const one of all) codes.push(this.#numberOf(place, one) * facetsMax + place)
    }
    return codes.join(',')
  }

  /** Forgets what the values of a row that is removed are called: only it may have said so. */
  unname(codes: string): void {
    this.#unname.run(codes)
    this.#remembered.clear()
  }

  #numberOf(facet: number, { value, name }: FacetValue): number {
    const key = `${facet} ${value}`
    const known = this.#remembered.get(key)
    if (known !== undefined) return known
    const number = Number(this.#add.get(facet, value, name ?? null)?.['number'])
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear()
    this.#remembered.set(key, number)
    return number
  }
}

/** Removes the values that no record has any more. */
export function dropUnusedFacetValues(db: DatabaseSync, kind: IndexKind): void {
  const codes = `${kind} AS row, json_each('[' || row.facets || ']') AS code`
  const used = `SELECT code.value / ${facetsMax} FROM ${codes}`
  db.exec(`DELETE FROM ${tableOf(kind)} WHERE number NOT IN (${used})`)
}

/** How many hits have each value. */
export class CodeCounts {
  readonly #counts = new Map<number, number>()

  /** Counts the codes of rows, joined by commas. */
  add(codes: string): void {
    for (const code of JSON.parse(`[${codes}]`) as readonly number[]) {
      this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1)
    }
  }

  /** Codes and their counts by the place of their facet. */
  byFacet(): readonly (readonly Counted[] | undefined)[] {
    const facets: Counted[][] = []
    for (const [code, count] of this.#counts) {
      const counted = { number: Math.floor(code / facetsMax), count }
      const facet = facets[code % facetsMax]
      if (facet === undefined) facets[code % facetsMax] = [counted]
      else facet.push(counted)
    }
    return facets
  }
}

type Counted = { readonly number: number; readonly count: number }

/** Reads which values codes stand for. */
export class FacetValueReader {
  readonly #facets: readonly string[]
  readonly #read: StatementSync

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#facets = indexShapes[kind].facets
    this.#read = db.prepare(`SELECT value, name FROM ${tableOf(kind)} WHERE number = ?`)
  }

  /** The commonest values of facets, of each `valuesMax` at most, commonest first. */
  commonest(
    facets: readonly string[],
    counts: CodeCounts,
    valuesMax: number,
  ): Record<string, readonly FacetCount[]> {
    const all = counts.byFacet()
    const shown = facets.map((facet) => {
      const counted = all[this.#facets.indexOf(facet)] ?? []
      const most = counted
        .toSorted((one, other) => other.count - one.count || one.number - other.number)
        .slice(0, valuesMax)
        .map(({ number, count }) => ({ ...this.#valueOf(number), count }))
        .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
      return [facet, most] as const
    })
    return Object.fromEntries(shown)
  }

  #valueOf(number: number): FacetValue {
    const row = this.#read.get(number)
    const name = row?.['name']
    return { value: String(row?.['value'] ?? ''), ...(typeof name === 'string' && { name }) }
  }
}
