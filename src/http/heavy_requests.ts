import ipaddr from 'ipaddr.js'
import type { FastifyRequest } from 'fastify'

import { FairQueue } from '#src/fair_queue.ts'

/**
 * Carries out what a request asks for when it is the turn of its caller. Of requests that cost much
 * (pages of harvests, exports, works of thousands of authors) few are under way at a time, and the
 * callers take turns. Throws QueueError if too many wait already, or the client leaves first.
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

/** Makes the turns of a server's heavy requests. */
export function shareTurns(): TakeTurn {
  const queue = new FairQueue(limits)
  return async (request, task) => {
    const left = new AbortController()
    const leave = () => left.abort()
    const { socket } = request.raw
    socket.once('close', leave)
    try {
      return await queue.run(callerOf(request), task, left.signal)
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

/** What one client is known by: an IPv4 address, or the /64 that an IPv6 address is in. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return address.toByteArray().slice(0, 8).join('.')
}
