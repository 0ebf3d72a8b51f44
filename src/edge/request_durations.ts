import { Histogram, type MetricValueWithName } from 'prom-client'

type Label = 'method' | 'route' | 'status'

/** Upper bounds of the buckets, in seconds: 1 ms to 10 s. */
const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

/**
 * The requests of one method, route and status, as plain data: how many of them fell into each
 * bucket, of which there is one more for what took longer, and how long they took together.
 */
export type RequestCounts = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly buckets: readonly number[]
  readonly sumSeconds: number
}

type Series = Omit<RequestCounts, 'buckets' | 'sumSeconds'> & {
  readonly buckets: number[]
  sumSeconds: number
}

/** Tells what it has counted since its start. */
type ReadCounts = () => Promise<readonly RequestCounts[]>

const name = 'arklog_http_request_duration_seconds'
const help = 'Time from the request line to the end of the reply.'

type Samples = Awaited<ReturnType<Histogram<Label>['get']>>

/**
 * How long requests took. Every request pays for what is counted, and so it is plain numbers, which
 * become a metric when they are asked for: the library would compose and hash the labels each time.
 *
 * What other threads count is read when it is asked for, and added. None of the sums ever falls: of
 * a thread that does not answer or has ended, there is what it told last. So what a thread counts
 * after it was last read is lost when it dies.
 */
export class RequestDurations extends Histogram<Label> {
  readonly #routes = new Map<string, Map<string, Map<number, Series>>>()
  /** The other threads, with what each told last. */
  readonly #others = new Map<ReadCounts, readonly RequestCounts[]>()

  constructor() {
    const labelNames = ['method', 'route', 'status'] as const
    super({ name, help, labelNames, buckets: [...bucketBounds], registers: [] })
  }

  /** Counts a request to a route, which is told by its pattern: a path is never a label. */
  count(method: string, route: string, status: number, seconds: number): void {
    const series = this.#seriesOf(method, route, status)
    let bucket = 0
    while (bucket < bucketBounds.length && seconds > (bucketBounds[bucket] as number)) bucket += 1
    series.buckets[bucket] = (series.buckets[bucket] as number) + 1
    series.sumSeconds += seconds
  }

  /** What was counted on this thread until now. */
  counts(): readonly RequestCounts[] {
    const methods = [...this.#routes.values()].flatMap((ofRoute) => [...ofRoute.values()])
    const series = methods.flatMap((statuses) => [...statuses.values()])
    return series.map((each) => ({ ...each, buckets: [...each.buckets] }))
  }

  /** Adds what another thread counts. Call the result when that thread has ended. */
  include(read: ReadCounts): () => void {
    this.#others.set(read, [])
    return () => {
      this.#add(this.#others.get(read) ?? [])
      this.#others.delete(read)
    }
  }

  #add(counts: readonly RequestCounts[]): void {
    for (const { method, route, status, buckets, sumSeconds } of counts) {
      const series = this.#seriesOf(method, route, status)
      for (const [bucket, requests] of buckets.entries()) {
        series.buckets[bucket] = (series.buckets[bucket] ?? 0) + requests
      }
      series.sumSeconds += sumSeconds
    }
  }

  #seriesOf(method: string, route: string, status: number): Series {
    return this.#routes.get(route)?.get(method)?.get(status) ?? this.#begin(method, route, status)
  }

  #begin(method: string, route: string, status: number): Series {
    const methods = this.#routes.get(route) ?? new Map<string, Map<number, Series>>()
    const statuses = methods.get(method) ?? new Map<number, Series>()
    const buckets = Array<number>(bucketBounds.length + 1).fill(0)
    const series = { method, route, status, buckets, sumSeconds: 0 }
    statuses.set(status, series)
    methods.set(method, statuses)
    this.#routes.set(route, methods)
    return series
  }

  async #readOthers(): Promise<void> {
    const readings = [...this.#others.keys()].map(async (read) => {
      const counts = await read()
      if (this.#others.has(read)) this.#others.set(read, counts)
    })
    // Of a thread that does not answer, its last answer counts.
    await Promise.allSettled(readings)
  }

  /** What is written of the metric. */
  override async get(): Promise<Samples> {
    await this.#readOthers()
    const sum = new RequestDurations()
    for (const counts of [this.counts(), ...this.#others.values()]) sum.#add(counts)
    const values = sum.counts().flatMap(valuesOf)
    // The library's types have a number where it reads and writes a word.
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Samples
  }

  /** What the library asks for in place of `get` to write text, wherever a metric has it. */
  getForPromString(): Promise<Samples> {
    return this.get()
  }
}

function valuesOf({
  buckets,
  sumSeconds,
  ...labels
}: RequestCounts): MetricValueWithName<string>[] {
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
