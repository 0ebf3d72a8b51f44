import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type { Monitor, MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'
import { createMonitorMetrics } from '#src/start/monitor_metrics.ts'
import { openSmallServer, type SmallAddress } from '#src/start/small_server.ts'

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
