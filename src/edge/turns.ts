import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, preParsingAsyncHookHandler } from 'fastify'

import { longBytesMin, type WhenLong } from '#actors/catalogue/port.ts'
import { asActorError } from '#actors/kernel/actor_error.ts'
import { FairQueue, QueueError, type QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import { ask, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { callerName } from '#src/edge/caller.ts'
import type { UnsentReplies } from '#src/edge/reply_sending.ts'

/** As many requests that cost much as keep the thread that renders busy, and the disk. */
const heavyLimits = {
  runningMax: 3,
  runningPerCallerMax: 2,
  waitingMax: 2_048,
  waitingPerCallerMax: 256,
}

/** A body of several megabytes takes ten times as much memory until its reply is sent. */
const longBodyLimits = {
  runningMax: 3,
  runningPerCallerMax: 1,
  waitingMax: 64,
  waitingPerCallerMax: 16,
}

/** A queue of tasks in which callers take turns. Errors: QueueError for a task never begun. */
export type TurnQueue = Pick<FairQueue, 'run'>

/**
 * Where requests wait for their turns: those that cost much, and those with long bodies. What they
 * bound is the process, so the servers on its threads have the same ones.
 */
export type TurnQueues = { readonly heavy: TurnQueue; readonly longBodies: TurnQueue }

/** Makes the queues of a process. */
export function createTurnQueues(): TurnQueues {
  return { heavy: new FairQueue(heavyLimits), longBodies: new FairQueue(longBodyLimits) }
}

/**
 * Carries out what a request asks for when it is the turn of its caller. Of requests that cost much
 * (pages of harvests, works of thousands of authors) few are under way at a time, and the callers
 * take turns. Throws QueueError if too many wait already, or the client leaves first; HttpError as
 * `UnsentReplies.admit`.
 */
export type TakeTurn = <T>(reply: FastifyReply, task: () => Promise<T>) => Promise<T>

/** Makes the turns of a server's heavy requests, whose replies must not stay unread for long. */
export function createTurns(unsent: UnsentReplies, { heavy: queue }: TurnQueues): TakeTurn {
  let begun = Promise.resolve()
  return (reply, task) => {
    const { caller, raw } = reply.request
    const admitted = async () => {
      // Each begins in a turn of the event loop of its own, so that all else is done in between.
      begun = begun.then(() => nextTurn())
      await begun
      unsent.admit(raw.socket)
      return task()
    }
    return queue.run(callerName(caller), admitted, disconnectSignal(reply))
  }
}

/** Has what a request needs of long works wait for its turn. */
export function whenItsTurn(
  { takeTurn }: { readonly takeTurn: TakeTurn },
  reply: FastifyReply,
): WhenLong {
  return (task) => takeTurn(reply, task)
}

/** Has what is done with a long body wait for its turn; all else is done at once. */
export function takeTurnIfLong<T>(
  { takeTurn }: { readonly takeTurn: TakeTurn },
  reply: FastifyReply,
  body: Uint8Array,
  task: () => Promise<T>,
): Promise<T> {
  return body.length < longBytesMin ? task() : takeTurn(reply, task)
}

/**
 * Makes a hook that has a request wait for its turn before its body is read. It has its turn until
 * its reply is sent or its client has gone; callers take turns. Fails with QueueError if too many
 * wait already, or the client leaves first.
 */
export function createLongBodyTurns({ longBodies: queue }: TurnQueues): preParsingAsyncHookHandler {
  return async (request, reply) => {
    const gone = disconnectSignal(reply)
    const turn = Promise.withResolvers<void>()
    const untilGone = async () => {
      turn.resolve()
      if (!gone.aborted) await once(gone, 'abort')
    }
    queue.run(callerName(request.caller), untilGone, gone).catch(turn.reject)
    await turn.promise
  }
}

/** A signal that is set off when the client has gone, or has its reply. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

/** How it ended that a thread asked for a turn. */
type Entered =
  | { readonly type: 'entered' }
  | { readonly type: 'refused'; readonly code: QueueErrorCode }

type TurnsMessage =
  | {
      readonly type: 'enter'
      readonly queue: keyof TurnQueues
      readonly caller: string
      /** The thread's own number for the turn. */
      readonly turn: number
      readonly reply: Reply<Entered>
    }
  | { readonly type: 'leave'; readonly turn: number }

const name = 'turns'

/** How long a turn is waited for. Clients leave, and with them what waits for them, long before. */
const enterMsMax = 600_000

/**
 * Lets the other side of a connection take turns with all that use these queues
 * (`remoteTurnQueues`). When that side ends, so do its turns.
 */
export function offerTurns(remote: Remote, queues: TurnQueues): void {
  const host = new TurnQueuesHost(queues)
  const ref = referTo(name, (message: TurnsMessage) => host.receive(message))
  remote.offer(name, () => ref)
  void remote.ended.then(() => host.close())
}

/** What one other side has of the queues: it owns the turns that it has, and that it waits for. */
class TurnQueuesHost {
  readonly #queues: TurnQueues
  readonly #turns = new Map<number, AbortController>()

  constructor(queues: TurnQueues) {
    this.#queues = queues
  }

  receive(message: TurnsMessage): true {
    if (message.type === 'enter') void this.#enter(message)
    else this.#turns.get(message.turn)?.abort()
    return true
  }

  close(): void {
    for (const turn of this.#turns.values()) turn.abort()
  }

  async #enter({ queue, caller, turn, reply }: Extract<TurnsMessage, { type: 'enter' }>) {
    const leaving = new AbortController()
    this.#turns.set(turn, leaving)
    const untilLeft = () =>
      new Promise<void>((resolve) => {
        leaving.signal.addEventListener('abort', () => resolve(), { once: true })
        reply.resolve({ type: 'entered' })
      })
    try {
      await this.#queues[queue].run(caller, untilLeft, leaving.signal)
    } catch (error) {
      if (error instanceof QueueError) reply.resolve({ type: 'refused', code: error.code })
      else reply.reject(asActorError(error, 'a turn could not be given'))
    } finally {
      this.#turns.delete(turn)
    }
  }
}

/** The queues of the other side of a connection. Errors: those of the queues; ActorError. */
export function remoteTurnQueues(remote: Remote): TurnQueues {
  const owner = remote.at<TurnsMessage>(name, '')
  let turns = 0
  const queueOf = (queue: keyof TurnQueues): TurnQueue => ({
    async run(caller, task, signal) {
      if (signal?.aborted === true) throw new QueueError('queue_left')
      turns += 1
      const turn = turns
      const leave = () => void tell(owner, { type: 'leave', turn })
      signal?.addEventListener('abort', leave, { once: true })
      try {
        const question = { type: 'enter', queue, caller, turn } as const
        const entered = await ask(owner, question, enterMsMax)
        if (entered.type === 'refused') throw new QueueError(entered.code)
        signal?.removeEventListener('abort', leave)
        return await task()
      } finally {
        leave()
      }
    },
  })
  return { heavy: queueOf('heavy'), longBodies: queueOf('longBodies') }
}
