import { MeilisearchApiError } from 'meilisearch'

import { SearchError } from '#src/discovery/search/search_error.ts'

/** Statuses after which the server may answer the next time: busy, starting, or locked up. */
const passingStatuses = new Set([401, 403, 408, 429, 500, 502, 503, 504])

/** A fault of the client as a SearchError. What is not of the server is a network that is down. */
export function serverError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (!(error instanceof MeilisearchApiError)) {
    const message = `the search server cannot be reached: ${(error as Error).message}`
    return new SearchError('search_unavailable', message, { cause: error })
  }
  const { status } = error.response
  const message = `the search server answers ${status}: ${error.message}`
  if (error.cause?.code === 'index_not_found') {
    return new SearchError('search_index_damaged', message, { cause: error })
  }
  const code = passingStatuses.has(status) ? 'search_unavailable' : 'search_failed'
  return new SearchError(code, message, { cause: error })
}
