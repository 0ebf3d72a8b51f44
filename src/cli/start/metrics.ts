import { statfs } from 'node:fs/promises'

import { Counter, Gauge, type Registry } from 'prom-client'

import type {
  Environment,
  EnvironmentName,
  EnvironmentStatus,
} from '#actors/registry/environment.ts'
import type { MapStatus } from '#log/store/live_map.ts'
import type { Cosigned } from '#log/store/witnessed_history.ts'
import type { ClusterStatus } from '#src/cluster/node.ts'
import type { DelivererStatus } from '#src/delivery/webhooks/deliverer.ts'
import type { IndexerStatus } from '#src/discovery/search/indexer.ts'
import type { SearchService, SearchStatus } from '#src/discovery/search/search_service.ts'
import type { CountedRows } from '#src/identity/store/counted_rows.ts'
import type { LinkFacts } from '#src/tlog_tools/cosigning/witness_link.ts'

/** Metrics of one subject by name: what each tells, and how it is read. */
type Rows<S> = Readonly<Record<string, readonly [help: string, read: (status: S) => number]>>

/** A status, with the labels of what it is of. */
type Labelled<S> = readonly [labels: Readonly<Record<string, string>>, status: S]

const value = (read: number) => read

/**
 * Adds the metrics of a table, which are read when they are asked for. What ends with `_total` is
 * a counter: it is counted elsewhere, and only repeated here.
 */
