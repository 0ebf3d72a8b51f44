import { hkdfSync, timingSafeEqual } from 'node:crypto'

import type { Subscription } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { othersScansEnded } from '#actors/kernel/scans.ts'
import type { Operation, ReadStore, Store } from '#log/store/store.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { createKeyHasher, type KeyHasher, pepperBytes } from '#src/identity/store/api_key.ts'
import {
  countChanges,
  CountedRows,
  IdentityGuard,
  readSince,
} from '#src/identity/store/counted_rows.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import {
  type FoundSince,
  type IdentityStore,
  putRow,
  readRow,
  type RowListener,
  type RowRange,
  scanRows,
  writtenRows,
} from '#src/identity/store/identity_rows.ts'
import {
  contended,
  isWithin,
  type KnownUntil,
  type Progress,
  type SharedIdentity,
  type SharedPart,
  stale,
  takePart,
} from '#src/identity/store/shared_changes.ts'
import { createSecretFile, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

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
  /** What this node has in common with others; undefined: it is the only one. */
  readonly shared?: SharedIdentity
}

/** The row that says whose store this is: `pepperCheck` is a digest only the right pepper makes. */
type IdentityRow = { readonly schema: 1; readonly pepper_check: string }

// Keys are served from memory, so the store itself gets little of it.
const writeBufferBytes = 4 * 1024 * 1024
const cacheBytes = 1024 * 1024

/** Under which name the threads of a process offer each other what they need of the store. */
export const identityStoreName = 'identity'

// A scan lasts as long as its reader takes: who waits for it asks again after so long.
const scansAskedEveryMs = 30_000

const identityKey = 'identity'
const pepperCheckText = 'svc-pepper-check-v1'

/**
 * Opens the store of keys and accounts. At the first start it makes the pepper; afterwards a pepper
 * that is missing, exposed (StartError `secret_missing`, `secret_exposed`) or not the store's own
 * (IdentityError `secret_mismatch`) is refused, because with it no key could be recognized. A store
 * that has lost changes is `keys_rolled_back`: it would let revoked keys in. Store errors are
 * LogErrors. One that is shared is as the others have it when this resolves; errors as
 * `takePart`.
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
  { headFile, pepperPath, acceptsOlder = false, shared }: IdentityStoreOptions,
): Promise<OpenedIdentityStore> {
  const { store, pepper } = opened
  const hashKey = createKeyHasher(pepper)
  const claimed = readRow<IdentityRow>(store, identityKey)
  const pepperCheck = hashKey(pepperCheckText)
  if (claimed !== undefined) checkPepper(claimed, pepperCheck, pepperPath)
  const guard = new IdentityGuard(headFile, hashKey)
  try {
    const changes = countChanges(store)
    const lostChanges = guard.check(changes)
    if (lostChanges > 0 && !acceptsOlder) throw rolledBack(lostChanges, headFile)
    const since = readSince(store)
    const parts = { ...opened, guard, changes, lostChanges, since }
    const identity = new OpenedIdentityStore(parts)
    if (claimed === undefined) {
      const claim: IdentityRow = { schema: 1, pepper_check: pepperCheck.toString('hex') }
      await identity.commit([putRow(identityKey, claim)])
    }
    if (shared !== undefined) await identity.takePart(shared)
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
  readonly guard: IdentityGuard
  readonly changes: number
  readonly lostChanges: number
  readonly since: FoundSince
  /** The connections to the threads that read it as well, as long as they last. */
  readonly readers?: Set<Remote>
}

/** What a thread begins with that joins an identity store of another one. */
export type IdentityShare = Subscription & {
  readonly pepper: Uint8Array
  readonly since: FoundSince
  /** What is told to all threads of what nodes share; undefined: there are no others. */
  readonly shared?: SharedFigures
}

/** Until when this node knows what others have done, and how far it has come. */
export type SharedFigures = { readonly knownUntil: KnownUntil; readonly progress: Progress }

/** For how long a change is judged again that others are always faster than. */
const judgedMsMax = 15_000

/** The rows that a thread reads, the same on all threads. */
type ReadRows = {
  readonly store: ReadStore
  readonly pepper: Uint8Array
  readonly since: FoundSince
}

/**
 * An identity store on any thread: it reads rows, and says how changes are judged. How turns are
 * taken and rows are written is its owner's to do, or to be asked for.
 */
export abstract class ThreadIdentityStore implements IdentityStore {
  readonly hashKey: KeyHasher
  readonly since: FoundSince
  readonly #store: ReadStore
  readonly #pepper: Uint8Array

  constructor({ store, pepper, since }: ReadRows) {
    this.hashKey = createKeyHasher(pepper)
    this.since = since
    this.#store = store
    this.#pepper = pepper
  }

