import type { SQLInputValue } from 'node:sqlite'

import { assert } from '#log/tlog/errors.ts'
import {
  firstLetters,
  heldColumn,
  heldWord,
  isHeld,
  type PreparedStatements,
  type Row,
} from '#src/discovery/search/embedded/index_tables.ts'
import {
  type MatchOptions,
  type MatchText,
  rankText,
} from '#src/discovery/search/embedded/match_text.ts'
import type { WordList } from '#src/discovery/search/embedded/vocabulary.ts'
import { indexShapes, type SortOrder } from '#src/discovery/search/index_shape.ts'
import {
  type EngineQuery,
  type Filter,
  type IndexKind,
  type LastHit,
  rankedHitsMax,
} from '#src/discovery/search/search_engine.ts'

/** What bm25 gives for a word at most, times its rarity, with the factor that FTS5 has. */
const wordRankMax = 2

/** The words of a query, its filters, and what was meant by its words. */
type Ranked = Pick<EngineQuery, 'clauses' | 'filters'> & MatchOptions

/** The hits that are ranked, by `seq`. */
type RankedHits = {
  readonly seqs: readonly number[]
  /** Whether these are all that the query finds. */
  readonly isAll: boolean
  /** Whether words that stand together are looked for. */
  readonly hasTogether: boolean
}

/** Hits in which words stand together, as JSON, and by how much they rank higher. */
type Together = { readonly seqs: string; readonly rank: number }

/** What hits are ranked by; `within` has them as JSON where it finds others, too. */
type RankedBy = {
  readonly text: string
  readonly within: string | undefined
  readonly near: readonly Together[]
}

/** Ranks the hits of one kind in an index. */
export class HitRanking {
  readonly #kind: IndexKind
  readonly #table: string
  readonly #rank: string
  readonly #statements: PreparedStatements
  readonly #words: WordList

  constructor(kind: IndexKind, statements: PreparedStatements, words: WordList) {
    this.#kind = kind
    this.#table = `${kind}_text`
    // A value that was asked for says nothing about rank.
    const weights = [...Object.values(indexShapes[kind].texts), 0].join(', ')
    this.#rank = `bm25(${this.#table}, ${weights})`
    this.#statements = statements
    this.#words = words
  }

  /**
   * The best of hits. Those that only begin like the last word, with letters that few have, come
   * after the others.
   */
  best({ clauses, filters, ...options }: Ranked, hits: RankedHits, limit: number): readonly Row[] {
    const { seqs, isAll, hasTogether } = hits
    const together = hasTogether ? indexShapes[this.#kind].worded : []
    const rank = rankText(clauses, filters, { ...options, together })
    const isPlain = filters.length === 0 && !clauses.some(({ isExcluded }) => isExcluded)
    const given = JSON.stringify(seqs)
    const first = this.#withRank(
      {
        text: rank.text,
        within: isAll && isPlain && rank.isWithin ? undefined : given,
        near: rank.near.map((near) => this.#together(near)),
      },
      limit,
    )
    const left = Math.min(limit, seqs.length) - first.length
    return left <= 0 ? first : [...first, ...this.#withoutRank(rank.text, given, left)]
  }

  /** The best of what any of some words finds. */
  bestOf({ tables, conditions, seq }: HitSource, limit: number): readonly Row[] {
    const where = whereOf(conditions)
    const best =
      `SELECT ${seq} AS seq, ${this.#rank} AS value FROM ${tables}${where.sql} ` +
      `ORDER BY value, seq DESC LIMIT ${limit}`
    return this.#statements.all(best, where.values)
  }

  // What stands together counts as a word that so few records have, near its most in one of them.
  #together(near: string): Together {
    const table = this.#table
    const found = `SELECT rowid AS seq FROM ${table} WHERE ${table} MATCH ? LIMIT ${rankedHitsMax}`
    const read = `SELECT json_group_array(seq) AS seqs, count(*) AS hits FROM (${found})`
    const [row] = this.#statements.all(read, [near])
    const hits = Number(row?.['hits'])
    const rarity = Math.log((this.#words.recordsInAll() - hits + 0.5) / (hits + 0.5))
    return { seqs: String(row?.['seqs']), rank: wordRankMax * Math.max(rarity, 0) }
  }

  #withRank({ text, within, near }: RankedBy, limit: number): readonly Row[] {
    const table = this.#table
    // The sign keeps FTS5 from looking for each hit by itself.
    const isOne = `+${table}.rowid IN (SELECT value FROM json_each(?))`
    const higher = near.map(() => ` - ? * (${isOne})`).join('')
    const ranked =
      `SELECT ${table}.rowid AS seq, ${this.#rank}${higher} AS value FROM ${table} ` +
      `WHERE ${table} MATCH ?${within === undefined ? '' : ` AND ${isOne}`} ` +
      `ORDER BY value, seq DESC LIMIT ${limit}`
    const values = [...near.flatMap((one) => [one.rank, one.seqs]), text]
    return this.#statements.all(ranked, within === undefined ? values : [...values, within])
  }

  #withoutRank(text: string, seqs: string, limit: number): readonly Row[] {
    const table = this.#table
    const ranked = `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`
    const hits =
      'SELECT value AS seq, 0 AS value FROM json_each(?) ' +
      `WHERE value NOT IN (${ranked}) ORDER BY seq DESC LIMIT ${limit}`
    return this.#statements.all(hits, [seqs, text])
  }
}

/** A condition of SQL, with what its question marks stand for. */
type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] }

