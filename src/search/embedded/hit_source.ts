import type { SQLInputValue } from 'node:sqlite'

import { listedFields } from '#src/search/embedded/index_file.ts'
import type { MatchText } from '#src/search/embedded/match_text.ts'
import { indexShapes } from '#src/search/index_shape.ts'
import type { Filter, IndexKind } from '#src/search/search_engine.ts'

/** A condition of SQL, with what its question marks stand for. */
export type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] }

/**
 * Where the hits of a query come from: tables and conditions, and the column of `seq` by which they
 * are read in order.
 */
export type HitSource = {
  readonly tables: string
  readonly conditions: readonly Condition[]
  readonly seq: string
}

/**
 * The hits of a query. What finds fewest is read first: the words, else one value that is asked
 * for, else all rows.
 */
export function hitSource(
  kind: IndexKind,
  { wanted, excluded }: MatchText,
  filters: readonly Filter[],
): HitSource {
  const rest = filters.filter(({ type }) => type !== 'words')
  const without = excluded === undefined ? [] : [exclusion(kind, excluded)]
  if (wanted !== undefined) {
    const text = excluded === undefined ? wanted : `(${wanted}) NOT (${excluded})`
    const match = { sql: `${kind}_text MATCH ?`, values: [text] }
    const conditions = [match, ...rest.map((filter) => conditionOf(kind, filter))]
    const join = rest.length === 0 ? '' : ` JOIN ${kind} AS row ON row.seq = ${kind}_text.rowid`
    return { tables: `${kind}_text${join}`, conditions, seq: `${kind}_text.rowid` }
  }
  const value = rest.find((filter) => isOneValue(kind, filter))
  const others = rest.filter((filter) => filter !== value)
  const conditions = [...others.map((filter) => conditionOf(kind, filter)), ...without]
  if (value?.type !== 'any_of') return { tables: `${kind} AS row`, conditions, seq: 'row.seq' }
  const field = listedFields(kind).indexOf(value.field)
  const found = { sql: 'held.field = ? AND held.value = ?', values: [field, ...value.values] }
  const tables = `${kind}_value AS held JOIN ${kind} AS row ON row.seq = held.seq`
  return { tables, conditions: [found, ...conditions], seq: 'held.seq' }
}

/** The conditions as one, for WHERE. */
export function whereOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: '', values: [] }
  return {
    sql: ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
}

function isOneValue(kind: IndexKind, filter: Filter): boolean {
  if (filter.type !== 'any_of' || filter.values.length !== 1) return false
  return listedFields(kind).includes(filter.field)
}

function conditionOf(kind: IndexKind, filter: Filter): Condition {
  switch (filter.type) {
    case 'any_of':
      return anyOf(kind, filter.field, filter.values)
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

function anyOf(kind: IndexKind, name: string, values: readonly string[]): Condition {
  const marks = values.map(() => '?').join(', ')
  // What a record has once stands in its row, where it costs nothing to look at.
  if (!indexShapes[kind].lists.includes(name)) return { sql: `row.${name} IN (${marks})`, values }
  const field = listedFields(kind).indexOf(name)
  const held = `SELECT 1 FROM ${kind}_value AS v WHERE v.field = ? AND v.value IN (${marks})`
  return { sql: `EXISTS (${held} AND v.seq = row.seq)`, values: [field, ...values] }
}

function exclusion(kind: IndexKind, excluded: string): Condition {
  const found = `SELECT rowid FROM ${kind}_text WHERE ${kind}_text MATCH ?`
  return { sql: `row.seq NOT IN (${found})`, values: [excluded] }
}
