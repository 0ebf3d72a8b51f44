import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { arkCharactersMax } from '#actors/values/ark.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { component } from '#src/edge/reply_schemas.ts'
import { workChangeSchema } from '#src/http/works/work_routes.ts'
import { sendMade } from '#src/http/works/work_change_routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { takeDown, takedownReasons } from '#src/use_cases/takedown.ts'

const takedownSchema = component(
  'Takedown',
  {
    work: Type.String({
      maxLength: arkCharactersMax,
      description: 'An ARK in any spelling, the address of a work’s page, or a DOI.',
    }),
    reason: Type.String({ description: `One of ${takedownReasons.join(', ')}.` }),
    note: Type.Optional(Type.String({ description: 'What else readers should know.' })),
  },
  { additionalProperties: false },
)

type TakedownEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'oauth' | 'baseUrl' | 'nowMs'>

/** Takes works down, for keys of the operator with a one-time code, below both prefixes. */
export function registerTakedownRoutes(server: FastifyInstance, edge: TakedownEdge): void {
  for (const prefix of pathPrefixes) register(server, edge, prefix)
}

function register(server: FastifyInstance, edge: TakedownEdge, prefix: PathPrefix): void {
  const access = { type: 'key', prefix, right: 'administer', limit: 'works_withdraw' } as const
  const making = {
    ...edge.admit(access),
    schema: {
      operationId: 'takeDownWork',
      tags: ['works'],
      summary: 'Withdraws any work in the name of the operator of the registry.',
      description: `A key with \`admin:*\` and a one-time code in \`X-Admin-Code\` (\`arklog key
confirm\`). Tombstone, history, feeds and the signed statement say that the operator did it; the
owner is told.`.replaceAll('\n', ' '),
      body: takedownSchema,
      response: { 200: workChangeSchema },
    },
  }
  server.post(`${prefix}/admin/takedowns`, making, async (request: FastifyRequest, reply) => {
    readQuery(request, {})
    const { agent } = knownCaller(request)
    const { type, id, name } = agent
    const hand = { by: { type, id, name }, via: agent.via, nowMs: edge.nowMs() }
    const asked = request.body as Static<typeof takedownSchema>
    const answer = await takeDown(edge, asked, hand)
    keepPrivate(reply)
    return sendMade(reply, edge, { ...answer, warnings: [] })
  })
}
