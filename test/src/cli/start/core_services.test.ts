// The services of one thread as another uses them, over real ports.

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { ContentReader } from '#src/delivery/fetch/content_fetcher.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import type { RecordSearch } from '#src/discovery/search/search_service.ts'
import type { Readiness } from '#src/edge/metrics.ts'
import type { Span } from '#src/operations/history.ts'
import { type CoreServices, offerServices, remoteServices } from '#src/cli/start/thread_services.ts'
import { until } from '#test/_until.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { testContentReader } from '#test/contracts/content_reader.ts'
import { testRecordSearch } from '#test/contracts/record_search.ts'

const ready: Readiness = { ready: true, checks: { disk: { ok: true, free_bytes: 5 } } }
const query = { text: '', filters: [], sort: 'newest', limit: 10, facets: [] }
const options = { askTimeoutMs: 60_000, searches: true }

/** Services as another side has them, and what ends that side. */
function host(t: ExecutionContext, services: Partial<CoreServices>, changes = {}) {
  const { toJoined, toOwner } = connect(t)
  const readiness = async () => ready
  offerServices(toJoined, { readiness, contentReader: new ContentReader(undefined), ...services })
  return { remote: remoteServices(toOwner, { ...options, ...changes }), end: () => toOwner.close() }
}

function searchOf(find: RecordSearch['find']): Required<Pick<CoreServices, 'search'>> {
  return { search: { live: { find }, sandbox: { find } } }
}

/** A search that never ends, and whose signals are remembered. */
function endless() {
  const signals: AbortSignal[] = []
  const find: RecordSearch['find'] = (_kind, _query, { signal }) => {
    if (signal !== undefined) signals.push(signal)
    return new Promise(() => undefined)
  }
  return { ...searchOf(find), signals }
}

function liveOf({ search }: CoreServices): RecordSearch {
  if (search === undefined) throw new Error('nothing is searched')
  return search.live
}

testRecordSearch(test, (t, service) => {
  const { remote } = host(t, { search: { live: service, sandbox: service } })
  return liveOf(remote)
})

testContentReader(test, (t, contentReader) => host(t, { contentReader }).remote.contentReader)

test('readiness is that of the other side, and its fault is one here', async (t) => {
  t.deepEqual(await host(t, {}).remote.readiness(), ready)
  const { remote } = host(t, { readiness: () => Promise.reject(new Error('no disk')) })
  await t.throwsAsync(() => remote.readiness(), { name: 'ActorError', code: 'fault' })
})

test('how the registry does is told as the other side knows it, or why nobody does', async (t) => {
  const sample = { atMs: 1_000, sample: { pool: 3 } }
  const report = async (span: Span) => ({ span, samples: [sample], warnings: [] })
  const event = { atMs: 1_000, kind: 'alarm', text: 'Began.' } as const
  const none = { count: 0, events: [] }
  const found = { alarm: { count: 1, events: [event] }, error: none, refusal: none }
  const happened = () => Promise.resolve(found)
  const { remote } = host(t, { operations: { report, happened } })
  const told = await remote.operations?.report('day')
  t.deepEqual(told, { span: 'day', samples: [sample], warnings: [] })
  const span = { fromMs: 0, untilMs: 2_000, limit: 10 }
  t.deepEqual(await remote.operations?.happened(span), found)
  const nobody = host(t, {}).remote.operations
  await t.throwsAsync(async () => nobody?.report('hour'), { name: 'ActorError', code: 'stopped' })
})

test('each environment is searched by its own, and none without search', async (t) => {
  const named = (name: string): RecordSearch => ({
    find: () => Promise.reject(new SearchError('search_failed', name)),
  })
  const { remote } = host(t, { search: { live: named('live'), sandbox: named('sandbox') } })
  for (const name of ['live', 'sandbox'] as const) {
    const found = remote.search?.[name].find('works', query, { caller: 'somebody' })
    await t.throwsAsync(async () => found, { code: 'search_failed', message: name })
  }
  t.is(host(t, {}, { searches: false }).remote.search, undefined)
})

test('what lay behind an error is told as well', async (t) => {
  const cause = new TypeError('the file is short')
  const error = new SearchError('search_index_damaged', 'it is damaged', { cause })
  const { remote } = host(
    t,
    searchOf(() => Promise.reject(error)),
  )
  const seen = await t.throwsAsync(liveOf(remote).find('works', query, { caller: 'somebody' }))
  t.true(seen instanceof SearchError)
  t.like(seen.cause, { name: 'TypeError', message: 'the file is short' })
})

test('what a side waits for is given up when that side ends', async (t) => {
  const { search, signals } = endless()
  const { remote, end } = host(t, { search })
  const found = liveOf(remote).find('works', query, { caller: 'somebody' })
  await until('it is searched', () => signals.length === 1, { pauseMs: 1 })
  end()
  await t.throwsAsync(found, { name: 'ActorError', code: 'lost' })
  await until('it is given up', () => signals[0]?.aborted === true, { pauseMs: 1 })
  await t.throwsAsync(() => remote.readiness(), { name: 'ActorError', code: 'stopped' })
  t.pass()
})

test('what takes longer than a side waits is given up', async (t) => {
  const { search, signals } = endless()
  const { remote } = host(t, { search }, { askTimeoutMs: 20 })
  const found = liveOf(remote).find('works', query, { caller: 'somebody' })
  await t.throwsAsync(found, { name: 'ActorError', code: 'timeout' })
  await until('it is given up', () => signals[0]?.aborted === true, { pauseMs: 1 })
  t.is(signals.length, 1)
})
