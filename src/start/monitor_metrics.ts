import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'

import { checkpointIn } from '#log/tlog/checkpoint.ts'
import type { Monitor, MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'

/** The metrics of a monitor, and what counts its rounds. */
export type MonitorMetrics = {
  readonly registry: Registry
  count(round: MonitorRound, atMs: number): void
}

/** Makes the metrics of a monitor, for Prometheus. `nowMs` is the time of day. */
export function createMonitorMetrics(monitor: Monitor, nowMs: () => number): MonitorMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addLogGauges(registry, monitor, nowMs)
  addPlaceGauges(registry, monitor)
  const count = addCounters(registry)
  return { registry, count }
}

function addLogGauges(registry: Registry, monitor: Monitor, nowMs: () => number): void {
  const add = (name: string, help: string, read: () => number | undefined) => {
    const gauge: Gauge = new Gauge({
      name: `arklog_monitor_${name}`,
      help,
      registers: [registry],
      collect: () => {
        const value = read()
        if (value !== undefined) gauge.set(value)
      },
    })
  }
  const state = () => monitor.state
  const sizeOf = () => state() && treeSizeOf(state()?.checkpoint ?? '')
  const sinceMs = () => state()?.headSinceMs
  add('tree_size', 'Entries of the newest verified head of the log.', sizeOf)
  add('entries_checked', 'Entries that were hashed and found.', () => state()?.entriesChecked)
  add('head_timestamp_seconds', 'When the newest head was seen first, since 1970.', () => {
    const ms = sinceMs()
    return ms === undefined ? undefined : ms / 1_000
  })
  add('head_age_seconds', 'For how long the newest head has been the newest.', () => {
    const ms = sinceMs()
    return ms === undefined ? undefined : Math.max(0, (nowMs() - ms) / 1_000)
  })
  add('quorum_timestamp_seconds', 'When the quorum of witnesses last signed, since 1970.', () => {
    const { quorum } = monitor.seen
    return quorum && quorum.atMs / 1_000
  })
  add('waiting_reports', 'Reports that have not gone out yet.', () => monitor.waiting)
}

function addPlaceGauges(registry: Registry, monitor: Monitor): void {
  const registers = [registry]
  const open = new Gauge({
    name: 'arklog_monitor_open_alarms',
    help: 'Alarms that go on, by where and what.',
    labelNames: ['place', 'kind'],
    registers,
    collect() {
      open.reset()
      for (const { place, kind } of monitor.incidents) open.set({ place, kind }, 1)
    },
  })
  const sizes = new Gauge({
    name: 'arklog_monitor_vantage_tree_size',
    help: 'Entries of the newest head that was seen from each vantage point.',
    labelNames: ['vantage'],
    registers,
    collect() {
      sizes.reset()
      for (const [vantage, { checkpoint }] of Object.entries(monitor.seen.vantages)) {
        sizes.set({ vantage }, treeSizeOf(checkpoint))
      }
    },
  })
  const reached = new Gauge({
    name: 'arklog_monitor_vantage_reached_timestamp_seconds',
    help: 'When each vantage point was last compared, in seconds since 1970.',
    labelNames: ['vantage'],
    registers,
    collect() {
      reached.reset()
      for (const [vantage, { reachedMs }] of Object.entries(monitor.seen.vantages)) {
        reached.set({ vantage }, reachedMs / 1_000)
      }
    },
  })
}

function addCounters(registry: Registry): MonitorMetrics['count'] {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `arklog_monitor_${name}`, help, labelNames, registers: [registry] })
  const rounds = counter('rounds_total', 'Rounds, by what became of them.', ['outcome'])
  const failures = counter('failures_total', 'What could not be looked at, by place.', ['place'])
  const alarms = counter('alarms_total', 'Alarms of all rounds, by kind.', ['kind'])
  const watched = counter('watched_statements_total', 'Statements found that are watched for.', [])
  const unread = counter('unread_statements_total', 'Statements whose records are gone.', [])
  const undelivered = counter('undelivered_total', 'Failed deliveries.', ['channel'])
  const left = new Gauge({
    name: 'arklog_monitor_watch_left_entries',
    help: 'Entries that are still to be looked through for what is watched.',
    registers: [registry],
  })
  const looked = new Gauge({
    name: 'arklog_monitor_looked_timestamp_seconds',
    help: 'When the log was last read, in seconds since 1970.',
    registers: [registry],
  })
  return (round, atMs) => {
    rounds.inc({ outcome: round.outcome.type })
    for (const { place } of round.failures) failures.inc({ place })
    for (const { alarm } of round.alarms) alarms.inc({ kind: alarm.kind })
    for (const { channel } of round.undelivered) undelivered.inc({ channel })
    watched.inc(round.watch?.found ?? 0)
    unread.inc(round.watch?.unread ?? 0)
    if (round.watch) left.set(round.watch.left)
    if (round.outcome.type !== 'unreachable') looked.set(atMs / 1_000)
  }
}

function treeSizeOf(checkpoint: string): number {
  return checkpointIn(checkpoint).treeSize
}
