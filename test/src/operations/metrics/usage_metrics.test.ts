import test from 'ava'
import { Registry } from 'prom-client'

import { addUsageMetrics } from '#src/operations/metrics/metrics.ts'

test('what became of counts is told as it is when it is asked for', async (t) => {
  const registry = new Registry()
  const shared = { waiting: 0 }
  const usage = { lost: 0, shared }
  addUsageMetrics(registry, usage)
  for (const [lost, waiting] of [
    [0, 3],
    [7, 1],
    [7, 0],
  ] as const) {
    usage.lost = lost
    shared.waiting = waiting
    const text = await registry.metrics()
    t.regex(text, new RegExp(`^arklog_usage_lost_total ${lost}$`, 'm'))
    t.regex(text, new RegExp(`^arklog_usage_waiting ${waiting}$`, 'm'))
  }
})

test('a registry that is no node of a cluster has nothing that waits', async (t) => {
  const registry = new Registry()
  addUsageMetrics(registry, { lost: 1, shared: undefined })
  const text = await registry.metrics()
  t.regex(text, /^arklog_usage_lost_total 1$/m)
  t.notRegex(text, /arklog_usage_waiting/)
})