/**
 * Where the hits of a query come from: tables and conditions, and the column of `seq` by which they
 * are read in order. Where words are looked for, `match` is what FTS5 finds, and `ofRows` are the
 * conditions that the rows of that must meet.
 */
export type HitSource = {
  readonly tables: string
  readonly conditions: readonly Condition[]
  readonly seq: string
  readonly match?: string
  readonly ofRows?: readonly Condition[]
}

/** All that FTS5 finds, whatever stands in the rows. */
export function matchSource(kind: IndexKind, match: string): HitSource {
  const condition = { sql: `${kind}_text MATCH ?`, values: [match] }
  return { tables: `${kind}_text`, conditions: [condition], seq: `${kind}_text.rowid` }
}

/** Those of known hits, by `seq`, whose rows meet conditions. */
export function knownSource(
  kind: IndexKind,
  seqs: readonly number[],
  ofRows: readonly Condition[],
): HitSource {
  const known = 'row.seq IN (SELECT value FROM json_each(?))'
  const conditions = [{ sql: known, values: [JSON.stringify(seqs)] }, ...ofRows]
  return { tables: `${kind} AS row`, conditions, seq: 'row.seq' }
}

/**
 * The hits of a query. What finds fewest is read first: the words, with the values that stand among
 * them, else all rows.
 */
export function hitSource(
  kind: IndexKind,
  { wanted, excluded }: MatchText,
  filters: readonly Filter[],
): HitSource {
  const asked = filters.filter(({ type }) => type !== 'words')
  const matched = matchedFilters(kind, asked, wanted !== undefined)
  const rest = new Set(asked).difference(new Set<Filter>(matched))
  const conditions = [...rest].map(conditionOf)
  const held = matched.map((filter) => heldText(kind, filter))
  const parts = wanted === undefined ? held : [`(${wanted})`, ...held]
  if (parts.length === 0) {
    const without = excluded === undefined ? [] : [exclusion(kind, excluded)]
    return { tables: `${kind} AS row`, conditions: [...conditions, ...without], seq: 'row.seq' }
  }
  const text = parts.join(' AND ') + (excluded === undefined ? '' : ` NOT (${excluded})`)
  const found = matchSource(kind, text)
  const join = conditions.length === 0 ? '' : ` JOIN ${kind} AS row ON row.seq = ${found.seq}`
  return {
    tables: found.tables + join,
    conditions: [...found.conditions, ...conditions],
    seq: found.seq,
    match: text,
    ofRows: conditions,
  }
}

/**
 * All rows that filters leave, by what stands in the rows alone: to be read in the order of one of
 * their indexes. Undefined where a record may have several of the values that are asked for, or
 * words are.
 */
