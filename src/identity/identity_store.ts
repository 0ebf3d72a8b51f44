import { timingSafeEqual } from 'node:crypto'

import { openLevelStore } from '#log/level_store.ts'
import type { Operation, Store } from '#log/store.ts'
import { IdentityError } from '#src/identity/errors.ts'
import { createKeyHasher, type KeyHasher } from '#src/identity/key_hash.ts'
import { readOrCreatePepper, readPepper } from '#src/identity/pepper.ts'

/** Where the identity store lies. `create` is true at the first start only. */
export type IdentityStoreOptions = {
  readonly dir: string
  readonly pepperPath: string
  readonly create: boolean
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** The row that says whose store this is: `pepperCheck` is a digest only the right pepper makes. */
type IdentityRow = { readonly schema: 1; readonly pepper_check: string }

// Keys are served from memory, so the store itself gets little of it.
const writeBufferBytes = 4 * 1024 * 1024
const cacheBytes = 1024 * 1024

const identityKey = 'identity'
const pepperCheckText = 'svc-pepper-check-v1'

/**
 * Opens the store of keys and, later, accounts. At the first start it makes the pepper; afterwards
 * a missing, exposed or different pepper is refused (`secret_missing`, `secret_exposed`,
 * `secret_mismatch`), because with it no key could be recognized. Store errors are LogErrors.
 */
export async function openIdentityStore(options: IdentityStoreOptions): Promise<IdentityStore> {
  const { dir, pepperPath, create, random } = options
  const pepper = await (create ? readOrCreatePepper(pepperPath, random) : readPepper(pepperPath))
  const store = await openLevelStore(dir, { create, writeBufferBytes, cacheBytes })
  const identity = new IdentityStore(store, createKeyHasher(pepper))
  try {
    await claimStore(identity, pepperPath)
    return identity
  } catch (error) {
    await store.close()
    throw error
  }
}

async function claimStore(identity: IdentityStore, pepperPath: string): Promise<void> {
  const digest = Buffer.from(identity.hashKey(pepperCheckText))
  const row = identity.read<IdentityRow>(identityKey)
  if (row === undefined) {
    const claim: IdentityRow = { schema: 1, pepper_check: digest.toString('hex') }
    return identity.commit([putRow(identityKey, claim)])
  }
  if (timingSafeEqual(Buffer.from(row.pepper_check, 'hex'), digest)) return
  throw new IdentityError(
    'secret_mismatch',
    `${pepperPath} is not the pepper this store was made with, ` +
      'so no API key could be recognized: ' +
      'restore the file that belongs to the store',
  )
}

/** A put of `value` as JSON. */
export function putRow(key: string, value: unknown): Operation {
  return { type: 'put', key, value: Buffer.from(JSON.stringify(value)) }
}

/** JSON rows with a single writer. It owns the order of changes; who reads owns nothing. */
export class IdentityStore {
  readonly hashKey: KeyHasher
  readonly #store: Store
  #lastTurn: Promise<unknown> = Promise.resolve()
  #failure: unknown

  constructor(store: Store, hashKey: KeyHasher) {
    this.#store = store
    this.hashKey = hashKey
  }

  /** The row at `key`. Its shape is the caller's to know: only this store's code writes rows. */
  read<T>(key: string): T | undefined {
    const value = this.#store.get(key)
    return value === undefined ? undefined : decodeRow<T>(value)
  }

  /** Rows whose keys start with `prefix`, in key order, from after the key `after`. */
  async *scan<T>(
    prefix: string,
    options: { after?: string; limit?: number; reverse?: boolean } = {},
  ): AsyncGenerator<readonly [key: string, row: T]> {
    const { after = prefix, ...rest } = options
    for await (const [key, value] of this.#store.scan({ gt: after, lt: `${prefix}~`, ...rest })) {
      yield [key, decodeRow<T>(value)]
    }
  }

  /** Runs changes one after another, so that what one reads, no other changes under it. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(change)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }

  /**
   * Writes one synced batch. After a failure the outcome is unknown and every later write is
   * refused with `keys_unwritable`, until a restart reads what was kept.
   */
  async commit(operations: readonly Operation[]): Promise<void> {
    if (this.#failure === undefined) {
      try {
        return await this.#store.commit(operations)
      } catch (error) {
        this.#failure = error
      }
    }
    throw new IdentityError(
      'keys_unwritable',
      'a write to the identity store failed and its outcome is unknown: free the disk if it is ' +
        'full, then restart the service',
      { cause: this.#failure },
    )
  }

  /** Waits for the changes under way, then closes the store. */
  async close(): Promise<void> {
    await this.#lastTurn
    await this.#store.close()
  }
}

function decodeRow<T>(value: Uint8Array): T {
  return JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.length).toString()) as T
}
