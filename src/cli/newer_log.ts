import { existsSync } from 'node:fs'
import path from 'node:path'

import { decodeJournalRow, journalKey } from '#actors/journal/pool.ts'
import { readerOf } from '#actors/journal/rows.ts'
import { readReceiptKeys } from '#actors/receipts/keys.ts'
import { LogRecovery, type RecoveryReport } from '#actors/registry/recovery.ts'
import { openViews } from '#actors/registry/view_rebuild.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { type Ed25519Key, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { openLog } from '#log/store/open_log.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import type { Store } from '#log/base/store.ts'
import { BackupError } from '#src/keeping/backup/backup_error.ts'
import type { PinnedLog } from '#src/keeping/data_dir/instance.ts'
import { CopyFolder } from '#src/tlog_tools/mirror/copy_folder.ts'
import { folderSource } from '#src/tlog_tools/mirror/folder_source.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { checkEntries } from '#src/tlog_tools/monitor/entry_check.ts'
import { findLogSource } from '#src/tlog_tools/monitor/found_source.ts'
import { openHead } from '#src/tlog_tools/monitor/head.ts'
import { type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** Which log a backup holds: its origin, its verifier key, and its newest signed state. */
export type BackedUpLog = {
  readonly origin: string
  readonly vkey: string
  readonly head: Checkpoint
}

/** The log as a mirror has it, or the registry itself: signed, and shown to continue a backup. */
export type NewerLog = {
  readonly address: string
  readonly source: LogSource
  readonly tiles: TileReader
  readonly checkpoint: Checkpoint
}

/**
 * Opens the log at an address, or in the folder of a mirror, and holds it to continue a backup.
 * BackupErrors `newer_unreadable`, and `newer_foreign` if it is another log, an older state of it,
 * or one that has forked.
 */
export async function openNewerLog(address: string, log: BackedUpLog): Promise<NewerLog> {
  return readingFrom(address, async () => {
    const source = address.includes('://')
      ? findLogSource(address, log.vkey, new AbortController().signal)
      : folderSource(new CopyFolder(copyIn(address)))
    const checkpoint = openHead(await source.checkpoint(), noteVerifier(log.vkey))
    const tiles = new TileReader(checkpoint, (tile) => source.tile(tile))
    const { treeSize, rootHash } = log.head
    if (checkpoint.treeSize < treeSize) {
      throw foreign(
        `${address} shows ${checkpoint.treeSize} entries, and the backup has ${treeSize}: it is ` +
          'behind, and cannot tell whether more was registered. Give one that is not.',
      )
    }
    const before = treeSize === 0 ? rootHash : await tiles.rootAt(treeSize)
    if (equalBytes(before, rootHash)) return { address, source, tiles, checkpoint }
    throw foreign(
      `${address} shows another history than the backup, both signed: after ${treeSize} entries ` +
        'they differ. The log was forked; find out which of both others follow, with ' +
        '"arklog monitor", before you restore anything.',
    )
  })
}

/** The folder with the files of a log: a mirror's own, or the one that it serves. */
function copyIn(folder: string): string {
  const served = path.join(folder, 'log')
  return existsSync(path.join(served, 'checkpoint')) ? served : folder
}

/** What a recovery goes on from: a store that nobody uses, and the keys of its log. */
export type RecoveredStore = {
  readonly storeDir: string
  readonly pinned: PinnedLog
  readonly vkey: string
  readonly logKey: Ed25519Key
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Hears how many entries are there, of how many. */
  readonly progress: (done: number, total: number) => void
}

/**
 * Appends what a newer log has to a store of an older state, whose log then ends as that one does.
 * BackupErrors `newer_unreadable` and `newer_foreign`, RecoveryErrors, and LogErrors of the store.
 */
export async function recoverNewer(
  { address, source, tiles, checkpoint }: NewerLog,
  target: RecoveredStore,
): Promise<RecoveryReport> {
  await using opened = new AsyncDisposableStack()
  const store = await openLevelStore(target.storeDir, { create: false })
  opened.defer(() => store.close())
  const recovery = await beginRecovery(store, target)
  const { treeSize } = checkpoint
  // The store stays open until that is over.
  return await readingFrom(address, async () => {
    let entries: Uint8Array[] = []
    const onEntry = (_: number, entry: Uint8Array) => void entries.push(entry)
    const from = recovery.head.log.treeSize
    for await (const read of checkEntries(source, tiles, from, { onEntry })) {
      await recovery.append(entries, { treeSize: read, rootHash: await tiles.rootAt(read) })
      entries = []
      target.progress(read, treeSize)
    }
    const now = formatTimestamp(target.nowMs)
    const { newestAt } = recovery.head
    return recovery.finish(now > newestAt ? now : newestAt)
  })
}

async function beginRecovery(
  store: Store,
  { pinned, vkey, logKey }: RecoveredStore,
): Promise<LogRecovery> {
  const { origin } = pinned
  const signer = noteSigner(origin, logKey)
  const verifier = noteVerifier(vkey)
  const log = await openLog(store, {
    kind: 'registry',
    origin,
    signer,
    verifier,
    vkey,
    create: false,
    createdAt: '',
  })
  const journal = decodeJournalRow(store.get(journalKey))
  await openViews(store, journal.position)
  const rotated = readReceiptKeys(readerOf(store)).keys.at(-1)?.public_key
  const receiptKey = rotated ?? pinned.receipt_public_key ?? ''
  return new LogRecovery({ store, head: { ...journal, log }, signer, receiptKey })
}

async function readingFrom<Found>(address: string, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SourceError) {
      const { message } = error
      const text = error.code === 'missing' ? `${message} is not there` : message
      throw new BackupError(
        'newer_unreadable',
        `${address} cannot be read to its end (${text}). Run the command again, or give another ` +
          'mirror: nothing was put in place.',
        { cause: error },
      )
    }
    if (!(error instanceof LogAlarm)) throw error
    throw foreign(
      `${address} is no true copy of the log (${error.message}). Give another mirror: nothing ` +
        'was put in place.',
    )
  }
}

function foreign(message: string): BackupError {
  return new BackupError('newer_foreign', message)
}
