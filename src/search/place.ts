import { indexShapes, newest } from '#src/search/index_shape.ts'
import { hasWanted } from '#src/search/query_text.ts'
import {
  type EngineQuery,
  type IndexKind,
  type SearchPlace,
  rankedHitsMax,
} from '#src/search/search_engine.ts'

/**
 * Whether the place at which a query goes on is one that its pages can end at. Places come back
 * from clients, who may have made them up: an engine is asked for none that it does not have.
 */
export function isPlaceOf(kind: IndexKind, { after, clauses, sort }: EngineQuery): boolean {
  if (after === undefined) return true
  const isRanked = sort === 'relevance' && hasWanted(clauses)
  if (after.sort === 'relevance') return isRanked && isRank(after)
  const { sorts } = indexShapes[kind]
  const order = Object.hasOwn(sorts, after.sort) ? sorts[after.sort] : undefined
  if (order === undefined || after.sort !== (sort === 'relevance' ? newest : sort)) return false
  return order.type === 'text' ? typeof after.value === 'string' : Number.isSafeInteger(after.value)
}

// One engine goes on after a rank, the other after a number of hits.
function isRank({ engine, value }: SearchPlace): boolean {
  if (typeof value !== 'number') return false
  if (engine === 'embedded') return Number.isFinite(value)
  return Number.isInteger(value) && value >= 0 && value <= rankedHitsMax
}
