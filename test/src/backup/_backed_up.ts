import type { ExecutionContext } from 'ava'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { Row } from '#log/store.ts'
import { FolderTarget } from '#src/backup/folder_target.ts'
import { type MadeBackup, type MakeOptions, makeBackup } from '#src/backup/made_backup.ts'
import { type SnapshotHead, writeSnapshot } from '#src/snapshot/snapshot.ts'

const instance: SnapshotHead['instance'] = {
  schema: 1,
  kind: 'registry',
  created_at: '2026-01-01T00:00:00.000Z',
  stores: 'created',
  logs: { live: { origin: 'registry.example/log', log_public_key: 'ab'.repeat(32) } },
}

/** What a snapshot of the tests says of its registry. */
export const testHead: SnapshotHead = {
  format: 1,
  views: 16,
  instance,
  secrets: { 'api-keys.pepper': Buffer.from('a pepper of the tests').toString('base64') },
  settings: { ARK_NAAN: '12345' },
  bytes: 1_000_000,
}

/** Rows of so many works, each the same every time. */
export function rowsOf(works: number): readonly Row[] {
  return Array.from({ length: works }, (_, index) => {
    const key = `work/${String(index).padStart(8, '0')}`
    return [key, Buffer.from(`${index} `.repeat(60))] as const
  })
}

/** A snapshot of a registry with these rows in its live log, in pieces. */
export function snapshotOf(rows: readonly Row[], head = testHead): AsyncGenerator<Buffer> {
  const checkpoint: Row = ['checkpoint/000000000007', Buffer.from('a note of 7 entries')]
  return writeSnapshot(head, [
    { name: 'live', rows: batchesOf([checkpoint, ...rows]) },
    { name: 'identity', rows: batchesOf([['key', Buffer.from('sealed')]]) },
  ])
}

async function* batchesOf(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += 1_000) yield rows.slice(at, at + 1_000)
}

/** A folder for backups that is removed after the test. */
export async function newTarget(
  t: ExecutionContext,
): Promise<{ readonly folder: string; readonly target: FolderTarget }> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-backup-'))
  t.teardown(() => fs.rm(folder, { recursive: true }))
  return { folder, target: new FolderTarget(folder) }
}

/** Makes a backup of these rows. */
export function backUp(
  rows: readonly Row[],
  options: Pick<MakeOptions, 'target'> & Partial<MakeOptions>,
): Promise<MadeBackup> {
  return makeBackup({
    pieces: snapshotOf(rows),
    recipients: [],
    nowMs: 1_700_000_000_000,
    progress: () => undefined,
    ...options,
  })
}
