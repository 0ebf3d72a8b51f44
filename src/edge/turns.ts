import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, preParsingAsyncHookHandler } from 'fastify'

import { longBytesMin, type WhenLong } from '#actors/registry/catalogue/port.ts'
import { FairQueue } from '#actors/kernel/fair_queue.ts'
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
  // One who left while the request was admitted is heard of no more.
  if (reply.raw.destroyed) gone.abort()
  else reply.raw.once('close', () => gone.abort())
  return gone.signal
}
