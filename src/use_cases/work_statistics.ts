import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { indexShapes, newest } from '#src/discovery/search/index_shape.ts'
import type { FacetCount } from '#src/discovery/search/search_engine.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'

/** What works can be counted by. */
export const statisticsGroups: readonly string[] = indexShapes.works.facets

/** Where statistics are had as JSON and as CSV. */
export const statisticsPath = '/statistics/works'

/** How many works there are in all, and with each value of a group, the commonest first. */
export type WorkStatistics = {
  readonly works: number
  readonly groups: Readonly<Record<string, readonly FacetCount[]>>
}

/**
 * Counts all works that a search finds, however many, by groups. `values` are the parameters of the
 * search. Errors: those of `searchRecords`.
 */
export async function countWorks(
  source: SearchSource,
  values: Readonly<Record<string, unknown>>,
  groups: readonly string[],
): Promise<WorkStatistics> {
  // The order of a search of which only numbers are wanted: to rank what it finds takes longest.
  const asked = { ...values, facets: groups, sort: newest, isCountedWhole: true }
  const { facets, facetsOf } = await searchRecords(source, 'works', asked, 1)
  return { works: facetsOf, groups: facets }
}

/** Statistics as a table: a row for each value of each group. */
export function statisticsCsv({ groups }: WorkStatistics): string {
  const rows = Object.entries(groups).flatMap(([group, counts]) =>
    counts.map(({ value, name, count }) => csvRow([group, value, name, String(count)])),
  )
  return csvRow(['group', 'value', 'name', 'works']) + rows.join('')
}
