import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'

import { viewsSchema } from '#actors/registry/views.ts'
import { type AuditProgress, auditStore, type StoreAudit } from '#src/cli/audit.ts'
import { UnusableError } from '#src/cli/program.ts'
import { identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { openPinnedKeyFile } from '#src/keeping/data_dir/key_file.ts'
import {
  areSharedSecrets,
  createSecretFile,
  logKeyName,
} from '#src/keeping/data_dir/secret_file.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import {
  malformed,
  type SharedSettings,
  type SnapshotHead,
} from '#src/keeping/snapshot/snapshot.ts'

/** Where the live log of a copy stands, as commands print it. */
export type CopiedLog = Pick<StoreAudit, 'origin' | 'tree_size' | 'root_hash'>

/** What a copy was found to hold, beside its stores. */
export type CheckedRegistry = {
  readonly secrets: Readonly<Record<string, Uint8Array>>
  readonly log: CopiedLog
}

/** Settings that a copy has otherwise than they are here: what to set, each as `NAME=value`. */
export function otherSettings(copied: SharedSettings, own: SharedSettings): readonly string[] {
  const others = Object.keys(copied).filter((key) => copied[key] !== own[key])
  return others.map((key) => `${key}=${copied[key] ?? ''}`)
}

/**
 * Refuses a copy of so many bytes that the disk of a folder has no room for: the views are made
 * once more when they are checked, and that is thrown away. UnusableError.
 */
export async function checkRoom(
  folder: string,
  { bytes, reserveBytes }: { readonly bytes: number; readonly reserveBytes: number },
): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder)
  const needed = 2 * bytes + reserveBytes
  if (bavail * bsize >= needed) return
  throw new UnusableError(
    `The disk of ${folder} has ${bavail * bsize} bytes free, and ${needed} are needed to copy ` +
      'and check the registry. Free some, or set DATA_DIR to another disk.',
  )
}

/** What is done with a copy in between, whose secrets are those that were pinned. */
export type GoOn = () => Promise<void>

/**
 * Checks the stores of a copy that lie in a folder against what its head says: the keys of its logs
 * are those that were pinned, everything that the logs' stores say is recomputed, and the accounts
 * and keys open with their pepper. Views of an older version are made anew. `goOn` changes the
 * stores before they are looked at. SnapshotError `snapshot_malformed` with the first problem, and
 * the faults of stores and secrets.
 */
export async function checkRegistry(
  head: SnapshotHead,
  folder: string,
  progress: AuditProgress,
  goOn: GoOn = async () => {},
): Promise<CheckedRegistry> {
  const secrets = await checkSecrets(head, path.join(folder, 'keys'))
  await goOn()
  const log = await checkLogs(head, folder, progress)
  await checkIdentity(folder)
  return { secrets, log }
}

async function checkSecrets(
  { secrets, instance }: SnapshotHead,
  folder: string,
): Promise<Readonly<Record<string, Uint8Array>>> {
  if (!areSharedSecrets(Object.keys(secrets))) throw malformed('a secret is missing')
  await fs.mkdir(folder, { mode: 0o700 })
  const files: Record<string, Uint8Array> = {}
  for (const [name, base64] of Object.entries(secrets)) {
    const bytes = Buffer.from(base64, 'base64')
    await createSecretFile(path.join(folder, name), bytes)
    files[name] = bytes
  }
  for (const [name, pinned] of Object.entries(instance.logs)) {
    await openPinnedKeyFile(path.join(folder, logKeyName(name)), pinned.log_public_key)
  }
  return files
}

async function checkLogs(
  { instance, views }: SnapshotHead,
  folder: string,
  progress: AuditProgress,
): Promise<CopiedLog> {
  let live: StoreAudit | undefined
  const rebuildsViews = views !== viewsSchema
  for (const [name, pinned] of Object.entries(instance.logs)) {
    const audited = await auditStore({ dataDir: folder, name, pinned, rebuildsViews, progress })
    const [problem] = audited.problems
    if (problem !== undefined) throw malformed(`${name}: ${problem}`)
    if (name === 'live') live = audited
  }
  if (live === undefined) throw malformed('it has no live log')
  const { origin, tree_size, root_hash } = live
  return { origin, tree_size, root_hash }
}

/** Opens the accounts and keys, which checks that the pepper is theirs. */
async function checkIdentity(folder: string): Promise<void> {
  const places = { dataDir: folder, keysDir: path.join(folder, 'keys') }
  const options = { ...identityPaths(places), create: false, random: randomBytes }
  const store = await openIdentityStore(options)
  await store.close()
}
