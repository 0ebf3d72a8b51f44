import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

import { FacetSetReader } from '#src/search/embedded/facet_sets.ts'
import {
  type Condition,
  type HitSource,
  hitSource,
  whereOf,
} from '#src/search/embedded/hit_source.ts'
import { firstLetters } from '#src/search/embedded/index_tables.ts'
import { matchText, type Meant } from '#src/search/embedded/match_text.ts'
import { SpellingCorrector } from '#src/search/embedded/spelling_corrector.ts'
import { Vocabulary } from '#src/search/embedded/vocabulary.ts'
import { assert } from '#log/errors.ts'
import { indexShapes, newest, type SortOrder } from '#src/search/index_shape.ts'
import { hasWanted } from '#src/search/query_text.ts'
import {
  type EnginePage,
  type EngineQuery,
  facetValuesMax,
  type IndexKind,
  type SearchPlace,
  rankedHitsMax,
} from '#src/search/search_engine.ts'

/** Most hits that are counted, and newest hits over which facets are counted. */
const countedHitsMax = 100_000
const facetHitsMax = 10_000

type Row = Readonly<Record<string, SQLOutputValue>>

type Counted = { readonly total: number; readonly isExact: boolean }

/** The hits of a query, counted; and the newest of them, by `seq`, if facets are counted. */
type Hits = Counted & { readonly newestSeqs: readonly number[] }

/** A query with what is to be known of it before its hits are read. */
type Plan = Hits & {
  readonly source: HitSource
  readonly hasWords: boolean
  /** What is looked for in place of what was typed. */
  readonly meant: Meant
}

