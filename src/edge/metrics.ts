import type { Server, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'

import type { Fixity, FixityOverview } from '#actors/works/fixity/client.ts'
import type {
  Environment,
  EnvironmentName,
  EnvironmentStatus,
} from '#actors/registry/environment.ts'
import type { ClusterStatus } from '#src/cluster/node.ts'
import { http } from '#src/edge/node_http.ts'
import { RequestDurations } from '#src/edge/request_durations.ts'
import type { EdgeRequest, LastStep } from '#src/edge/step.ts'

/** One thing that must be right for the registry to do its work, and why it is not. */
export type Check = { readonly ok: boolean; readonly problem?: string } & Readonly<
  Record<string, unknown>
>

/** Whether a registry can do its work, and everything that this was found by. */
export type Readiness = {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, Check>>
  /** What a node of a cluster knows of itself and of the others. */
  readonly node?: ClusterStatus
}

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
  addProcessMetrics(registry)
  const requests = new RequestDurations()
  registry.registerMetric(requests)
  const statuses = (read: ReadStatus) => () =>
    environments.map(
      (environment) => [{ environment: environment.name }, read(environment.status())] as const,
    )
  for (const [name, [help, read]] of Object.entries(statusGauges)) {
    addGauge(registry, { name: `arklog_${name}`, help }, statuses(read))
  }
  for (const [name, [help, read]] of Object.entries(statusCounters)) {
    addCounter(registry, { name: `arklog_${name}`, help }, statuses(read))
  }
  addFixityMetrics(registry, environments, nowMs)
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

/** A metric by its name; `labels` are those that its values have beside the environment. */
type Described = { readonly name: string; readonly help: string; readonly labels?: string[] }

/** What a metric has at the moment. */
type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

function addGauge(
  registry: Registry,
  { name, help, labels = [] }: Described,
  read: () => Values | Promise<Values>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: ['environment', ...labels],
    registers: [registry],
    async collect() {
      for (const [of, value] of await read()) gauge.set(of, value)
    },
  })
}

/** Adds a counter of what the environments count; here their counts are only repeated. */
function addCounter(
  registry: Registry,
  { name, help, labels = [] }: Described,
  read: () => Values | Promise<Values>,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: ['environment', ...labels],
    registers: [registry],
    async collect() {
      const values = await read()
      counter.reset()
      for (const [of, value] of values) counter.inc(of, value)
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

/** An environment, as far as it is measured here. */
type Measured = { readonly name: EnvironmentName; readonly fixity: Pick<Fixity, 'overview'> }

type Overview = FixityOverview & { readonly environment: string }
type Overviews = () => Promise<readonly Overview[]>

type ReadOverview = (overview: FixityOverview, nowMs: number) => number

const gauges: Readonly<Record<string, readonly [help: string, read: ReadOverview]>> = {
  fetching: ['1 while content is fetched.', ({ fetching }) => (fetching ? 1 : 0)],
  queue_depth: ['Works whose content will be checked.', (overview) => overview.queue_depth],
  due: ['Works whose check is due; at 10000 they are no longer counted.', ({ due }) => due],
  oldest_due_seconds: ['How long the oldest of the due checks has been due.', ageOfOldest],
  in_flight: ['Checks under way.', (overview) => overview.in_flight],
}

/** Adds what is known of the checking of content. `nowMs` is the time of day. */
export function addFixityMetrics(
  registry: Registry,
  environments: readonly Measured[],
  nowMs: () => number,
): void {
  const overviews = oncePerScrape(environments)
  const each = (read: (overview: Overview) => Values) => async () =>
    (await overviews()).flatMap((overview) => read(overview))
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const value = each((overview) => [
      [{ environment: overview.environment }, read(overview, nowMs())],
    ])
    addGauge(registry, { name: `arklog_fixity_${name}`, help }, value)
  }
  const states = {
    name: 'arklog_fixity_works',
    help: 'Works by the fixity status of their newest version.',
    labels: ['status'],
  }
  addGauge(
    registry,
    states,
    each(({ environment, states: counts }) =>
      Object.entries(counts).map(([status, works]) => [{ environment, status }, works]),
    ),
  )
  const outcomes = {
    name: 'arklog_fixity_checks_total',
    help: 'Checks that ended since the start, by how they ended.',
    labels: ['outcome'],
  }
  addCounter(
    registry,
    outcomes,
    each(({ environment, outcomes: counts }) =>
      Object.entries(counts).map(([outcome, checks]) => [{ environment, outcome }, checks]),
    ),
  )
}

// All metrics of a scrape begin to collect in the same turn, and so share the overviews.
function oncePerScrape(environments: readonly Measured[]): Overviews {
  let reading: Promise<readonly Overview[]> | undefined
  const read = async (): Promise<readonly Overview[]> => {
    const overviews = environments.map(async ({ name, fixity }) => {
      return { environment: name, ...(await fixity.overview()) }
    })
    return Promise.all(overviews)
  }
  return () => {
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }
}

function ageOfOldest({ oldest_pending_at: at }: FixityOverview, nowMs: number): number {
  return at === null ? 0 : Math.max(0, nowMs - Date.parse(at)) / 1_000
}
