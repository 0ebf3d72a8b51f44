import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { ExecutionContext } from 'ava'
import { Remote, type RemoteOptions, threadTransport } from '#actors/kernel/remote.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import type { RemoteRegisters } from '#test/contracts/asks.ts'

/** Starts a thread of registers, until the end of the test. */
export function startRegisterThread(
  t: ExecutionContext,
  options: Partial<RemoteOptions> = {},
): RemoteRegisters {
  const worker = new Worker(new URL('./_register_thread.ts', import.meta.url))
  t.teardown(() => worker.terminate())
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ port: port2 }, [port2])
  const transport = threadTransport(port1)
  const name = 'the thread of registers'
  const remote = new Remote({ ...remoteLimits, ...options, name, transport })
  t.teardown(() => remote.close())
  return {
    name,
    remote,
    at: (key) => remote.at('register', key),
    release: () => worker.postMessage('release'),
    async close() {
      worker.postMessage('close')
      await once(worker, 'message')
    },
    kill: async () => void (await worker.terminate()),
  }
}
