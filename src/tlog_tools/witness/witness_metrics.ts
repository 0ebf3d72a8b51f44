import { Counter, Gauge, type Registry } from 'prom-client'

import type { SubmissionAnswer, Witness } from '#src/tlog_tools/witness/witness.ts'
import type { WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'

/** Counts the answers to submissions; give it to the witness as `onAnswer`. */
export function countAnswers(registry: Registry): (answer: SubmissionAnswer) => void {
  const counter = new Counter({
    name: 'arklog_witness_submissions_total',
    help: 'Checkpoints submitted, by what was answered.',
    labelNames: ['answer'],
    registers: [registry],
  })
  return ({ type }) => counter.inc({ answer: type })
}

/** Tells of the store, and of each log how far it was cosigned and when. */
export function addWitnessMetrics(
  registry: Registry,
  { witness, store }: { readonly witness: Witness; readonly store: WitnessStore },
): void {
  const commits: Gauge = new Gauge({
    name: 'arklog_witness_commits',
    help: 'Synced batches that were written since the first start.',
    registers: [registry],
    collect: () => commits.set(store.commits),
  })
  const logs: Gauge = new Gauge({
    name: 'arklog_witness_logs',
    help: 'Logs that are cosigned.',
    registers: [registry],
    collect: () => logs.set(store.logs.size),
  })
  const sizes: Gauge = new Gauge({
    name: 'arklog_witness_tree_size',
    help: 'The size of each log that was last cosigned.',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      sizes.reset()
      for (const { log, last } of witness.list()) {
        if (last !== undefined) sizes.set({ origin: log.origin }, last.treeSize)
      }
    },
  })
  const times: Gauge = new Gauge({
    name: 'arklog_witness_cosigned_timestamp_seconds',
    help: 'When each log was last cosigned, in seconds since 1970.',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      times.reset()
      for (const { log, last } of witness.list()) {
        if (last !== undefined) times.set({ origin: log.origin }, last.timestamp)
      }
    },
  })
}