function addMetrics<S>(
  registry: Registry,
  labelNames: readonly string[],
  rows: Rows<S>,
  readAll: () => readonly Labelled<S>[] | Promise<readonly Labelled<S>[]>,
): void {
  for (const [name, [help, read]] of Object.entries(rows)) {
    const Kind = name.endsWith('_total') ? Counter : Gauge
    const metric = new Kind({
      name: `arklog_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const statuses = await readAll()
        metric.reset()
        for (const [labels, status] of statuses) metric.inc(labels, read(status))
      },
    })
  }
}

const environmentRows: Rows<EnvironmentStatus> = {
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
  commits_total: ['Batches that were written since the start.', ({ commits }) => commits.count],
  commit_seconds_total: [
    'Time that these batches took to become durable, in seconds.',
    ({ commits }) => commits.ms / 1_000,
  ],
}

/** Adds what is known of each environment, and of the checking of its content. */
export function addEnvironmentMetrics(
  registry: Registry,
  environments: readonly Environment[],
  nowMs: () => number,
): void {
  addMetrics(registry, ['environment'], environmentRows, () =>
    environments.map((each) => [{ environment: each.name }, each.status()] as const),
  )
  addFixityMetrics(registry, environments, nowMs)
}

/** An environment, as far as the checking of its content is measured. */
type Checked = {
  readonly name: EnvironmentName
  readonly fixity: Pick<Environment['fixity'], 'overview'>
}

type FixityOverview = Awaited<ReturnType<Checked['fixity']['overview']>>
type Overview = FixityOverview & { readonly environment: string }
type Overviews = () => Promise<readonly Overview[]>

const fixityRows: Rows<FixityOverview & { readonly nowMs: number }> = {
  fixity_fetching: ['1 while content is fetched.', ({ fetching }) => (fetching ? 1 : 0)],
  fixity_queue_depth: ['Works whose content will be checked.', (overview) => overview.queue_depth],
  fixity_due: ['Works whose check is due; at 10000 they are no longer counted.', ({ due }) => due],
  fixity_oldest_due_seconds: ['How long the oldest of the due checks has been due.', ageOfOldest],
  fixity_in_flight: ['Checks under way.', (overview) => overview.in_flight],
}

const fixityStateRows: Rows<number> = {
  fixity_works: ['Works by the fixity status of their newest version.', value],
}

const fixityOutcomeRows: Rows<number> = {
  fixity_checks_total: ['Checks that ended since the start, by how they ended.', value],
}

/** Adds what is known of the checking of content. `nowMs` is the time of day. */
export function addFixityMetrics(
  registry: Registry,
  environments: readonly Checked[],
  nowMs: () => number,
): void {
  const overviews = oncePerScrape(environments)
  addMetrics(registry, ['environment'], fixityRows, async () =>
    (await overviews()).map(({ environment, ...overview }) => {
      return [{ environment }, { ...overview, nowMs: nowMs() }] as const
    }),
  )
  addMetrics(registry, ['environment', 'status'], fixityStateRows, async () =>
    (await overviews()).flatMap(({ environment, states }) =>
      Object.entries(states).map(([status, works]) => [{ environment, status }, works] as const),
    ),
  )
  addMetrics(registry, ['environment', 'outcome'], fixityOutcomeRows, async () =>
    (await overviews()).flatMap(({ environment, outcomes }) =>
      Object.entries(outcomes).map(
        ([outcome, checks]) => [{ environment, outcome }, checks] as const,
      ),
    ),
  )
}

// All metrics of a scrape begin to collect in the same turn, and so share the overviews.
function oncePerScrape(environments: readonly Checked[]): Overviews {
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

function ageOfOldest({
  oldest_pending_at: at,
  nowMs,
}: FixityOverview & { readonly nowMs: number }): number {
  return at === null ? 0 : Math.max(0, nowMs - Date.parse(at)) / 1_000
}

const clusterRows: Rows<ClusterStatus & { readonly superseded: number }> = {
  cluster_leads: [
    'Whether this node leads the cluster: 1 on one of all nodes.',
    ({ role }) => Number(role === 'leader'),
  ],
  cluster_connected: [
    'Whether this node is in contact with the others.',
    ({ connected }) => Number(connected),
  ],
  cluster_impediments: [
    'What keeps this node from leading, such as unsafe NATS servers: 0 while all is well.',
    ({ impediments }) => impediments.length,
  ],
  cluster_nodes: ['Nodes that are there, as far as this one knows.', ({ nodes }) => nodes.length],
  cluster_position: [
    'Changes of the live registry that this node shows.',
    ({ position }) => position,
  ],
  cluster_outrun_total: [
    'Changes from this node that were decided anew because another one was faster.',
    ({ superseded }) => superseded,
  ],
}

/** What a node tells of itself. */
export type ClusterFigures = {
  status(environment: 'live'): ClusterStatus
  /** Changes from here that were decided anew because somebody else was faster. */
  readonly superseded: number
}

/** Adds what a node knows of itself and of its cluster. */
export function addClusterMetrics(registry: Registry, node: ClusterFigures): void {
  addMetrics(registry, [], clusterRows, () => {
    return [[{}, { ...node.status('live'), superseded: node.superseded }]]
  })
}

/** The disk of a data directory, and the free bytes below which nothing is written to it. */
export type MeasuredDisk = { readonly dataDir: string; readonly reserveBytes: number }

/** Adds how much room the disk has, and how much of it is kept in reserve. */
export function addDiskMetrics(registry: Registry, { dataDir, reserveBytes }: MeasuredDisk): void {
  const free = ['Bytes that are free on the disk of DATA_DIR.', value] as const
  addMetrics(registry, [], { disk_free_bytes: free }, async () => {
    const { bavail, bsize } = await statfs(dataDir)
    return [[{}, bavail * bsize]]
  })
  const reserve = [
    'Free bytes below which nothing is written (DISK_RESERVE_BYTES).',
    value,
  ] as const
  addMetrics(registry, [], { disk_reserve_bytes: reserve }, () => [[{}, reserveBytes]])
}

/** Adds whether accounts and keys can be changed. */
export function addIdentityMetrics(registry: Registry, rows: Pick<CountedRows, 'failure'>): void {
  const help = '1 once a write of accounts or keys has failed: none is made until a restart.'
  addMetrics(registry, [], { identity_unwritable: [help, value] }, () => [
    [{}, rows.failure === undefined ? 0 : 1],
  ])
}

const indexRows: Rows<IndexerStatus> = {
  search_position: ['Events of the journal that the index knows of.', ({ position }) => position],
  search_lag_events: ['Events that wait to be indexed.', ({ behind }) => behind],
  search_lag_seconds: [
    'Age of the oldest event that waits, about.',
    ({ behindMs }) => behindMs / 1_000,
  ],
  search_rebuilding: ['1 while the index is made anew.', ({ rebuilding }) => (rebuilding ? 1 : 0)],
  search_batches_total: ['Batches that were indexed since the start.', ({ batches }) => batches],
  search_index_failures_total: ['Batches that could not be indexed.', ({ failures }) => failures],
}

const searchRows: Rows<SearchStatus> = {
  search_requests_total: ['Searches since the start.', ({ searches }) => searches],
  search_fallbacks_total: [
    'Searches that the embedded index answered because the server could not.',
    ({ fallbacks }) => fallbacks,
  ],
  search_failures_total: ['Searches that nothing could answer.', ({ failures }) => failures],
}

/** Adds what is known of the indexes and of searches, by the name of the environment. */
export function addSearchMetrics(
  registry: Registry,
  search: Readonly<Record<string, Pick<SearchService, 'status'>>>,
): void {
  const labels = ['environment', 'engine']
  const statuses = () =>
    Object.entries(search).map(([environment, service]) => {
      return [{ environment }, service.status()] as const
    })
  addMetrics(registry, labels, indexRows, () =>
    statuses().flatMap(([{ environment }, { indexes }]) =>
      indexes.map((index) => [{ environment, engine: index.engine }, index] as const),
    ),
  )
  addMetrics(registry, labels, searchRows, statuses)
}

/** What the counts of uses tell of themselves. */
export type UsageFigures = {
  /** Uses that were counted here and are lost. */
  readonly lost: number
  /** In a cluster: messages that wait until all nodes are told. */
  readonly shared: { readonly waiting: number } | undefined
}

/** Adds what became of the counts of uses. */
export function addUsageMetrics(registry: Registry, usage: UsageFigures): void {
  const lost =
    'Uses of works that were counted here and lost: not written, or not told to other nodes.'
  addMetrics(registry, [], { usage_lost_total: [lost, value] }, () => [[{}, usage.lost]])
  const { shared } = usage
  if (shared === undefined) return
  const waiting =
    'Batches of counted uses that wait until all nodes are told: 0 while there is contact.'
  addMetrics(registry, [], { usage_waiting: [waiting, value] }, () => [[{}, shared.waiting]])
}

const mapRows: Rows<MapStatus> = {
  map_entries: ['Entries of the log that the map covers.', ({ covers }) => covers],
  map_arks: ['ARKs that the map has.', ({ keys }) => keys],
  map_failed: [
    '1 once the log has a map leaf that does not follow from its entries: nothing is proven.',
    ({ state }) => Number(state === 'failed'),
  ],
}

/** Adds how the maps of logs are doing, by the name of the environment; a log may have none. */
export function addMapMetrics(
  registry: Registry,
  environments: readonly Pick<Environment, 'name' | 'status'>[],
): void {
  addMetrics(registry, ['environment'], mapRows, () =>
    environments.flatMap(({ name, status }) => {
      const { map } = status()
      return map === undefined ? [] : [[{ environment: name }, map] as const]
    }),
  )
}

const deliveryRows: Rows<DelivererStatus> = {
  webhook_waiting: [
    'Messages that wait after a refusal, and one for each webhook that is behind.',
    ({ waiting }) => waiting,
  ],
  webhook_failing: ['Webhooks whose newest try has failed.', ({ failing }) => failing],
  webhook_under_way: ['Webhooks to which something is sent now.', ({ underWay }) => underWay],
}

const endpointRows: Rows<number> = {
  webhook_endpoints: ['Webhooks by their status: those that failed wait for their owners.', value],
}

const triesRows: Rows<number> = {
  webhook_deliveries_total: [
    'Tries to deliver a message since the start, by how they ended.',
    value,
  ],
}

/** Adds what is known of the deliveries of webhooks, by the name of the environment. */
export function addWebhookMetrics(
  registry: Registry,
  deliverers: Readonly<Record<string, { readonly status: () => DelivererStatus }>>,
): void {
  const statuses = () =>
    Object.entries(deliverers).map(([environment, deliverer]) => {
      return [{ environment }, deliverer.status()] as const
    })
  addMetrics(registry, ['environment'], deliveryRows, statuses)
  addMetrics(registry, ['environment', 'status'], endpointRows, () =>
    statuses().flatMap(([{ environment }, { endpoints }]) =>
      Object.entries(endpoints).map(([status, count]) => [{ environment, status }, count] as const),
    ),
  )
  addMetrics(registry, ['environment', 'outcome'], triesRows, () =>
    statuses().flatMap(([{ environment }, { delivered, failed }]) =>
      Object.entries({ delivered, failed }).map(
        ([outcome, count]) => [{ environment, outcome }, count] as const,
      ),
    ),
  )
}

/** What is measured, by the name of the environment; `treeSize` is the size of its log now. */
export type WitnessedLogs = Readonly<
  Record<
    string,
    {
      /** The collector of cosignatures of the log. */
      readonly collector: {
        readonly cosigned: Cosigned
        readonly links: readonly { readonly facts: LinkFacts }[]
      }
      readonly treeSize: () => number
    }
  >
>

const witnessRows: Rows<LinkFacts & { readonly treeSize: number }> = {
  witness_tree_size: ['Entries of the newest checkpoint that the witness has cosigned.', sizeOf],
  witness_lag_entries: [
    'Entries of the log that the witness has not cosigned.',
    (facts) => Math.max(0, facts.treeSize - sizeOf(facts)),
  ],
  witness_signed_timestamp_seconds: [
    'When the witness has cosigned last, by its own clock, in seconds since 1970; 0 if never.',
    ({ mark }) => mark?.timestamp ?? 0,
  ],
  witness_set_aside: [
    'Whether the witness is left alone, for it has contradicted the log and proven nothing.',
    ({ isSetAside }) => (isSetAside ? 1 : 0),
  ],
  witness_failures_total: [
    'Checkpoints that the witness was asked to cosign since the start, and did not.',
    ({ failures }) => failures,
  ],
}

const quorumRows: Rows<Cosigned> = {
  log_witnessed_tree_size: [
    'Leaves of the newest checkpoint that has the cosignatures of its quorum.',
    ({ witnessed }) => witnessed?.treeSize ?? 0,
  ],
}

/** Adds what is known of the witnesses of logs. */
export function addWitnessMetrics(registry: Registry, logs: WitnessedLogs): void {
  addMetrics(registry, ['environment', 'witness'], witnessRows, () =>
    Object.entries(logs).flatMap(([environment, { collector, treeSize }]) =>
      collector.links.map(({ facts }) => {
        return [
          { environment, witness: facts.name },
          { ...facts, treeSize: treeSize() },
        ] as const
      }),
    ),
  )
  addMetrics(registry, ['environment'], quorumRows, () =>
    Object.entries(logs).map(([environment, { collector }]) => {
      return [{ environment }, collector.cosigned] as const
    }),
  )
}

function sizeOf({ mark }: LinkFacts): number {
  return mark?.treeSize ?? 0
}
