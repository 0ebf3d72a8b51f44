import {
  type EngineQuery,
  type LastHit,
  rankedGivenMax,
  type SearchPlace,
} from '#src/discovery/search/search_engine.ts'

/** A hit as an engine has found it: its id, and its place in the order that it was read in. */
export type Hit = LastHit & { readonly id: string }

/**
 * The hits of one page, and one more if there is one: the best by rank, then others in the order
 * that follows, which is the only one unless hits are ranked.
 */
export type PageHits = { readonly byRank: readonly Hit[]; readonly inOrder: readonly Hit[] }

/** Where a query goes on, and how long its page is. */
type Asked = Pick<EngineQuery, 'after' | 'limit'>

/**
 * How many hits are to be read by rank for a page and one more: none once the others have begun.
 * If there are fewer, there are no others.
 */
export function rankedRoom({ after, limit }: Asked): number {
  if (after?.last !== undefined) return 0
  return Math.min(limit + 1, rankedGivenMax - (after?.ranked.length ?? 0))
}

/** The hits that a page by relevance does not give again, by `seq`. */
export function givenHits(after: SearchPlace | undefined, byRank: readonly Hit[]): number[] {
  const given = [...(after?.ranked ?? []), ...byRank.map(({ seq }) => seq)]
  return given.toSorted((one, other) => one - other)
}

/** The hits that a page shows. */
export function shownHits({ byRank, inOrder }: PageHits, limit: number): readonly Hit[] {
  return [...byRank, ...inOrder].slice(0, limit)
}

/** Where the page after these hits begins; undefined if there is none. */
export function placeAfter(
  { byRank, inOrder }: PageHits,
  { after, limit }: Asked,
): Pick<SearchPlace, 'ranked' | 'last'> | undefined {
  if (byRank.length + inOrder.length <= limit) return undefined
  const best = byRank.slice(0, limit)
  const end = inOrder.slice(0, limit - best.length).at(-1)
  const last = end === undefined ? after?.last : { value: end.value, seq: end.seq }
  return { ranked: givenHits(after, best), ...(last !== undefined && { last }) }
}
