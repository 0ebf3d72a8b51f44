import test from 'ava'
import { Registry } from 'prom-client'

import { loadConfig } from '#config/config.ts'
import { addWitnessMetrics } from '#src/metrics/witness_metrics.ts'
import { readReadiness } from '#src/http/health/health.ts'
import { until } from '#test/_until.ts'
import { register } from '#test/actors/_environment.ts'
import { strangeWitness } from '#test/src/witnessing/_strange_witness.ts'
import { makeWitnessed, policyOf, witnessed } from '#test/src/witnessing/_witnessed_registry.ts'

test('of each witness it is told what it signed, when, and how often it did not', async (t) => {
  const registry = await makeWitnessed(t)
  const good = await strangeWitness(t, 1, ({ text }, { line }) => line(text, 1_900_000_000))
  let isBroken = false
  const broken = await strangeWitness(t, 2, ({ text }, { line }) =>
    isBroken ? [503, 'later'] : line(text),
  )
  const { environment, collector } = await registry.start(policyOf(1, [good, broken]))
  const metrics = new Registry()
  const treeSize = () => environment.log.head().treeSize
  addWitnessMetrics(metrics, { live: { collector, treeSize } })
  await register(environment, 'One')
  await witnessed(environment, 1)
  await until('both have signed', () => collector.links.every(({ facts }) => facts.mark))
  isBroken = true
  await register(environment, 'Two')
  await witnessed(environment, 2)
  await until('one has failed', () => collector.links[1]?.facts.problem !== undefined)
  const text = await metrics.metrics()
  for (const line of [
    'arklog_witness_tree_size{environment="live",witness="w1"} 2',
    'arklog_witness_tree_size{environment="live",witness="w2"} 1',
    'arklog_witness_lag_entries{environment="live",witness="w1"} 0',
    'arklog_witness_lag_entries{environment="live",witness="w2"} 1',
    'arklog_witness_signed_timestamp_seconds{environment="live",witness="w1"} 1900000000',
    'arklog_witness_failures_total{environment="live",witness="w1"} 0',
    'arklog_log_witnessed_tree_size{environment="live"} 2',
  ]) {
    t.true(text.includes(`${line}\n`), line)
  }
  t.regex(text, /arklog_witness_failures_total\{environment="live",witness="w2"\} [1-9]/)
  const environments = { live: environment, sandbox: environment }
  const config = loadConfig({ DATA_DIR: '/tmp', DISK_RESERVE_BYTES: '0' })
  const facts = await readReadiness({ config, environments, collector, nowMs: Date.now })
  t.true(facts.ready)
  t.deepEqual(facts.checks['witnesses'], {
    ok: true,
    problem: 'witnesses do not cosign: w2: it answers 503: later',
    witnessed_tree_size: 2,
  })
})
