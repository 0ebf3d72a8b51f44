import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, preParsingAsyncHookHandler } from 'fastify'

import { longBytesMin, type WhenLong } from '#actors/catalogue/port.ts'
import { callerName } from '#src/edge/caller.ts'
import type { UnsentReplies } from '#src/edge/reply_sending.ts'
import { FairQueue } from '#src/fairness/fair_queue.ts'

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

/**
 * Carries out what a request asks for when it is the turn of its caller. Of requests that cost much
 * (pages of harvests, works of thousands of authors) few are under way at a time, and the callers
 * take turns. Throws QueueError if too many wait already, or the client leaves first; HttpError as
 * `UnsentReplies.admit`.
 */
export type TakeTurn = <T>(reply: FastifyReply, task: () => Promise<T>) => Promise<T>

/** Makes the turns of a server's heavy requests, whose replies must not stay unread for long. */
export function createTurns(unsent: UnsentReplies): TakeTurn {
  const queue = new FairQueue(heavyLimits)
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
export function createLongBodyTurns(): preParsingAsyncHookHandler {
  const queue = new FairQueue(longBodyLimits)
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
