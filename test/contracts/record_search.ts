import type { ExecutionContext, TestFn } from 'ava'

import type { QueueError } from '#actors/kernel/fair_queue.ts'
import type {
  RecordSearch,
  SearchQuery,
  SearchService,
} from '#src/discovery/search/search_service.ts'
import { openService } from '#test/src/discovery/search/_service.ts'

/** A search as it is used: by itself, or from another thread. */
export type MakeSearch = (t: ExecutionContext, service: SearchService) => RecordSearch

const somebody = { caller: 'somebody' }
const all: SearchQuery = { text: '', filters: [], sort: 'newest', limit: 10, facets: [] }

/** The contract of searching records, wherever the indexes are. */
export function testRecordSearch(test: TestFn, make: MakeSearch): void {
  testPages(test, make)
  testTurns(test, make)
}

function testPages(test: TestFn, make: MakeSearch): void {
  test('a search finds its records, page by page, and counts them', async (t) => {
    const { service, ids } = await openService(t, ['Entropy', 'Enthalpy', 'Energy'])
    const search = make(t, service)
    const asked = { ...all, limit: 2, facets: ['type'] }
    const first = await search.find('works', asked, somebody)
    t.deepEqual(first, await service.find('works', asked, somebody))
    t.deepEqual(first.ids, ids.toReversed().slice(0, 2))
    t.deepEqual(first.facets, { type: [{ value: 'article', count: 3 }] })
    t.truthy(first.next)
    const next = { ...asked, ...(first.next && { after: first.next }) }
    t.like(await search.find('works', next, somebody), { ids: ids.slice(0, 1), total: 3 })
    t.deepEqual((await search.find('people', all, somebody)).ids, [])
    t.deepEqual((await search.find('works', { ...all, text: 'enthalpy' }, somebody)).ids, [ids[1]])
  })

  test('a search that has an error has it with its code and words', async (t) => {
    const { service } = await openService(t, ['Entropy'])
    const search = make(t, service)
    const place = {
      engine: 'meilisearch',
      sort: 'relevance',
      ranked: [3, 7],
      total: 20,
      isExact: true,
      meant: [],
      beginnings: [],
    } as const
    const next = { ...all, text: 'entropy', sort: 'relevance', after: place }
    await t.throwsAsync(() => search.find('works', next, somebody), {
      name: 'SearchError',
      code: 'search_place_lost',
      message: 'the pages before came from another engine',
    })
    t.is(service.status().failures, 1)
  })
}

function testTurns(test: TestFn, make: MakeSearch): void {
  test('a search that waits leaves with its caller', async (t) => {
    const { service } = await openService(t, ['Entropy'])
    const search = make(t, service)
    const caller = new AbortController()
    const running = search.find('works', all, somebody)
    const waiting = search.find('works', all, { ...somebody, signal: caller.signal })
    caller.abort()
    await t.throwsAsync(waiting, { name: 'QueueError', code: 'queue_left' })
    t.is((await running).ids.length, 1)
    const gone = search.find('works', all, { ...somebody, signal: AbortSignal.abort() })
    await t.throwsAsync(gone, { name: 'QueueError', code: 'queue_left' })
    t.is((await search.find('works', all, somebody)).ids.length, 1)
  })

  test('a caller with too many searches is refused, and no other', async (t) => {
    const { service } = await openService(t, ['Entropy'])
    const search = make(t, service)
    const find = (caller: string) => search.find('works', all, { caller })
    const outcomes = Array.from({ length: 40 }, () =>
      find('busy').then(
        () => 'found',
        (error: unknown) => (error as QueueError).code,
      ),
    )
    const other = find('other')
    const seen = await Promise.all(outcomes)
    // One runs and 32 wait.
    t.deepEqual(seen.slice(0, 33), Array(33).fill('found'))
    t.deepEqual(seen.slice(33), Array(7).fill('queue_full_for_caller'))
    t.is((await other).ids.length, 1)
  })
}
