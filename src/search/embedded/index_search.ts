import type { DatabaseSync } from 'node:sqlite'

import { FacetSetReader } from '#src/search/embedded/facet_sets.ts'
import { afterPlace, fromFirst, placeOf } from '#src/search/embedded/hit_order.ts'
import {
  type HitSource,
  hitSource,
  knownSource,
  matchSource,
  rowSource,
  whereOf,
} from '#src/search/embedded/hit_source.ts'
import { firstLetters } from '#src/search/embedded/index_tables.ts'
import { matchText, type Meant, rankText } from '#src/search/embedded/match_text.ts'
import { PreparedStatements, type Row } from '#src/search/embedded/prepared_statements.ts'
import type { RankedHits, Together } from '#src/search/embedded/ranked_hits.ts'
import { ReadMemory } from '#src/search/embedded/read_memory.ts'
import { SpellingCorrector } from '#src/search/embedded/spelling_corrector.ts'
import { Vocabulary } from '#src/search/embedded/vocabulary.ts'
import { WordList } from '#src/search/embedded/word_list.ts'
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

/** Corrections and counts that are remembered. */
const rememberedMax = 1_000

/** Searches whose hits are remembered, up to 10,000 numbers each. */
const matchedMax = 16

const nothingElse: Meant = new Map()
const noFacets = { facets: {}, facetsOf: 0 }

/** Stands as the rank of hits that have none of what is ranked by; a rank is below zero. */
const noRank = 1

type Counted = { readonly total: number; readonly isExact: boolean }

/** How many hits there are, and the values of facets among them. */
type CountedHits = Counted & Pick<EnginePage, 'facets' | 'facetsOf'>

/** The hits of a query, counted; and the newest of them, by `seq`, if they are to be known. */
type Hits = CountedHits & { readonly source: HitSource; readonly newestSeqs: readonly number[] }

/** A query with what is to be known of it before its hits are read. */
type Plan = Hits & {
  readonly hasWords: boolean
  /** What is looked for in place of what was typed. */
  readonly meant: Meant
  /** What was probably meant. */
  readonly probable: Meant
}

