import { type BackupOwner, logOf, signedState } from '#src/keeping/backup/backup_owner.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { ChunkNames } from '#src/keeping/backup/chunk_codec.ts'
import {
  type Dated,
  findBackups,
  isAhead,
  type LeftAlone,
  newestFirst,
} from '#src/keeping/backup/found_backups.ts'
import {
  chunkFile,
  chunkFolder,
  chunkNameOf,
  isSigned,
  type Manifest,
  manifestFile,
} from '#src/keeping/backup/manifest.ts'

/** The target of a registry's backups, and who looks at it when. */
export type OwnTarget = {
  readonly target: BackupTarget
  readonly owner: BackupOwner
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** A backup that the registry itself has made, and that has all of its parts. */
export type OwnBackup = Dated & { readonly manifest: Manifest }

/** The backups of a registry in a target, and what else lies there. */
export type OwnBackups = {
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
