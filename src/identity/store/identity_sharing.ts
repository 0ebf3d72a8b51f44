import {
  ActorError,
  asActorError,
  faultOf,
  type SentFault,
  sentFault,
} from '#actors/kernel/actor_error.ts'
import { ask, type Ref, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import { Subscriber } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerScans } from '#actors/kernel/scans.ts'
import type { Operation } from '#log/store/store.ts'
import { type JoinedStore, joinLevelStore } from '#log/store/level_store.ts'
import { IdentityError, type IdentityErrorCode } from '#src/identity/store/identity_error.ts'
import {
  cutRows,
  operationsOf,
  RowFollowers,
  type RowListener,
  type WrittenRow,
  writtenRows,
} from '#src/identity/store/identity_rows.ts'
import {
  type IdentityShare,
  identityStoreName,
  type OpenedIdentityStore,
  ThreadIdentityStore,
} from '#src/identity/store/identity_store.ts'

/** What the thread that owns an identity store is asked by those that have joined it. */
export type IdentityMessage =
  /** A turn of the store, or one at a name; the asker numbers its turns. */
  | { readonly type: 'take_turn'; readonly turn: number; readonly name?: string }
  | { readonly type: 'end_turn'; readonly turn: number }
  /** Rows of a commit that is too long for one message; the asker numbers its commits. */
  | { readonly type: 'prepare'; readonly commit: number; readonly rows: readonly WrittenRow[] }
  /** Commits, or appends, what was prepared under the number, and these rows after it. */
  | {
      readonly type: 'commit' | 'append'
      readonly commit: number
      readonly rows: readonly WrittenRow[]
      readonly reply: Reply<WriteAnswer>
    }
  /** Whether what the turn of the asker has judged stands. */
  | { readonly type: 'stands'; readonly reply: Reply<StandsAnswer> }
  | {
      readonly type: 'purge'
      readonly keys: readonly string[]
      readonly reply: Reply<WriteAnswer>
    }

type CommitPart = { readonly commit: number; readonly rows: readonly WrittenRow[] }

/** Why it was not done: an IdentityError is the same on every thread. */
export type RefusedAnswer = {
  readonly type: 'refused'
  readonly code: IdentityErrorCode
  readonly message: string
  readonly cause: SentFault
}

/** What became of a write. */
export type WriteAnswer = { readonly type: 'written' } | RefusedAnswer

/** Whether a turn stands, or is to judge anew. */
export type StandsAnswer = { readonly type: 'stands' | 'superseded' } | RefusedAnswer

/** What the owner tells them: one of their turns begins. */
export type TurnMessage = { readonly type: 'begin_turn'; readonly turn: number }

/**
 * Lets the other side of a connection join an identity store (`joinIdentityStore`), which takes its
 * turns with all others. When that side ends, the turns end that it has or waits for, once what it
 * was writing is written.
 */
export function shareIdentity(store: OpenedIdentityStore, remote: Remote): IdentityShare {
  const host = new IdentityStoreHost(store, remote.at<TurnMessage>(identityStoreName, ''))
  const ref = referTo(identityStoreName, (message: IdentityMessage) => host.receive(message))
  remote.offer(identityStoreName, () => ref)
  void remote.ended.then(() => host.close())
  return store.admit(remote)
}

