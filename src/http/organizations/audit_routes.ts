import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'

import { isConfirmed, keepPrivate } from '#src/edge/credentials.ts'
import { HttpError } from '#src/edge/errors.ts'
import { pageLinks, pageMembers, pageOf, pagesOf } from '#src/edge/list_page.ts'
import { integerParameter, readQuery, textParameter } from '#src/edge/query_string.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { decodeArk } from '#src/edge/request_path.ts'
import type { EdgeRequest, LastStep } from '#src/edge/step.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import {
  type AuditFilter,
  auditFilterFault,
  auditFilterNames,
  auditLine,
  searchAudit,
} from '#src/use_cases/audit_search.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { suspendable } from '#actors/values/authority.ts'
import { knownCaller } from '#src/edge/admission.ts'
import type { Suspension } from '#src/identity/store/suspensions.ts'
import { resume, suspend } from '#src/use_cases/suspending.ts'

const text = nullable(Type.String(), 'What it was done to, if that is one.')

/** A person, an organization or the operator, as an act names it. */
const partySchema = component('AuditParty', { type: Type.String(), id: Type.String() })

const auditEntrySchema = component('AdminAuditEntry', {
  id: Type.String({ description: 'Names the entry, and where a page goes on.' }),
  at: time,
  action: Type.String({ description: 'Such as `suspended` or `work_taken_down`.' }),
  by: nullable(partySchema, 'Who did it; null where nobody did.'),
  owner: partySchema,
  because: nullable(Type.String(), 'Why, or what else there is to say of it.'),
  address: nullable(Type.String(), 'The network from which it was done.'),
  ark: text,
  organization: text,
  ppid: text,
  key_id: text,
  client_id: text,
  invitation_id: text,
  bulk_change_id: text,
  role: text,
  works_count: nullable(Type.Integer(), 'How many works it was done to.'),
  scopes: nullable(Type.Array(Type.String()), 'Of a permission: all that it permits.'),
})

const auditPageSchema = component('AdminAuditPage', {
  entries: Type.Array(auditEntrySchema),
  ...pageMembers(Type.String()),
})

const filterParameter = (about: string) =>
  textParameter(about, /^.{1,254}$/u, 'a text of 254 characters at most')

const parameters = {
  actor: filterParameter('Who did it: an e-mail address, a ppid, `org:press` or `operator`.'),
  action: filterParameter('What was done: an `action`.'),
  subject: filterParameter('What it was done to: a part of an ARK, a slug, a ppid or an id.'),
  address: filterParameter('The beginning of the network, such as `192.0.2`.'),
  from: filterParameter('From when: `2026-11-28` or `2026-11-28T15:00`, UTC.'),
  until: filterParameter('Until when, that minute or day included.'),
  cursor: textParameter('Where the page begins.', /^[\w:./-]{1,200}$/, 'the cursor of a page'),
  limit: integerParameter('Entries at most: 50 by default.', { minimum: 1, maximum: 200 }),
}

type AuditEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'accounts' | 'oauth'>

/** Searches the audit list, for keys of the operator with a one-time code, below both prefixes. */
export function registerAuditRoutes(server: FastifyInstance, edge: AuditEdge): void {
  registerRoutes(server, edge, 'organizations', [searching])
}

const searching: Route<AuditEdge> = {
  method: 'GET',
  path: '/admin/audit',
  demands: { right: 'administer', limit: 'works_read' },
  parameters,
  operationId: 'searchAuditLog',
  summary: 'Searches what was changed of accounts, organizations, keys, works and the registry.',
  description:
    'Newest first. A key with `admin:*` and a one-time code in `X-Admin-Code`. A page may ' +
    'have few entries and still a next one: 5,000 are looked at for each.',
  response: { 200: auditPageSchema },
  async handle(edge, request, reply) {
    const { cursor, limit = 50, ...asked } = readQuery(request, parameters)
    const names = auditFilterNames.map((name) => [name, asked[name] ?? ''])
    const filter = Object.fromEntries(names) as AuditFilter
    const fault = auditFilterFault(filter)
    if (fault !== undefined) throw new HttpError('bad_request', fault)
    const source = { audit: edge.oauth.audit, service: edge.accounts }
    const { entries, next = null } = await searchAudit(source, filter, { before: cursor, limit })
    keepPrivate(reply)
    return { entries: entries.map(auditLine), next, links: pageLinks(edge.baseUrl, request, next) }
  },
}

/** Routes whose use cases write entries of their own. */
const tellingRoutes = /\/admin\/(?:suspensions|takedowns)|\/erase$/

