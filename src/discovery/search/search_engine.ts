import type { StandingWork } from '#actors/registry/catalogue/feeds.ts'
import { CodedError } from '#log/tlog/errors.ts'
import type { Clause } from '#src/discovery/search/query_text.ts'

type EngineName = 'embedded' | 'meilisearch'

/** What is searched, each in an index of its own. */
export const indexKinds = ['works', 'people', 'organizations'] as const

export type IndexKind = (typeof indexKinds)[number]

/**
 * A record as it is indexed. `id` (letters, digits, `_`, `-`) is its name in the index, `seq` the
 * position in the journal where it began, by which no two of one kind are alike. The members name
 * what the shape of the kind names (`index_shape.ts`).
 */
export type SearchDocument = {
  readonly id: string
  readonly seq: number
  /** What words are looked for in. */
  readonly texts: Readonly<Record<string, string>>
  /** Single values, and lists of them, that are equal to what is asked for. */
  readonly values: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly numbers: Readonly<Record<string, number>>
  /** What is counted by facets and called otherwise, each value of a facet once. */
  readonly named: Readonly<Record<string, readonly FacetValue[]>>
}

/** A value of a facet, by which it is filtered, and what people call it if that is another text. */
export type FacetValue = { readonly value: string; readonly name?: string }

/** Changes of all indexes that belong together. `position` is where the journal goes on after. */
export type IndexBatch = {
  readonly puts: Readonly<Record<IndexKind, readonly SearchDocument[]>>
  /** Works to be put as well: the engine makes their documents where it works, `documentsOf`. */
  readonly works: readonly StandingWork[]
  readonly removes: Readonly<Record<IndexKind, readonly string[]>>
  readonly position: number
  /** Whether what is removed must be gone from the files, too. */
  readonly purges: boolean
}

/** `current` is searched; `next` is being made anew to take its place. */
export type IndexTarget = 'current' | 'next'

/** A condition; all of a query's conditions hold for what it finds. Both ends are included. */
export type Filter =
  | { readonly type: 'any_of'; readonly field: string; readonly values: readonly string[] }
  | {
      readonly type: 'range'
      readonly field: string
      readonly from?: number
      readonly to?: number
    }
  /** Every word of `text` is a word of that text field. */
  | { readonly type: 'words'; readonly field: string; readonly text: string }

/** What the last hit of a page is ordered by, and its `seq`. */
export type LastHit = { readonly value: string | number; readonly seq: number }

/**
 * Where a page ended: all by which the next one goes on however records have changed meanwhile.
 * The rank of a hit changes with every record that is written, and so do the words that are found
 * by their beginning and by their spelling. So a place holds which hits were given, and which words
 * were looked for. `total` and `isExact` are of the first page.
 */
export type SearchPlace = {
  readonly engine: EngineName
  /** The order that was applied. */
  readonly sort: string
  /** By `relevance`: the hits that were given by rank, by `seq`, the lowest first. */
  readonly ranked: readonly number[]
  /** The last hit in the order; by `relevance` one of those after the ranked ones, newest first. */
  readonly last?: LastHit
  readonly total: number
  readonly isExact: boolean
  /** Words that were looked for in place of typed ones. */
  readonly meant: readonly Correction[]
  /** Words that were looked for as those that begin like the last one. */
  readonly beginnings: readonly string[]
  /** The field whose value the typed text names, if it was looked for as an identifier. */
  readonly named?: string
}

/** `sort` is `relevance` or an order of the kind; `facets` are values of the kind to be counted. */
export type EngineQuery = {
  readonly clauses: readonly Clause[]
  /**
   * Whether one of the words is enough: hits with more of them, and with rarer ones, come first, on
   * one page.
   */
  readonly isAnyWord?: boolean
  readonly filters: readonly Filter[]
  readonly sort: string
  readonly limit: number
  readonly after?: SearchPlace
  readonly facets: readonly string[]
  /** Whether facets are counted over all hits, which takes longer than over the newest. */
  readonly isCountedWhole?: boolean
}

export type FacetCount = FacetValue & { readonly count: number }

/** A word as it was typed, and as it was probably meant. */
export type Correction = { readonly typed: string; readonly meant: string }

export type EnginePage = {
  readonly ids: readonly string[]
  /** The order that was applied: more hits than can be ranked are given newest first. */
  readonly sort: string
  readonly total: number
  /** Whether there are no more hits than `total`. */
  readonly isExact: boolean
  readonly facets: Readonly<Record<string, readonly FacetCount[]>>
  /** Hits over which the facets were counted. */
  readonly facetsOf: number
  /** Words that were looked for in place of those that are nowhere. */
  readonly alsoSearchedFor: readonly string[]
  /** Words that were probably meant, whether they were looked for or not. */
  readonly corrections: readonly Correction[]
  /** Absent at the end. */
  readonly next?: SearchPlace
}

/**
 * What an index is kept in. It holds nothing that the journal does not: it may be lost, and is made
 * anew. Every call may throw SearchError.
 */
export type SearchEngine = {
  readonly name: EngineName
  /** Searches that it carries out at a time. */
  readonly searchesMax: number
  /**
   * Opens the index as it was committed, or makes an empty one; gives the position at which the
   * journal goes on.
   */
  open(): Promise<number>
  /** Writes a batch, which may be lost, and seen by no search, until it is committed. */
  write(batch: IndexBatch, target: IndexTarget): Promise<void>
  /** What was written is durable when it resolves, and every search that begins then sees it. */
  commit(target: IndexTarget): Promise<void>
  search(kind: IndexKind, query: EngineQuery): Promise<EnginePage>
  /** Makes an empty `next`, whatever there was of it. */
  beginNext(): Promise<void>
  /** Puts `next` in the place of `current`, in one step. */
  swap(): Promise<void>
  /** Makes `current` empty. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Most hits that are ranked; when there are more, ranking says nothing and costs much. */
export const rankedHitsMax = 10_000

/** Most hits that are given by rank, page after page; the others follow newest first. */
export const rankedGivenMax = 1_000

/** Values of a facet that are given, those with most hits. */
export const facetValuesMax = 50

/** Values of a facet that are given where all hits are counted. */
export const wholeFacetValuesMax = 500

/**
 * `search_unavailable`: the engine cannot be reached, or not now; `search_index_damaged`: the index
 * must be made anew; `search_place_lost`: the place is one of another search, or of an engine that
 * there is not any more; `search_timeout`: the query took longer than it may; `search_failed`:
 * the engine refuses what it should not.
 */
export type SearchErrorCode =
  | 'search_unavailable'
  | 'search_index_damaged'
  | 'search_place_lost'
  | 'search_timeout'
  | 'search_failed'

/** A fault of a search engine. */
export class SearchError extends CodedError<SearchErrorCode> {
  override readonly name: string = 'SearchError'
}

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
