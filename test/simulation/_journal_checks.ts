import type { ExecutionContext } from 'ava'

import { entryKey } from '#log/store/log_rows.ts'
import type { JournalRun } from '#test/simulation/_journal_run.ts'

/**
 * Checks what must hold of every run: all nodes have the same rows, one checkpoint was shown of
 * each size, and whatever was acknowledged is in the log where its asker was told.
 */
export function checkJournalRun(
  t: ExecutionContext,
  { disks, acknowledged, shown, told }: JournalRun,
  seed: number,
): void {
  const [first, ...others] = disks.map(textOf)
  for (const other of others) {
    if (other !== first) t.fail(`seed ${seed}: the nodes have other rows`)
  }
  for (const [size, checkpoints] of shown) {
    if (checkpoints.size !== 1) t.fail(`seed ${seed}: two checkpoints of ${size} entries`)
  }
  for (const [entry, leaf] of acknowledged) {
    const stored = Buffer.from(disks[0]?.get(entryKey(leaf)) ?? []).toString()
    if (stored !== entry) t.fail(`seed ${seed}: leaf ${leaf} is ${stored}, and not ${entry}`)
  }
  for (const { what, knew, acknowledged: before } of told) {
    if (knew < before) t.fail(`seed ${seed}: of a ${what}, ${knew} were known after ${before}`)
  }
}

function textOf(disk: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...disk].map(([key, value]) => `${key} ${Buffer.from(value).toString('hex')}`)
  return lines.toSorted().join('\n')
}
