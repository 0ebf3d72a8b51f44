import { timingSafeEqual } from 'node:crypto'

import { Publisher, type Subscription } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { othersScansEnded } from '#actors/kernel/scans.ts'
import { openLevelStore } from '#log/level_store.ts'
import type { Operation, Store } from '#log/store.ts'
import { createKeyHasher, type KeyHasher } from '#src/identity/store/api_key.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { IdentityGuard } from '#src/identity/store/identity_guard.ts'
import {
  putRow,
  readRow,
  RowFollowers,
  type RowListener,
  type RowRange,
  scanRows,
  type WrittenRow,
  writtenRows,
} from '#src/identity/store/identity_rows.ts'
import { NamedTurns } from '#src/identity/store/named_turns.ts'
import { deriveSecret, readOrCreatePepper, readPepper } from '#src/identity/store/pepper.ts'

/** Where the identity store lies. */
export type IdentityStoreOptions = {
  readonly dir: string
  /** The file that remembers how far the store had come, beside it. */
  readonly headFile: string
  readonly pepperPath: string
  /** Whether the store may be made: at the first start only. */
  readonly create: boolean
  /** Whether an older copy may be opened, which is then the newest from its first change on. */
  readonly acceptsOlder?: boolean
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** The row that says whose store this is: `pepperCheck` is a digest only the right pepper makes. */
type IdentityRow = { readonly schema: 1; readonly pepper_check: string }

/** The row that says how many changes were made, this one included: each change writes it. */
type HeadRow = { readonly changes: number }

// Keys are served from memory, so the store itself gets little of it.
const writeBufferBytes = 4 * 1024 * 1024
const cacheBytes = 1024 * 1024

/** Under which name the threads of a process offer each other what they need of the store. */
export const identityStoreName = 'identity'

// A scan lasts as long as its reader takes: who waits for it asks again after so long.
const scansAskedEveryMs = 30_000

const identityKey = 'identity'
const headKey = 'head'
const pepperCheckText = 'svc-pepper-check-v1'

/**
 * Opens the store of keys and accounts. At the first start it makes the pepper; afterwards a pepper
 * that is missing, exposed (StartError `secret_missing`, `secret_exposed`) or not the store's own
 * (IdentityError `secret_mismatch`) is refused, because with it no key could be recognized. A store
 * that has lost changes is `keys_rolled_back`: it would let revoked keys in. Store errors are
 * LogErrors.
 */
export async function openIdentityStore(
  options: IdentityStoreOptions,
): Promise<OpenedIdentityStore> {
  const { dir, pepperPath, create, random } = options
  const pepper = await (create ? readOrCreatePepper(pepperPath, random) : readPepper(pepperPath))
  const readers = new Set<Remote>()
  const store = await openLevelStore(dir, {
    create,
    writeBufferBytes,
    cacheBytes,
    otherScans: () => othersScansEnded(readers, identityStoreName, scansAskedEveryMs),
  })
  try {
    return await claimStore({ store, pepper, readers }, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function claimStore(
  opened: Pick<IdentityStoreParts, 'store' | 'pepper' | 'readers'>,
  { headFile, pepperPath, acceptsOlder = false }: IdentityStoreOptions,
): Promise<OpenedIdentityStore> {
  const { store, pepper } = opened
  const hashKey = createKeyHasher(pepper)
  const claimed = readRow<IdentityRow>(store, identityKey)
  const pepperCheck = hashKey(pepperCheckText)
  if (claimed !== undefined) checkPepper(claimed, pepperCheck, pepperPath)
  const guard = new IdentityGuard(headFile, hashKey)
  try {
    const changes = readRow<HeadRow>(store, headKey)?.changes ?? 0
    const lostChanges = guard.check(changes)
    if (lostChanges > 0 && !acceptsOlder) throw rolledBack(lostChanges, headFile)
    const parts = { ...opened, hashKey, guard, changes, lostChanges }
    const identity = new OpenedIdentityStore(parts)
    if (claimed === undefined) {
      const claim: IdentityRow = { schema: 1, pepper_check: pepperCheck.toString('hex') }
      await identity.commit([putRow(identityKey, claim)])
    }
    return identity
  } catch (error) {
    guard.close()
    throw error
  }
}

function checkPepper(claimed: IdentityRow, pepperCheck: Uint8Array, pepperPath: string): void {
  if (timingSafeEqual(Buffer.from(claimed.pepper_check, 'hex'), pepperCheck)) return
  throw new IdentityError(
    'secret_mismatch',
    `${pepperPath} is not the pepper this store was made with, ` +
      'so no API key could be recognized: ' +
      'restore the file that belongs to the store',
  )
}

function rolledBack(lostChanges: number, headFile: string): IdentityError {
  return new IdentityError(
    'keys_rolled_back',
    `the identity store lacks the newest ${lostChanges} of the changes that were made ` +
      `(${headFile}): it is an older copy, or has lost writes, and keys that were revoked since ` +
      'would work again. Restore the newest copy of the store; if there is none, run ' +
      '"arklog key accept-older --help" to go on from this one',
  )
}

/** What an identity store is made from: how many changes it holds, and how many it has lost. */
export type IdentityStoreParts = {
  readonly store: Store
  readonly pepper: Uint8Array
  readonly hashKey: KeyHasher
  readonly guard: IdentityGuard
  readonly changes: number
  readonly lostChanges: number
  /** The connections to the threads that read it as well, as long as they last. */
  readonly readers?: Set<Remote>
}

/** What an identity store is to those who keep their rows in it, or in a part of it. */
export type IdentityStore = Pick<
  OpenedIdentityStore,
  | 'hashKey'
  | 'deriveKey'
  | 'read'
  | 'scan'
  | 'inTurn'
  | 'inTurnAt'
  | 'commit'
  | 'purge'
  | 'follow'
  | 'catchUp'
>

/** What a thread begins with that joins an identity store of another one. */
export type IdentityShare = Subscription & { readonly pepper: Uint8Array }

/** JSON rows with a single writer. It owns the order of changes; who reads owns nothing. */
export class OpenedIdentityStore {
  readonly hashKey: KeyHasher
  /** How many changes were made after the older copy that this is; 0 unless older was accepted. */
  readonly lostChanges: number
  readonly #store: Store
  readonly #pepper: Uint8Array
  readonly #guard: IdentityGuard
  #changes: number
  #lastTurn: Promise<unknown> = Promise.resolve()
  #failure: unknown
  readonly #followers = new RowFollowers()
  readonly #publisher = new Publisher<readonly WrittenRow[]>()
  readonly #readers: Set<Remote>
  readonly #turnsAt = new NamedTurns()

  constructor(parts: IdentityStoreParts) {
    const { store, pepper, hashKey, guard, changes, lostChanges, readers = new Set() } = parts
    this.hashKey = hashKey
    this.lostChanges = lostChanges
    this.#store = store
    this.#pepper = pepper
    this.#guard = guard
    this.#readers = readers
    // The next change follows the lost ones too: so no copy of before it is the newest again.
    this.#changes = changes + lostChanges
  }

  /** A secret of 32 bytes for one purpose, made from the pepper (HKDF-SHA256, RFC 5869). */
  deriveKey(purpose: string): Uint8Array {
    return deriveSecret(this.#pepper, purpose)
  }

  /** The row at `key`. Its shape is the caller's to know: only this store's code writes rows. */
  read<T>(key: string): T | undefined {
    return readRow<T>(this.#store, key)
  }

  /** Rows whose keys start with `prefix`, in key order, between the keys `after` and `before`. */
  scan<T>(prefix: string, range: RowRange = {}): AsyncGenerator<readonly [key: string, row: T]> {
    return scanRows<T>(this.#store, prefix, range)
  }

  /**
   * Runs changes one after another, so that what one reads, no other changes under it. Of what the
   * changes before it have committed, everybody here has been told.
   */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(change)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }

  /**
   * Runs tasks under the same name one after another, on whatever threads; each may take turns of
   * the store meanwhile. So what is good for one use has one, whatever its use takes.
   */
  inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T> {
    return this.#turnsAt.inTurnAt(name, task)
  }

  /**
   * Tells `listener` of every row under `prefix` that a commit puts or deletes, whichever thread
   * commits it, in the order of the commits, once each is durable. A commit of one's own is told
   * before it resolves, those of others by `catchUp` at the latest.
   */
  follow<T>(prefix: string, listener: RowListener<T>): void {
    this.#followers.follow(prefix, listener)
  }

  /**
   * Tells those who follow, at once, of every commit that was acknowledged to anybody before. Here,
   * where all commits are made, they have been told.
   */
  catchUp(): void {}

  /**
   * Writes one change, a synced batch; call it in turn. After a failure the outcome is unknown and
   * every later change is refused with `keys_unwritable`, until a restart reads what was kept.
   */
  async commit(operations: readonly Operation[]): Promise<void> {
    await this.#write(operations)
    const rows = writtenRows(operations)
    this.#publisher.publish(rows)
    this.#followers.tell(rows)
  }

  async #write(operations: readonly Operation[]): Promise<void> {
    if (this.#failure === undefined) {
      try {
        const changes = this.#changes + 1
        await this.#store.commit([...operations, putRow(headKey, { changes } satisfies HeadRow)])
        this.#changes = changes
        return this.#guard.remember(changes)
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

  /**
   * Leaves nothing in the store's files of what these rows held before their last change; call it
   * in turn.
   */
  async purge(keys: readonly string[]): Promise<void> {
    // One by one: all that lies between two keys would be written anew as well.
    for (const key of keys) await this.#store.purge([key])
  }

  /**
   * What a thread needs to read this store and to be told of its changes; `remote` leads to it, and
   * what it may write goes that way (`shareIdentity`).
   */
  admit(remote: Remote): IdentityShare {
    this.#readers.add(remote)
    void remote.ended.then(() => this.#readers.delete(remote))
    // Copied, for a buffer is sent with the whole pool that it lies in.
    return { ...this.#publisher.subscribe(), pepper: Uint8Array.from(this.#pepper) }
  }

  /** Waits for the changes under way, then closes the store. */
  async close(): Promise<void> {
    await this.#lastTurn
    this.#publisher.close()
    this.#guard.close()
    await this.#store.close()
  }
}
