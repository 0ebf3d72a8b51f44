import os from 'node:os'
import path from 'node:path'

import { logAuditThreads } from '#actors/registry/audit_threads.ts'
import { audit } from '#log/store/audit.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'

/** The audit of a log: the rate of its tree part, and of the whole. */
export async function benchAudit({ filled }: BenchOptions): Promise<Figure[]> {
  const { dataDir } = await filled()
  const instance = await readInstance(dataDir)
  const live = instance?.kind === 'registry' ? instance.logs['live'] : undefined
  if (live === undefined) throw new Error(`${dataDir} holds no registry`)
  const { origin, log_public_key: publicKey } = live
  const vkey = formatVkey(origin, ed25519Type, Buffer.from(publicKey, 'hex'))
  const dir = path.join(dataDir, 'live')
  const store = await openLevelStore(dir, { create: false })
  const threads = logAuditThreads(dir, os.availableParallelism())
  const startMs = performance.now()
  let treeMs = 0
  const onProgress = (part: 'tree' | 'leaves') => {
    if (part === 'tree') treeMs = performance.now() - startMs
  }
  const report = await audit(store, { origin, verifier: noteVerifier(vkey), threads, onProgress })
  const wholeMs = performance.now() - startMs
  await threads.close()
  await store.close()
  if (report.problems.length > 0) throw new Error(report.problems.join('; '))
  const bench = 'audit'
  const perSecond = (ms: number) => (report.treeSize / ms) * 1_000
  return [
    { bench, name: 'entries', value: report.treeSize, unit: '' },
    { bench, name: 'tree part', value: perSecond(treeMs), unit: '/s', goal: { atLeast: 250_000 } },
    { bench, name: 'whole', value: perSecond(wholeMs), unit: '/s' },
  ]
}
