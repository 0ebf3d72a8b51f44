import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

import { FacetSetReader } from '#src/search/embedded/facet_sets.ts'
import {
  type Condition,
  type HitSource,
  hitSource,
  rowSource,
  whereOf,
} from '#src/search/embedded/hit_source.ts'
import { firstLetters } from '#src/search/embedded/index_tables.ts'
import { matchText, type Meant, rankText } from '#src/search/embedded/match_text.ts'
import { SpellingCorrector } from '#src/search/embedded/spelling_corrector.ts'
import { Vocabulary } from '#src/search/embedded/vocabulary.ts'
import { WordList } from '#src/search/embedded/word_list.ts'
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

/** Most hits that are counted, and newest hits that are ranked or over which facets are counted. */
const countedHitsMax = 100_000
const newestHitsMax = rankedHitsMax

/** What bm25 gives for a word at most, times its rarity, with the factor that FTS5 has. */
const wordRankMax = 2

/** Stands as the rank of hits that have none of what is ranked by; a rank is below zero. */
const noRank = 1

type Row = Readonly<Record<string, SQLOutputValue>>

type Counted = { readonly total: number; readonly isExact: boolean }

/** The hits of a query, counted; and the newest of them, by `seq`, if they are to be known. */
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
  readonly #words: WordList
  readonly #vocabulary: Vocabulary
  readonly #corrector: SpellingCorrector
  readonly #facetSets: FacetSetReader
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#db = db
    this.#kind = kind
    this.#facetSets = new FacetSetReader(db, kind)
    this.#words = new WordList(db, kind)
    this.#vocabulary = new Vocabulary(db, kind, this.#words)
    this.#corrector = new SpellingCorrector(this.#vocabulary)
  }

  /**
   * Reads some of what searches will need, for some milliseconds. False if there is nothing more to
   * be read.
   */
  prepare(): boolean {
    return this.#vocabulary.prepare()
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

  #source({ clauses, filters }: Asked, meant: Meant): HitSource {
    const options = { meant, words: this.#words }
    return hitSource(this.#kind, matchText(clauses, filters, options), filters)
  }

  // Words that stand together are looked for in all that has the words, whatever filters leave.
  #hasFewWith({ clauses, filters }: Asked, meant: Meant): boolean {
    if (filters.length === 0) return true
    const source = this.#source({ clauses, filters: [] }, meant)
    return this.#count(source, togetherHitsMax).isExact
  }

  // What words begin with takes long to be found: all hits are found once, unless they are many.
  #hits({ facets, sort, clauses }: EngineQuery, source: HitSource): Hits {
    const isRanked = sort === 'relevance' && hasWanted(clauses)
    if (facets.length === 0 && !isRanked) return { ...this.#count(source), newestSeqs: [] }
    const newestSeqs = this.#newest(source, newestHitsMax + 1)
    const total = newestSeqs.length
    if (total <= newestHitsMax) return { total, isExact: true, newestSeqs }
    return { ...this.#count(source), newestSeqs: newestSeqs.slice(0, newestHitsMax) }
  }

  #newest({ tables, conditions, seq }: HitSource, hitsMax: number): readonly number[] {
    const where = whereOf(conditions)
    const order = `ORDER BY ${seq} DESC LIMIT ${hitsMax}`
    const hits = `SELECT ${seq} AS seq FROM ${tables}${where.sql} ${order}`
    const [row] = this.#all(`SELECT json_group_array(seq) AS seqs FROM (${hits})`, where.values)
    return JSON.parse(String(row?.['seqs'])) as readonly number[]
  }

  #count({ tables, conditions }: HitSource, hitsMax = countedHitsMax): Counted {
    const where = whereOf(conditions)
    const hits = `SELECT 1 FROM ${tables}${where.sql} LIMIT ${hitsMax + 1}`
    const [row] = this.#all(`SELECT count(*) AS hits FROM (${hits})`, where.values)
    const hits_counted = Number(row?.['hits'] ?? 0)
    const isExact = hits_counted <= hitsMax
    return { total: isExact ? hits_counted : hitsMax, isExact }
  }

  #page(plan: Plan, sort: string, query: EngineQuery): readonly Row[] {
    const { after, limit } = query
    const order = indexShapes[this.#kind].sorts[sort]
    if (order === undefined) return this.#ranked(plan, query)
    const inOrder = order.by === 'seq' ? undefined : this.#inOrder(plan, query)
    return this.#ordered(inOrder ?? plan.source, order, after, limit + 1)
  }

  /**
   * Where the hits are found sooner on the way through all records in their order than by finding
   * all of them and putting these in order: one in so many is a hit, for each that is shown.
   */
  #inOrder({ total }: Plan, { clauses, filters, limit }: EngineQuery): HitSource | undefined {
    const isSooner = total * total > (limit + 1) * this.#words.recordsInAll()
    return clauses.length === 0 && isSooner ? rowSource(this.#kind, filters) : undefined
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
    return this.#named(this.#all(hits, where.values))
  }

  // Hits that only begin like the last word, with letters that few have, come after the others.
  #ranked({ source, meant, newestSeqs }: Plan, query: EngineQuery): readonly Row[] {
    const { clauses, filters, after, limit } = query
    const together = this.#hasFewWith(query, meant) ? indexShapes[this.#kind].worded : []
    const rank = rankText(clauses, filters, { meant, words: this.#words, together })
    const seqs = after === undefined ? newestSeqs : this.#newest(source, rankedHitsMax)
    const hits: RankedHits = {
      text: rank.text,
      near: rank.near.map((near) => this.#together(near)),
      seqs: JSON.stringify(seqs),
      isAll: rank.isWithin && filters.length === 0 && !clauses.some(({ isExcluded }) => isExcluded),
    }
    const first = after?.value === noRank ? [] : this.#withRank(hits, after, limit + 1)
    const isWhole = after === undefined && first.length === seqs.length
    if (first.length > limit || isWhole) return this.#named(first)
    const place = after?.value === noRank ? after.seq : undefined
    return this.#named([...first, ...this.#withoutRank(hits, place, limit + 1 - first.length)])
  }

  // What stands together counts as a word that so few records have, near its most in one of them.
  #together(near: string): Together {
    const table = `${this.#kind}_text`
    const found = `SELECT rowid AS seq FROM ${table} WHERE ${table} MATCH ? LIMIT ${rankedHitsMax}`
    const read = `SELECT json_group_array(seq) AS seqs, count(*) AS hits FROM (${found})`
    const [row] = this.#all(read, [near])
    const hits = Number(row?.['hits'])
    const rarity = Math.log((this.#words.recordsInAll() - hits + 0.5) / (hits + 0.5))
    return { seqs: String(row?.['seqs']), rank: wordRankMax * Math.max(rarity, 0) }
  }

  #withRank(
    { text, seqs, isAll, near }: RankedHits,
    after: SearchPlace | undefined,
    limit: number,
  ) {
    // A value that was asked for says nothing about rank.
    const weights = [...Object.values(indexShapes[this.#kind].texts), 0].join(', ')
    const table = `${this.#kind}_text`
    // The sign keeps FTS5 from looking for each hit by itself.
    const within = isAll ? '' : ` AND +${table}.rowid IN (SELECT value FROM json_each(?))`
    const higher = near.map(() => {
      return ` - ? * (+${table}.rowid IN (SELECT value FROM json_each(?)))`
    })
    const rank = `bm25(${table}, ${weights})${higher.join('')}`
    const all =
      `SELECT ${table}.rowid AS seq, ${rank} AS value FROM ${table} ` +
      `WHERE ${table} MATCH ?${within}`
    const bound = after === undefined ? [] : [after.value, after.value, after.seq]
    const kept = after === undefined ? '' : ' WHERE value > ? OR (value = ? AND seq < ?)'
    // LIMIT -1 keeps the rank from being worked out again where it is compared.
    const ranked = after === undefined ? all : `SELECT * FROM (${all} LIMIT -1)${kept}`
    const order = `ORDER BY value, seq DESC LIMIT ${limit}`
    const values = [...near.flatMap((one) => [one.rank, one.seqs]), text]
    return this.#all(`${ranked} ${order}`, [...values, ...(isAll ? [] : [seqs]), ...bound])
  }

  #withoutRank({ text, seqs }: RankedHits, before: number | undefined, limit: number) {
    const table = `${this.#kind}_text`
    const ranked = `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`
    const hits =
      `SELECT value AS seq, ${noRank} AS value FROM json_each(?) ` +
      `WHERE value NOT IN (${ranked})${before === undefined ? '' : ' AND value < ?'} ` +
      `ORDER BY seq DESC LIMIT ${limit}`
    return this.#all(hits, [seqs, text, ...(before === undefined ? [] : [before])])
  }

  /** The hits of one page in their order, with their ids. */
  #named(rows: readonly Row[]): readonly Row[] {
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

/** Hits to be ranked, as JSON, and by what; `isAll` if what they are ranked by finds no others. */
type RankedHits = {
  readonly text: string
  readonly seqs: string
  readonly isAll: boolean
  readonly near: readonly Together[]
}

/** Hits in which words stand together, as JSON, and by how much they rank higher. */
type Together = { readonly seqs: string; readonly rank: number }

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
