import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { http } from '#src/edge/node_http.ts'
import type { Monitor, MonitorRound } from '#src/monitor/monitor.ts'
import { createMonitorMetrics } from '#src/start/monitor_metrics.ts'

/** Where a monitor is asked how it does. Port 0 is a free one. */
export type MonitorAddress = { readonly host: string; readonly port: number }

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
  { host, port }: MonitorAddress,
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
  const server = await listen(answers, { host, port })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    noteRound(round, atMs) {
      metrics.count(round, atMs)
      if (round.outcome.type !== 'unreachable') lookedMs = atMs
    },
    close() {
      server.close()
      server.closeAllConnections()
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

async function listen(answers: Answers, { host, port }: MonitorAddress): Promise<Server> {
  const server = http.createServer({ requestTimeout: requestMs }, (request, response) => {
    answer(answers, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.maxConnections = connectionsMax
  server.listen({ host, port })
  await once(server, 'listening')
  return server
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
