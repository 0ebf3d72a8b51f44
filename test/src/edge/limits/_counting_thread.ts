// A thread that counts in the memory it is given: some calls, and tells what each has counted, or
// calls without an end.

import { parentPort, workerData } from 'node:worker_threads'

import { elapsedMs } from '#actors/values/clock.ts'
import type { LimitMemory } from '#src/edge/limits/limits.ts'
import { ClientHashes, Windows } from '#src/edge/limits/windows.ts'

export type CountingThreadData = {
  readonly memory: SharedArrayBuffer
  readonly hashKey: LimitMemory['hashKey']
  readonly clients: readonly string[]
  readonly windowMs: number
  readonly calls: number | 'endless'
}

const { memory, hashKey, clients, windowMs, calls } = workerData as CountingThreadData
const windows = new Windows({ memory, hashes: new ClientHashes(hashKey), elapsedMs })

function countOnce(): number[] {
  return clients.map((client) => windows.count(client, windowMs).current)
}

parentPort?.postMessage('ready')
if (calls === 'endless') for (;;) countOnce()
parentPort?.once('message', () => {
  const counted = Array.from({ length: calls }, countOnce)
  parentPort?.postMessage(counted.flat())
})
