import type { Registry } from 'prom-client'

import type { ClusterStatus } from '#src/cluster/node.ts'
import type { Readiness } from '#src/edge/metrics.ts'
import {
  type DatedSample,
  type OperationsHistory,
  type Span,
  spans,
} from '#src/operations/history.ts'
import type { EventSpan, EventTap, FoundEvents } from '#src/operations/kept_events.ts'
import { type MetricValue, type Scrape, sampleOf } from '#src/operations/series.ts'
import { type FoundWarning, warningsOf } from '#src/operations/warnings.ts'

/** Whether a registry can do its work. */
export type RegistryReadiness = Readiness & {
  /** What a node of a cluster knows of itself and of the others. */
  readonly node?: ClusterStatus
}

/** How the registry has done over a span, and what needs an operator now. */
export type OperationsReport = {
  readonly span: Span
  readonly samples: readonly DatedSample[]
  readonly warnings: readonly FoundWarning[]
}

/** Tells how the registry does, and what happened in a time; undefined where that is not kept. */
export type Operations = {
  report(span: Span): Promise<OperationsReport>
  happened(span: EventSpan): Promise<FoundEvents | undefined>
}

/** What samples are taken of, and with. */
export type SamplerOptions = {
  /** The metrics of the registry, as they are told to Prometheus. */
  readonly registry: Pick<Registry, 'getMetricsAsJSON'>
  readonly history: OperationsHistory
  /** Keeps when alarms begin and end, beside what else happened. */
  readonly events?: Pick<EventTap, 'noteAlarm' | 'read'>
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Hears of samples that could not be taken or kept. */
  readonly report: (error: unknown) => void
}

/**
 * Takes a sample of the metrics every thirty seconds and keeps it. It reads what Prometheus would,
 * so that the operations page tells nothing else than the metrics.
 */
export class OperationsSampler implements Operations {
  readonly #options: SamplerOptions
  readonly #timer: NodeJS.Timeout
  #before: Scrape | undefined
  #alarms: ReadonlySet<string> = new Set()
  #taking: Promise<void> = Promise.resolve()

  constructor(options: SamplerOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.take(), spans.hour.stepMs).unref()
  }

  /** Takes one sample now; what fails is reported. */
  take(): Promise<void> {
    // One after the other, for a rate is told since the sample before.
    this.#taking = this.#taking.then(() => this.#sample().catch(this.#options.report))
    return this.#taking
  }

  async report(span: Span): Promise<OperationsReport> {
    const { history, nowMs } = this.#options
    const now = await this.#scrape()
    const newest = sampleOf(now, this.#before)
    const samples = history.read(span, nowMs())
    return { span, samples, warnings: warningsOf(newest, now.values) }
  }

  happened(span: EventSpan): Promise<FoundEvents | undefined> {
    return Promise.resolve(this.#options.events?.read(span))
  }

  /** Takes no more samples; resolves when none is being taken. The history stays open. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#taking
  }

  async #sample(): Promise<void> {
    const now = await this.#scrape()
    const sample = sampleOf(now, this.#before)
    this.#noteAlarms(warningsOf(sample, now.values))
    this.#options.history.add(now.atMs, sample)
    this.#before = now
  }

  #noteAlarms(warnings: readonly FoundWarning[]): void {
    const alarms = new Set(warnings.map(({ code }) => code))
    const { events } = this.#options
    for (const code of alarms.difference(this.#alarms)) events?.noteAlarm(`began ${code}`)
    for (const code of this.#alarms.difference(alarms)) events?.noteAlarm(`ended ${code}`)
    this.#alarms = alarms
  }

  async #scrape(): Promise<Scrape> {
    const { registry, nowMs } = this.#options
    const metrics = await registry.getMetricsAsJSON()
    const values = metrics.flatMap(({ name, values: told }) =>
      told.map((one): MetricValue => {
        // The library's types leave out that a histogram names each of its values.
        const { metricName: metric = name } = one as { readonly metricName?: string }
        return { metric, labels: one.labels, value: one.value }
      }),
    )
    return { atMs: nowMs(), values }
  }
}
