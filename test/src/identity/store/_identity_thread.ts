// A thread that has joined the identity store of the thread which has started it, and does what it
// is asked.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

import { answer } from '#actors/kernel/answer.ts'
import { referTo, type Reply } from '#actors/kernel/kernel.ts'
import { Remote } from '#actors/kernel/remote.ts'
import { threadTransport } from '#actors/kernel/transport.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityShare } from '#src/identity/store/identity_store.ts'
import { joinIdentityStore } from '#src/identity/store/identity_sharing.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'

/** What the thread is started with. */
export type IdentityThreadData = {
  readonly dir: string
  readonly share: IdentityShare
  readonly port: MessagePort
}

/** What it is asked. */
export type IdentityThreadMessage =
  /** Adds one to the row `count` in turn, so many times, and says what was told of the row. */
  | { readonly type: 'add'; readonly times: number; readonly reply: Reply<readonly number[]> }
  /** Takes a turn, at a name if there is one, and keeps it; answered when it has begun. */
  | { readonly type: 'hold'; readonly name?: string; readonly reply: Reply<void> }

const { dir, share, port } = workerData as IdentityThreadData
const remote = new Remote({
  ...remoteLimits,
  name: 'the owner',
  transport: threadTransport(port),
})
const store = await joinIdentityStore({ dir, share, remote, elapsedMs })

async function addOften(times: number): Promise<readonly number[]> {
  const told: number[] = []
  store.follow<number>('count', (_key, count) => void told.push(count ?? 0))
  await Promise.all(Array.from({ length: times }, () => store.inTurn(addOne)))
  return told
}

async function addOne(): Promise<void> {
  await store.commit([putRow('count', (store.read<number>('count') ?? 0) + 1)])
}

function hold(name: string | undefined): Promise<void> {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const task = () => {
    begin()
    return new Promise<never>(() => undefined)
  }
  void (name === undefined ? store.inTurn(task) : store.inTurnAt(name, task))
  return begun
}

function perform(message: IdentityThreadMessage): Promise<unknown> {
  switch (message.type) {
    case 'add':
      return addOften(message.times)
    case 'hold':
      return hold(message.name)
  }
}

const served = referTo('identity thread', (message: IdentityThreadMessage) => {
  return answer(message.reply as Reply<unknown>, perform(message), 'it failed')
})
remote.offer('identity thread', () => served)
parentPort?.postMessage('joined')