  /** What nodes share, and the clock of it; undefined: there are no others. */
  protected abstract get shared(): (SharedFigures & Clocked) | undefined

  /** Runs a task in a turn of this node: once, whatever other nodes do meanwhile. */
  abstract takeTurn<T>(task: () => Promise<T>): Promise<T>

  /**
   * Whether what the turn has judged so far stands: it may have been written, or no node has
   * changed anything. If not, all of that is here now, and the turn judges anew.
   */
  abstract stands(): Promise<boolean>

  abstract inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T>
  abstract commit(operations: readonly Operation[]): Promise<void>
  abstract append(operations: readonly Operation[]): Promise<void>
  abstract purge(keys: readonly string[]): Promise<void>
  abstract follow<T>(prefix: string, listener: RowListener<T>): void
  abstract catchUp(): void

  deriveKey(purpose: string): Uint8Array {
    return deriveSecret(this.#pepper, purpose)
  }

  read<T>(key: string): T | undefined {
    return readRow<T>(this.#store, key)
  }

  scan<T>(prefix: string, range: RowRange = {}): AsyncGenerator<readonly [key: string, row: T]> {
    return scanRows<T>(this.#store, prefix, range)
  }

  get isShared(): boolean {
    return this.shared !== undefined
  }

  get position(): number {
    const { shared } = this
    return shared === undefined ? 0 : Number(Atomics.load(shared.progress, 0))
  }

  /** Whether this node knows what others have revoked, but for what came within its bound. */
  get isInContact(): boolean {
    const { shared } = this
    return shared === undefined || isWithin(shared.knownUntil, shared.elapsedMs)
  }

  checkContact(): void {
    if (!this.isInContact) throw stale()
  }

  async inTurn<T>(change: () => Promise<T>): Promise<T> {
    const { shared } = this
    if (shared === undefined) return this.takeTurn(change)
    this.checkContact()
    return this.takeTurn(() => this.#judge(change, shared))
  }

  /**
   * Runs a change until it was judged on rows that nobody had changed meanwhile: a refusal stands
   * no more than a success on what was so before. IdentityError `identity_contended` if that never
   * is.
   */
  async #judge<T>(change: () => Promise<T>, { elapsedMs }: Clocked): Promise<T> {
    const endMs = elapsedMs() + judgedMsMax
    for (;;) {
      this.catchUp()
      const [outcome] = await Promise.allSettled([change()])
      if (await this.stands()) {
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      }
      if (elapsedMs() >= endMs) throw contended()
    }
  }
}

/** Milliseconds of a clock that only goes forward, and is the same on all threads. */
type Clocked = { readonly elapsedMs: () => number }

/** A turn: on which changes what it reads rests, and whether it may have written anything. */
type Turn = { readonly judgedAfter: number; mayHaveWritten: boolean }

/** The identity store of the thread that owns it, and with it the order of changes on this node. */
export class OpenedIdentityStore extends ThreadIdentityStore {
  /** How many changes were made after the older copy that this is; 0 unless older was accepted. */
  readonly lostChanges: number
  readonly #rows: CountedRows
  readonly #pepper: Uint8Array
  #lastTurn: Promise<unknown> = Promise.resolve()
  readonly #readers: Set<Remote>
  readonly #turnsAt = new NamedTurns()
  #part: SharedPart | undefined
  #turn: Turn | undefined

  constructor(parts: IdentityStoreParts) {
    super(parts)
    const { store, pepper, guard, changes, lostChanges, since, readers = new Set() } = parts
    this.lostChanges = lostChanges
    this.#pepper = pepper
    this.#readers = readers
    // The next change follows the lost ones too: so no copy of before it is the newest again.
    this.#rows = new CountedRows({ store, guard, changes: changes + lostChanges, since })
  }

  /** All rows, to copy them or to see whether they can be changed. */
  get rows(): Pick<CountedRows, 'copy' | 'snapshot' | 'failure'> {
    return this.#rows
  }

  protected override get shared(): (SharedFigures & Clocked) | undefined {
    const part = this.#part
    if (part === undefined) return undefined
    const { contact, changes, elapsedMs } = part
    return { knownUntil: contact.knownUntil, progress: changes.progress, elapsedMs }
  }

  override takeTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(() => {
      this.#beginJudging()
      return task()
    })
    this.#lastTurn = turn.then(
      () => this.#endTurn(),
      () => this.#endTurn(),
    )
    return turn
  }

  override async stands(): Promise<boolean> {
    const [part, turn] = [this.#part, this.#turn]
    if (part === undefined || turn === undefined || turn.mayHaveWritten) return true
    await part.changes.caughtUp()
    if (part.changes.judged === turn.judgedAfter) return true
    this.#beginJudging()
    return false
  }

  #beginJudging(): void {
    const part = this.#part
    if (part === undefined) return
    this.#turn = { judgedAfter: part.changes.judged, mayHaveWritten: false }
  }

  #endTurn(): void {
    this.#turn = undefined
  }

