import { createHash } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'

import type { Alarm } from '#src/tlog_tools/monitor/alarm.ts'
import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import { keep } from '#src/tlog_tools/monitor/kept_file.ts'

/**
 * Keeps what proves an alarm under `folder/evidence`: both heads, the tiles and entries that were
 * served, and the message. Returns the folder written; the same alarm always has the same one, so
 * that a log which goes on misbehaving in one way does not fill the disk.
 */
export async function keepEvidence(folder: string, alarm: Alarm, atMs: number): Promise<string> {
  const files = [...alarm.evidence].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const target = path.join(folder, 'evidence', `${alarm.kind}-${fingerprint(files)}`)
  for (const [name, bytes] of files) {
    await replaceFile(path.join(target, name), bytes)
  }
  const report = { kind: alarm.kind, message: alarm.message, at: new Date(atMs).toISOString() }
  await keep(path.join(target, 'alarm.json'), report)
  return target
}

/** Of how many alarms there is evidence in a state folder. */
export async function countEvidence(folder: string): Promise<number> {
  const target = path.join(folder, 'evidence')
  await mkdir(target, { recursive: true })
  return (await readdir(target)).length
}

function fingerprint(files: readonly (readonly [string, Uint8Array])[]): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex').slice(0, 16)
}
