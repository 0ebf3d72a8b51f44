import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { collectExport } from '#src/use_cases/account_record.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { callingSelf } from '#src/use_cases/person_reply.ts'
import { keepPrivate, registerOwnList } from '#src/http/people/own_list.ts'
import { nextDescription, pageLinksSchema } from '#src/edge/list_page.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'

type OwnDataEdge = Realms & Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'nowMs'>

const exportSchema = component(
  'AccountExport',
  { exported_at: time, ppid: Type.String() },
  { additionalProperties: true, description: 'Everything that is held, by what it is.' },
)

const auditSchema = component('AuditPage', {
  entries: Type.Array(
    component(
      'AuditEntry',
      { seq: Type.Integer(), at: time, action: Type.String() },
      { additionalProperties: true },
    ),
  ),
  next: nullable(Type.Integer(), nextDescription),
  links: pageLinksSchema,
})

/** What is held of a person, and what happened to their keys and permissions. */
export function registerOwnDataRoutes(server: FastifyInstance, edge: OwnDataEdge): void {
  for (const prefix of pathPrefixes) {
    registerExport(server, edge, prefix)
    registerAudit(server, edge, prefix)
  }
}

function registerExport(server: FastifyInstance, edge: OwnDataEdge, prefix: PathPrefix): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'read own account', limit: 'people' }),
    schema: {
      operationId: 'exportAccount',
      tags: ['people'],
      summary: 'Exports everything that is stored about the person.',
      response: { 200: exportSchema },
    },
  }
  server.get(`${prefix}/user/export`, options, async (request, reply) => {
    readQuery(request, {})
    const { environment, person } = callingSelf(edge.environments, knownCaller(request))
    const { accounts: service, oauth, keys } = realmOf(edge, environment.name)
    const { nowMs } = edge
    const parts = { environment, ...service, ...oauth, keys, nowMs }
    const held = await collectExport(parts, person.ppid)
    keepPrivate(reply)
    reply.header('content-disposition', `attachment; filename="${person.ppid}.json"`)
    return held
  })
}

function registerAudit(server: FastifyInstance, edge: OwnDataEdge, prefix: PathPrefix): void {
  registerOwnList(server, edge, prefix, {
    path: '/user/audit',
    operationId: 'listAuditEntries',
    summary:
      'Lists what happened to the keys and permissions of the person, newest first unless told.',
    schema: auditSchema,
    read({ environment, person }, page) {
      const owner = { type: 'person', id: person.ppid } as const
      return realmOf(edge, environment.name).oauth.audit.read(owner, page)
    },
    placeOf: ({ seq }) => seq,
    show: (entries) => ({ entries }),
  })
}
