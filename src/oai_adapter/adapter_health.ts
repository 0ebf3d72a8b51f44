import type { FastifyInstance } from 'fastify'

import type { Follower } from '#src/oai_adapter/follower.ts'
import type { RecordCopy } from '#src/oai_adapter/record_copy.ts'

/**
 * `/healthz`: the process answers. `/readyz`: it has all records, at least as of some time; 503
 * before. That the registry cannot be read is told, and makes no adapter unready that has records.
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
    const { complete, next, end } = copy.state
    const { problem } = follower
    const registry = { ok: problem === undefined, ...(problem !== undefined && { problem }) }
    const behind_changes = Math.max(0, end - next)
    reply.header('cache-control', 'no-store')
    return reply.code(complete ? 200 : 503).send({
      ready: complete,
      checks: { records: { ok: complete, changes: next, behind_changes }, registry },
    })
  })
}
