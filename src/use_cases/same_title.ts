import { foldTitle } from '#actors/values/title.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { filterParameters } from '#src/use_cases/search_parameters.ts'
import { readParameters } from '#src/edge/query_string.ts'
import { HttpError } from '#src/errors.ts'
import { QueueError } from '#actors/kernel/fair_queue.ts'

/** Works that are looked at, and shown, of those whose titles have the same words. */
const lookedAtMax = 20
const shownMax = 3

/** Words of a long title that are looked for: the rest is compared. */
const wordsMax = 12

/**
 * Works that may be this one, registered before without a DOI or by somebody else: those whose
 * titles differ in nothing but case, accents and punctuation, three at most, newest first. None
 * where nothing can be searched now: what is registered already is no secret, and no obstacle.
 */
export async function findSameTitle(
  source: SearchSource,
  { work_title }: Pick<Metadata, 'work_title'>,
  registry: Registry,
): Promise<readonly ListedWork[]> {
  const folded = foldTitle(work_title)
  const title = folded.split(' ').slice(0, wordsMax).join(' ')
  try {
    const filters = readParameters({ title }, filterParameters.works)
    const { ids } = await searchRecords(
      source,
      'works',
      { ...filters, sort: 'newest' },
      lookedAtMax,
    )
    const works = await readListedWorks(ids, registry)
    return works.filter((work) => foldTitle(work.work_title) === folded).slice(0, shownMax)
  } catch (error) {
    if (error instanceof HttpError || error instanceof QueueError) return []
    throw error
  }
}
