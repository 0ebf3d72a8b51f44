import fs from 'node:fs/promises'
import path from 'node:path'

import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { malformed, type SnapshotHead, type SnapshotItem } from '#src/keeping/snapshot/snapshot.ts'

/** Where a copy is written, and who hears of it. */
export type ReceivedOptions = {
  /** An empty folder, in which each store gets one of its name. */
  readonly folder: string
  /** The stores that a copy has, in their order. */
  readonly stores: readonly string[]
  /** A store that a copy may have after them. */
  readonly optional?: string
  /** Rejects if the copy is not for this place: nothing of it has been written then. */
  readonly check: (head: SnapshotHead) => Promise<void>
  /** Hears how many bytes are written, of about so many. */
  readonly progress: (done: number, total: number) => void
}

/** Bytes of rows that are written at once. */
const batchBytes = 4 * 1_048_576

/**
 * Writes the stores of a copy, and gives its head. Rows are as they were sent; whether they are
 * those of a registry is for others to see. Errors: SnapshotError `snapshot_malformed`, those of
 * `check` and of the stores.
 */
export async function receiveCopy(
  items: AsyncIterable<SnapshotItem>,
  options: ReceivedOptions,
): Promise<SnapshotHead> {
  const { stores, check } = options
  await using receiving = new Receiving(options)
  for await (const item of items) {
    switch (item.type) {
      case 'head':
        if (receiving.head !== undefined) throw malformed('it begins twice')
        await check(item.head)
        receiving.head = item.head
        break
      case 'store':
        await receiving.begin(item.name)
        break
      case 'row':
        await receiving.put(item.row)
        break
      case 'end':
        await receiving.finish()
    }
  }
  const { head, names } = receiving
  if (head === undefined || names.length < stores.length) throw malformed('a store is missing')
  return head
}

class Receiving implements AsyncDisposable {
  readonly #options: ReceivedOptions
  readonly names: string[] = []
  head: SnapshotHead | undefined
  #store: Store | undefined
  #operations: Operation[] = []
  #bytes = 0
  #done = 0

  constructor(options: ReceivedOptions) {
    this.#options = options
  }

  async begin(name: string): Promise<void> {
    const { folder, stores, optional } = this.#options
    if (this.head === undefined) throw malformed('it has no head')
    if ([...stores, optional][this.names.length] !== name)
      throw malformed('its stores are in another order')
    await this.finish()
    this.names.push(name)
    await fs.mkdir(path.join(folder, name), { mode: 0o700 })
    this.#store = await openLevelStore(path.join(folder, name), { create: true })
  }

  async put([key, value]: readonly [key: string, value: Uint8Array]): Promise<void> {
    if (this.#store === undefined) throw malformed('a row is of no store')
    this.#operations.push({ type: 'put', key, value })
    this.#bytes += key.length + value.length
    if (this.#bytes >= batchBytes) await this.#write()
  }

  /** Ends the store that is written. */
  async finish(): Promise<void> {
    await this.#write()
    await this.#store?.close()
    this.#store = undefined
  }

  async #write(): Promise<void> {
    await this.#store?.commit(this.#operations)
    this.#done += this.#bytes
    this.#operations = []
    this.#bytes = 0
    const total = Math.max(this.head?.bytes ?? 0, this.#done)
    this.#options.progress(this.#done, total)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.close()
    this.#store = undefined
  }
}