/** Searches the index of one kind; the file is open for reading. */
export class IndexSearch {
  readonly #db: DatabaseSync
  readonly #kind: IndexKind
  readonly #corrector: SpellingCorrector
  readonly #facetSets: FacetSetReader
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#db = db
    this.#kind = kind
    this.#facetSets = new FacetSetReader(db, kind)
    this.#corrector = new SpellingCorrector(new Vocabulary(db, kind))
  }

  search(query: EngineQuery): EnginePage {
    const plan = this.#plan(query)
    const { total, isExact, meant } = plan
    const isRanked = query.sort === 'relevance' && plan.hasWords && total <= rankedHitsMax
    const preferred = query.sort === 'relevance' ? (isRanked ? 'relevance' : newest) : query.sort
    const sort = query.after?.sort ?? preferred
    const rows = this.#page(plan, sort, query)
    const shown = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? shown.at(-1) : undefined
    const isLoose = meant.size > 0
    const probable = isLoose ? meant : this.#rarelyTyped(query, plan)
    return {
      ids: shown.map(({ id }) => String(id)),
      sort,
      total,
      isExact,
      ...this.#facets(query, plan.newestSeqs),
      alsoSearchedFor: [...meant.values()],
      corrections: [...probable].map(([typed, one]) => ({ typed, meant: one })),
      ...(last !== undefined && {
        next: { engine: 'embedded', ...placeOf(last), sort, total, isExact, isLoose },
      }),
    }
  }

  #plan(query: EngineQuery): Plan {
    const { clauses, after } = query
    const hasWords = hasWanted(clauses)
    const known = after && { total: after.total, isExact: after.isExact, newestSeqs: [] }
    const nothingElse: Meant = new Map()
    const source = this.#source(query, nothingElse)
    const strict = { source, hasWords, meant: nothingElse, ...(known ?? this.#hits(query, source)) }
    const isLoose = after === undefined ? strict.total === 0 && hasWords : after.isLoose
    if (!isLoose) return strict
    const count = (meant: Meant) => this.#count(this.#source(query, meant), likelyHitsMax).total
    const meant = this.#corrector.correct(clauses, count)
    if (meant.size === 0) return strict
    const loose = this.#source(query, meant)
    return { source: loose, hasWords, meant, ...(known ?? this.#hits(query, loose)) }
  }

  /** What words were probably meant as that hardly any record has; nothing of it is looked for. */
  #rarelyTyped({ clauses, filters, after }: EngineQuery, { total }: Plan): Meant {
    const none: Meant = new Map()
    if (after !== undefined || total === 0 || total > doubtedHitsMax) return none
    const meant = this.#corrector.commoner(clauses)
    if (meant.size === 0) return none
    const hits = this.#count(this.#source({ clauses, filters }, meant)).total
    return hits >= total * commonerTimes ? meant : none
  }

  #source({ clauses, filters }: Asked, meant: Meant, together: readonly string[] = []): HitSource {
    return hitSource(this.#kind, matchText(clauses, filters, { meant, together }), filters)
  }

  // Words that stand together are looked for in all that has the words, whatever filters leave.
  #hasFewWith({ clauses, filters }: Asked, meant: Meant): boolean {
    if (filters.length === 0) return true
    const source = this.#source({ clauses, filters: [] }, meant)
    return this.#count(source, togetherHitsMax).isExact
  }

  // What words begin with takes long to be found: all hits are found once, unless they are many.
  #hits({ facets }: EngineQuery, source: HitSource): Hits {
    if (facets.length === 0) return { ...this.#count(source), newestSeqs: [] }
    const { tables, conditions, seq } = source
    const where = whereOf(conditions)
    const order = `ORDER BY ${seq} DESC LIMIT ${facetHitsMax + 1}`
    const hits = `SELECT ${seq} AS seq FROM ${tables}${where.sql} ${order}`
    const [row] = this.#all(`SELECT json_group_array(seq) AS seqs FROM (${hits})`, where.values)
    const newestSeqs = JSON.parse(String(row?.['seqs'])) as readonly number[]
    const total = newestSeqs.length
    if (total <= facetHitsMax) return { total, isExact: true, newestSeqs }
    return { ...this.#count(source), newestSeqs: newestSeqs.slice(0, facetHitsMax) }
  }

  #count({ tables, conditions }: HitSource, hitsMax = countedHitsMax): Counted {
    const where = whereOf(conditions)
    const hits = `SELECT 1 FROM ${tables}${where.sql} LIMIT ${hitsMax + 1}`
    const [row] = this.#all(`SELECT count(*) AS hits FROM (${hits})`, where.values)
    const hits_counted = Number(row?.['hits'] ?? 0)
    const isExact = hits_counted <= hitsMax
    return { total: isExact ? hits_counted : hitsMax, isExact }
  }

  #page({ source, meant }: Plan, sort: string, query: EngineQuery): readonly Row[] {
    const { after, limit } = query
    const { sorts, worded } = indexShapes[this.#kind]
    const order = sorts[sort]
    if (order !== undefined) return this.#ordered(source, order, after, limit + 1)
    const together = this.#hasFewWith(query, meant) ? worded : []
    return this.#ranked(this.#source(query, meant, together), after, limit + 1)
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
    seqs: readonly number[],
  ): Pick<EnginePage, 'facets' | 'facetsOf'> {
    if (facets.length === 0 || after !== undefined) return { facets: {}, facetsOf: 0 }
    // One text of all numbers is read in two thirds of the time that as many rows take.
    const join = `json_each(?) AS hit JOIN ${this.#kind} AS row ON row.seq = hit.value`
    const read = `SELECT json_group_array(row.facets) AS sets FROM ${join}`
    const [row] = this.#all(read, [JSON.stringify(seqs)])
    const hitsOf = new Map<number, number>()
    for (const set of JSON.parse(String(row?.['sets'])) as readonly number[]) {
      hitsOf.set(set, (hitsOf.get(set) ?? 0) + 1)
    }
    const counted = facets.map(
      (name) => [name, this.#facetSets.count(name, hitsOf).slice(0, facetValuesMax)] as const,
    )
    return { facets: Object.fromEntries(counted), facetsOf: seqs.length }
  }

  #joined(tables: string): string {
    return `${tables} JOIN ${this.#kind} AS row ON row.seq = ${this.#kind}_text.rowid`
  }

  #all(sql: string, values: readonly SQLInputValue[]): readonly Row[] {
    return this.#prepared(sql).all(...values)
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      if (this.#statements.size >= statementsMax) this.#statements.clear()
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

type Asked = Pick<EngineQuery, 'clauses' | 'filters'>

/** Most hits of words, without the filters, among which those together are looked for. */
const togetherHitsMax = 20_000

/** Most hits of what may have been meant that are counted: more make it no likelier. */
const likelyHitsMax = 1_000

/** Most hits of words that may be typing errors, and how many times more hits others must have. */
const doubtedHitsMax = 10
const commonerTimes = 10

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
