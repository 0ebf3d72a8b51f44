import type { SQLInputValue } from 'node:sqlite'

import { heldColumn, heldWord, isHeld } from '#src/discovery/search/embedded/index_tables.ts'
import type { MatchText } from '#src/discovery/search/embedded/match_text.ts'
import { indexShapes } from '#src/discovery/search/index_shape.ts'
import type { Filter, IndexKind } from '#src/discovery/search/search_engine.ts'

/** A condition of SQL, with what its question marks stand for. */
export type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] }

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
