// Nodes of a cluster that share one identity store, each with a folder of its own.

import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { ExecutionContext } from 'ava'

import type { SharedStream } from '#actors/journal/shared_stream.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Row } from '#log/store/store.ts'
import { type OpenedIdentityStore, openIdentityStore } from '#src/identity/store/identity_store.ts'
import type { SharedIdentity } from '#src/identity/store/shared_changes.ts'
import { elapsedMs } from '#actors/values/clock.ts'

/** A node, which can be opened again after it was closed. */
export type IdentityNode = {
  readonly folder: string
  /** Where its LevelDB store lies. */
  readonly dir: string
  readonly store: OpenedIdentityStore
  /** Why it has stopped, if it has. */
  readonly stopped: readonly unknown[]
  caughtUp(): Promise<void>
}

/** How nodes of a test are set up where it is not as usual. */
export type IdentityNodeOptions = Partial<Omit<SharedIdentity, 'stream' | 'stopped'>>

/** Opens nodes in folders that are removed when the test is over. */
export class IdentityNodes {
  readonly #root: string
  readonly #opened = new Set<OpenedIdentityStore>()
  #made = 0

  private constructor(root: string) {
    this.#root = root
  }

  static async begin(t: ExecutionContext): Promise<IdentityNodes> {
    const nodes = new IdentityNodes(await mkdtemp(path.join(os.tmpdir(), 'arklog-')))
    t.teardown(() => nodes.#end())
    return nodes
  }

  /** A new node, whose rows are those that every store begins with. */
  async add(stream: SharedStream, options?: IdentityNodeOptions): Promise<IdentityNode> {
    const folder = path.join(this.#root, `${(this.#made += 1)}`)
    await mkdir(folder)
    return this.#open(folder, stream, true, options)
  }

  /** A node with a copy of the folder of one that is closed. */
  async copy(
    { folder: from }: Pick<IdentityNode, 'folder'>,
    stream: SharedStream,
  ): Promise<IdentityNode> {
    const folder = path.join(this.#root, `${(this.#made += 1)}`)
    await cp(from, folder, { recursive: true })
    return this.#open(folder, stream, false)
  }

  /** A node with these rows, as they were copied from another one that runs. */
  async join(rows: readonly Row[], stream: SharedStream): Promise<IdentityNode> {
    const folder = path.join(this.#root, `${(this.#made += 1)}`)
    const { dir } = this.#files(folder)
    const store = await openLevelStore(dir, { create: true })
    await store.commit(rows.map(([key, value]) => ({ type: 'put', key, value })))
    await store.close()
    return this.#open(folder, stream, false)
  }

  /** Opens the folder of a node that is closed. */
  again(
    { folder }: Pick<IdentityNode, 'folder'>,
    stream: SharedStream,
    options?: IdentityNodeOptions,
  ): Promise<IdentityNode> {
    return this.#open(folder, stream, false, options)
  }

  /** Opens the folder of a node that is closed as a store that nobody shares. */
  async alone(
    { folder }: Pick<IdentityNode, 'folder'>,
    options: { readonly acceptsOlder?: boolean } = {},
  ): Promise<OpenedIdentityStore> {
    const files = this.#files(folder)
    const store = await openIdentityStore({ ...files, create: false, ...made, ...options })
    this.#opened.add(store)
    return store
  }

  async close({ store }: Pick<IdentityNode, 'store'>): Promise<void> {
    this.#opened.delete(store)
    await store.close()
  }

  async #open(
    folder: string,
    stream: SharedStream,
    create: boolean,
    options: IdentityNodeOptions = {},
  ): Promise<IdentityNode> {
    const stopped: unknown[] = []
    const files = this.#files(folder)
    const shared = {
      stream,
      elapsedMs,
      patienceMs: 30_000,
      contactMs: 30_000,
      isConnected: () => true,
      stopped: (error: unknown) => void stopped.push(error),
      ...options,
    }
    const store = await openIdentityStore({ ...files, create, ...made, shared })
    this.#opened.add(store)
    return { folder, dir: files.dir, store, stopped, caughtUp: () => store.caughtUp() }
  }

  #files(folder: string) {
    return {
      dir: path.join(folder, 'identity'),
      headFile: path.join(folder, 'identity.head'),
      // All nodes have the same.
      pepperPath: path.join(this.#root, 'pepper'),
    }
  }

  async #end(): Promise<void> {
    for (const store of this.#opened) await store.close()
    await rm(this.#root, { recursive: true })
  }
}

const made = { random: randomBytes }

/** All rows of a node that is closed, as they lie on its disk. */
export async function diskOf({ dir }: Pick<IdentityNode, 'dir'>): Promise<Map<string, string>> {
  const disk = new Map<string, string>()
  const store = await openLevelStore(dir, { create: false })
  for await (const [key, value] of store.scan({})) disk.set(key, Buffer.from(value).toString('hex'))
  await store.close()
  return disk
}
