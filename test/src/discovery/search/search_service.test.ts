import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { ServerEngine } from '#src/discovery/search/meilisearch/server_engine.ts'
import { SearchService } from '#src/discovery/search/search_service.ts'
import { until } from '#test/_until.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { openService } from '#test/src/discovery/search/_service.ts'
import { arkOf, metadataOf, openRegistry, register } from '#test/actors/_environment.ts'
import { testRecordSearch } from '#test/contracts/record_search.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { startRecordingServer } from '#test/src/discovery/search/meilisearch/_recording_server.ts'

testRecordSearch(test, (_t, service) => service)

const somebody = { caller: 'somebody' }
const queryMsMax = 60_000
const all = { text: '', filters: [], sort: 'newest', limit: 10, facets: [] }

async function open(t: ExecutionContext) {
  const environment = await openRegistry(t)
  const work = await register(environment, 'Entropy', {})
  const { close, url, replies } = await startRecordingServer()
  t.teardown(close)
  const time = { elapsedMs: 0 }
  const service = new SearchService({
    environment,
    dir: await makeTempDir(t),
    queryMsMax,
    server: new ServerEngine({ url, prefix: 'arklog_', journal: environment.origin }),
    elapsedMs: () => time.elapsedMs,
    hasRoom: () => true,
    report: (error) => t.log(error),
  })
  t.teardown(() => service.close())
  service.start()
  await caughtUp(service)
  return { environment, service, replies, time, id: arkOf(work).replace('/', '_'), arkOf, work }
}

test('a server answers as long as it can, and the embedded index when it cannot', async (t) => {
  const { service, replies, time, id } = await open(t)
  const asked = 'POST /indexes/arklog_works/search'
  t.like(await service.find('works', all, somebody), {
    engine: 'meilisearch',
    isFallback: false,
    ids: [],
  })
  const busy = { message: 'Busy.', code: 'too_many_search_requests', type: 'x', link: '' }
  replies.set(asked, { status: 503, body: busy })
  t.like(await service.find('works', all, somebody), {
    engine: 'embedded',
    isFallback: true,
    ids: [id],
  })
  replies.delete(asked)
  // It is left alone for a while, and then asked again.
  t.like(await service.find('works', all, somebody), { engine: 'embedded', isFallback: true })
  time.elapsedMs += 5_000
  t.like(await service.find('works', all, somebody), { engine: 'meilisearch', isFallback: false })
  t.like(service.status(), { searches: 4, fallbacks: 2, failures: 0 })
})

test('a server whose index cannot be written does not answer for what it lacks', async (t) => {
  const { environment, service, replies, time, id } = await open(t)
  const failed = { uid: 1, status: 'failed', type: 'indexing', error: { message: 'Full.' } }
  replies.set('GET /tasks/1', { status: 200, body: failed })
  const next = await register(environment, 'Enthalpy', {})
  const [server, embedded] = [0, 1].map((index) => () => service.status().indexes[index])
  const hasFailed = () => server?.()?.problem !== undefined && embedded?.()?.behind === 0
  await until('only the embedded index knows the work', hasFailed, { pauseMs: 5 })
  const ids = [arkOf(next).replace('/', '_'), id]
  t.like(await service.find('works', all, somebody), { engine: 'embedded', isFallback: true, ids })
  replies.delete('GET /tasks/1')
  const isWell = () => server?.()?.problem === undefined
  await until('the server is written again', isWell, { pauseMs: 5 })
  time.elapsedMs += 5_000
  t.like(await service.find('works', all, somebody), { engine: 'meilisearch', isFallback: false })
})

test('a page of words is followed by one of the same engine, or by none', async (t) => {
  const { service, replies, time, id } = await open(t)
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
  t.like(await service.find('works', next, somebody), { engine: 'meilisearch' })
  const busy = { message: 'Busy.', code: 'too_many_search_requests', type: 'x', link: '' }
  replies.set('POST /indexes/arklog_works/search', { status: 503, body: busy })
  await t.throwsAsync(() => service.find('works', next, somebody), {
    code: 'search_unavailable',
    message: /^the search server answers 503: /,
  })
  await t.throwsAsync(() => service.find('works', next, somebody), {
    code: 'search_unavailable',
    message: 'the pages before came from a server that cannot be asked now',
  })
  t.is(service.status().failures, 2)
  // What the embedded index has begun it goes on with, also when the server is back.
  replies.delete('POST /indexes/arklog_works/search')
  time.elapsedMs += 5_000
  const own = { ...next, after: { ...place, engine: 'embedded' } } as const
  t.like(await service.find('works', own, somebody), { engine: 'embedded', ids: [id] })
  // Without words all engines find the same.
  const last = { value: 9, seq: 9 }
  const plain = { ...all, after: { ...place, sort: 'newest', ranked: [], last } } as const
  t.like(await service.find('works', plain, somebody), { engine: 'meilisearch' })
  replies.set('POST /indexes/arklog_works/search', { status: 503, body: busy })
  t.like(await service.find('works', plain, somebody), { engine: 'embedded', ids: [id] })
})

test('an identifier of nothing is looked for as a word', async (t) => {
  const { service, replies, id, work } = await open(t)
  const gone = { message: 'Gone.', code: 'index_not_found', type: 'x', link: '' }
  replies.set('POST /indexes/arklog_works/search', { status: 404, body: gone })
  const find = async (text: string) => (await service.find('works', { ...all, text }, somebody)).ids
  t.deepEqual(await find(work.ark_identifier), [id])
  t.deepEqual(await find(` ${arkOf(work)} `), [id])
  t.deepEqual(await find('10.1234/none'), [])
  t.deepEqual(await find('k2nothing99'), [])
})

test('words go on as words, whatever is registered by that name meanwhile', async (t) => {
  const titles = ['10.1234/none one', '10.1234/none two', '10.1234/none three']
  const { environment, service, ids } = await openService(t, titles)
  const asked = { ...all, text: '10.1234/none', limit: 2 }
  const first = await service.find('works', asked, somebody)
  t.deepEqual(first.ids, ids.slice(1).toReversed())
  const named = arkOf(
    await register(environment, metadataOf('Named', { existing_doi: '10.1234/none' })),
  )
  await caughtUp(service)
  const next = { ...asked, ...(first.next && { after: first.next }) }
  t.deepEqual((await service.find('works', next, somebody)).ids, ids.slice(0, 1))
  t.deepEqual((await service.find('works', asked, somebody)).ids, [named.replace('/', '_')])
})

test('an index that is found damaged is made anew', async (t) => {
  const environment = await openRegistry(t)
  const work = await register(environment, 'Entropy')
  const dir = await makeTempDir(t)
  const report = (error: unknown) => t.log(error)
  const start = async () => {
    const parts = { environment, dir, queryMsMax, elapsedMs: () => 0, hasRoom: () => true, report }
    const service = new SearchService(parts)
    t.teardown(() => service.close())
    service.start()
    await caughtUp(service)
    return service
  }
  await (await start()).close()
  const service = await start()
  const file = path.join(dir, 'index.db')
  await writeFile(file, Buffer.alloc((await stat(file)).size, 0xa5))
  await t.throwsAsync(() => service.find('works', all, somebody), { code: 'search_index_damaged' })
  const total = async () => (await service.find('works', all, somebody)).total
  const isMade = async () => (await total().catch(() => 0)) > 0
  await until('the index is made anew', isMade, { pauseMs: 5 })
  t.deepEqual((await service.find('works', all, somebody)).ids, [arkOf(work).replace('/', '_')])
})
