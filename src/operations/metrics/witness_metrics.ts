import { Counter, Gauge, type Registry } from 'prom-client'

import type { Cosigned } from '#log/store/witnessed_history.ts'
import type { LinkFacts } from '#src/tlog_tools/cosigning/witness_link.ts'

/** Who collects the cosignatures of a log, as far as it is measured here. */
type Measured = {
  readonly cosigned: Cosigned
  readonly links: readonly { readonly facts: LinkFacts }[]
}

/** What is measured, by the name of the environment; `treeSize` is the size of its log now. */
export type WitnessedLogs = Readonly<
  Record<string, { readonly collector: Measured; readonly treeSize: () => number }>
>

type ReadFacts = (facts: LinkFacts, treeSize: number) => number

const gauges: Readonly<Record<string, readonly [help: string, read: ReadFacts]>> = {
  tree_size: ['Entries of the newest checkpoint that the witness has cosigned.', sizeOf],
  lag_entries: [
    'Entries of the log that the witness has not cosigned.',
    (facts, treeSize) => Math.max(0, treeSize - sizeOf(facts)),
  ],
  signed_timestamp_seconds: [
    'When the witness has cosigned last, by its own clock, in seconds since 1970; 0 if never.',
    ({ mark }) => mark?.timestamp ?? 0,
  ],
  set_aside: [
    'Whether the witness is left alone, for it has contradicted the log and proven nothing.',
    ({ isSetAside }) => (isSetAside ? 1 : 0),
  ],
}

/** Adds what is known of the witnesses of logs. */
export function addWitnessMetrics(registry: Registry, logs: WitnessedLogs): void {
  for (const [name, [help, read]] of Object.entries(gauges)) {
    addGauge(registry, logs, { name: `arklog_witness_${name}`, help, read })
  }
  addFailures(registry, logs)
  const witnessed: Gauge = new Gauge({
    name: 'arklog_log_witnessed_tree_size',
    help: 'Leaves of the newest checkpoint that has the cosignatures of its quorum.',
    labelNames: ['environment'],
    registers: [registry],
    collect() {
      for (const [environment, { collector }] of Object.entries(logs)) {
        witnessed.set({ environment }, collector.cosigned.witnessed?.treeSize ?? 0)
      }
    },
  })
}

function sizeOf({ mark }: LinkFacts): number {
  return mark?.treeSize ?? 0
}

function addGauge(
  registry: Registry,
  logs: WitnessedLogs,
  { name, help, read }: { name: string; help: string; read: ReadFacts },
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: ['environment', 'witness'],
    registers: [registry],
    collect() {
      for (const [environment, { collector, treeSize }] of Object.entries(logs)) {
        for (const { facts } of collector.links) {
          gauge.set({ environment, witness: facts.name }, read(facts, treeSize()))
        }
      }
    },
  })
}

function addFailures(registry: Registry, logs: WitnessedLogs): void {
  const counter = new Counter({
    name: 'arklog_witness_failures_total',
    help: 'Checkpoints that the witness was asked to cosign since the start, and did not.',
    labelNames: ['environment', 'witness'],
    registers: [registry],
    // The links count; here their counts are only repeated.
    collect() {
      counter.reset()
      for (const [environment, { collector }] of Object.entries(logs)) {
        for (const { facts } of collector.links) {
          counter.inc({ environment, witness: facts.name }, facts.failures)
        }
      }
    },
  })
}
