import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { collectExport } from '#src/account_export.ts'
import { callingSelf } from '#src/http/named_person.ts'
import { integerParameter, readQuery } from '#src/http/query_string.ts'
import { nullable, time } from '#src/http/reply_schemas.ts'
import type { Edge } from '#src/http/server.ts'
import type { Family } from '#src/identity/scope.ts'

/** Entries on one page, unless told and at most. */
const pageDefault = 50
const pageMax = 200

const pageParameters = {
  before: integerParameter('The `next` of the page before; absent for the newest ones.', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  limit: integerParameter('Entries at most.', { minimum: 1, maximum: pageMax }),
}

const auditSchema = Type.Object({
  entries: Type.Array(
    Type.Object(
      { seq: Type.Integer(), at: time, action: Type.String() },
      { additionalProperties: true },
    ),
  ),
  next: nullable(Type.Integer(), 'What `before` takes for the page that follows; null if none.'),
})

/** What is held of a person, and what happened to their keys and permissions; in both families. */
export function registerOwnDataRoutes(server: FastifyInstance, edge: Edge): void {
  for (const family of ['/v1', '/api/v1'] as const) {
    registerExport(server, edge, family)
    registerAudit(server, edge, family)
  }
}

function registerExport(server: FastifyInstance, edge: Edge, family: Family): void {
  const options = {
    ...edge.admit({ type: 'key', family, right: 'read own account', limit: 'people' }),
    schema: { tags: ['people'], summary: 'Everything that is held of the person.' },
  }
  server.get(`${family}/user/export`, options, async (request, reply) => {
    readQuery(request, {})
    const { environment, person } = callingSelf(edge.environments, request)
    const { accounts: service, oauth, keys, nowMs } = edge
    const { accounts, sessions } = service
    const { applications, grants, audit } = oauth
    const parts = { environment, accounts, sessions, keys, applications, grants, audit, nowMs }
    const held = await collectExport(parts, person.ppid)
    reply.header('cache-control', 'private, no-store')
    reply.header('content-disposition', `attachment; filename="${person.ppid}.json"`)
    return held
  })
}

function registerAudit(server: FastifyInstance, edge: Edge, family: Family): void {
  const access = { type: 'key', family, right: 'read own account', limit: 'people' } as const
  const options = {
    ...edge.admit(access, pageParameters),
    schema: {
      tags: ['people'],
      summary: 'What happened to the keys and permissions of the person, newest first.',
      response: { 200: auditSchema },
    },
  }
  server.get(`${family}/user/audit`, options, async (request, reply) => {
    const { limit = pageDefault, ...page } = readQuery(request, pageParameters)
    const { person } = callingSelf(edge.environments, request)
    const owner = { type: 'person', id: person.ppid } as const
    const entries = await edge.oauth.audit.read(owner, { newestFirst: true, limit, ...page })
    reply.header('cache-control', 'private, no-store')
    const next = entries.length < limit ? null : (entries.at(-1)?.seq ?? null)
    return { entries, next }
  })
}
