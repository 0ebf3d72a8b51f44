import test from 'ava'

import { allSeries, type MetricValue, sampleOf } from '#src/operations/series.ts'

const requests = 'arklog_http_request_duration_seconds'

function value(metric: string, amount: number, labels: MetricValue['labels'] = {}): MetricValue {
  return { metric, labels, value: amount }
}

test('names of series are unique, for samples are kept by them', (t) => {
  const names = allSeries.map(({ name }) => name)
  t.is(new Set(names).size, names.length)
})

test('a level is the sum of all environments', (t) => {
  const values = [
    value('arklog_live_actors', 3, { environment: 'live' }),
    value('arklog_live_actors', 4, { environment: 'sandbox' }),
  ]
  t.deepEqual(sampleOf({ atMs: 0, values }, undefined), { actors: 7 })
})

test('rates and means are of the time between two scrapes', (t) => {
  const before = {
    atMs: 1_000,
    values: [value('arklog_commits_total', 10), value('arklog_commit_seconds_total', 1)],
  }
  const after = [value('arklog_commits_total', 16), value('arklog_commit_seconds_total', 1.3)]
  const { commits, commit_time } = sampleOf({ atMs: 4_000, values: after }, before)
  t.is(commits, 2)
  t.is(Math.round(commit_time ?? 0), 50)
  t.deepEqual(sampleOf({ atMs: 4_000, values: after }, undefined), {}, 'there is no rate of one')
})

test('a counter that fell, as after a restart, tells no rate; no commit has no time', (t) => {
  const before = { atMs: 0, values: [value('arklog_commits_total', 10)] }
  const fallen = { atMs: 1_000, values: [value('arklog_commits_total', 2)] }
  t.deepEqual(sampleOf(fallen, before), {})
  const still = { atMs: 1_000, values: [...before.values, value('arklog_commit_seconds_total', 0)] }
  t.deepEqual(sampleOf(still, before), { commits: 0 })
})

test('replies are told apart by their kind', (t) => {
  const of = (status: number, count: number) => value(`${requests}_count`, count, { status })
  const before = { atMs: 0, values: [of(200, 1)] }
  const values = [of(200, 5), of(404, 2), of(429, 3), of(503, 1), value(`${requests}_sum`, 11)]
  const sample = sampleOf({ atMs: 1_000, values }, before)
  t.deepEqual(sample, { requests: 10, request_time: 1_100, refused: 2, limited: 3, failed: 1 })
})
