/** What a series is told in. */
export type SeriesUnit = 'count' | 'per_second' | 'bytes' | 'milliseconds' | 'percent'

/** A value of a metric as it is scraped, with the name that it has there. */
export type MetricValue = {
  readonly metric: string
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
}

/** The values of a metric that are added up: those whose labels the function takes, or all. */
type Sum = {
  readonly metric: string
  readonly takes?: (labels: MetricValue['labels']) => boolean
}

/**
 * Something that is drawn over time, made of what the metrics tell. `level` is what it is now;
 * `rate` how much a counter grows in a second; `mean` how much one counter grows for each step of
 * another. `factor` makes the unit of it.
 */
export type Series = {
  readonly name: string
  readonly unit: SeriesUnit
  readonly factor?: number
  readonly of: Sum
} & ({ readonly type: 'level' | 'rate' } | { readonly type: 'mean'; readonly by: Sum })

/** Series that are about the same. */
export type SeriesGroup = { readonly name: string; readonly series: readonly Series[] }

const requests = 'arklog_http_request_duration_seconds'
const ofStatus = (takes: (status: number) => boolean): Sum => ({
  metric: `${requests}_count`,
  takes: ({ status }) => takes(Number(status)),
})

const commits: Sum = { metric: 'arklog_commits_total' }

/** All that the operations page draws, in its order. */
export const seriesGroups: readonly SeriesGroup[] = [
  {
    name: 'writing',
    series: [
      rate('commits', commits),
      {
        name: 'commit_time',
        unit: 'milliseconds',
        factor: 1_000,
        type: 'mean',
        of: { metric: 'arklog_commit_seconds_total' },
        by: commits,
      },
      rate('log_growth', { metric: 'arklog_log_tree_size' }),
      level('pool', 'arklog_pooled_proposals'),
      level('actors', 'arklog_live_actors'),
    ],
  },
  {
    name: 'answering',
    series: [
      rate('requests', { metric: `${requests}_count` }),
      {
        name: 'request_time',
        unit: 'milliseconds',
        factor: 1_000,
        type: 'mean',
        of: { metric: `${requests}_sum` },
        by: { metric: `${requests}_count` },
      },
      rate(
        'refused',
        ofStatus((status) => status >= 400 && status < 500 && status !== 429),
      ),
      rate(
        'limited',
        ofStatus((status) => status === 429),
      ),
      rate(
        'failed',
        ofStatus((status) => status >= 500),
      ),
    ],
  },
  {
    name: 'following',
    series: [
      level('checks_due', 'arklog_fixity_due'),
      level('webhooks_waiting', 'arklog_webhook_waiting'),
      level('mail_waiting', 'arklog_mail_waiting'),
      level('index_lag', 'arklog_search_lag_events'),
      level('witness_lag', 'arklog_witness_lag_entries'),
    ],
  },
  {
    name: 'machine',
    series: [
      {
        name: 'processor',
        unit: 'percent',
        factor: 100,
        type: 'rate',
        of: { metric: 'process_cpu_seconds_total' },
      },
      {
        name: 'delay',
        unit: 'milliseconds',
        factor: 1_000,
        type: 'level',
        of: { metric: 'nodejs_eventloop_lag_p99_seconds' },
      },
      bytes('memory', 'process_resident_memory_bytes'),
      bytes('disk_free', 'arklog_disk_free_bytes'),
      level('threads', 'arklog_edge_threads'),
      level('nodes', 'arklog_cluster_nodes'),
    ],
  },
]

/** The same in one list. */
export const allSeries: readonly Series[] = seriesGroups.flatMap(({ series }) => series)

function level(name: string, metric: string): Series {
  return { name, unit: 'count', type: 'level', of: { metric } }
}

function rate(name: string, of: Sum): Series {
  return { name, unit: 'per_second', type: 'rate', of }
}

function bytes(name: string, metric: string): Series {
  return { name, unit: 'bytes', type: 'level', of: { metric } }
}

/** The sum of the values of a metric; undefined if it has none. */
export function sumOf(values: readonly MetricValue[], { metric, takes }: Sum): number | undefined {
  const ofMetric = values.filter((value) => value.metric === metric)
  if (ofMetric.length === 0) return undefined
  const taken = takes === undefined ? ofMetric : ofMetric.filter(({ labels }) => takes(labels))
  return taken.reduce((sum, { value }) => sum + value, 0)
}

/** All values of one scrape, and when it was, in milliseconds since 1970. */
export type Scrape = { readonly atMs: number; readonly values: readonly MetricValue[] }

/** What each series is at a time, by its name; one that has no value then is not there. */
export type Sample = Readonly<Record<string, number>>

/**
 * What the series are at a scrape. Rates are taken since the scrape `before`, which was of the same
 * process; without it there are none, and a counter that fell has none either.
 */
export function sampleOf(now: Scrape, before: Scrape | undefined): Sample {
  const found = allSeries.flatMap((series) => {
    const value = valueOf(series, now, before)
    return value === undefined ? [] : [[series.name, value * (series.factor ?? 1)] as const]
  })
  return Object.fromEntries(found)
}

function valueOf(series: Series, now: Scrape, before: Scrape | undefined): number | undefined {
  if (series.type === 'level') return sumOf(now.values, series.of)
  const grown = growthOf(series.of, now, before)
  if (before === undefined || grown === undefined) return undefined
  if (!('by' in series)) return (grown / (now.atMs - before.atMs)) * 1_000
  const steps = growthOf(series.by, now, before)
  return steps === undefined || steps === 0 ? undefined : grown / steps
}

function growthOf(sum: Sum, now: Scrape, before: Scrape | undefined): number | undefined {
  if (before === undefined || now.atMs <= before.atMs) return undefined
  const total = sumOf(now.values, sum)
  // What was not counted before began at nothing.
  const grown = total === undefined ? undefined : total - (sumOf(before.values, sum) ?? 0)
  return grown === undefined || grown < 0 ? undefined : grown
}
