import test, { type ExecutionContext } from 'ava'
import { Counter, Gauge, Registry } from 'prom-client'

import { OperationsHistory } from '#src/operations/history.ts'
import { OperationsSampler } from '#src/operations/operations.ts'
import { warningsOf } from '#src/operations/warnings.ts'

const beginMs = Date.parse('2026-01-01T00:00:00.000Z')

function failing(t: ExecutionContext): (error: unknown) => void {
  return (error) => t.fail(String(error))
}

test('samples are what the metrics tell, and a warning says what to do', async (t) => {
  const registry = new Registry()
  const registers = [registry]
  const commits = new Counter({ name: 'arklog_commits_total', help: 'Commits.', registers })
  const pool = new Gauge({ name: 'arklog_pooled_proposals', help: 'Waiting.', registers })
  const free = new Gauge({ name: 'arklog_disk_free_bytes', help: 'Free.', registers })
  new Gauge({ name: 'arklog_disk_reserve_bytes', help: 'Kept.', registers }).set(100)
  const history = OperationsHistory.open(':memory:', failing(t))
  t.teardown(() => history.close())
  let nowMs = beginMs
  const sampler = new OperationsSampler({
    registry,
    history,
    nowMs: () => nowMs,
    report: failing(t),
  })
  t.teardown(() => sampler.close())
  free.set(10_000)
  await sampler.take()
  nowMs += 30_000
  commits.inc(60)
  await sampler.take()
  const { samples, warnings } = await sampler.report('hour')
  t.deepEqual(samples, [
    { atMs: beginMs, sample: { pool: 0, disk_free: 10_000 } },
    { atMs: nowMs, sample: { commits: 2, pool: 0, disk_free: 10_000 } },
  ])
  t.deepEqual(warnings, [])
  nowMs += 10_000
  free.set(400)
  pool.set(3)
  const found = (await sampler.report('hour')).warnings.map(({ code }) => code)
  t.deepEqual(found, ['diskLow', 'stuck'])
})

for (const [metric, wanted] of [
  ['arklog_damage', 'damage'],
  ['arklog_scrub_problems', 'damage'],
  ['arklog_clock_wrong', 'clock'],
  ['arklog_witness_set_aside', 'witness'],
  ['arklog_map_failed', 'mapLeaf'],
  ['arklog_webhook_failing', 'webhooks'],
] as const) {
  test(`${metric} needs an operator as soon as it counts one`, (t) => {
    t.deepEqual(warningsOf({}, [{ metric, labels: {}, value: 0 }]), [])
    const found = warningsOf({}, [{ metric, labels: {}, value: 1 }]).map(({ code }) => code)
    t.deepEqual(found, [wanted])
  })
}

test('metrics that cannot be read are reported, and the next sample is taken again', async (t) => {
  const registry = new Registry()
  let isBroken = true
  const gauge: Gauge = new Gauge({
    name: 'arklog_edge_threads',
    help: 'Threads.',
    registers: [registry],
    collect() {
      if (isBroken) throw new Error('not now')
      gauge.set(2)
    },
  })
  const history = OperationsHistory.open(':memory:', failing(t))
  t.teardown(() => history.close())
  const faults: unknown[] = []
  const report = (error: unknown) => faults.push(error)
  const sampler = new OperationsSampler({ registry, history, nowMs: () => beginMs, report })
  t.teardown(() => sampler.close())
  await sampler.take()
  isBroken = false
  await sampler.take()
  t.is(faults.length, 1)
  t.deepEqual((await sampler.report('day')).samples, [{ atMs: beginMs, sample: { threads: 2 } }])
})
