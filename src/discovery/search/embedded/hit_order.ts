import { assert } from '#log/base/errors.ts'
import type { Condition } from '#src/discovery/search/embedded/hit_source.ts'
import { firstLetters } from '#src/discovery/search/embedded/index_tables.ts'
import type { SortOrder } from '#src/discovery/search/index_shape.ts'
import type { LastHit } from '#src/discovery/search/search_engine.ts'

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
