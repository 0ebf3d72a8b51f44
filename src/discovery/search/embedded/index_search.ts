import type { DatabaseSync } from 'node:sqlite'

import { CodeCounts, FacetValueReader } from '#src/discovery/search/embedded/facet_values.ts'
import {
  afterPlace,
  fromFirst,
  HitRanking,
  type HitSource,
  hitSource,
  knownSource,
  matchSource,
  rowSource,
  sourceWithout,
  whereOf,
} from '#src/discovery/search/embedded/hit_ranking.ts'
import {
  firstLetters,
  PreparedStatements,
  type Row,
} from '#src/discovery/search/embedded/index_tables.ts'
import {
  anyWordText,
  type Corrections,
  matchText,
  orSign,
} from '#src/discovery/search/embedded/match_text.ts'
import { ReadMemory } from '#src/discovery/search/embedded/search_reader.ts'
import { SpellingCorrector } from '#src/discovery/search/embedded/spelling_corrector.ts'
import { QueryWords, Vocabulary, WordList } from '#src/discovery/search/embedded/vocabulary.ts'
import {
  type Correction,
  type EnginePage,
  type EngineQuery,
  facetValuesMax,
  givenHits,
  type Hit,
  type IndexKind,
  type LastHit,
  type PageHits,
  placeAfter,
  rankedHitsMax,
  rankedRoom,
  shownHits,
  wholeFacetValuesMax,
} from '#src/discovery/search/search_engine.ts'
import { indexShapes, newest, type SortOrder } from '#src/discovery/search/index_shape.ts'
import { hasWanted } from '#src/discovery/search/query_text.ts'

/** Most hits that are counted, and newest hits that are ranked or over which facets are counted. */
const countedHitsMax = 100_000
const newestHitsMax = rankedHitsMax

/** Corrections and counts that are remembered. */
const rememberedMax = 1_000

/** Searches whose hits are remembered, up to 10,000 numbers each. */
const matchedMax = 16

const nothingElse: Corrections = new Map()
const noFacets = { facets: {}, facetsOf: 0 }

/** What is asked, with the words that the index has for it. */
type Query = EngineQuery & { readonly words: QueryWords }

type Asked = Pick<Query, 'clauses' | 'filters' | 'words'>

type Counted = { readonly total: number; readonly isExact: boolean }

/** How many hits there are, and the values of facets among them. */
type CountedHits = Counted & Pick<EnginePage, 'facets' | 'facetsOf'>

/** The hits of a query, counted; and the newest of them, by `seq`, if they are to be known. */
type Hits = CountedHits & { readonly source: HitSource; readonly newestSeqs: readonly number[] }

/** A query with what is to be known of it before its hits are read. */
type Plan = Hits & {
  readonly hasWords: boolean
  /** What is looked for in place of what was typed. */
  readonly corrections: Corrections
  /** What was probably meant. */
  readonly probable: Corrections
}

/** Searches the index of one kind; the file is open for reading. */
export class IndexSearch {
  readonly #kind: IndexKind
  readonly #words: WordList
  readonly #vocabulary: Vocabulary
  readonly #corrector: SpellingCorrector
  readonly #facetValues: FacetValueReader
  readonly #corrections: ReadMemory<Corrections>
  readonly #likelier: ReadMemory<Corrections>
  readonly #spelled: ReadMemory<Corrections>
  readonly #wordless: ReadMemory<CountedHits>
  readonly #matched: ReadMemory<readonly number[]>
  readonly #statements: PreparedStatements
  readonly #ranking: HitRanking

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#kind = kind
    this.#statements = new PreparedStatements(db)
    this.#facetValues = new FacetValueReader(db, kind)
    this.#words = new WordList(db, kind)
    this.#vocabulary = new Vocabulary(db, kind, this.#words)
    this.#corrector = new SpellingCorrector(this.#vocabulary)
    this.#ranking = new HitRanking(kind, this.#statements, this.#words)
    this.#corrections = new ReadMemory(this.#words.position, rememberedMax)
    this.#likelier = new ReadMemory(this.#words.position, rememberedMax)
    this.#spelled = new ReadMemory(this.#words.position, rememberedMax)
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

