import test from 'ava'
import { Registry } from 'prom-client'

import { loadConfig } from '#config/config.ts'
import type { ClusterStatus } from '#src/cluster/node.ts'
import { readReadiness } from '#src/cli/start/readiness.ts'
import {
  addClusterMetrics,
  addMapMetrics,
  addUsageMetrics,
  addWitnessMetrics,
} from '#src/cli/start/metrics.ts'
import { warningsOf } from '#src/operations/warnings.ts'
import { until } from '#test/_until.ts'
import { makeRegistry, register } from '#test/actors/_environment.ts'
import { honestWitness, strangeWitness } from '#test/src/tlog_tools/cosigning/_strange_witness.ts'
import {
  makeWitnessed,
  policyOf,
  witnessed,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

test('a node tells whether it leads, how far it has come, and how many there are', async (t) => {
  let status: ClusterStatus = {
    node: 'a',
    role: 'leader',
    position: 812,
    tree_size: 700,
    connected: true,
    leader: 'a',
    nodes: [
      { node: 'a', role: 'leader', position: 812 },
      { node: 'b', role: 'follower', position: null },
    ],
    streams: [],
    impediments: [],
  }
  const registry = new Registry()
  const node = { status: () => status, superseded: 0 }
  addClusterMetrics(registry, node)
  const valueOf = async (name: string) => {
    const text = await registry.metrics()
    return new RegExp(`^arklog_cluster_${name} (.*)$`, 'm').exec(text)?.[1]
  }
  t.is(await valueOf('leads'), '1')
  t.is(await valueOf('connected'), '1')
  t.is(await valueOf('nodes'), '2')
  t.is(await valueOf('position'), '812')
  t.is(await valueOf('impediments'), '0')
  t.is(await valueOf('outrun_total'), '0')
  node.superseded = 3
  t.is(await valueOf('outrun_total'), '3')
  status = { ...status, role: 'follower', connected: false, leader: null, impediments: ['full'] }
  t.is(await valueOf('impediments'), '1')
  t.is(await valueOf('leads'), '0')
  t.is(await valueOf('connected'), '0')
})

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

test('of each witness it is told what it signed, when, and how often it did not', async (t) => {
  const registry = await makeWitnessed(t)
  let signedSeconds = 0
  const good = await strangeWitness(t, 1, ({ text }, { line }) => {
    signedSeconds = Math.floor(Date.now() / 1_000)
    return line(text, signedSeconds)
  })
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
    `arklog_witness_signed_timestamp_seconds{environment="live",witness="w1"} ${signedSeconds}`,
    'arklog_witness_failures_total{environment="live",witness="w1"} 0',
    'arklog_log_witnessed_tree_size{environment="live"} 2',
    'arklog_witness_set_aside{environment="live",witness="w1"} 0',
    'arklog_witness_set_aside{environment="live",witness="w2"} 0',
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

test('a witness that contradicts the log is told, and makes nothing unready', async (t) => {
  const registry = await makeWitnessed(t)
  const good = await honestWitness(t, 1)
  const rogue = await strangeWitness(t, 2, () => ({ size: 999_999_999 }))
  const policy = (threshold: number) => policyOf(threshold, [good, rogue])
  const unwatched = await registry.start('quorum none')
  await register(unwatched.environment, 'One')
  await unwatched.close()
  for (const threshold of [1, 2]) {
    const { environment, collector, close } = await registry.start(policy(threshold))
    t.true(collector.links[1]?.facts.isSetAside)
    const metrics = new Registry()
    const treeSize = () => environment.log.head().treeSize
    addWitnessMetrics(metrics, { live: { collector, treeSize } })
    const values = await metrics.getMetricsAsJSON()
    t.true((await metrics.metrics()).includes('_set_aside{environment="live",witness="w2"} 1\n'))
    const told = values.flatMap(({ name, values: of }) =>
      of.map(({ labels, value }) => ({ metric: name, labels, value })),
    )
    const [warning] = warningsOf({}, told)
    t.is(warning?.code, 'witness')
    const environments = { live: environment, sandbox: environment }
    const config = loadConfig({ DATA_DIR: '/tmp', DISK_RESERVE_BYTES: '0' })
    const { ready, checks } = await readReadiness({
      config,
      environments,
      collector,
      nowMs: Date.now,
    })
    t.true(ready)
    t.like(checks['witnesses'], { ok: true, set_aside: ['w2'] })
    const problem = String(checks['witnesses']?.problem)
    t.regex(problem, /^witnesses do not cosign: w2: it says that it has cosigned 999999999 entries/)
    t.is(/; without those set aside the quorum cannot be reached/.test(problem), threshold === 2)
    await close()
  }
})

test('a map tells what it covers, and a log without one tells nothing', async (t) => {
  const mapped = await makeRegistry(t, { map: { intervalMs: 1, isWitnessed: false } })
  const [live, plain] = [await mapped.open(), await (await makeRegistry(t)).open()]
  const registry = new Registry()
  addMapMetrics(registry, [live, { ...plain, name: 'sandbox' }])
  await register(live, 'One')
  await until('its map leaf is covered too', () => live.status().map?.covers === 2)
  const text = await registry.metrics()
  for (const line of ['map_entries{environment="live"} 2', 'map_arks{environment="live"} 1']) {
    t.true(text.includes(`arklog_${line}\n`), text)
  }
  t.true(text.includes('arklog_map_failed{environment="live"} 0\n'))
  t.notRegex(text, /arklog_map\w+\{environment="sandbox"/)
  const config = loadConfig({ DATA_DIR: '/tmp', DISK_RESERVE_BYTES: '0' })
  const environments = { live, sandbox: plain }
  const { checks } = await readReadiness({ config, environments, nowMs: Date.now })
  t.like(checks['map'], { ok: true, state: 'ready', arks: 1 })
})
