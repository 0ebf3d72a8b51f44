// A server with no registry behind it: what every server of ours does alike, and the routes of the
// test.

import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import type { FastifyInstance } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { loadConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { unauthorized } from '#src/edge/caller.ts'
import type { Caller } from '#src/edge/caller.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics, type Metrics } from '#src/edge/metrics.ts'
import type { Edge, EdgeDependencies } from '#src/edge/edge.ts'
import { buildEdge } from '#src/edge/server.ts'
import type { TestTime } from '#test/src/_registry.ts'

export type TestEdge = {
  readonly server: FastifyInstance
  readonly time: TestTime
  readonly metrics: Metrics
  readonly logged: string[]
  listen(): Promise<number>
}

/** The callers of a test, by what they send as `Authorization`. */
const callers: Readonly<Record<string, Caller>> = {
  'Bearer reader': keyOf('reader', ['works:read']),
  'Bearer other': keyOf('other', ['works:read']),
  'Bearer nobody': keyOf('nobody', []),
  'Bearer writer': keyOf('writer', ['works:write']),
  'Bearer trier': keyOf('trier', ['works:write'], 'sandbox'),
}

function keyOf(
  keyId: string,
  scopes: readonly string[],
  environment: EnvironmentName = 'live',
): Caller {
  const agent = { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' } as const
  return { kind: 'key', agent, scopes: new Set(scopes), environment, keyId, ip: '192.0.2.1' }
}

/** Builds a server with these routes; it is closed when the test is over. */
export async function openEdge(
  t: ExecutionContext,
  settings: Partial<Record<keyof Config, unknown>>,
  registerRoutes: (server: FastifyInstance, edge: Edge) => void,
  more: Pick<EdgeDependencies, 'catchUp' | 'positions'> = {},
): Promise<TestEdge> {
  const time: TestTime = { nowMs: Date.parse('2026-01-01T00:00:00.000Z'), elapsedMs: 0 }
  const logged: string[] = []
  const metrics = createMetrics()
  const dependencies: EdgeDependencies = {
    config: loadConfig({}, JSON.stringify(settings)),
    baseUrl: 'https://registry.example',
    authenticate({ headers: { authorization }, ip }) {
      if (authorization === undefined) return { kind: 'anonymous', ip }
      const caller = callers[authorization]
      if (caller === undefined) throw unauthorized()
      return caller
    },
    logger: createLogger('debug', { write: (line) => void logged.push(line) }),
    metrics,
    nowMs: () => time.nowMs,
    elapsedMs: () => time.elapsedMs,
    ...more,
  }
  const server = await buildEdge(dependencies, registerRoutes)
  t.teardown(() => server.close())
  return {
    server,
    time,
    metrics,
    logged,
    async listen() {
      await server.listen({ host: '127.0.0.1', port: 0 })
      return (server.server.address() as AddressInfo).port
    },
  }
}
