import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'

import { FairQueue } from '#src/fair_queue.ts'
import { networkOf } from '#src/http/client_network.ts'
import type { UnsentReplies } from '#src/http/unsent_replies.ts'

/**
 * Carries out what a request asks for when it is the turn of its caller. Of requests that cost much
 * (pages of harvests, works of thousands of authors) few are under way at a time, and the callers
 * take turns. Throws QueueError if too many wait already, or the client leaves first; HttpError as
 * `UnsentReplies.admit`.
 */
export type TakeTurn = <T>(request: FastifyRequest, task: () => Promise<T>) => Promise<T>

/** As many as keep the thread that renders busy, and the disk. */
const limits = {
  runningMax: 3,
  runningPerCallerMax: 2,
  waitingMax: 2_048,
  waitingPerCallerMax: 256,
}

/** Bytes of a work from which on to read it takes a millisecond. */
const longBytesMin = 65_536

/** Makes the turns of a server's heavy requests, whose replies are not to be unread for long. */
export function shareTurns(unsent: UnsentReplies): TakeTurn {
  const queue = new FairQueue(limits)
  return async (request, task) => {
    const left = new AbortController()
    const leave = () => left.abort()
    const { socket } = request.raw
    socket.once('close', leave)
    try {
      const admitted = async () => {
        // Tasks whose turns come at one moment are not to hold up all else together.
        await nextTurn()
        unsent.admit(socket)
        return task()
      }
      return await queue.run(callerOf(request), admitted, left.signal)
    } finally {
      socket.off('close', leave)
    }
  }
}

/** Has what is done with a long body wait for its turn; all else is done at once. */
export function takeTurnIfLong<T>(
  { takeTurn }: { readonly takeTurn: TakeTurn },
  request: FastifyRequest,
  body: Uint8Array,
  task: () => Promise<T>,
): Promise<T> {
  return body.length < longBytesMin ? task() : takeTurn(request, task)
}

/** Whom turns are given to: a key, an application with a person, else an address. */
function callerOf({ caller, ip }: FastifyRequest): string {
  switch (caller.kind) {
    case 'key':
      return `key ${caller.keyId}`
    case 'token':
      return `token ${caller.clientId} ${caller.ppid}`
    case 'anonymous':
      return `address ${networkOf(ip)}`
  }
}
