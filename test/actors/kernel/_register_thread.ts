// Registers in a thread of their own. It is sent the port over which it is asked, then `release` or
// `close`, and says when it has closed them.

import { type MessagePort, parentPort } from 'node:worker_threads'
import { Remote, threadTransport } from '#actors/kernel/remote.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import { startRegisters } from '#test/actors/kernel/_register.ts'

const { shards, release } = startRegisters()

parentPort?.on('message', (message: 'release' | 'close' | { readonly port: MessagePort }) => {
  if (message === 'release') release()
  else if (message === 'close') void shards.close().then(() => parentPort?.postMessage('closed'))
  else {
    const transport = threadTransport(message.port)
    const remote = new Remote({ ...remoteLimits, name: 'the asking thread', transport })
    remote.offer('register', (key) => shards.at(key))
  }
})