export function rowSource(kind: IndexKind, filters: readonly Filter[]): HitSource | undefined {
  const isWhole = filters.every((filter) => {
    return filter.type === 'range' || (filter.type === 'any_of' && !isListed(kind, filter))
  })
  if (!isWhole) return undefined
  return { tables: `${kind} AS row`, conditions: filters.map(conditionOf), seq: 'row.seq' }
}

/** The same hits without some, by `seq`. */
export function sourceWithout(source: HitSource, seqs: readonly number[]): HitSource {
  if (seqs.length === 0) return source
  // The sign keeps SQLite from reading anything else by these.
  const sql = `+${source.seq} NOT IN (SELECT value FROM json_each(?))`
  const condition = { sql, values: [JSON.stringify(seqs)] }
  return { ...source, conditions: [...source.conditions, condition] }
}

/** The conditions as one, for WHERE. */
export function whereOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: '', values: [] }
  return {
    sql: ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
}

// What a record has once stands in its row, where it costs nothing to look at: it is looked for
// only if nothing else is, and only one value, because of all that are asked for there may be many.
function matchedFilters(
  kind: IndexKind,
  filters: readonly Filter[],
  hasWords: boolean,
): readonly AnyOf[] {
  const wanted = filters.filter((filter) => filter.type === 'any_of')
  const held = wanted.filter(({ field, values }) => values.length > 0 && isHeld(kind, field))
  const listed = held.filter((filter) => isListed(kind, filter))
  if (listed.length > 0 || hasWords) return listed
  return held.filter((filter) => filter.values.length === 1).slice(0, 1)
}

type AnyOf = Extract<Filter, { type: 'any_of' }>

/** Whether a record may have several of these values, so that they do not stand in its row. */
function isListed(kind: IndexKind, { field }: AnyOf): boolean {
  return isHeld(kind, field) && !indexShapes[kind].values.includes(field)
}

function heldText(kind: IndexKind, { field, values }: AnyOf): string {
  const words = values.map((value) => `"${heldWord(kind, field, value)}"`)
  return `({${heldColumn}} : (${words.join(' OR ')}))`
}

function conditionOf(filter: Filter): Condition {
  switch (filter.type) {
    case 'any_of':
      if (filter.values.length === 0) return { sql: 'FALSE', values: [] }
      return {
        sql: `row.${filter.field} IN (${filter.values.map(() => '?').join(', ')})`,
        values: filter.values,
      }
    case 'range': {
      const { field, from, to } = filter
      const bounds = [
        from === undefined ? [] : [['>=', from]],
        to === undefined ? [] : [['<=', to]],
      ]
      const parts = bounds.flat()
      return {
        sql: parts.map(([sign]) => `row.${field} ${sign} ?`).join(' AND '),
        values: parts.map(([, bound]) => bound ?? null),
      }
    }
    case 'words':
      throw new Error('words are matched')
  }
}

function exclusion(kind: IndexKind, excluded: string): Condition {
  const found = `SELECT rowid FROM ${kind}_text WHERE ${kind}_text MATCH ?`
  return { sql: `row.seq NOT IN (${found})`, values: [excluded] }
}

/**
 * The conditions of reading an order of the hits from its beginning: an index of first letters is
 * read in their order only where they are compared with some. `by` is the column of the order.
 */
export function fromFirst({ type, descending }: SortOrder, by: string): readonly Condition[] {
  assert(type === 'number' || !descending, 'texts are ordered from their first letters on')
  return type === 'number' ? [] : [{ sql: `${firstLetters(by)} >= ''`, values: [] }]
}

/** The conditions of reading an order on after a hit. `seq` is the column of what is found. */
export function afterPlace(
  order: SortOrder,
  by: string,
  seq: string,
  { value, seq: last }: LastHit,
): readonly Condition[] {
  const sign = order.descending ? '<' : '>'
  if (order.by === 'seq') return [{ sql: `${seq} ${sign} ?`, values: [last] }]
  const place = { sql: `(${by}, ${seq}) ${sign} (?, ?)`, values: [value, last] }
  if (order.type === 'number') return [place]
  return [{ sql: `${firstLetters(by)} ${sign}= ${firstLetters('?')}`, values: [value] }, place]
}
