import { ActorError, faultOf } from '#actors/kernel/actor_error.ts'
import { ask, type Ref, referTo, tell } from '#actors/kernel/kernel.ts'
import { Subscriber } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerScans } from '#actors/kernel/scans.ts'
import { type JoinedStore, joinLevelStore } from '#log/store/level_store.ts'
import type { Operation } from '#log/base/store.ts'
import { createKeyHasher, type KeyHasher } from '#src/identity/store/api_key.ts'
import { isWithin } from '#src/identity/store/contact.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import {
  readRow,
  RowFollowers,
  type RowListener,
  type RowRange,
  scanRows,
  type WrittenRow,
  writtenRows,
} from '#src/identity/store/identity_rows.ts'
import type {
  IdentityMessage,
  RefusedAnswer,
  TurnMessage,
  WriteAnswer,
} from '#src/identity/store/identity_sharing.ts'
import {
  type IdentityShare,
  type IdentityStore,
  identityStoreName,
  type SharedFigures,
} from '#src/identity/store/identity_store.ts'
import { judge } from '#src/identity/store/judging.ts'
import { deriveSecret } from '#src/identity/store/pepper.ts'
import { stale } from '#src/identity/store/shared_changes_fault.ts'

/** Where the store of another thread lies, and how it is reached. */
export type JoinIdentityOptions = {
  readonly dir: string
  /** What `shareIdentity` gave for this thread. */
  readonly share: IdentityShare
  /** The connection to the thread that owns the store. */
  readonly remote: Remote
  /** Milliseconds of a clock that only goes forward, and is the same on all threads. */
  readonly elapsedMs: () => number
}

/** How long a write may take before who waits for it is told that its outcome is unknown. */
const writeMsMax = 60_000

/**
 * Characters of the rows of a commit that go in one message. A commit that ends what thousands have
 * permitted is longer than any message may be.
 */
const partCharactersMax = 32_768

/** Joins an identity store that another thread owns. Errors: those of `joinLevelStore`. */
export async function joinIdentityStore(
  options: JoinIdentityOptions,
): Promise<JoinedIdentityStore> {
  return new JoinedIdentityStore(options, await joinLevelStore(options.dir))
}

/** A turn that was asked for and has not begun. */
type AwaitedTurn = { begin(): void; fail(error: ActorError): void }

/**
 * The identity store of another thread: rows are read here, and changes are made there, in the
 * turns of all threads. Beside the errors of the store, what is written and who waits for a turn
 * can fail with an ActorError, when the owner has ended.
 */
