import type { FastifyInstance } from 'fastify'

import type { Readiness } from '#src/edge/metrics.ts'
import type { Follower } from '#src/discovery/oai_adapter/follower.ts'
import type { RecordCopy } from '#src/discovery/oai_adapter/record_copy.ts'

/**
 * Whether the adapter has all records, at least as of some time. That the registry cannot be read
 * is told, and makes no adapter unready that has records.
 */
export function readAdapterReadiness(
  copy: RecordCopy,
  follower: Pick<Follower, 'problem'>,
): Readiness {
  const { complete, next, end } = copy.state
  const { problem } = follower
  const registry = {
    ok: problem === undefined,
    ...(problem !== undefined && { problem: problem.message }),
  }
  const behind_changes = Math.max(0, end - next)
  const records = { ok: complete, changes: next, behind_changes }
  return { ready: complete, checks: { records, registry } }
}

/** What is said until there are all records, if nothing keeps them from being copied. */
const isCopied = 'The records of the registry are copied, for the first time'

/**
 * `/healthz`: the process answers. `/readyz`: it has all records; 503 before, with the reason.
 * Everybody may read these, so they tell no more; the rest is at `/readyz` of the administrator's
 * port.
 */
export function registerAdapterHealth(
  server: FastifyInstance,
  copy: RecordCopy,
  follower: Pick<Follower, 'problem'>,
): void {
  server.get('/healthz', { schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  server.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    const { ready } = readAdapterReadiness(copy, follower)
    reply.header('cache-control', 'no-store')
    const reason = follower.problem?.reason ?? isCopied
    return reply.code(ready ? 200 : 503).send(ready ? { ready } : { ready, reason })
  })
}