/** What one other side does with the store: it owns the turns and the writes of that side. */
class IdentityStoreHost {
  readonly #store: OpenedIdentityStore
  readonly #guest: Ref<TurnMessage>
  /** How to end each turn that the other side has or waits for. */
  readonly #turns = new Map<number, () => void>()
  readonly #prepared = new Map<number, WrittenRow[]>()
  readonly #writes = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(store: OpenedIdentityStore, guest: Ref<TurnMessage>) {
    this.#store = store
    this.#guest = guest
  }

  receive(message: IdentityMessage): true {
    switch (message.type) {
      case 'take_turn':
        this.#take(message.turn, message.name)
        return true
      case 'end_turn':
        this.#end(message.turn)
        return true
      case 'prepare':
        this.#prepare(message)
        return true
      case 'commit':
        return this.#write(message.reply, this.#store.commit(this.#operations(message)))
      case 'append':
        // In no turn, for it may have to wait for one of this side to end.
        return answerWritten(message.reply, this.#store.append(this.#operations(message)))
      case 'stands':
        return this.#stands(message.reply)
      case 'purge':
        return this.#write(message.reply, this.#store.purge(message.keys))
    }
  }

  close(): void {
    this.#isClosed = true
    for (const turn of this.#turns.keys()) this.#end(turn)
  }

  #stands(reply: Reply<StandsAnswer>): true {
    this.#store.stands().then(
      (stands) => reply.resolve({ type: stands ? 'stands' : 'superseded' }),
      (error: unknown) => answerFault(reply, error),
    )
    return true
  }

  #operations(message: CommitPart): Operation[] {
    const rows = this.#prepare(message)
    this.#prepared.delete(message.commit)
    return operationsOf(rows)
  }

  /** All that was prepared of a commit, this part included. */
  #prepare({ commit, rows }: CommitPart): readonly WrittenRow[] {
    const prepared = this.#prepared.get(commit) ?? []
    for (const row of rows) prepared.push(row)
    this.#prepared.set(commit, prepared)
    return prepared
  }

  #take(turn: number, name: string | undefined): void {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#turns.set(turn, end)
    const giveTurn = async (): Promise<void> => {
      if (this.#isClosed) return
      tell(this.#guest, { type: 'begin_turn', turn })
      await ended
      // Who gave up waiting for a write, or is no more, has not seen its end.
      await Promise.allSettled(this.#writes)
    }
    void (name === undefined
      ? this.#store.takeTurn(giveTurn)
      : this.#store.inTurnAt(name, giveTurn))
  }

  #end(turn: number): void {
    this.#turns.get(turn)?.()
    this.#turns.delete(turn)
  }

  #write(reply: Reply<WriteAnswer>, writing: Promise<void>): true {
    this.#writes.add(writing)
    return answerWritten(
      reply,
      writing.finally(() => this.#writes.delete(writing)),
    )
  }
}

function answerWritten(reply: Reply<WriteAnswer>, writing: Promise<void>): true {
  writing.then(
    () => reply.resolve({ type: 'written' }),
    (error: unknown) => answerFault(reply, error),
  )
  return true
}

function answerFault(reply: Reply<RefusedAnswer>, error: unknown): void {
  if (!(error instanceof IdentityError)) {
    return reply.reject(asActorError(error, 'the identity store failed'))
  }
  const { code, message, cause } = error
  reply.resolve({ type: 'refused', code, message, cause: sentFault(cause) })
}

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

/** The identity store of another thread: it makes changes there, in the turns of all threads. */
export class JoinedIdentityStore extends ThreadIdentityStore {
  readonly #joined: JoinedStore
  readonly #shared: ReturnType<typeof figuresOf>
  readonly #owner: Ref<IdentityMessage>
  readonly #subscriber: Subscriber<readonly WrittenRow[]>
  readonly #followers = new RowFollowers()
  readonly #awaited = new Map<number, AwaitedTurn>()
  #turns = 0
  #commits = 0
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(options: JoinIdentityOptions, store: JoinedStore) {
    const { share, remote } = options
    super({ ...share, store })
    this.#joined = store
    this.#shared = figuresOf(options)
    this.#owner = remote.at(identityStoreName, '')
    this.#subscriber = new Subscriber(share, (rows) => this.#followers.tell(rows))
    const ref = referTo(identityStoreName, ({ turn }: TurnMessage) => this.#begin(turn))
    remote.offer(identityStoreName, () => ref)
    offerScans(remote, identityStoreName, () => store.scansEnded())
    void remote.ended.then(() => this.#failAll())
  }

  protected override get shared(): ReturnType<typeof figuresOf> {
    return this.#shared
  }

  override takeTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#takeTurn(task)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }

  override inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T> {
    return this.#takeTurn(task, name)
  }

  override async stands(): Promise<boolean> {
    const answer = await ask(this.#owner, { type: 'stands' }, writeMsMax)
    if (answer.type === 'refused') throw refusalOf(answer)
    return answer.type === 'stands'
  }

  override follow<T>(prefix: string, listener: RowListener<T>): void {
    // Who begins to follow is told of nothing older.
    this.catchUp()
    this.#followers.follow(prefix, listener)
  }

  override catchUp(): void {
    this.#subscriber.catchUp()
  }

  override commit(operations: readonly Operation[]): Promise<void> {
    return this.#write('commit', operations)
  }

  override append(operations: readonly Operation[]): Promise<void> {
    return this.#write('append', operations)
  }

  async #write(type: 'commit' | 'append', operations: readonly Operation[]): Promise<void> {
    const commit = (this.#commits += 1)
    const bounds = { max: partCharactersMax, sizeOf: charactersOf }
    const parts = cutRows(writtenRows(operations), bounds)
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

  override async purge(keys: readonly string[]): Promise<void> {
    checkWritten(await ask(this.#owner, { type: 'purge', keys }, writeMsMax))
  }

  /** Waits for the changes under way here, then leaves the store, before its owner closes it. */
  async close(): Promise<void> {
    await this.#lastTurn
    this.#subscriber.close()
    await this.#joined.close()
  }

  async #takeTurn<T>(task: () => Promise<T>, name?: string): Promise<T> {
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

function figuresOf({ share: { shared }, elapsedMs }: JoinIdentityOptions) {
  return shared === undefined ? undefined : { ...shared, elapsedMs }
}

function unsent(): ActorError {
  return new ActorError('fault', 'a part of a commit could not be sent to the identity store')
}

function charactersOf({ key, text = '' }: WrittenRow): number {
  return key.length + text.length
}

function checkWritten(answer: WriteAnswer): void {
  if (answer.type === 'refused') throw refusalOf(answer)
}

function refusalOf({ code, message, cause }: RefusedAnswer): IdentityError {
  return new IdentityError(code, message, { cause: faultOf(cause) })
}

/**
 * Whether a thread runs what it opens, or joins what another thread of the process runs: then what
 * is done once for all threads, such as to remove what has expired, is left to the owner, to which
 * there is a connection.
 */
export type ThreadRole =
  | { readonly type: 'runs' }
  | { readonly type: 'joins'; readonly owner: Remote }
