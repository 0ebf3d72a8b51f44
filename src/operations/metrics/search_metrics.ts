import { Counter, Gauge, type Registry } from 'prom-client'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { IndexerStatus } from '#src/discovery/search/indexer.ts'
import type { SearchService, SearchStatus } from '#src/discovery/search/search_service.ts'

/** Search in each environment, as far as it is measured here. */
type Measured = Readonly<Record<EnvironmentName, Pick<SearchService, 'status'>>>

type Read<S> = (status: S) => number
type Described<S> = Readonly<Record<string, readonly [help: string, read: Read<S>]>>

const indexGauges: Described<IndexerStatus> = {
  position: ['Events of the journal that the index knows of.', ({ position }) => position],
  lag_events: ['Events that wait to be indexed.', ({ behind }) => behind],
  lag_seconds: ['Age of the oldest event that waits, about.', ({ behindMs }) => behindMs / 1_000],
  rebuilding: ['1 while the index is made anew.', ({ rebuilding }) => (rebuilding ? 1 : 0)],
}

const indexCounters: Described<IndexerStatus> = {
  batches_total: ['Batches that were indexed since the start.', ({ batches }) => batches],
  index_failures_total: ['Batches that could not be indexed.', ({ failures }) => failures],
}

const searchCounters: Described<SearchStatus> = {
  requests_total: ['Searches since the start.', ({ searches }) => searches],
  fallbacks_total: [
    'Searches that the embedded index answered because the server could not.',
    ({ fallbacks }) => fallbacks,
  ],
  failures_total: ['Searches that nothing could answer.', ({ failures }) => failures],
}

/** Adds what is known of the indexes and of searches. */
export function addSearchMetrics(registry: Registry, search: Measured): void {
  for (const [name, described] of Object.entries(indexGauges)) {
    addMetric(Gauge, registry, name, described, () => indexesOf(search))
  }
  for (const [name, described] of Object.entries(indexCounters)) {
    addMetric(Counter, registry, name, described, () => indexesOf(search))
  }
  for (const [name, described] of Object.entries(searchCounters)) {
    addMetric(Counter, registry, name, described, () => searchesOf(search))
  }
}

type Labelled<S> = readonly [labels: Readonly<Record<string, string>>, status: S]

function indexesOf(search: Measured): readonly Labelled<IndexerStatus>[] {
  return Object.entries(search).flatMap(([environment, service]) =>
    service
      .status()
      .indexes.map((index) => [{ environment, engine: index.engine }, index] as const),
  )
}

function searchesOf(search: Measured): readonly Labelled<SearchStatus>[] {
  return Object.entries(search).map(([environment, service]) => [{ environment }, service.status()])
}

// What is counted elsewhere is only repeated here.
function addMetric<S>(
  Kind: typeof Gauge | typeof Counter,
  registry: Registry,
  name: string,
  [help, read]: readonly [help: string, read: Read<S>],
  statuses: () => readonly Labelled<S>[],
): void {
  const labelNames = ['environment', 'engine']
  const metric = new Kind({
    name: `arklog_search_${name}`,
    help,
    labelNames,
    registers: [registry],
    collect() {
      metric.reset()
      for (const [labels, status] of statuses()) metric.inc(labels, read(status))
    },
  })
}
