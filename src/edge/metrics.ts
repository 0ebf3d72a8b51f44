import type { Server, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Registry } from 'prom-client'

import { http } from '#src/edge/node_http.ts'
import { RequestDurations } from '#src/edge/request_durations.ts'
import type { EdgeRequest, LastStep } from '#src/edge/step.ts'

/** One thing that must be right for the registry to do its work, and why it is not. */
export type Check = { readonly ok: boolean; readonly problem?: string } & Readonly<
  Record<string, unknown>
>

/** Whether a server can do its work, and everything that this was found by. */
export type Readiness = {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, Check>>
}

/** The metrics of the process, for Prometheus. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: RequestDurations
}

/** The metrics of a server: of the process, and of its requests. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  addProcessMetrics(registry)
  const requests = new RequestDurations()
  registry.registerMetric(requests)
  return { registry, requests }
}

let ofProcess: Registry | undefined

/** Adds the metrics of the process, of which there is one set: what observes it never ends. */
function addProcessMetrics(registry: Registry): void {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name)
    if (metric !== undefined) registry.registerMetric(metric)
  }
}

/** Finds the address of a request whose method it does not take, and which reached no route. */
type MissedAddresses = {
  missedBy(request: EdgeRequest): { readonly url: string } | undefined
}

/** Measures every request of a server, by the pattern of its route. */
export function measureRequests(
  { requests }: Pick<Metrics, 'requests'>,
  methods: MissedAddresses,
): LastStep {
  return (request, reply) => {
    const { url = 'none' } = methods.missedBy(request) ?? request.routeOptions
    requests.count(request.method, url, reply.statusCode, reply.elapsedTime / 1_000)
  }
}

/** What the administrator's server tells: the metrics, and whether all is well, if it is asked. */
export type AdminFacts = {
  readonly metrics: Metrics
  readonly readiness?: () => Promise<Readiness & { readonly node?: object }>
}

/**
 * A server, not listening yet, with the metrics at `/metrics` and at `/readyz` whether the registry
 * can do its work, with all reasons. For the administrator only.
 */
export function buildMetricsServer({ metrics: { registry }, readiness }: AdminFacts): Server {
  const answer = async (url: string | undefined, response: ServerResponse) => {
    if (url === '/metrics') {
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } else if (url === '/readyz' && readiness !== undefined) {
      const facts = await readiness()
      response.writeHead(facts.ready ? 200 : 503, { 'content-type': 'application/json' })
      const { node, ...found } = facts
      response.end(JSON.stringify({ ...found, ...node }))
    } else {
      response.writeHead(404).end()
    }
  }
  return http.createServer((request, response) => {
    answer(request.url, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
}
