import fs from 'node:fs/promises'
import path from 'node:path'

import { viewsSchema } from '#actors/registry/views.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/tlog/errors.ts'
import {
  type SharedSettings,
  snapshotFormat,
  type SnapshotHead,
  writeSnapshot,
} from '#src/keeping/snapshot/snapshot.ts'
import { type OpenStore, readSnapshotInThread } from '#src/keeping/snapshot/snapshot_thread.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { copiedStores } from '#src/keeping/data_dir/copied_folder.ts'
import type { RunningRegistry } from '#src/cli/start/joined_thread.ts'
import { readSharedSecrets } from '#src/keeping/data_dir/secret_file.ts'
import { usageFile } from '#src/operations/usage/usage.ts'
import { copyUsage } from '#src/operations/usage/usage_rows.ts'

/** What a copy of a node is made from. */
export type CopiedNode = Pick<RunningRegistry, 'config' | 'folders' | 'environments' | 'identity'>

/** The store of a copy that has the counts of uses. */
export const usageStore = 'usage'

/** The settings of a node that all nodes of its registry must have. */
export function sharedSettings(config: Config): SharedSettings {
  const { ARK_NAAN, ARK_SHOULDER, ARK_DATED, BASE_URL = null, CLUSTER_LEASE_MS } = config
  return { ARK_NAAN, ARK_SHOULDER, ARK_DATED, BASE_URL, CLUSTER_LEASE_MS }
}

/**
 * A copy of a node that runs, for one that joins: its stores, and the secrets that all nodes have.
 * Each store says itself how far it has come in its stream, so what is copied at different moments
 * is brought to one by following.
 */
export async function* copyNode(node: CopiedNode): AsyncGenerator<Uint8Array> {
  const { environments, identity, folders } = node
  const usage = usageFile(folders)
  yield* writeSnapshot(await headOf(node, [usage]), [
    { name: 'live', rows: environments.live.snapshot() },
    { name: 'sandbox', rows: environments.sandbox.snapshot() },
    { name: 'identity', rows: identity.rows.copy() },
    { name: usageStore, rows: copyUsage(usage) },
  ])
}

/** The snapshots of a registry that are read. */
export class RegistrySnapshots {
  readonly #node: CopiedNode
  readonly #underWay = new Set<AsyncGenerator<Uint8Array>>()

  constructor(node: CopiedNode) {
    this.#node = node
  }

  /**
   * A snapshot of the registry while it runs, for a backup: all its stores as they are when this is
   * begun, however long it is read, and its secrets. What is erased meanwhile leaves the files when
   * it ends.
   */
  async *read(): AsyncGenerator<Uint8Array> {
    const { environments, identity, folders } = this.#node
    const head = await headOf(this.#node)
    const { live, sandbox } = environments
    const stores: Readonly<Record<(typeof copiedStores)[number], Pick<OpenStore, 'snapshot'>>> = {
      live,
      sandbox,
      identity: identity.rows,
    }
    const pieces = readSnapshotInThread(
      head,
      copiedStores.map((name) => ({
        name,
        dir: path.join(folders.dataDir, name),
        snapshot: () => stores[name].snapshot(),
      })),
    )
    this.#underWay.add(pieces)
    try {
      yield* pieces
    } finally {
      this.#underWay.delete(pieces)
    }
  }

  /** Ends those that are read. The stores may be closed then. */
  async close(): Promise<void> {
    await Promise.all([...this.#underWay].map((pieces) => pieces.return(undefined)))
  }
}

/** What is said before the stores, and before what these files hold. */
async function headOf(node: CopiedNode, files: readonly string[] = []): Promise<SnapshotHead> {
  const { config, folders } = node
  const instance = await readInstance(folders.dataDir)
  assert(instance?.kind === 'registry', 'a node runs a registry')
  return {
    format: snapshotFormat,
    views: viewsSchema,
    instance,
    secrets: await readSharedSecrets(folders.keysDir),
    settings: sharedSettings(config),
    bytes:
      (await bytesOf(copiedStores.map((name) => path.join(folders.dataDir, name)))) +
      (await bytesOfFiles(files)),
  }
}

/** Bytes of the files in some folders. */
async function bytesOf(folders: readonly string[]): Promise<number> {
  let bytes = 0
  for (const folder of folders) {
    const names = await fs.readdir(folder, { recursive: true })
    bytes += await bytesOfFiles(names.map((name) => path.join(folder, name)))
  }
  return bytes
}

/** Bytes of some files. One that is gone when it is measured has none. */
async function bytesOfFiles(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) {
    const stats = await fs.stat(file).catch(() => undefined)
    bytes += stats?.size ?? 0
  }
  return bytes
}
