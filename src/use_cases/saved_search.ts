import { newest } from '#src/discovery/search/index_shape.ts'
import type { Filter } from '#src/discovery/search/search_engine.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readParameters } from '#src/edge/query_string.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import { filterParameters, viewParameters } from '#src/use_cases/search_parameters.ts'

/** What a saved search can ask for: its order is always the newest first. */
const parameters = { q: viewParameters('works').q, ...filterParameters.works }

/** Characters of a saved search. */
const queryCharactersMax = 2_000

/**
 * The query of a search of works as it is saved: its words and filters. HttpError `bad_request` if
 * one is wrong, if there are none, or if they are too long.
 */
export function savedQuery(text: string): string {
  const given = [...new URLSearchParams(text)].filter(([name, value]) => {
    return Object.hasOwn(parameters, name) && value.trim() !== ''
  })
  const asked = new Map(given)
  readParameters(Object.fromEntries(asked), parameters)
  const query = new URLSearchParams([...asked]).toString()
  if (query !== '' && query.length <= queryCharactersMax) return query
  throw new HttpError(
    'bad_request',
    `A saved search has words or filters, with ${queryCharactersMax} characters at most`,
  )
}

/** From which time on works are counted, and before which one, in milliseconds since 1970. */
type Span = { readonly fromMs: number; readonly untilMs?: number }

/** How many works that a saved search finds were registered in a span. HttpError as searches. */
export async function countNew(
  source: SearchSource,
  query: string,
  { fromMs, untilMs }: Span,
): Promise<number> {
  const asked = readParameters(Object.fromEntries(new URLSearchParams(query)), parameters)
  const to = untilMs !== undefined && { to: untilMs - 1 }
  const created: Filter = { type: 'range', field: 'created', from: fromMs, ...to }
  const values = { ...asked, created_from: [...(asked.created_from ?? []), created], sort: newest }
  return (await searchRecords(source, 'works', values, 1)).total
}