type CallAuditEdge = Pick<RegistryEdge, 'oauth' | 'nowMs'> & { readonly logger: Logger }

const withdrawingRoutes = /\/works\/:ark(?:\/withdraw)?$/

/** Whether a call has written its entry: a withdrawal that erases has, too. */
function isTold({ routeOptions: { url = '' }, body }: EdgeRequest): boolean {
  const { erase_metadata: erases } = (body ?? {}) as { readonly erase_metadata?: unknown }
  return tellingRoutes.test(url) || (erases === true && withdrawingRoutes.test(url))
}

/** Writes an entry for each call that changes something by a one-time code of an administrator. */
export function createCallAudit({ oauth, nowMs, logger }: CallAuditEdge): LastStep {
  return (request, { statusCode }) => {
    const { caller, method, originalUrl, ip } = request
    if (statusCode >= 300 || method === 'GET' || isTold(request)) return
    if (!isConfirmed(caller)) return
    const { type, id, name } = caller.agent
    const [path = ''] = originalUrl.split('?')
    const act = { action: 'called', because: `${method} ${path.slice(0, 300)}` } as const
    oauth.audit
      .note(act, { by: { type, id, name }, nowMs: nowMs(), ip })
      .catch((err: unknown) => logger.error({ err }, 'an administrative call is not audited'))
  }
}

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
  ...pageMembers(Type.String()),
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

type SuspensionParts = { readonly type: (typeof suspendable)[number]; readonly id: string }

/** What is suspended, for keys of the operator with a one-time code, below both prefixes. */
export function registerSuspensionRoutes(server: FastifyInstance, edge: SuspensionEdge): void {
  registerRoutes(server, edge, 'organizations', suspensionRoutes)
}

const confirmed =
  'A key with `admin:*` and a one-time code in `X-Admin-Code` (`arklog key confirm`).'

const suspensionRoutes: readonly Route<SuspensionEdge, SuspensionParts>[] = [
  {
    method: 'GET',
    path: '/admin/suspensions',
    demands: { right: 'administer', limit: 'works_read' },
    parameters: pages.parameters,
    operationId: 'listSuspensions',
    summary: 'Lists what is suspended, in both environments.',
    description: confirmed,
    response: { 200: suspensionPageSchema },
    handle(edge, request, reply) {
      keepPrivate(reply)
      const { entries, next } = pageOf(edge.suspensions.list(), pages.read(request), nameOf)
      const links = pageLinks(edge.baseUrl, request, next)
      return { suspensions: entries.map(shown), next, links }
    },
  },
  {
    method: 'POST',
    path: '/admin/suspensions',
    demands: { right: 'administer', limit: 'works_withdraw' },
    operationId: 'createSuspension',
    summary: 'Suspends an organization, an account or an application, or withholds a work.',
    description: `${confirmed} From the next request on, keys, tokens, webhooks, forms and
sign-ins are refused with 403 \`suspended\`; works stay readable. A work that is withheld
answers 451 \`withheld\` to its readers until this ends.`.replaceAll('\n', ' '),
    body: newSuspensionSchema,
    response: { 201: suspensionSchema },
    async handle(edge, request, reply) {
      const { reason, ...subject } = request.body as Static<typeof newSuspensionSchema>
      const suspension = await suspend(edge, { subject, ...handOf(request) }, reason)
      keepPrivate(reply)
      return reply.code(201).send(shown(suspension))
    },
  },
  {
    method: 'DELETE',
    path: '/admin/suspensions/:type/:id',
    demands: { right: 'administer', limit: 'works_withdraw' },
    operationId: 'endSuspension',
    summary: 'Ends a suspension, at once; gives what it was.',
    description: confirmed,
    params: Type.Object({ type, id }),
    response: { 200: suspensionSchema },
    async handle(edge, request, reply) {
      keepPrivate(reply)
      const { type: kind, id: named } = request.params
      const subject = { type: kind, id: kind === 'work' ? decodeArk(named) : named }
      return shown(await resume(edge, { subject, ...handOf(request) }))
    },
  },
]

function handOf(request: FastifyRequest) {
  const { type: kind, id: named, name } = knownCaller(request).agent
  return { by: { type: kind, id: named, name }, ip: request.ip }
}

function nameOf({ type: kind, id: name }: Suspension): string {
  return `${kind}/${name}`
}

function shown({ by, ...suspension }: Suspension) {
  return { ...suspension, by: { type: by.type, id: by.id } }
}
