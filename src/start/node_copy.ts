import fs from 'node:fs/promises'
import path from 'node:path'

import type { Environments } from '#actors/registry/environment.ts'
import { viewsSchema } from '#actors/registry/views.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/errors.ts'
import type { Row } from '#log/store.ts'
import {
  type SharedSettings,
  type SnapshotHead,
  snapshotFormat,
  writeSnapshot,
} from '#src/snapshot/snapshot.ts'
import type { DataFolders } from '#src/data_dir/data_dir.ts'
import { readInstance } from '#src/data_dir/instance.ts'
import { copiedStores } from '#src/data_dir/copied_folder.ts'
import { readSharedSecrets } from '#src/data_dir/shared_secrets.ts'
import { usageFile } from '#src/usage/usage.ts'
import { copyUsage } from '#src/usage/usage_copy.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'

/** What a copy of a node is made from. */
export type CopiedNode = {
  readonly config: Config
  readonly folders: DataFolders
  readonly environments: Environments
  readonly identity: OpenedIdentityStore
}

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
  const { environments, identity } = node
  yield* writeSnapshot(await headOf(node), [
    { name: 'live', rows: environments.live.snapshot() },
    { name: 'sandbox', rows: environments.sandbox.snapshot() },
    { name: 'identity', rows: identity.rows.copy() },
    { name: usageStore, rows: copyUsage(usageFile(node.folders)) },
  ])
}

/**
 * A snapshot of a registry that runs, for a backup: all its stores as they are when this is begun,
 * however long it is read, and its secrets. What is erased meanwhile leaves the files when it ends.
 */
export async function* snapshotRegistry(node: CopiedNode): AsyncGenerator<Uint8Array> {
  const { environments, identity } = node
  const head = await headOf(node)
  const stores = [
    { name: 'live', rows: new BegunRows(environments.live.snapshot()) },
    { name: 'sandbox', rows: new BegunRows(environments.sandbox.snapshot()) },
    { name: 'identity', rows: new BegunRows(identity.rows.snapshot()) },
  ]
  try {
    yield* writeSnapshot(head, stores)
  } finally {
    await Promise.all(stores.map(({ rows }) => rows.close()))
  }
}

/** Rows whose first batch is read at once: a store's rows are those of that moment. */
class BegunRows implements AsyncIterable<readonly Row[]> {
  readonly #rows: AsyncIterator<readonly Row[]>
  readonly #first: Promise<IteratorResult<readonly Row[]>>

  constructor(rows: AsyncIterable<readonly Row[]>) {
    this.#rows = rows[Symbol.asyncIterator]()
    this.#first = this.#rows.next()
    // Whoever reads them hears of it.
    this.#first.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Row[]> {
    for (let step = await this.#first; step.done !== true; step = await this.#rows.next()) {
      yield step.value
    }
  }

  async close(): Promise<void> {
    await this.#rows.return?.()
  }
}

async function headOf(node: CopiedNode): Promise<SnapshotHead> {
  const { config, folders } = node
  const instance = await readInstance(folders.dataDir)
  assert(instance?.kind === 'registry', 'a node runs a registry')
  return {
    format: snapshotFormat,
    views: viewsSchema,
    instance,
    secrets: await readSharedSecrets(folders.keysDir),
    settings: sharedSettings(config),
    bytes: await bytesOf(copiedStores.map((name) => path.join(folders.dataDir, name))),
  }
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
