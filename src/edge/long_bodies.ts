import { once } from 'node:events'
import type { preParsingAsyncHookHandler } from 'fastify'

import { FairQueue } from '#src/fairness/fair_queue.ts'
import { callerName } from '#src/edge/caller.ts'
import { whenGone } from '#src/edge/gone_client.ts'

/** A body of several megabytes takes ten times as much memory until its reply is sent. */
const limits = {
  runningMax: 3,
  runningPerCallerMax: 1,
  waitingMax: 64,
  waitingPerCallerMax: 16,
}

/**
 * Makes a hook that has a request wait for its turn before its body is read. It has its turn until
 * its reply is sent or its client has gone; callers take turns. Fails with QueueError if too many
 * wait already, or the client leaves first.
 */
export function shareLongBodies(): preParsingAsyncHookHandler {
  const queue = new FairQueue(limits)
  return async (request, reply) => {
    const gone = whenGone(reply)
    const turn = Promise.withResolvers<void>()
    const untilGone = async () => {
      turn.resolve()
      if (!gone.aborted) await once(gone, 'abort')
    }
    queue.run(callerName(request.caller), untilGone, gone).catch(turn.reject)
    await turn.promise
  }
}
