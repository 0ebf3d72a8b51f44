import { doiUrl } from '#actors/values/identifier.ts'
import { isGrave, noticeKinds, noticesOn } from '#actors/works/update_notices.ts'
import type { FeedWork } from '#src/discovery/feeds/atom.ts'
import { csvNote, csvRow } from '#src/discovery/formats/csv_row.ts'
import { HttpError } from '#src/edge/errors.ts'
import { renderResults, searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'

/** A page of works that readers must not rely on without a look, and where the next one begins. */
type RetractedPage = { readonly works: readonly FeedWork[]; readonly next: string | null }

const grave = { type: 'any_of', field: 'notice', values: noticeKinds.filter(isGrave) } as const

/**
 * Works with a grave notice on them, those that were withdrawn as retracted among them. Errors: as
 * `searchRecords`.
 */
export async function readRetracted(
  source: SearchSource,
  registry: Registry,
  page: { readonly sort: 'updated' | 'newest'; readonly limit: number; readonly cursor?: string },
): Promise<RetractedPage> {
  const { limit, ...asked } = page
  const found = await searchRecords(source, 'works', { ...asked, notice: [grave] }, limit)
  const texts = await renderResults('works', found.ids, registry)
  return { works: texts.map((text) => JSON.parse(text) as FeedWork), next: found.nextCursor }
}

/** Works of one page of the file, and pages at most. A work with many long notices has 400 kB. */
const pageWorks = 50
const pagesMax = 2_000

const columns = [
  'ark',
  'url',
  'doi',
  'title',
  'authors',
  'kind',
  'date',
  'by',
  'notice',
  'reason',
  'status',
] as const

/** The rows of the file of all retractions: one for each grave notice, newest works first. */
export async function* retractionRows(
  source: SearchSource,
  registry: Registry,
): AsyncGenerator<string> {
  const header = csvRow(columns)
  // By this mark programs for tables know that it is UTF-8.
  yield `\ufeff${header}`
  let cursor: string | null | undefined
  for (let pages = 0; cursor !== null; pages += 1) {
    if (pages === pagesMax) {
      yield csvNote(`cut off after ${pagesMax * pageWorks} works`, header)
      return
    }
    try {
      const page = { sort: 'newest', limit: pageWorks, ...(cursor && { cursor }) } as const
      const { works, next } = await readRetracted(source, registry, page)
      yield works.map((work) => rowsOf(work, registry.baseUrl)).join('')
      cursor = next
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      yield csvNote(`cut off: ${error.message}`, header)
      return
    }
  }
}

function rowsOf(work: FeedWork, baseUrl: string): string {
  const { ark_identifier: ark, existing_doi: doi, work_title: title, authors } = work
  const about = [ark, `${baseUrl}/${ark}`, doi, title, authors]
  const told = noticesOn(work).filter(({ kind }) => isGrave(kind))
  const isTold = told.some(({ kind }) => kind === 'retraction')
  const { withdrawal_reason: reason, withdrawn_at: at = '' } = work
  const isEnded = reason === 'retraction'
  const day = at.slice(0, 10)
  const rows = told.map((notice) => {
    const where = notice.doi === undefined ? notice.ark : doiUrl(notice.doi)
    const date = notice.date ?? (isEnded && notice.kind === 'retraction' ? day : undefined)
    return [...about, notice.kind, date, notice.by, where, notice.reason, work.status]
  })
  const own = [...about, 'retraction', day, undefined, undefined, undefined, work.status]
  return [...rows, ...(isEnded && !isTold ? [own] : [])].map(csvRow).join('')
}
