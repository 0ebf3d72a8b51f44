import { Counter, Gauge, type Registry } from 'prom-client'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Fixity, FixityOverview } from '#actors/fixity/client.ts'

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
  for (const [name, [help, read]] of Object.entries(gauges)) {
    addGauge(registry, { name, help, read }, overviews, nowMs)
  }
  addStates(registry, overviews)
  addOutcomes(registry, overviews)
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

function addGauge(
  registry: Registry,
  { name, help, read }: { name: string; help: string; read: ReadOverview },
  overviews: Overviews,
  nowMs: () => number,
): void {
  const gauge = new Gauge({
    name: `arklog_fixity_${name}`,
    help,
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      for (const overview of await overviews()) {
        gauge.set({ environment: overview.environment }, read(overview, nowMs()))
      }
    },
  })
}

function addStates(registry: Registry, overviews: Overviews): void {
  const gauge = new Gauge({
    name: 'arklog_fixity_works',
    help: 'Works by the fixity status of their newest version.',
    labelNames: ['environment', 'status'],
    registers: [registry],
    async collect() {
      for (const { environment, states } of await overviews()) {
        for (const [status, works] of Object.entries(states)) {
          gauge.set({ environment, status }, works)
        }
      }
    },
  })
}

function addOutcomes(registry: Registry, overviews: Overviews): void {
  const counter = new Counter({
    name: 'arklog_fixity_checks_total',
    help: 'Checks that ended since the start, by how they ended.',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
    // The environments count; here their counts are only repeated.
    async collect() {
      const all = await overviews()
      counter.reset()
      for (const { environment, outcomes } of all) {
        for (const [outcome, checks] of Object.entries(outcomes)) {
          counter.inc({ environment, outcome }, checks)
        }
      }
    },
  })
}
