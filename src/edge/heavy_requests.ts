import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

import { longBytesMin, type WhenLong } from '#actors/catalogue/port.ts'
import { FairQueue } from '#src/fairness/fair_queue.ts'
import { callerName } from '#src/edge/caller.ts'
import { whenGone } from '#src/edge/gone_client.ts'
import type { UnsentReplies } from '#src/edge/unsent_replies.ts'

/**
 * Carries out what a request asks for when it is the turn of its caller. Of requests that cost much
 * (pages of harvests, works of thousands of authors) few are under way at a time, and the callers
 * take turns. Throws QueueError if too many wait already, or the client leaves first; HttpError as
 * `UnsentReplies.admit`.
 */
export type TakeTurn = <T>(reply: FastifyReply, task: () => Promise<T>) => Promise<T>

/** As many as keep the thread that renders busy, and the disk. */
const limits = {
  runningMax: 3,
  runningPerCallerMax: 2,
  waitingMax: 2_048,
  waitingPerCallerMax: 256,
}

/** Makes the turns of a server's heavy requests, whose replies are not to be unread for long. */
export function shareTurns(unsent: UnsentReplies): TakeTurn {
  const queue = new FairQueue(limits)
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
    return queue.run(callerName(caller), admitted, whenGone(reply))
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
