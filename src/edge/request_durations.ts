import { Histogram, type MetricValueWithName } from 'prom-client'

type Label = 'method' | 'route' | 'status'

/** Upper bounds of the buckets, in seconds: 1 ms to 10 s. */
const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

/** The requests of one method, route and status; `buckets` has one more for what took longer. */
type Series = {
  readonly labels: Readonly<Record<Label, string | number>>
  readonly buckets: number[]
  sumSeconds: number
}

const name = 'arklog_http_request_duration_seconds'
const help = 'Time from the request line to the end of the reply.'

type Samples = Awaited<ReturnType<Histogram<Label>['get']>>

/**
 * How long requests took. Every request pays for what is counted, and so it is plain numbers, which
 * become a metric when they are asked for: the library would compose and hash the labels each time.
 */
export class RequestDurations extends Histogram<Label> {
  readonly #routes = new Map<string, Map<string, Map<number, Series>>>()

  constructor() {
    const labelNames = ['method', 'route', 'status'] as const
    super({ name, help, labelNames, buckets: [...bucketBounds], registers: [] })
  }

  /** Counts a request to a route, which is told by its pattern: a path is never a label. */
  count(method: string, route: string, status: number, seconds: number): void {
    const series =
      this.#routes.get(route)?.get(method)?.get(status) ?? this.#add({ method, route, status })
    let bucket = 0
    while (bucket < bucketBounds.length && seconds > (bucketBounds[bucket] as number)) bucket += 1
    series.buckets[bucket] = (series.buckets[bucket] as number) + 1
    series.sumSeconds += seconds
  }

  #add(labels: { method: string; route: string; status: number }): Series {
    const { method, route, status } = labels
    const methods = this.#routes.get(route) ?? new Map<string, Map<number, Series>>()
    const statuses = methods.get(method) ?? new Map<number, Series>()
    const series = { labels, buckets: Array(bucketBounds.length + 1).fill(0), sumSeconds: 0 }
    statuses.set(status, series)
    methods.set(method, statuses)
    this.#routes.set(route, methods)
    return series
  }

  /** What is written of the metric, and read by whoever sums that of several threads. */
  override get(): Promise<Samples> {
    const methods = [...this.#routes.values()].flatMap((ofRoute) => [...ofRoute.values()])
    const series = methods.flatMap((statuses) => [...statuses.values()])
    const values = series.flatMap(valuesOf)
    const samples = { name, help, type: 'histogram', aggregator: 'sum', values }
    // The library's types have a number where it reads and writes a word.
    return Promise.resolve(samples as unknown as Samples)
  }

  /** What the library asks for in place of `get` to write text, wherever a metric has it. */
  getForPromString(): Promise<Samples> {
    return this.get()
  }
}

function valuesOf({ labels, buckets, sumSeconds }: Series): MetricValueWithName<string>[] {
  let count = 0
  const ofBuckets = buckets.map((requests, index) => {
    count += requests
    const le = bucketBounds[index] ?? '+Inf'
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...ofBuckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