  search(asked: EngineQuery): EnginePage {
    if (asked.isAnyWord === true) return this.#withAnyWord(asked)
    const words = new QueryWords(this.#words, asked.after?.beginnings)
    const query: Query = { ...asked, words }
    const plan = this.#plan(query)
    const { total, isExact, facets, facetsOf, corrections, probable } = plan
    const isRanked = query.sort === 'relevance' && plan.hasWords && total <= rankedHitsMax
    const preferred = query.sort === 'relevance' ? (isRanked ? 'relevance' : newest) : query.sort
    const sort = query.after?.sort ?? preferred
    const hits = this.#page(plan, sort, query)
    const place = placeAfter(hits, query)
    const { beginnings } = words
    return {
      ids: shownHits(hits, query.limit).map(({ id }) => id),
      sort,
      total,
      isExact,
      facets,
      facetsOf,
      alsoSearchedFor: [...corrections.values()].flatMap((meant) => meant.split(orSign)),
      corrections: correctionsOf(probable),
      ...(place !== undefined && {
        next: {
          engine: 'embedded',
          sort,
          ...place,
          total,
          isExact,
          meant: correctionsOf(corrections),
          beginnings,
        },
      }),
    }
  }

  #withAnyWord({ clauses, filters, limit }: EngineQuery): EnginePage {
    const wanted = anyWordText(clauses, this.#words)
    const source = hitSource(this.#kind, { wanted, excluded: undefined }, filters)
    const hits = wanted === undefined ? [] : this.#named(this.#ranking.bestOf(source, limit))
    return {
      ids: hits.map(({ id }) => id),
      sort: 'relevance',
      total: hits.length,
      isExact: hits.length < limit,
      ...noFacets,
      alsoSearchedFor: [],
      corrections: [],
    }
  }

  #plan(query: Query): Plan {
    const { clauses, after } = query
    const hasWords = hasWanted(clauses)
    const strict = this.#hits(query, nothingElse)
    const plan = { ...strict, hasWords, corrections: nothingElse, probable: nothingElse }
    if (!hasWords) return plan
    // A list goes on as it was begun, whatever was registered meanwhile.
    const isNowhere = after === undefined && strict.total === 0 && this.#anywhere(query) === 0
    const forms = after === undefined ? this.#forms(query, strict.total) : nothingElse
    const meant = isNowhere && forms.size === 0 ? this.#correct(query) : forms
    const corrections = isNowhere ? meant : correctionsBy(after?.meant ?? [])
    if (corrections.size > 0)
      return { ...plan, ...this.#hits(query, corrections), corrections, probable: corrections }
    if (forms.size > 0) return { ...plan, probable: forms }
    const isDoubted = after === undefined && !isNowhere && strict.total <= doubtedHitsMax
    return isDoubted ? { ...plan, probable: this.#commoner(query) } : plan
  }

  /** How many records have the words of a query, whatever its filters leave. */
  #anywhere(query: Query): number {
    return this.#newest(this.#source(unfiltered(query), nothingElse)).length
  }

  // Corrections are found without the filters, too: a narrowed search looks for the
  // same words.
  #correct(query: Query): Corrections {
    const { clauses } = query
    const count = (corrections: Corrections) =>
      this.#count(this.#source(unfiltered(query), corrections), likelyHitsMax).total
    return this.#corrections.recall(JSON.stringify(clauses), () => {
      return this.#corrector.correct(clauses, count)
    })
  }

  /** The words with their other forms and spellings, if much more has these. */
  #forms(query: Query, total: number): Corrections {
    if (total > newestHitsMax) return nothingElse
    return this.#spelled.recall(JSON.stringify(query.clauses), () => {
      const forms = this.#corrector.forms(query.clauses)
      if (forms.size === 0) return nothingElse
      const hits = this.#count(this.#source(unfiltered(query), forms), newestHitsMax).total
      return hits > this.#anywhere(query) * formsTimes ? forms : nothingElse
    })
  }

  /** What words would say that hardly any record has, if much more has that. */
  #commoner(query: Query): Corrections {
    const { clauses } = query
    return this.#likelier.recall(JSON.stringify(clauses), () => {
      const total = this.#anywhere(query)
      const corrections = total > doubtedHitsMax ? nothingElse : this.#corrector.commoner(clauses)
      if (corrections.size === 0) return nothingElse
      const { total: hits } = this.#count(this.#source(unfiltered(query), corrections))
      return hits >= total * commonerTimes ? corrections : nothingElse
    })
  }

  #source({ clauses, filters, words }: Asked, corrections: Corrections): HitSource {
    const options = { corrections, words }
    return hitSource(this.#kind, matchText(clauses, filters, options), filters)
  }

  // Words that stand together are looked for in all that has the words, whatever filters leave.
  #hasFewWith(asked: Asked, corrections: Corrections): boolean {
    if (asked.filters.length === 0) return true
    const source = this.#source(unfiltered(asked), corrections)
    return this.#count(source, togetherHitsMax).isExact
  }

  // What filters alone leave is asked for again and again: of many hits a few more change little.
  #hits(query: Query, corrections: Corrections): Hits {
    const { clauses, filters, facets, after, isCountedWhole = false } = query
    const source = this.#source(query, corrections)
    if (after !== undefined) {
      const { total, isExact } = after
      return { source, total, isExact, newestSeqs: [], ...this.#facets(query, source) }
    }
    if (clauses.length > 0) return { source, ...this.#found(query, source) }
    const read = (): CountedHits => {
      const { newestSeqs: _, ...counted } = this.#found(query, source)
      return counted
    }
    const areMany = ({ total }: CountedHits) => total > newestHitsMax
    const counted = this.#wordless.recall(
      JSON.stringify([filters, facets, isCountedWhole]),
      read,
      areMany,
    )
    return { source, ...counted, newestSeqs: [] }
  }

  // What words begin with takes long to be found: all hits are found once, unless they are many.
  #found(query: EngineQuery, source: HitSource): Omit<Hits, 'source'> {
    const { facets, sort, clauses, isCountedWhole } = query
    const isRanked = sort === 'relevance' && hasWanted(clauses)
    if (facets.length === 0 && !isRanked) {
      return { ...this.#count(source), newestSeqs: [], ...noFacets }
    }
    const found = this.#newest(source)
    const isAll = found.length <= newestHitsMax
    const newestSeqs = isAll ? found : found.slice(0, newestHitsMax)
    const counted = isAll ? { total: found.length, isExact: true } : this.#count(source)
    const isEnough = isAll || isCountedWhole !== true
    return {
      ...counted,
      newestSeqs,
      ...this.#facets(query, source, isEnough ? newestSeqs : undefined),
    }
  }

  /**
   * The newest hits by `seq`, one more than are ranked if there are more. What words find is looked
   * through again, for narrower searches and for the other choices of a facet.
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

  #page(plan: Plan, sort: string, query: Query): PageHits {
    const { after, limit } = query
    const { sorts } = indexShapes[this.#kind]
    const order = sorts[sort]
    if (order !== undefined) {
      const soonest = order.by === 'seq' ? undefined : this.#inOrder(plan, query)
      const inOrder = this.#ordered(soonest ?? plan.source, order, after?.last, limit + 1)
      return { byRank: [], inOrder }
    }
    const room = rankedRoom(query)
    const byRank = room === 0 ? [] : this.#ranked(plan, query, room)
    const left = limit + 1 - byRank.length
    const following = sorts[newest]
    if (byRank.length < room || left === 0 || following === undefined)
      return { byRank, inOrder: [] }
    const others = sourceWithout(plan.source, givenHits(after, byRank))
    return { byRank, inOrder: this.#ordered(others, following, after?.last, left) }
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
    after: LastHit | undefined,
    limit: number,
  ): readonly Hit[] {
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

  /** The best of the hits that were not given yet. */
  #ranked({ source, corrections, newestSeqs }: Plan, query: Query, limit: number): readonly Hit[] {
    const { after } = query
    const given = new Set(after?.ranked)
    const seqs =
      after === undefined ? newestSeqs : this.#newest(source).filter((seq) => !given.has(seq))
    const hits = {
      seqs,
      isAll: given.size === 0,
      hasTogether: this.#hasFewWith(query, corrections),
    }
    return this.#named(this.#ranking.best({ ...query, corrections }, hits, limit))
  }

  /** The hits of one page in their order, with their ids. */
  #named(rows: readonly Row[]): readonly Hit[] {
    const find = `SELECT id FROM ${this.#kind} WHERE seq = ?`
    return rows.map(({ seq, value }) => ({
      id: String(this.#statements.all(find, [Number(seq)])[0]?.['id'] ?? ''),
      seq: Number(seq),
      value: typeof value === 'string' ? value : Number(value),
    }))
  }

  /** The facets of hits: of those that are known by `seq`, or of what a source finds. */
  #facets(
    { facets, isCountedWhole }: EngineQuery,
    source: HitSource,
    seqs?: readonly number[],
  ): Pick<EnginePage, 'facets' | 'facetsOf'> {
    if (facets.length === 0) return noFacets
    const counts = new CodeCounts()
    let facetsOf = 0
    if (isCountedWhole === true && seqs === undefined) facetsOf = this.#countAll(source, counts)
    else {
      const counted = seqs ?? this.#newest(source).slice(0, newestHitsMax)
      // One text of all numbers is read in two thirds of the time that as many rows take.
      const join = `json_each(?) AS hit JOIN ${this.#kind} AS row ON row.seq = hit.value`
      const read = `SELECT group_concat(nullif(row.facets, '')) AS codes FROM ${join}`
      const [row] = this.#statements.all(read, [JSON.stringify(counted)])
      counts.add(String(row?.['codes'] ?? ''))
      facetsOf = counted.length
    }
    const valuesMax = isCountedWhole === true ? wholeFacetValuesMax : facetValuesMax
    return { facets: this.#facetValues.commonest(facets, counts, valuesMax), facetsOf }
  }

  /** Counts the codes of all hits, some thousand at a time; gives how many hits there are. */
  #countAll({ tables, conditions, seq }: HitSource, counts: CodeCounts): number {
    const from = tables.includes(' AS row') ? tables : this.#joined(tables)
    let total = 0
    let last = Number.MAX_SAFE_INTEGER
    for (;;) {
      const where = whereOf([...conditions, { sql: `${seq} < ?`, values: [last] }])
      const hits =
        `SELECT ${seq} AS seq, row.facets AS facets FROM ${from}${where.sql} ` +
        `ORDER BY ${seq} DESC LIMIT ${newestHitsMax}`
      const [row] = this.#statements.all(
        `SELECT count(*) AS hits, min(seq) AS last, group_concat(nullif(facets, '')) AS codes ` +
          `FROM (${hits})`,
        where.values,
      )
      const hits_counted = Number(row?.['hits'] ?? 0)
      if (hits_counted === 0) return total
      counts.add(String(row?.['codes'] ?? ''))
      total += hits_counted
      last = Number(row?.['last'])
    }
  }

  #joined(tables: string): string {
    return `${tables} JOIN ${this.#kind} AS row ON row.seq = ${this.#kind}_text.rowid`
  }
}

function unfiltered({ clauses, words }: Asked): Asked {
  return { clauses, words, filters: [] }
}

function correctionsBy(corrections: readonly Correction[]): Corrections {
  return new Map(corrections.map(({ typed, meant }) => [typed, meant]))
}

function correctionsOf(corrections: Corrections): readonly Correction[] {
  return [...corrections].map(([typed, one]) => ({ typed, meant: one }))
}

/** Most hits of words, without the filters, among which those together are looked for. */
const togetherHitsMax = 20_000

/** Most hits of what may have been meant that are counted: more make it no likelier. */
const likelyHitsMax = 1_000

/** Most hits of words that may be typing errors, and how many times more hits others must have. */
const doubtedHitsMax = 10
const commonerTimes = 10

/** How many times more hits other forms of the words must have. */
const formsTimes = 1.5
