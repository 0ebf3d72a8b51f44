// Stops a thread that is at work, and says so: nothing else keeps this process alive.

import { Worker } from 'node:worker_threads'

import { AskedWorker } from '#actors/kernel/asked_worker.ts'
import type { TestOrder } from '#test/actors/kernel/_answering_worker.ts'

const worker = new AskedWorker<TestOrder, number, string>({
  start: () => new Worker(new URL('./_answering_worker.ts', import.meta.url)),
  waitingMax: 1,
})
await new Promise<unknown>((heard) => {
  worker.ask({ type: 'wait' }, { heard }).catch(() => undefined)
})
await worker.stop()
process.stdout.write('stopped')
