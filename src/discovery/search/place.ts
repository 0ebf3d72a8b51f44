import { indexShapes, newest } from '#src/discovery/search/index_shape.ts'
import { hasWanted } from '#src/discovery/search/query_text.ts'
import {
  type EngineQuery,
  type IndexKind,
  type LastHit,
  rankedGivenMax,
} from '#src/discovery/search/search_engine.ts'

/**
 * Whether the place at which a query goes on is one that its pages can end at. Places come back
 * from clients, who may have made them up: an engine is asked for none that it does not have.
 */
export function isPlaceOf(kind: IndexKind, { after, clauses, sort }: EngineQuery): boolean {
  if (after === undefined) return true
  const { ranked, last } = after
  if (after.sort === 'relevance') {
    const isRanked = sort === 'relevance' && hasWanted(clauses)
    return isRanked && areGiven(ranked) && (last === undefined || isIn('number', last))
  }
  const { sorts } = indexShapes[kind]
  const order = Object.hasOwn(sorts, after.sort) ? sorts[after.sort] : undefined
  if (order === undefined || after.sort !== (sort === 'relevance' ? newest : sort)) return false
  return ranked.length === 0 && last !== undefined && isIn(order.type, last)
}

function areGiven(ranked: readonly number[]): boolean {
  if (ranked.length === 0 || ranked.length > rankedGivenMax) return false
  return ranked.every((seq, index) => index === 0 || seq > (ranked[index - 1] ?? seq))
}

function isIn(type: 'number' | 'text', { value }: LastHit): boolean {
  return type === 'text' ? typeof value === 'string' : Number.isSafeInteger(value)
}
