import type { Server, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'

import type { Environment, EnvironmentStatus } from '#actors/registry/environment.ts'
import { addFixityMetrics } from '#src/edge/fixity_metrics.ts'
import { http } from '#src/edge/node_http.ts'
import type { EdgeRequest, LastStep } from '#src/edge/step.ts'
import type { Readiness } from '#src/edge/readiness.ts'
import { RequestDurations } from '#src/edge/request_durations.ts'

/** The metrics of the process, for Prometheus. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: RequestDurations
}

/**
 * The metrics of a registry: of the process, of its requests, and of each environment. `nowMs` is
 * the time of day.
 */
export function createMetrics(environments: readonly Environment[], nowMs: () => number): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new RequestDurations()
  registry.registerMetric(requests)
  for (const [name, [help, read]] of Object.entries(statusGauges)) {
    addGauge(registry, environments, { name: `arklog_${name}`, help, read })
  }
  for (const [name, [help, read]] of Object.entries(statusCounters)) {
    addCounter(registry, environments, { name: `arklog_${name}`, help, read })
  }
  addFixityMetrics(registry, environments, nowMs)
  return { registry, requests }
}

type ReadStatus = (status: EnvironmentStatus) => number

const statusGauges: Readonly<Record<string, readonly [help: string, read: ReadStatus]>> = {
  healthy: ['1 while the environment accepts writes.', (status) => (status.healthy ? 1 : 0)],
  events: ['Events in the journal.', (status) => status.events],
  log_tree_size: ['Leaves in the log.', (status) => status.treeSize],
  log_signed_timestamp_seconds: [
    'When the newest checkpoint was signed, in seconds since 1970.',
    (status) => status.signedAtMs / 1_000,
  ],
  pooled_proposals: ['Proposals that wait for a commit.', (status) => status.pooled],
  scrubbed_rows: [
    'Rows of the store that the background reader has checked.',
    (status) => status.scrub.rows,
  ],
  scrub_problems: [
    'Damaged rows that the background reader has found; anything above 0 needs an operator.',
    (status) => status.scrub.problems,
  ],
  damage: [
    'Damage of the store that was met since the start; anything above 0 needs an operator.',
    (status) => status.damage.found,
  ],
  clock_wrong: [
    '1 while nothing is dated because the clock is wrong, or the log is ahead of it.',
    ({ clock }) => (clock.problem === undefined ? 0 : 1),
  ],
  log_ahead_seconds: [
    'How far the newest time of the log is ahead of the clock, in seconds.',
    ({ clock }) => clock.logAheadMs / 1_000,
  ],
  live_actors: [
    'Works, organizations and people that are in memory for their next change.',
    (status) => status.liveEntities,
  ],
}

const statusCounters: Readonly<Record<string, readonly [help: string, read: ReadStatus]>> = {
  commits_total: ['Batches that were written since the start.', ({ commits }) => commits.count],
  commit_seconds_total: [
    'Time that these batches took to become durable, in seconds.',
    ({ commits }) => commits.ms / 1_000,
  ],
}

type DescribedStatus = { readonly name: string; readonly help: string; readonly read: ReadStatus }

function addCounter(
  registry: Registry,
  environments: readonly Environment[],
  { name, help, read }: DescribedStatus,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: ['environment'],
    registers: [registry],
    // The environments count; here their counts are only repeated.
    collect() {
      counter.reset()
      for (const environment of environments) {
        counter.inc({ environment: environment.name }, read(environment.status()))
      }
    },
  })
}

function addGauge(
  registry: Registry,
  environments: readonly Environment[],
  { name, help, read }: DescribedStatus,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: ['environment'],
    registers: [registry],
    collect() {
      for (const environment of environments) {
        gauge.set({ environment: environment.name }, read(environment.status()))
      }
    },
  })
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
  readonly readiness?: () => Promise<Readiness>
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