export class JoinedIdentityStore implements IdentityStore {
  readonly hashKey: KeyHasher
  /** Whether other nodes change these rows too. */
  readonly isShared: boolean
  readonly since: number
  readonly #shared: SharedFigures | undefined
  readonly #elapsedMs: () => number
  readonly #pepper: Uint8Array
  readonly #store: JoinedStore
  readonly #owner: Ref<IdentityMessage>
  readonly #subscriber: Subscriber<readonly WrittenRow[]>
  readonly #followers = new RowFollowers()
  readonly #awaited = new Map<number, AwaitedTurn>()
  #turns = 0
  #commits = 0
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor({ share, remote, elapsedMs }: JoinIdentityOptions, store: JoinedStore) {
    this.hashKey = createKeyHasher(share.pepper)
    this.isShared = share.shared !== undefined
    this.#shared = share.shared
    this.since = share.since
    this.#elapsedMs = elapsedMs
    this.#pepper = share.pepper
    this.#store = store
    this.#owner = remote.at(identityStoreName, '')
    this.#subscriber = new Subscriber(share, (rows) => this.#followers.tell(rows))
    const ref = referTo(identityStoreName, ({ turn }: TurnMessage) => this.#begin(turn))
    remote.offer(identityStoreName, () => ref)
    offerScans(remote, identityStoreName, () => store.scansEnded())
    void remote.ended.then(() => this.#failAll())
  }

  deriveKey(purpose: string): Uint8Array {
    return deriveSecret(this.#pepper, purpose)
  }

  read<T>(key: string): T | undefined {
    return readRow<T>(this.#store, key)
  }

  scan<T>(prefix: string, range: RowRange = {}): AsyncGenerator<readonly [key: string, row: T]> {
    return scanRows<T>(this.#store, prefix, range)
  }

  /** How far these rows have come in what nodes share; 0 if they share nothing. */
  get position(): number {
    return this.#shared === undefined ? 0 : Number(Atomics.load(this.#shared.progress, 0))
  }

  checkContact(): void {
    const shared = this.#shared
    if (shared !== undefined && !isWithin(shared.knownUntil, this.#elapsedMs)) throw stale()
  }

  async inTurn<T>(change: () => Promise<T>): Promise<T> {
    this.checkContact()
    const turn = this.#inTurn(this.isShared ? () => this.#judge(change) : change)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }

  #judge<T>(change: () => Promise<T>): Promise<T> {
    const again = () => {
      this.catchUp()
      return change()
    }
    return judge(again, { stands: () => this.#stands(), elapsedMs: this.#elapsedMs })
  }

  async #stands(): Promise<boolean> {
    const answer = await ask(this.#owner, { type: 'stands' }, writeMsMax)
    if (answer.type === 'refused') throw refusalOf(answer)
    return answer.type === 'stands'
  }

  inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T> {
    return this.#inTurn(task, name)
  }

  follow<T>(prefix: string, listener: RowListener<T>): void {
    // Who begins to follow is told of nothing older.
    this.catchUp()
    this.#followers.follow(prefix, listener)
  }

  catchUp(): void {
    this.#subscriber.catchUp()
  }

  commit(operations: readonly Operation[]): Promise<void> {
    return this.#write('commit', operations)
  }

  append(operations: readonly Operation[]): Promise<void> {
    return this.#write('append', operations)
  }

  async #write(type: 'commit' | 'append', operations: readonly Operation[]): Promise<void> {
    const commit = (this.#commits += 1)
    const parts = partsOf(writtenRows(operations))
    const last = parts.pop() ?? []
    for (const rows of parts) {
      // Without a part of it, nothing of the commit may be written.
      if (!tell(this.#owner, { type: 'prepare', commit, rows })) throw unsent()
    }
    const answer = await ask(this.#owner, { type, commit, rows: last }, writeMsMax)
    // The commit was told before it was answered.
    this.catchUp()
    checkWritten(answer)
  }

  async purge(keys: readonly string[]): Promise<void> {
    checkWritten(await ask(this.#owner, { type: 'purge', keys }, writeMsMax))
  }

  /** Waits for the changes under way here, then leaves the store, before its owner closes it. */
  async close(): Promise<void> {
    await this.#lastTurn
    this.#subscriber.close()
    await this.#store.close()
  }

  async #inTurn<T>(task: () => Promise<T>, name?: string): Promise<T> {
    const turn = (this.#turns += 1)
    const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
    this.#awaited.set(turn, { begin, fail })
    const isAsked = tell(this.#owner, {
      type: 'take_turn',
      turn,
      ...(name !== undefined && { name }),
    })
    if (!isAsked) this.#fail(turn, new ActorError('stopped', 'the identity store has ended'))
    await begun
    try {
      this.catchUp()
      return await task()
    } finally {
      tell(this.#owner, { type: 'end_turn', turn })
    }
  }

  #begin(turn: number): boolean {
    const awaited = this.#awaited.get(turn)
    this.#awaited.delete(turn)
    awaited?.begin()
    return awaited !== undefined
  }

  #fail(turn: number, error: ActorError): void {
    this.#awaited.get(turn)?.fail(error)
    this.#awaited.delete(turn)
  }

  #failAll(): void {
    const error = new ActorError('lost', 'the identity store has ended before a turn began')
    for (const turn of this.#awaited.keys()) this.#fail(turn, error)
  }
}

function unsent(): ActorError {
  return new ActorError('fault', 'a part of a commit could not be sent to the identity store')
}

/** Rows in parts that each fit into a message. */
function partsOf(rows: readonly WrittenRow[]): WrittenRow[][] {
  const parts: WrittenRow[][] = []
  let part: WrittenRow[] = []
  let characters = 0
  for (const row of rows) {
    const rowCharacters = row.key.length + (row.text?.length ?? 0)
    if (characters + rowCharacters > partCharactersMax && part.length > 0) {
      parts.push(part)
      part = []
      characters = 0
    }
    part.push(row)
    characters += rowCharacters
  }
  return [...parts, part]
}

function checkWritten(answer: WriteAnswer): void {
  if (answer.type === 'refused') throw refusalOf(answer)
}

function refusalOf({ code, message, cause }: RefusedAnswer): IdentityError {
  return new IdentityError(code, message, { cause: faultOf(cause) })
}
