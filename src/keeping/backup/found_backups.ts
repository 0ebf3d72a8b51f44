import { type BackupErrorCode, BackupError } from '#src/keeping/backup/backup_error.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import {
  backupFormat,
  backupMs,
  chunkNamesIn,
  type Manifest,
  manifestBytesMax,
  manifestFolder,
  manifestIdOf,
  parseManifest,
} from '#src/keeping/backup/manifest.ts'

/** A manifest as it lies in a target. Anybody who can write there may have made it. */
export type ClaimedBackup = { readonly file: string; readonly manifest: Manifest }

/** A file in the folder of manifests that is not taken for a backup, and why. */
export type LeftAlone = {
  readonly file: string
  readonly code: BackupErrorCode
  readonly why: string
}

/** What lies in the folder of manifests. */
export type FoundBackups = {
  readonly claimed: readonly ClaimedBackup[]
  /** What is no manifest, with the names of chunks that stand in it. */
  readonly unread: readonly (LeftAlone & { readonly chunks: readonly string[] })[]
}

/** How far ahead of the clock the time of a backup may be, in milliseconds. */
const aheadMsMax = 3_600_000

/**
 * Reads all manifests of a target; nothing of them is authentic yet. BackupError `target_failed`.
 */
export async function findBackups(target: BackupTarget): Promise<FoundBackups> {
  const claimed: ClaimedBackup[] = []
  const unread: FoundBackups['unread'][number][] = []
  for (const file of await target.list(manifestFolder)) {
    if (!file.endsWith('.json')) continue
    const leave = (why: string, chunks: readonly string[], code: BackupErrorCode) =>
      void unread.push({ file: printable(file), why, chunks, code })
    const bytes = await target.read(file, manifestBytesMax).catch(unlessTooLong)
    if (bytes === 'too long') {
      leave('is longer than any manifest', [], 'backup_damaged')
      continue
    }
    // It was removed since it was listed.
    if (bytes === undefined) continue
    const manifest = parseManifest(bytes)
    if (manifest === undefined) {
      leave('is damaged, or is not a manifest', chunkNamesIn(bytes), 'backup_damaged')
    } else if (manifest.id !== manifestIdOf(file)) {
      const why = `has the manifest of backup ${manifest.id} under another name`
      leave(why, manifest.chunks, 'backup_damaged')
    } else if (manifest.format > backupFormat) {
      leave('was made by a newer version of Arklog', manifest.chunks, 'backup_foreign')
    } else {
      claimed.push({ file, manifest })
    }
  }
  return { claimed, unread }
}

/** A name that others have chosen, as a terminal can show it. */
function printable(file: string): string {
  return file.replaceAll(/[^ -~]/g, '?')
}

function unlessTooLong(error: unknown): 'too long' {
  if (error instanceof BackupError && error.code === 'backup_damaged') return 'too long'
  throw error
}

/** What says how new a backup is. */
export type Dated = { readonly treeSize: number; readonly manifest: Pick<Manifest, 'id'> }

/** Whether the time of a backup has not come yet: the clock was wrong then, or is wrong now. */
export function isAhead({ id }: Pick<Manifest, 'id'>, nowMs: number): boolean {
  return backupMs(id) > nowMs + aheadMsMax
}

/**
 * Orders backups, the newest first: by the size of the log's tree, which only grows. Times, which
 * are what a clock has said, decide among equals, and one that has not come decides nothing.
 */
export function newestFirst(nowMs: number): (one: Dated, other: Dated) => number {
  const timeOf = ({ manifest }: Dated) => (isAhead(manifest, nowMs) ? 0 : backupMs(manifest.id))
  return (one, other) =>
    other.treeSize - one.treeSize ||
    timeOf(other) - timeOf(one) ||
    backupMs(other.manifest.id) - backupMs(one.manifest.id)
}
