import { type MatchOptions, rankText } from '#src/discovery/search/embedded/match_text.ts'
import type { PreparedStatements, Row } from '#src/discovery/search/embedded/prepared_statements.ts'
import type { WordList } from '#src/discovery/search/embedded/word_list.ts'
import { indexShapes } from '#src/discovery/search/index_shape.ts'
import {
  type EngineQuery,
  type IndexKind,
  rankedHitsMax,
} from '#src/discovery/search/search_engine.ts'

/** What bm25 gives for a word at most, times its rarity, with the factor that FTS5 has. */
const wordRankMax = 2

/** The words of a query, its filters, and what was meant by its words. */
type Ranked = Pick<EngineQuery, 'clauses' | 'filters'> & MatchOptions

/** The hits that are ranked, by `seq`. */
export type RankedHits = {
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
  readonly #statements: PreparedStatements
  readonly #words: WordList

  constructor(kind: IndexKind, statements: PreparedStatements, words: WordList) {
    this.#kind = kind
    this.#table = `${kind}_text`
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
    // A value that was asked for says nothing about rank.
    const weights = [...Object.values(indexShapes[this.#kind].texts), 0].join(', ')
    const table = this.#table
    // The sign keeps FTS5 from looking for each hit by itself.
    const isOne = `+${table}.rowid IN (SELECT value FROM json_each(?))`
    const higher = near.map(() => ` - ? * (${isOne})`).join('')
    const ranked =
      `SELECT ${table}.rowid AS seq, bm25(${table}, ${weights})${higher} AS value FROM ${table} ` +
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