/** Searches the index of one kind; the file is open for reading. */
export class IndexSearch {
  readonly #kind: IndexKind
  readonly #words: WordList
  readonly #vocabulary: Vocabulary
  readonly #corrector: SpellingCorrector
  readonly #facetSets: FacetSetReader
  readonly #corrections: ReadMemory<Meant>
  readonly #likelier: ReadMemory<Meant>
  readonly #wordless: ReadMemory<CountedHits>
  readonly #matched: ReadMemory<readonly number[]>
  readonly #statements: PreparedStatements

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#kind = kind
    this.#statements = new PreparedStatements(db)
    this.#facetSets = new FacetSetReader(db, kind)
    this.#words = new WordList(db, kind)
    this.#vocabulary = new Vocabulary(db, kind, this.#words)
    this.#corrector = new SpellingCorrector(this.#vocabulary)
    this.#corrections = new ReadMemory(this.#words.position, rememberedMax)
    this.#likelier = new ReadMemory(this.#words.position, rememberedMax)
    this.#wordless = new ReadMemory(this.#words.position, rememberedMax)
    this.#matched = new ReadMemory(this.#words.position, matchedMax)
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
    const { total, isExact, facets, facetsOf, meant, probable } = plan
    const isRanked = query.sort === 'relevance' && plan.hasWords && total <= rankedHitsMax
    const preferred = query.sort === 'relevance' ? (isRanked ? 'relevance' : newest) : query.sort
    const sort = query.after?.sort ?? preferred
    const rows = this.#page(plan, sort, query)
    const shown = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? shown.at(-1) : undefined
    const isLoose = meant.size > 0
    return {
      ids: shown.map(({ id }) => String(id)),
      sort,
      total,
      isExact,
      facets,
      facetsOf,
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
    const strict = this.#hits(query, nothingElse)
    const plan = { ...strict, hasWords, meant: nothingElse, probable: nothingElse }
    if (!hasWords) return plan
    // A list goes on as it was begun, whatever was registered meanwhile.
    const isNowhere = after?.isLoose ?? (strict.total === 0 && this.#anywhere(query) === 0)
    if (isNowhere) {
      const meant = this.#correct(query)
      if (meant.size === 0) return plan
      return { ...plan, ...this.#hits(query, meant), meant, probable: meant }
    }
    const isDoubted = after === undefined && strict.total <= doubtedHitsMax
    return isDoubted ? { ...plan, probable: this.#commoner(query) } : plan
  }

  /** How many records have the words of a query, whatever its filters leave. */
  #anywhere({ clauses }: EngineQuery): number {
    return this.#newest(this.#source({ clauses, filters: [] }, nothingElse)).length
  }

  // What was meant is found out without the filters, too: whoever narrows a search looks for the
  // same words.
  #correct({ clauses }: EngineQuery): Meant {
    const count = (meant: Meant) =>
      this.#count(this.#source({ clauses, filters: [] }, meant), likelyHitsMax).total
    return this.#corrections.recall(JSON.stringify(clauses), () => {
      return this.#corrector.correct(clauses, count)
    })
  }

  /** What words would say that hardly any record has, if much more has that. */
  #commoner(query: EngineQuery): Meant {
    const { clauses } = query
    return this.#likelier.recall(JSON.stringify(clauses), () => {
      const total = this.#anywhere(query)
      const meant = total > doubtedHitsMax ? nothingElse : this.#corrector.commoner(clauses)
      if (meant.size === 0) return nothingElse
      const { total: hits } = this.#count(this.#source({ clauses, filters: [] }, meant))
      return hits >= total * commonerTimes ? meant : nothingElse
    })
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

  // What filters alone leave is asked for again and again: of many hits a few more change little.
  #hits(query: EngineQuery, meant: Meant): Hits {
    const { clauses, filters, facets, after } = query
    const source = this.#source(query, meant)
    if (after !== undefined) {
      const { total, isExact } = after
      return { source, total, isExact, newestSeqs: [], ...noFacets }
    }
    if (clauses.length > 0) return { source, ...this.#found(query, source) }
    const read = (): CountedHits => {
      const { newestSeqs: _, ...counted } = this.#found(query, source)
      return counted
    }
    const areMany = ({ total }: CountedHits) => total > newestHitsMax
    const counted = this.#wordless.recall(JSON.stringify([filters, facets]), read, areMany)
    return { source, ...counted, newestSeqs: [] }
  }

  // What words begin with takes long to be found: all hits are found once, unless they are many.
  #found({ facets, sort, clauses }: EngineQuery, source: HitSource): Omit<Hits, 'source'> {
    const isRanked = sort === 'relevance' && hasWanted(clauses)
    if (facets.length === 0 && !isRanked) {
      return { ...this.#count(source), newestSeqs: [], ...noFacets }
    }
    const found = this.#newest(source)
    const isAll = found.length <= newestHitsMax
    const newestSeqs = isAll ? found : found.slice(0, newestHitsMax)
    const counted = isAll ? { total: found.length, isExact: true } : this.#count(source)
    return { ...counted, newestSeqs, ...this.#facets(facets, newestSeqs) }
  }

  /**
   * The newest hits by `seq`, one more than are ranked if there are more. What words find is looked
   * through again, for whoever narrows a search and for what else could be chosen.
   */
  #newest(source: HitSource): readonly number[] {
    const { match, ofRows = [] } = source
    if (match === undefined) return this.#read(source)
    const all = this.#matched.recall(match, () => this.#read(matchSource(this.#kind, match)))
    if (ofRows.length === 0) return all
    const isWhole = all.length <= newestHitsMax
    return this.#read(isWhole ? knownSource(this.#kind, all, ofRows) : source)
  }

  #read({ tables, conditions, seq }: HitSource): readonly number[] {
    const where = whereOf(conditions)
    const order = `ORDER BY ${seq} DESC LIMIT ${newestHitsMax + 1}`
    const hits = `SELECT ${seq} AS seq FROM ${tables}${where.sql} ${order}`
    const [row] = this.#statements.all(
      `SELECT json_group_array(seq) AS seqs FROM (${hits})`,
      where.values,
    )
    return JSON.parse(String(row?.['seqs'])) as readonly number[]
  }

  #count({ tables, conditions }: HitSource, hitsMax = countedHitsMax): Counted {
    const where = whereOf(conditions)
    const hits = `SELECT 1 FROM ${tables}${where.sql} LIMIT ${hitsMax + 1}`
    const [row] = this.#statements.all(`SELECT count(*) AS hits FROM (${hits})`, where.values)
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
    return this.#named(this.#statements.all(hits, where.values))
  }

  // Hits that only begin like the last word, with letters that few have, come after the others.
  #ranked({ source, meant, newestSeqs }: Plan, query: EngineQuery): readonly Row[] {
    const { clauses, filters, after, limit } = query
    const together = this.#hasFewWith(query, meant) ? indexShapes[this.#kind].worded : []
    const rank = rankText(clauses, filters, { meant, words: this.#words, together })
    const seqs = after === undefined ? newestSeqs : this.#newest(source)
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
    const [row] = this.#statements.all(read, [near])
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
    return this.#statements.all(`${ranked} ${order}`, [
      ...values,
      ...(isAll ? [] : [seqs]),
      ...bound,
    ])
  }

  #withoutRank({ text, seqs }: RankedHits, before: number | undefined, limit: number) {
    const table = `${this.#kind}_text`
    const ranked = `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`
    const hits =
      `SELECT value AS seq, ${noRank} AS value FROM json_each(?) ` +
      `WHERE value NOT IN (${ranked})${before === undefined ? '' : ' AND value < ?'} ` +
      `ORDER BY seq DESC LIMIT ${limit}`
    return this.#statements.all(hits, [seqs, text, ...(before === undefined ? [] : [before])])
  }

  /** The hits of one page in their order, with their ids. */
  #named(rows: readonly Row[]): readonly Row[] {
    const find = `SELECT id FROM ${this.#kind} WHERE seq = ?`
    return rows.map((row) => ({
      ...row,
      id: this.#statements.all(find, [Number(row['seq'])])[0]?.['id'] ?? '',
    }))
  }

  #facets(
    facets: readonly string[],
    seqs: readonly number[],
  ): Pick<EnginePage, 'facets' | 'facetsOf'> {
    if (facets.length === 0) return noFacets
    // One text of all numbers is read in two thirds of the time that as many rows take.
    const join = `json_each(?) AS hit JOIN ${this.#kind} AS row ON row.seq = hit.value`
    const read = `SELECT json_group_array(row.facets) AS sets FROM ${join}`
    const [row] = this.#statements.all(read, [JSON.stringify(seqs)])
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
}

type Asked = Pick<EngineQuery, 'clauses' | 'filters'>

/** Most hits of words, without the filters, among which those together are looked for. */
const togetherHitsMax = 20_000

/** Most hits of what may have been meant that are counted: more make it no likelier. */
const likelyHitsMax = 1_000

/** Most hits of words that may be typing errors, and how many times more hits others must have. */
const doubtedHitsMax = 10
const commonerTimes = 10
