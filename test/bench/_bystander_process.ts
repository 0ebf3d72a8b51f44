// Somebody who only resolves ARKs, at a steady rate, from an address of their own. A reply is timed
// from the moment at which its request was due, so that a server which stands still is not spared.

import http from 'node:http'

import { seededRandom } from '#test/bench/_works.ts'

/** Resolves the paths, drawn evenly, `perSecond` times a second until `durationMs` is over. */
export type BystanderPlan = {
  readonly port: number
  readonly localAddress: string
  readonly paths: readonly string[]
  readonly perSecond: number
  readonly durationMs: number
  /** Whether each request comes over a connection of its own. */
  readonly isFresh?: boolean
}

/** What a bystander saw. `statuses`: replies by status, connections that failed as `0`. */
export type BystanderResult = {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  readonly statuses: Readonly<Record<string, number>>
}

process.on('message', (plan: BystanderPlan) => {
  void resolveSteadily(plan).then((result) => process.send?.(result))
})

process.once('disconnect', () => process.exit())

async function resolveSteadily(plan: BystanderPlan): Promise<BystanderResult> {
  const { localAddress, isFresh = false } = plan
  const agent = new http.Agent({ keepAlive: !isFresh, localAddress })
  const random = seededRandom(7)
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const everyMs = 1_000 / plan.perSecond
  const startMs = performance.now()
  const replies: Promise<void>[] = []
  for (let dueMs = startMs; dueMs < startMs + plan.durationMs; dueMs += everyMs) {
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const path = plan.paths[Math.floor(random() * plan.paths.length)] ?? ''
    const reply = get(agent, plan.port, path).then((status) => {
      times.push(performance.now() - dueMs)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    replies.push(reply)
  }
  await Promise.all(replies)
  agent.destroy()
  times.sort((left, right) => left - right)
  const at = (share: number) => times[Math.min(times.length - 1, times.length * share) | 0] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: times.at(-1) ?? 0, statuses }
}

function get(agent: http.Agent, port: number, path: string): Promise<number> {
  return new Promise((resolve) => {
    const request = http.get({ agent, host: '127.0.0.1', port, path }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0))
    })
    request.once('error', () => resolve(0))
  })
}
