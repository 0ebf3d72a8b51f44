import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { suspendable } from '#actors/values/authority.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import {
  nextDescription,
  pageLinks,
  pageLinksSchema,
  pageOf,
  pagesOf,
} from '#src/edge/list_page.ts'
import { readQuery, textParameter } from '#src/edge/query_string.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { partySchema } from '#src/http/organizations/audit_routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { Suspension } from '#src/identity/store/suspensions.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { resume, suspend } from '#src/use_cases/suspending.ts'

const type = wordOf('SuspendableType', suspendable)
const id = Type.String({
  maxLength: 254,
  description: 'The slug of an organization, a ppid, the id of an application, or an ARK.',
})

const suspensionSchema = component('Suspension', {
  type,
  id,
  reason: Type.String({ description: 'What those are told whom it stops.' }),
  since: time,
  by: partySchema,
})

const newSuspensionSchema = component(
  'NewSuspension',
  { type, id, reason: Type.String({ description: 'One line of 500 characters at most.' }) },
  { additionalProperties: false },
)

const suspensionPageSchema = component('SuspensionPage', {
  suspensions: Type.Array(suspensionSchema),
  next: nullable(Type.String(), nextDescription),
  links: pageLinksSchema,
})

const pages = pagesOf({
  cursor: textParameter(
    'Where the page begins: as `links.next` of the page before has it.',
    /^(?:organization|account|application|work)\/[\w/-]{1,254}$/,
    'the cursor of a page',
  ),
  limit: 50,
  limitMax: 200,
  order: 'oldest',
})

type SuspensionEdge = Pick<
  RegistryEdge,
  'admit' | 'baseUrl' | 'environments' | 'accounts' | 'oauth' | 'sandbox' | 'suspensions'
>

type Named = FastifyRequest<{ Params: { type: (typeof suspendable)[number]; id: string } }>

/** What is suspended, for keys of the operator with a one-time code, below both prefixes. */
export function registerSuspensionRoutes(server: FastifyInstance, edge: SuspensionEdge): void {
  for (const prefix of pathPrefixes) register(server, edge, prefix)
}

function register(server: FastifyInstance, edge: SuspensionEdge, prefix: PathPrefix): void {
  const access = { type: 'key', prefix, right: 'administer', limit: 'works_read' } as const
  const tags = ['organizations']
  const path = `${prefix}/admin/suspensions`
  const description =
    'A key with `admin:*` and a one-time code in `X-Admin-Code` (`arklog key confirm`).'
  const listing = {
    ...edge.admit(access, pages.parameters),
    schema: {
      operationId: 'listSuspensions',
      tags,
      summary: 'Lists what is suspended, in both environments.',
      description,
      response: { 200: suspensionPageSchema },
    },
  }
  server.get(path, listing, (request, reply) => {
    keepPrivate(reply)
    const { entries, next } = pageOf(edge.suspensions.list(), pages.read(request), nameOf)
    const links = pageLinks(edge.baseUrl, request, next)
    return reply.send({ suspensions: entries.map(shown), next, links })
  })
  const making = {
    ...edge.admit({ ...access, limit: 'works_withdraw' }),
    schema: {
      operationId: 'createSuspension',
      tags,
      summary: 'Suspends an organization, an account or an application, or withholds a work.',
      description: `${description} From the next request on, keys, tokens, webhooks, forms and
sign-ins are refused with 403 \`suspended\`; works stay readable. A work that is withheld
answers 451 \`withheld\` to its readers until this ends.`.replaceAll('\n', ' '),
      body: newSuspensionSchema,
      response: { 201: suspensionSchema },
    },
  }
  server.post(path, making, async (request, reply) => {
    readQuery(request, {})
    const { reason, ...subject } = request.body as Static<typeof newSuspensionSchema>
    const suspension = await suspend(edge, { subject, by: byOf(request) }, reason)
    keepPrivate(reply)
    return reply.code(201).send(shown(suspension))
  })
  const ending = {
    ...edge.admit({ ...access, limit: 'works_withdraw' }),
    schema: {
      operationId: 'endSuspension',
      tags,
      summary: 'Ends a suspension, at once; gives what it was.',
      description,
      params: Type.Object({ type, id }),
      response: { 200: suspensionSchema },
    },
  }
  server.delete(`${path}/:type/:id`, ending, async (request: Named, reply) => {
    readQuery(request, {})
    const { type: kind, id: named } = request.params
    const subject = { type: kind, id: named }
    keepPrivate(reply)
    return shown(await resume(edge, { subject, by: byOf(request) }))
  })
}

function byOf(request: FastifyRequest) {
  const { type: kind, id: name } = knownCaller(request).agent
  return { type: kind, id: name, name: knownCaller(request).agent.name }
}

function nameOf({ type: kind, id: name }: Suspension): string {
  return `${kind}/${name}`
}

function shown({ by, ...suspension }: Suspension) {
  return { ...suspension, by: { type: by.type, id: by.id } }
}
