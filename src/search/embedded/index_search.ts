import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

import {
  type Condition,
  type HitSource,
  hitSource,
  whereOf,
} from '#src/search/embedded/hit_source.ts'
import { firstLetters } from '#src/search/embedded/index_tables.ts'
import { type Alternatives, matchText } from '#src/search/embedded/match_text.ts'
import { Vocabulary } from '#src/search/embedded/vocabulary.ts'
import { assert } from '#log/errors.ts'
import { indexShapes, newest, type SortOrder } from '#src/search/index_shape.ts'
import { hasWanted } from '#src/search/query_text.ts'
import {
  type EnginePage,
  type EngineQuery,
  type FacetCount,
  facetValuesMax,
  type IndexKind,
  type SearchPlace,
  rankedHitsMax,
} from '#src/search/search_engine.ts'

/** Most hits that are counted, and newest hits over which facets are counted. */
const countedHitsMax = 100_000
const facetHitsMax = 10_000

type Row = Readonly<Record<string, SQLOutputValue>>

/** A query with what is to be known of it before its hits are read. */
type Plan = {
  readonly source: HitSource
  readonly hasWords: boolean
  readonly total: number
  readonly isExact: boolean
  readonly alternatives: Alternatives
}

/** Searches the index of one kind; the file is open for reading. */
export class IndexSearch {
  readonly #db: DatabaseSync
  readonly #kind: IndexKind
  readonly #vocabulary: Vocabulary
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#db = db
    this.#kind = kind
    this.#vocabulary = new Vocabulary(db, kind)
  }

  search(query: EngineQuery): EnginePage {
    const plan = this.#plan(query)
    const { total, isExact, source, alternatives } = plan
    const isRanked = query.sort === 'relevance' && plan.hasWords && total <= rankedHitsMax
    const preferred = query.sort === 'relevance' ? (isRanked ? 'relevance' : newest) : query.sort
    const sort = query.after?.sort ?? preferred
    const rows = this.#page(source, sort, query)
    const shown = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? shown.at(-1) : undefined
    const isLoose = alternatives.size > 0
    return {
      ids: shown.map(({ id }) => String(id)),
      sort,
      total,
      isExact,
      ...this.#facets(query, source),
      alsoSearchedFor: [...alternatives.values()].flat(),
      ...(last !== undefined && {
        next: { engine: 'embedded', ...placeOf(last), sort, total, isExact, isLoose },
      }),
    }
  }

  #plan({ clauses, filters, after }: EngineQuery): Plan {
    const source = (alternatives: Alternatives) =>
      hitSource(this.#kind, matchText(clauses, filters, alternatives), filters)
    const hasWords = hasWanted(clauses)
    const known = after === undefined ? undefined : { total: after.total, isExact: after.isExact }
    const strict = { source: source(new Map()), hasWords, alternatives: new Map() }
    const counted = known ?? this.#count(strict.source)
    const isLoose = after === undefined ? counted.total === 0 && hasWords : after.isLoose
    if (!isLoose) return { ...strict, ...counted }
    const alternatives = this.#alternatives(clauses)
    if (alternatives.size === 0) return { ...strict, ...counted }
    const loose = source(alternatives)
    return { source: loose, hasWords, alternatives, ...(known ?? this.#count(loose)) }
  }

  #alternatives(clauses: EngineQuery['clauses']): Alternatives {
    const words = clauses.filter(({ type, isExcluded }) => type === 'word' && !isExcluded)
    const untilMs = performance.now() + looseMsMax
    const near = words.slice(0, looseWordsMax).map(({ text }) => {
      const others = performance.now() < untilMs ? this.#vocabulary.near(text) : []
      return [text, others] as const
    })
    return new Map(near.filter(([, others]) => others.length > 0))
  }

  #count({ tables, conditions }: HitSource): Pick<Plan, 'total' | 'isExact'> {
    const where = whereOf(conditions)
    const hits = `SELECT 1 FROM ${tables}${where.sql} LIMIT ${countedHitsMax + 1}`
    const [row] = this.#all(`SELECT count(*) AS hits FROM (${hits})`, where.values)
    const hits_counted = Number(row?.['hits'] ?? 0)
    const isExact = hits_counted <= countedHitsMax
    return { total: isExact ? hits_counted : countedHitsMax, isExact }
  }

  #page(source: HitSource, sort: string, { after, limit }: EngineQuery): readonly Row[] {
    const order = indexShapes[this.#kind].sorts[sort]
    if (order === undefined) return this.#ranked(source, after, limit + 1)
    return this.#ordered(source, order, after, limit + 1)
  }

  #ordered(
    { tables, conditions, seq }: HitSource,
    order: SortOrder,
    after: SearchPlace | undefined,
    limit: number,
  ): readonly Row[] {
    const way = order.descending ? 'DESC' : 'ASC'
    const isBySeq = order.by === 'seq'
    const from = tables.includes(' AS row') || isBySeq ? tables : this.#joined(tables)
    const by = isBySeq ? seq : `row.${order.by}`
    const kept = after === undefined ? fromFirst(order, by) : afterPlace(order, by, seq, after)
    const where = whereOf([...conditions, ...kept])
    const first = order.type === 'text' ? `${firstLetters(by)} ${way}, ` : ''
    const orders = isBySeq ? `${seq} ${way}` : `${first}${by} ${way}, ${seq} ${way}`
    const hits =
      `SELECT ${seq} AS seq, ${by} AS value FROM ${from}${where.sql} ` +
      `ORDER BY ${orders} LIMIT ${limit}`
    return this.#named(hits, where.values)
  }

  #ranked(
    { tables, conditions, seq }: HitSource,
    after: SearchPlace | undefined,
    limit: number,
  ): readonly Row[] {
    // A value that was asked for says nothing about rank.
    const weights = [...Object.values(indexShapes[this.#kind].texts), 0].join(', ')
    const where = whereOf(conditions)
    const rank = `bm25(${this.#kind}_text, ${weights})`
    const all = `SELECT ${seq} AS seq, ${rank} AS value FROM ${tables}${where.sql}`
    const bound = after === undefined ? [] : [after.value, after.value, after.seq]
    const kept = after === undefined ? '' : ' WHERE value > ? OR (value = ? AND seq < ?)'
    // LIMIT -1 keeps the rank from being worked out again where it is compared.
    const ranked = after === undefined ? all : `SELECT * FROM (${all} LIMIT -1)${kept}`
    const hits = `${ranked} ORDER BY value, seq DESC LIMIT ${limit}`
    return this.#named(hits, [...where.values, ...bound])
  }

  /** The hits of one page in their order, with their ids. */
  #named(hits: string, values: readonly SQLInputValue[]): readonly Row[] {
    const rows = this.#all(hits, values)
    const find = `SELECT id FROM ${this.#kind} WHERE seq = ?`
    return rows.map((row) => ({
      ...row,
      id: this.#all(find, [Number(row['seq'])])[0]?.['id'] ?? '',
    }))
  }

  #facets(
    { facets, after }: EngineQuery,
    { tables, conditions, seq }: HitSource,
  ): Pick<EnginePage, 'facets' | 'facetsOf'> {
    if (facets.length === 0 || after !== undefined) return { facets: {}, facetsOf: 0 }
    const where = whereOf(conditions)
    const hits =
      `SELECT ${seq} AS seq FROM ${tables}${where.sql} ` +
      `ORDER BY ${seq} DESC LIMIT ${facetHitsMax}`
    const columns = facets.map((name) => `row.${name}`).join(', ')
    const join = `FROM (${hits}) AS hit JOIN ${this.#kind} AS row ON row.seq = hit.seq`
    const rows = this.#all(`SELECT ${columns} ${join}`, where.values)
    const counted = facets.map((name) => [name, countValues(rows, name)] as const)
    return { facets: Object.fromEntries(counted), facetsOf: rows.length }
  }

  #joined(tables: string): string {
    return `${tables} JOIN ${this.#kind} AS row ON row.seq = ${this.#kind}_text.rowid`
  }

  #all(sql: string, values: readonly SQLInputValue[]): readonly Row[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      if (this.#statements.size >= statementsMax) this.#statements.clear()
      this.#statements.set(sql, statement)
    }
    return statement.all(...values)
  }
}

