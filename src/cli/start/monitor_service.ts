import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'

import { checkpointIn } from '#log/tlog/checkpoint.ts'
import { openSmallServer, type SmallAddress } from '#src/cli/start/listeners.ts'
import type { Monitor, MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'

/** The service of a monitor: its address, and what it has to be told. */
export type MonitorService = {
  readonly url: string
  noteRound(round: MonitorRound, atMs: number): void
  close(): void
}

/**
 * When what is known is too old, in milliseconds, and when a round that is under way last read
 * entries: the first one may take long.
 */
export type MonitorTime = {
  readonly unlookedMs: number
  readonly progressMs: () => number
  readonly nowMs: () => number
}

const connectionsMax = 100
const requestMs = 10_000

/**
 * Serves what a monitor knows: `/healthz`, 503 with the reasons while an alarm goes on or the log
 * could not be read for `unlookedMs`; `/metrics` for Prometheus; `/checkpoint`, the newest verified
 * one, for other monitors. Errors: those of listening.
 */
export async function serveMonitor(
  monitor: Monitor,
  address: SmallAddress,
  { unlookedMs, progressMs, nowMs }: MonitorTime,
): Promise<MonitorService> {
  const metrics = createMonitorMetrics(monitor, nowMs)
  let lookedMs = nowMs()
  const answers: Answers = {
    '/healthz': () => {
      const reasons = reasonsOf(monitor, {
        lookedMs: Math.max(lookedMs, progressMs()),
        unlookedMs,
        nowMs,
      })
      const status = reasons.length === 0 ? 'ok' : 'alarmed'
      return json(reasons.length === 0 ? 200 : 503, { status, reasons })
    },
    '/metrics': async () => {
      return {
        status: 200,
        type: metrics.registry.contentType,
        body: await metrics.registry.metrics(),
      }
    },
    '/checkpoint': () => {
      const { state } = monitor
      if (state === undefined) return json(404, { error: 'not_found' })
      return { status: 200, type: 'text/plain; charset=utf-8', body: state.checkpoint }
    },
  }
  const serve: RequestListener = (request, response) => {
    answer(answers, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }
  const server = await openSmallServer(serve, address, { connectionsMax, requestMs })
  return {
    url: server.url,
    close: () => server.close(),
    noteRound(round, atMs) {
      metrics.count(round, atMs)
      if (round.outcome.type !== 'unreachable') lookedMs = atMs
    },
  }
}

type Answer = { readonly status: number; readonly type: string; readonly body: string }
type Answers = Readonly<Record<string, () => Answer | Promise<Answer>>>

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: `${JSON.stringify(value)}\n` }
}

function reasonsOf(
  monitor: Monitor,
  { lookedMs, unlookedMs, nowMs }: Omit<MonitorTime, 'progressMs'> & { readonly lookedMs: number },
) {
  const reasons = monitor.incidents.map(({ place, kind, message, sinceMs, evidence }) => ({
    place,
    kind,
    message,
    since: new Date(sinceMs).toISOString(),
    evidence,
  }))
  if (nowMs() - lookedMs <= unlookedMs) return reasons
  const since = new Date(lookedMs).toISOString()
  const message = 'the log could not be read for too long'
  return [...reasons, { place: 'log', kind: 'unreachable', message, since }]
}

async function answer(
  answers: Answers,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = url.replace(/\?.*$/, '')
  const find = Object.hasOwn(answers, path) ? answers[path] : undefined
  const isRead = method === 'GET' || method === 'HEAD'
  const found = isRead ? await find?.() : json(405, { error: 'method_not_allowed' })
  const { status, type, body } = found ?? json(404, { error: 'not_found' })
  const headers = { 'content-type': type, 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body)
}

/** The metrics of a monitor, and what counts its rounds. */
export type MonitorMetrics = {
  readonly registry: Registry
  count(round: MonitorRound, atMs: number): void
}

/** Makes the metrics of a monitor, for Prometheus. `nowMs` is the time of day. */
function createMonitorMetrics(monitor: Monitor, nowMs: () => number): MonitorMetrics {
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
  add(
    'head_timestamp_seconds',
    'When the newest head was first seen, in seconds since 1970.',
    () => {
      const ms = sinceMs()
      return ms === undefined ? undefined : ms / 1_000
    },
  )
  add('head_age_seconds', 'Age of the newest head in seconds.', () => {
    const ms = sinceMs()
    return ms === undefined ? undefined : Math.max(0, (nowMs() - ms) / 1_000)
  })
  add(
    'quorum_timestamp_seconds',
    'When the quorum of witnesses last signed, in seconds since 1970.',
    () => {
      const { quorum } = monitor.seen
      return quorum && quorum.atMs / 1_000
    },
  )
  add('waiting_reports', 'Reports that were not sent yet.', () => monitor.waiting)
}

function addPlaceGauges(registry: Registry, monitor: Monitor): void {
  const registers = [registry]
  const open = new Gauge({
    name: 'arklog_monitor_open_alarms',
    help: 'Current alarms, by place and kind.',
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
  const rounds = counter('rounds_total', 'Rounds, by result.', ['outcome'])
  const failures = counter('failures_total', 'Failed reads, by place.', ['place'])
  const alarms = counter('alarms_total', 'Alarms of all rounds, by kind.', ['kind'])
  const watched = counter('watched_statements_total', 'Statements found by watches.', [])
  const unread = counter('unread_statements_total', 'Statements whose records are gone.', [])
  const undelivered = counter('undelivered_total', 'Failed deliveries.', ['channel'])
  const left = new Gauge({
    name: 'arklog_monitor_watch_left_entries',
    help: 'Entries that watches have not checked yet.',
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
