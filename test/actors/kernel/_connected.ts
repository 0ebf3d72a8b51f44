// Two sides of a connection over real ports, both in this thread.

import { MessageChannel } from 'node:worker_threads'
import type { ExecutionContext } from 'ava'

import { Remote, type RemoteOptions, threadTransport } from '#actors/kernel/remote.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'

/** The owner's view of the other side, and that of the other side of the owner. */
export type Connection = { readonly toJoined: Remote; readonly toOwner: Remote }

/** Connects two sides until the end of the test. */
export function connect(t: ExecutionContext, limits: Partial<RemoteOptions> = {}): Connection {
  const { port1, port2 } = new MessageChannel()
  const sideOf = (name: string, port: typeof port1) =>
    new Remote({ ...remoteLimits, ...limits, name, transport: threadTransport(port) })
  const toJoined = sideOf('the joined side', port1)
  const toOwner = sideOf('the owner', port2)
  t.teardown(() => toJoined.close())
  return { toJoined, toOwner }
}