/** Words of a query, the first ones, for which others are looked up. */
const looseWordsMax = 8

/** Time for looking them up: a query must not be ended for its typing errors. */
const looseMsMax = 500

/** Statements that are kept; queries differ in their form, and there are not so many forms. */
const statementsMax = 200

function placeOf(row: Row): Pick<SearchPlace, 'value' | 'seq'> {
  const { value, seq } = row
  return { value: typeof value === 'string' ? value : Number(value), seq: Number(seq) }
}

// An index of first letters is read in their order only where they are compared with some.
function fromFirst({ type, descending }: SortOrder, by: string): readonly Condition[] {
  assert(type === 'number' || !descending, 'texts are ordered from their first letters on')
  return type === 'number' ? [] : [{ sql: `${firstLetters(by)} >= ''`, values: [] }]
}

function afterPlace(
  order: SortOrder,
  by: string,
  seq: string,
  { value, seq: last }: SearchPlace,
): readonly Condition[] {
  const sign = order.descending ? '<' : '>'
  if (order.by === 'seq') return [{ sql: `${seq} ${sign} ?`, values: [last] }]
  const place = { sql: `(${by}, ${seq}) ${sign} (?, ?)`, values: [value, last] }
  if (order.type === 'number') return [place]
  return [{ sql: `${firstLetters(by)} ${sign}= ${firstLetters('?')}`, values: [value] }, place]
}

function countValues(rows: readonly Row[], name: string): readonly FacetCount[] {
  const counts = new Map<string, number>()
  for (const { [name]: value } of rows) {
    if (value === null || value === undefined) continue
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
    .slice(0, facetValuesMax)
}
