import { assert } from '#log/errors.ts'
import type { Condition } from '#src/search/embedded/hit_source.ts'
import { firstLetters } from '#src/search/embedded/index_tables.ts'
import type { Row } from '#src/search/embedded/prepared_statements.ts'
import type { SortOrder } from '#src/search/index_shape.ts'
import type { SearchPlace } from '#src/search/search_engine.ts'

/**
 * The conditions of reading an order of the hits from its beginning: an index of first letters is
 * read in their order only where they are compared with some. `by` is the column of the order.
 */
export function fromFirst({ type, descending }: SortOrder, by: string): readonly Condition[] {
  assert(type === 'number' || !descending, 'texts are ordered from their first letters on')
  return type === 'number' ? [] : [{ sql: `${firstLetters(by)} >= ''`, values: [] }]
}

/** The conditions of reading an order on from a place. `seq` is the column of what is found. */
export function afterPlace(
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

/** The place of a hit in the order that it was read in. */
export function placeOf(row: Row): Pick<SearchPlace, 'value' | 'seq'> {
  const { value, seq } = row
  return { value: typeof value === 'string' ? value : Number(value), seq: Number(seq) }
}
