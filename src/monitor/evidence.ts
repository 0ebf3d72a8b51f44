import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

import type { Alarm } from '#src/monitor/round.ts'

/**
 * Keeps what proves an alarm under `folder/evidence`: both heads, the tiles and entries that were
 * served, and the message. Returns the folder written; the same alarm always has the same one, so
 * that a log which goes on misbehaving in one way does not fill the disk.
 */
export async function keepEvidence(folder: string, alarm: Alarm, atMs: number): Promise<string> {
  const files = [...alarm.evidence].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const target = path.join(folder, 'evidence', `${alarm.kind}-${fingerprint(files)}`)
  await mkdir(target, { recursive: true })
  for (const [name, bytes] of files) {
    const file = path.join(target, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
  const report = { kind: alarm.kind, message: alarm.message, at: new Date(atMs).toISOString() }
  await writeFile(path.join(target, 'alarm.json'), `${JSON.stringify(report, undefined, 2)}\n`)
  return target
}

function fingerprint(files: readonly (readonly [string, Uint8Array])[]): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex').slice(0, 16)
}
