// A thread that serves the registry of the thread which has started it, and does what it is asked.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { referTo } from '#actors/kernel/kernel.ts'
import { Remote, threadTransport } from '#actors/kernel/remote.ts'
import { joinEnvironment, type JoinOptions } from '#actors/registry/served_environment.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import { carryOut, type ServedMessage } from '#test/actors/registry/_served.ts'
import { sharedSeal } from '#test/actors/registry/_shared_seal.ts'

/** What the thread is started with. */
export type JoinedThreadData = Omit<
  JoinOptions,
  'personSeal' | 'personIndexKey' | 'systemMs' | 'random' | 'remote'
> & { readonly port: MessagePort }

const { port, ...options } = workerData as JoinedThreadData
const remote = new Remote({
  ...remoteLimits,
  name: 'the thread that runs it',
  transport: threadTransport(port),
})
const environment = await joinEnvironment({
  ...options,
  ...sharedSeal(),
  systemMs: Date.now,
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
  remote,
})

const served = referTo('served', (message: ServedMessage) => {
  // As at the beginning of a request.
  environment.catchUp()
  return carryOut(environment, message)
})
remote.offer('served', () => served)
parentPort?.postMessage('joined')
