import { HttpError } from '#src/errors.ts'
import { countedAddress } from '#src/edge/client_address.ts'
import { filterParameters, type View } from '#src/use_cases/search_parameters.ts'
import { formatCursor, parseCursor } from '#src/use_cases/search_cursor.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type Filter, type IndexKind, SearchError } from '#src/discovery/search/search_engine.ts'
import type {
  FoundPage,
  RecordSearch,
  Searcher,
  SearchQuery,
} from '#src/discovery/search/search_service.ts'
import {
  charactersPerWord,
  countFieldWords,
  countWords,
  parseQueryText,
  queryWordsMax,
} from '#src/discovery/search/query_text.ts'

/** Seconds after which a search that could not be answered may be tried again. */
export const searchRetrySeconds = 5

/** Where records are looked for, and for whom. */
export type SearchSource = {
  readonly service: RecordSearch | undefined
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
  const view = values as View
  const { q: text = '', facets = [], cursor } = view
  const sort = sortOf(view)
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

/** What results are ordered by: `order` is another word for the two sorts of its names. */
function sortOf({ sort, order }: View): string {
  if (sort === undefined || order === undefined || sort === order) {
    return sort ?? order ?? 'relevance'
  }
  const message =
    'The query parameter order is the sort of that name: ' +
    `give sort=${sort} or order=${order}, not both`
  throw new HttpError('bad_request', message)
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

/**
 * Refuses a search for more words than `queryWordsMax`, with HttpError `bad_request`. `fields` are
 * the filters of each parameter: the words that they look for count together with those of `q`.
 */
function checkWords(q: string, fields: ReadonlyMap<string, readonly Filter[]>): void {
  const counts = new Map([['q', countWords(parseQueryText(q))]])
  for (const [name, filters] of fields) {
    const words = filters.map((one) => (one.type === 'words' ? countFieldWords(one.text) : 0))
    counts.set(name, sumOf(words))
  }
  const total = sumOf([...counts.values()])
  if (total <= queryWordsMax) return
  const names = [...counts].filter(([, count]) => count > 0).map(([name]) => name)
  const isOne = names.length === 1
  const subject = isOne ? `parameter ${names[0]}` : `parameters ${names.join(', ')} together`
  throw new HttpError(
    'bad_request',
    `The query ${subject} must have ${queryWordsMax} different words at most, not ${total}; ` +
      `in scripts that part no words, ${charactersPerWord} characters count as one`,
  )
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
