import { asActorError, type SentFault, sentFault } from '#actors/kernel/actor_error.ts'
import { type Ref, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Operation } from '#log/base/store.ts'
import { IdentityError, type IdentityErrorCode } from '#src/identity/store/identity_error.ts'
import { operationsOf, type WrittenRow } from '#src/identity/store/identity_rows.ts'
import {
  identityStoreName,
  type IdentityShare,
  type OpenedIdentityStore,
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
