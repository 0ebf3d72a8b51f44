import { type BackupOwner, logOf, signedState } from '#src/keeping/backup/backup_owner.ts'
import {
  BackupError,
  type BackupErrorCode,
  type BackupTarget,
} from '#src/keeping/backup/backup_target.ts'
import { ChunkNames } from '#src/keeping/backup/chunk.ts'
import {
  backupFormat,
  backupMs,
  chunkFile,
  chunkFolder,
  chunkNameOf,
  chunkNamesIn,
  isSigned,
  type Manifest,
  manifestBytesMax,
  manifestFile,
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
type FoundBackups = {
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
type Dated = { readonly treeSize: number; readonly manifest: Pick<Manifest, 'id'> }

/** Whether the time of a backup has not come yet: the clock was wrong then, or is wrong now. */
function isAhead({ id }: Pick<Manifest, 'id'>, nowMs: number): boolean {
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

/** The target of a registry's backups, and who looks at it when. */
type OwnTarget = {
  readonly target: BackupTarget
  readonly owner: BackupOwner
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** A backup that the registry itself has made, and that has all of its parts. */
export type OwnBackup = Dated & { readonly manifest: Manifest }

/** The backups of a registry in a target, and what else lies there. */
type OwnBackups = {
  /** The newest first. */
  readonly own: readonly OwnBackup[]
  readonly left: readonly LeftAlone[]
  /** The names of the chunks that what was left alone speaks of. */
  readonly leftChunks: ReadonlySet<string>
  /** All files of chunks. */
  readonly files: ReadonlySet<string>
}

/**
 * The backups of a target that the registry has authenticated with its own secret. What is not its
 * own, is damaged, lacks a part, or is dated in the future is left alone, with the reason.
 * BackupError `target_failed`.
 */
export async function findOwnBackups({ target, owner, nowMs }: OwnTarget): Promise<OwnBackups> {
  const { claimed, unread } = await findBackups(target)
  const files = new Set(await target.list(chunkFolder))
  const { vkey } = logOf(owner)
  const left: LeftAlone[] = [...unread]
  const leftChunks = new Set(unread.flatMap(({ chunks }) => chunks))
  const own: OwnBackup[] = []
  for (const { file, manifest } of claimed) {
    const leave = (why: string, code: LeftAlone['code']) => {
      left.push({ file, why, code })
      for (const name of manifest.chunks) leftChunks.add(name)
    }
    const { recipients, chunks } = manifest
    const state = signedState(manifest, vkey)
    const missing = chunks.filter((name) => !files.has(chunkFile(name, recipients))).length
    if (!isSigned(manifest, new ChunkNames(owner.pepper, recipients)) || state === undefined) {
      leave('was not authenticated by this registry', 'backup_foreign')
    } else if (missing > 0) {
      leave(`lacks ${missing} of its ${chunks.length} parts`, 'backup_damaged')
    } else if (isAhead(manifest, nowMs)) {
      leave('is dated in the future, so a clock was wrong', 'backup_damaged')
    } else {
      own.push({ manifest, treeSize: state.treeSize })
    }
  }
  return { own: own.sort(newestFirst(nowMs)), left, leftChunks, files }
}

/** What was removed from a target, by the ids of the backups, and what was left alone. */
export type Pruned = { readonly removed: readonly string[]; readonly left: readonly LeftAlone[] }

/**
 * Removes all but the newest `keptMax` backups of a registry, and the chunks that no other has. The
 * one that was just made counts as the newest. What is left alone counts for nothing, and as long
 * as there is any, only chunks are removed that a removed backup had. Nobody may make a backup
 * there meanwhile. BackupError `target_failed`.
 */
export async function pruneBackups(
  own: OwnTarget,
  made: Manifest,
  keptMax: number,
): Promise<Pruned> {
  const { target } = own
  const found = await findOwnBackups(own)
  const others = found.own.map(({ manifest }) => manifest).filter(({ id }) => id !== made.id)
  const gone = others.slice(keptMax - 1)
  const used = new Set(found.leftChunks)
  for (const { chunks } of [made, ...others.slice(0, keptMax - 1)]) {
    for (const name of chunks) used.add(name)
  }
  const removable = new Set(gone.flatMap(({ chunks }) => chunks))
  // Without its manifest a backup is none, so that none is ever half there.
  for (const { id } of gone) await target.remove(manifestFile(id))
  for (const file of found.files) {
    const name = chunkNameOf(file)
    if (name === undefined || used.has(name)) continue
    // What no manifest names was left by a backup that was cut off, or is of what was left alone.
    if (found.left.length === 0 || removable.has(name)) await target.remove(file)
  }
  return { removed: gone.map(({ id }) => id).sort(), left: found.left }
}