  override inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T> {
    return this.#turnsAt.inTurnAt(name, task)
  }

  override follow<T>(prefix: string, listener: RowListener<T>): void {
    this.#rows.follow(prefix, listener)
  }

  /** Here, where all commits are made, all who follow have been told. */
  override catchUp(): void {}

  /**
   * Resolves when all is here that was acknowledged to anybody before, on whatever node.
   * IdentityError `identity_stale` if it is not known in time what that is.
   */
  async caughtUp(): Promise<void> {
    await this.#part?.changes.caughtUp()
  }

  override async commit(operations: readonly Operation[]): Promise<void> {
    const [part, turn] = [this.#part, this.#turn]
    if (part === undefined) return this.#rows.commit(operations)
    const judged = turn === undefined ? {} : { judgedAfter: turn.judgedAfter }
    try {
      await part.changes.write({ rows: writtenRows(operations), purged: [], ...judged })
      if (turn !== undefined) turn.mayHaveWritten = true
    } catch (error) {
      const isSuperseded = error instanceof IdentityError && error.code === 'identity_outrun'
      if (turn !== undefined) turn.mayHaveWritten = !isSuperseded
      throw error
    }
  }

  override append(operations: readonly Operation[]): Promise<void> {
    const part = this.#part
    if (part === undefined) return this.inTurn(() => this.commit(operations))
    return part.changes.write({ rows: writtenRows(operations), purged: [] })
  }

  override async purge(keys: readonly string[]): Promise<void> {
    const part = this.#part
    if (part === undefined) return this.#rows.purge(keys)
    return part.changes.write({ rows: [], purged: keys })
  }

  /**
   * Shares the store with other nodes from now on: it is as theirs are when this resolves. Errors
   * as `takePart` of a part.
   */
  async takePart(shared: SharedIdentity): Promise<void> {
    this.#part = await takePart(shared, this.#rows, this.deriveKey('identity stream'))
  }

  /**
   * What a thread needs to read this store and to be told of its changes; `remote` leads to it, and
   * what it may write goes that way (`shareIdentity`).
   */
  admit(remote: Remote): IdentityShare {
    this.#readers.add(remote)
    void remote.ended.then(() => this.#readers.delete(remote))
    // Copied, for a buffer is sent with the whole pool that it lies in.
    const share = { pepper: Uint8Array.from(this.#pepper), since: this.since }
    const { shared } = this
    if (shared === undefined) return { ...this.#rows.subscribe(), ...share }
    const { knownUntil, progress } = shared
    return { ...this.#rows.subscribe(), ...share, shared: { knownUntil, progress } }
  }

  /** Waits for the changes under way, then closes the store. */
  async close(): Promise<void> {
    await this.#lastTurn
    this.#part?.contact.close()
    await this.#part?.changes.close()
    await this.#rows.close()
  }
}

/** Tasks under names: those of one name run one after another, in the order in which they came. */
export class NamedTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs a task when all that came before it under this name have ended, however they did. */
  inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(task)
    const ended = Promise.allSettled([turn])
    this.#last.set(name, ended)
    void ended.then(() => {
      if (this.#last.get(name) === ended) this.#last.delete(name)
    })
    return turn
  }
}

const derivedKeyBytes = 32

/** A secret of 32 bytes for one purpose, made from the pepper (HKDF-SHA256, RFC 5869). */
function deriveSecret(pepper: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', pepper, '', `svc-${purpose}-v1`, derivedKeyBytes))
}

/** Reads the pepper: a secret file with 64 hex digits on one line. Errors as `readSecretFile`. */
export async function readPepper(path: string): Promise<Uint8Array> {
  const text = (await readSecretFile(path)).toString('latin1')
  if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.slice(0, -1), 'hex')
  throw new StartError(
    'secret_malformed',
    `${path} must hold one line of ${2 * pepperBytes} lower-case hex digits`,
  )
}

/** The pepper of a new store: the file's if a first start got that far, else a new one. */
export async function readOrCreatePepper(
  path: string,
  random: (bytes: number) => Uint8Array,
): Promise<Uint8Array> {
  try {
    return await readPepper(path)
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== 'secret_missing') throw error
    const pepper = random(pepperBytes)
    await createSecretFile(path, `${Buffer.from(pepper).toString('hex')}\n`)
    return pepper
  }
}
