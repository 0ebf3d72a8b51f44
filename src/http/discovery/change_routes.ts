import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { knownCaller } from '#src/edge/admission.ts'
import { integerParameter, readQuery } from '#src/edge/query_string.ts'
import { jsonType } from '#src/edge/rendered_reply.ts'
import type { RegistryEdge } from '#src/api/registry_edge.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  contentHash,
  fixityReason,
  fixityStatus,
  receiptId,
  sha256Hash,
  sourceSchema,
  version,
  workStatus,
} from '#src/http/kit/work_members.ts'

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

/** A page of the change feed. */
const changesSchema = component('ChangePage', {
  changes: Type.Array(
    component(
      'Change',
      {
        seq: Type.Integer({ minimum: 1 }),
        type: Type.String({ examples: ['work.registered', 'work.fixity_changed'] }),
        at: time,
        source: sourceSchema,
        sets: Type.Array(Type.String()),
        ark: Type.Optional(arkIdentifier),
        version: Type.Optional(version),
        status: Type.Optional(workStatus),
        fixity_status: Type.Optional(fixityStatus),
        reason: Type.Optional(fixityReason.reason),
        message: Type.Optional(fixityReason.message),
        created_at: Type.Optional(time),
        receipt_id: Type.Optional(receiptId),
        metadata_hash: Type.Optional(sha256Hash),
        content_hash: Type.Optional(contentHash),
        content_type: Type.Optional(nullable(Type.String(), 'Media type of what was fetched.')),
        content_size: Type.Optional(Type.Integer({ description: 'Bytes of what was fetched.' })),
        metadata: Type.Optional(nullable(Type.Unknown(), 'Of the version; null once withdrawn.')),
      },
      {
        additionalProperties: true,
        description:
          'Changes of works have `ark`, `version`, `status` and `metadata`, the time of the ' +
          'registration, and receipt and hashes of the version; for `work.fixity_changed` there ' +
          'is a fixity status and its reason too.',
      },
    ),
  ),
  next: Type.Integer({ description: 'What `after` takes for the page that follows.' }),
  end: Type.Integer({
    description:
      'What `next` is once all is read; below `after` if the registry went back to an older copy.',
  }),
})

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
        operationId: 'listChanges',
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
