import { Counter, Gauge, type Registry } from 'prom-client'

/** What the counts of uses tell of themselves. */
export type UsageFigures = {
  /** Uses that were counted here and are lost. */
  readonly lost: number
  /** In a cluster: messages that wait until all nodes are told. */
  readonly shared: { readonly waiting: number } | undefined
}

/** Adds what became of the counts of uses. */
export function addUsageMetrics(registry: Registry, usage: UsageFigures): void {
  const lost: Counter = new Counter({
    name: 'arklog_usage_lost_total',
    help: 'Uses of works that were counted here and lost: not written, or not told to other nodes.',
    registers: [registry],
    // The counts know; here their figure is only repeated.
    collect() {
      lost.reset()
      lost.inc(usage.lost)
    },
  })
  const { shared } = usage
  if (shared === undefined) return
  const waiting: Gauge = new Gauge({
    name: 'arklog_usage_waiting',
    help: 'Batches of counted uses that wait until all nodes are told: 0 while there is contact.',
    registers: [registry],
    collect: () => waiting.set(shared.waiting),
  })
}
