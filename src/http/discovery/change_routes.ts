import type { FastifyInstance } from 'fastify'

import { knownCaller } from '#src/edge/admission.ts'
import { integerParameter, readQuery } from '#src/edge/query_string.ts'
import { jsonType } from '#src/edge/rendered_reply.ts'
import { changesSchema } from '#src/edge/reply_schemas.ts'
import type { RegistryEdge } from '#src/api/registry_edge.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

/** Changes on one page, unless told and at most. */
const changesDefault = 100
const changesMax = 1_000

/** How long a request may wait for a first change. */
const waitSecondsMax = 30

const changesParameters = {
  after: integerParameter('The `next` of the page before; 0 is the beginning.', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  limit: integerParameter('Changes at most.', { minimum: 1, maximum: changesMax }),
  wait: integerParameter('Seconds to wait for a first change.', {
    minimum: 0,
    maximum: waitSecondsMax,
  }),
}

/** The feed of all changes in the order of the journal, below both prefixes. */
export function registerChangeRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'environments' | 'takeTurn'>,
): void {
  const closing = Promise.withResolvers<void>()
  server.addHook('preClose', (done) => {
    closing.resolve()
    done()
  })
  for (const prefix of pathPrefixes) {
    const options = {
      ...edge.admit(
        { type: 'key', prefix, right: 'read works', limit: 'changes' },
        changesParameters,
      ),
      schema: {
        tags: ['changes'],
        summary: 'Follows all changes of works and organizations.',
        response: { 200: changesSchema },
      },
    }
    server.get(`${prefix}/changes`, options, async (request, reply) => {
      const query = readQuery(request, changesParameters)
      const { after = 0, limit = changesDefault, wait = 0 } = query
      const { catalogue } = edge.environments[knownCaller(request).environment]
      // A shutdown does not wait for news.
      await Promise.race([catalogue.news(after, wait * 1_000), closing.promise])
      const page = await edge.takeTurn(reply, () => catalogue.changes({ after, limit }))
      reply.header('content-type', jsonType)
      reply.header('cache-control', 'private, no-store')
      return reply.send(page)
    })
  }
}
