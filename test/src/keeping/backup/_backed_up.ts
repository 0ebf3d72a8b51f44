import type { ExecutionContext } from 'ava'

import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { type Ed25519Key, ed25519Keys, formatPrivateKey, noteSigner } from '#log/tlog/ed25519.ts'
import type { Row } from '#log/store/store.ts'
import { type BackupTarget, FolderTarget } from '#src/keeping/backup/backup_target.ts'
import {
  type FoundBackup,
  openBackup,
  type OpenOptions,
  type MadeBackup,
  type MakeOptions,
  makeBackup,
} from '#src/keeping/backup/backup.ts'
import { type SnapshotHead, writeSnapshot } from '#src/keeping/snapshot/snapshot.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** A registry that is backed up: what its snapshots say of it, and the key of its log. */
export type TestRegistry = { readonly head: SnapshotHead; readonly logKey: Ed25519Key }

const origin = 'registry.example/log'

/** A registry with secrets of its own; all of them give their log the same name. */
export function testRegistry(name: string): TestRegistry {
  const logKey = ed25519Keys.fromSeed(Buffer.alloc(32, name))
  const pinned = { origin, log_public_key: Buffer.from(logKey.publicKey).toString('hex') }
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const head: SnapshotHead = {
    format: 1,
    views: 16,
    instance: {
      schema: 1,
      kind: 'registry',
      created_at: '2026-01-01T00:00:00.000Z',
      stores: 'created',
      logs: { live: pinned },
    },
    secrets: {
      'live-log.pem': base64(formatPrivateKey(logKey)),
      'api-keys.pepper': base64(`a pepper of ${name}`),
    },
    settings: { ARK_NAAN: '12345' },
    bytes: 1_000_000,
  }
  return { head, logKey }
}

/** The registry that tests back up unless they name another. */
export const ownRegistry = testRegistry('the tests')

/** The signed state of a registry's log with so many entries. */
export function checkpointOf({ logKey }: TestRegistry, treeSize: number): string {
  const rootHash = Buffer.alloc(32, treeSize)
  return signCheckpoint({ origin, treeSize, rootHash }, noteSigner(origin, logKey))
}

/** Rows of so many works, each the same every time. */
export function rowsOf(works: number): readonly Row[] {
  return Array.from({ length: works }, (_, index) => {
    const key = `work/${String(index).padStart(8, '0')}`
    return [key, Buffer.from(`${index} `.repeat(60))] as const
  })
}

/** A snapshot of a registry with these rows in its live log, in pieces. */
export function snapshotOf(
  rows: readonly Row[],
  registry = ownRegistry,
  treeSize = 7,
): AsyncGenerator<Buffer> {
  const note = checkpointOf(registry, treeSize)
  const checkpoint: Row = ['checkpoint/000000000007', Buffer.from(note)]
  return writeSnapshot(registry.head, [
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
  const folder = await makeTempDir(t)
  return { folder, target: new FolderTarget(folder) }
}

type BackUpOptions = Pick<MakeOptions, 'target'> &
  Partial<MakeOptions> & { readonly registry?: TestRegistry; readonly treeSize?: number }

/** Makes a backup of these rows. */
export function backUp(
  rows: readonly Row[],
  { registry, treeSize, ...options }: BackUpOptions,
): Promise<MadeBackup> {
  return makeBackup({
    pieces: snapshotOf(rows, registry, treeSize),
    recipients: [],
    nowMs: 1_700_000_000_000,
    progress: () => undefined,
    ...options,
  })
}

/** Opens a backup of a target, as whoever has these identities, and knows this key. */
export function openKept(
  target: BackupTarget,
  options: Partial<Omit<OpenOptions, 'target'>> = {},
): Promise<FoundBackup> {
  const { id, vkey, identities = [], nowMs = Date.now() } = options
  return openBackup({ target, id, vkey, identities, nowMs })
}
