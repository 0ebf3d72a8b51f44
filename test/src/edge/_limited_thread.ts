// A thread with a server that has one limit, and counts it in the memory it is given. It makes as
// many requests as it is told, all at once, and tells the status of each.

import { parentPort, workerData } from 'node:worker_threads'

import { elapsedMs } from '#actors/values/clock.ts'
import { loadConfig } from '#config/config.ts'
import { createLogger } from '#src/edge/logger.ts'
import type { LimitConfig, LimitMemory } from '#src/edge/limits/limits.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { buildEdge } from '#src/edge/server.ts'

export type LimitedThreadData = {
  readonly limits: LimitConfig
  readonly limitMemory: LimitMemory
}

const { limits, limitMemory } = workerData as LimitedThreadData
const dependencies = {
  config: { ...loadConfig({}), ...limits },
  limitMemory,
  baseUrl: 'https://registry.example',
  authenticate: ({ ip }: { ip: string }) => ({ kind: 'anonymous', ip }) as const,
  logger: createLogger('silent', process.stderr),
  metrics: createMetrics(),
  nowMs: Date.now,
  elapsedMs,
}
const server = await buildEdge(dependencies, (routes, { admit, count }) => {
  routes.get('/read', admit({ type: 'public', limit: 'public_read' }), async () => 'read')
  routes.get('/form', async (request, reply) => {
    request.countedAccount = 'an account'
    await count('sign_in_account', request, reply)
    return 'taken'
  })
})
async function statusesOf({ url, calls }: { url: string; calls: number }): Promise<number[]> {
  const replies = await Promise.all(Array.from({ length: calls }, () => server.inject({ url })))
  return replies.map(({ statusCode }) => statusCode)
}

parentPort?.on('message', (asked: { url: string; calls: number }) => {
  void statusesOf(asked).then((statuses) => parentPort?.postMessage(statuses))
})
parentPort?.postMessage('ready')
