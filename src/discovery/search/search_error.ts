import { CodedError } from '#log/base/errors.ts'

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
