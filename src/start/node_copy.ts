import fs from 'node:fs/promises'
import path from 'node:path'

import type { Environments } from '#actors/registry/environment.ts'
import { viewsSchema } from '#actors/registry/views.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/errors.ts'
import { type SharedSettings, snapshotFormat, writeSnapshot } from '#src/cluster/snapshot.ts'
import type { DataFolders } from '#src/data_dir/data_dir.ts'
import { readInstance } from '#src/data_dir/instance.ts'
import { copiedStores } from '#src/data_dir/joining_folder.ts'
import { readSharedSecrets } from '#src/data_dir/shared_secrets.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'

/** What a copy of a node is made from. */
export type CopiedNode = {
  readonly config: Config
  readonly folders: DataFolders
  readonly environments: Environments
  readonly identity: OpenedIdentityStore
}

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
  const { config, folders, environments, identity } = node
  const instance = await readInstance(folders.dataDir)
  assert(instance?.kind === 'registry', 'a node runs a registry')
  const head = {
    format: snapshotFormat,
    views: viewsSchema,
    instance,
    secrets: await readSharedSecrets(folders.keysDir),
    settings: sharedSettings(config),
    bytes: await bytesOf(copiedStores.map((name) => path.join(folders.dataDir, name))),
  } as const
  const rows = {
    live: () => environments.live.snapshot(),
    sandbox: () => environments.sandbox.snapshot(),
    identity: () => identity.copy(),
  }
  yield* writeSnapshot(
    head,
    copiedStores.map((name) => ({ name, rows: rows[name]() })),
  )
}

/** Bytes of the files in some folders. One that is gone when it is measured has none. */
async function bytesOf(folders: readonly string[]): Promise<number> {
  let bytes = 0
  for (const folder of folders) {
    for (const name of await fs.readdir(folder)) {
      const stats = await fs.stat(path.join(folder, name)).catch(() => undefined)
      bytes += stats?.size ?? 0
    }
  }
  return bytes
}
