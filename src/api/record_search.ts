import { HttpError } from '#src/errors.ts'
import { countedAddress } from '#src/edge/client_address.ts'
import { formatCursor, parseCursor } from '#src/api/search_cursor.ts'
import { filterParameters, type View } from '#src/api/search_parameters.ts'
import { checkWords } from '#src/api/search_words.ts'
import type { RegistryEdge } from '#src/api/registry_edge.ts'
import type { Filter, IndexKind } from '#src/search/search_engine.ts'
import { SearchError } from '#src/search/search_error.ts'
import type { FoundPage, Searcher, SearchQuery, SearchService } from '#src/search/search_service.ts'

/** Seconds after which a search that could not be answered may be tried again. */
export const searchRetrySeconds = 5

/** Where records are looked for, and for whom. */
export type SearchSource = {
  readonly service: SearchService | undefined
  readonly searcher: Searcher
}

/** The search of live records for somebody without a key, at the address `ip`. */
export function publicSearch(
  { search }: Pick<RegistryEdge, 'search'>,
  ip: string,
  signal: AbortSignal,
): SearchSource {
  return { service: search?.live, searcher: { caller: countedAddress(ip), signal } }
}

/** A page of a search, and what leads to the next one; null at the end. */
export type RecordPage = FoundPage & { readonly nextCursor: string | null }

/**
 * Finds records of a kind as the parameters ask that were read from a request; `limit` of them at
 * most unless it says. HttpError `bad_request` for a cursor of another search and for too many
 * words, `timeout` for one that takes too long, `unavailable` if nothing can be searched now.
 */
export async function searchRecords(
  source: SearchSource,
  kind: IndexKind,
  values: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<RecordPage> {
  const { q: text = '', sort = 'relevance', facets = [], cursor } = values as View
  const fields = fieldsOf(kind, values)
  checkWords(text, fields)
  const filters = [...fields.values()].flat()
  const asked = JSON.stringify([kind, text, sort, filters])
  const after = cursor === undefined ? undefined : parseCursor(cursor, asked)
  if (cursor !== undefined && after === undefined) throw wrongCursor()
  const query = { text, sort, limit, facets, filters }
  const page = await find(source, kind, { ...query, ...(after && { after }) })
  return { ...page, nextCursor: page.next === undefined ? null : formatCursor(page.next, asked) }
}

/** The filters that parameters ask for, each with the name of its parameter. */
function fieldsOf(
  kind: IndexKind,
  values: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, readonly Filter[]> {
  const names = Object.keys(filterParameters[kind]).filter((name) => values[name] !== undefined)
  return new Map(names.map((name) => [name, values[name] as readonly Filter[]]))
}

async function find(
  { service, searcher }: SearchSource,
  kind: IndexKind,
  query: SearchQuery,
): Promise<FoundPage> {
  if (service === undefined) throw unavailable()
  try {
    return await service.find(kind, query, searcher)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    if (error.code === 'search_place_lost') throw wrongCursor()
    throw error.code === 'search_timeout' ? tooLong(error) : unavailable(error)
  }
}

function wrongCursor(): HttpError {
  return new HttpError(
    'bad_request',
    'The query parameter cursor must be the next_cursor of this very search; else begin without it',
  )
}

function tooLong(cause: Error): HttpError {
  const message =
    'The search took too long and was ended; look for fewer or rarer words, or in fewer years'
  return new HttpError('timeout', message, { cause })
}

function unavailable(cause?: Error): HttpError {
  const message = 'Search is not available now; everything else is'
  const extra = { retry_after: searchRetrySeconds }
  return new HttpError('unavailable', message, { extra, ...(cause && { cause }) })
}
