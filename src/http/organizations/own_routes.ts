import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'

import type { Member } from '#actors/people/organizations/events.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { environmentOf } from '#src/edge/caller.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type Parameters, readQuery } from '#src/edge/query_string.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import { type PathPrefix, pathPrefixes, type Right } from '#src/identity/keys/scope.ts'
import type { KeyLimit } from '#src/edge/limits/limits.ts'
import { nameOrganization } from '#src/use_cases/organization_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What the path of a route names: the organization, and what of it. */
type OwnParameters = { readonly slug: string; readonly id?: string; readonly number?: string }

/** A request of somebody who may use what an organization has. */
export type OwnRequest = {
  readonly slug: string
  readonly environment: ServedEnvironment
  readonly request: FastifyRequest<{ Params: OwnParameters }>
  readonly reply: FastifyReply
}

/** One route: `path` follows that of the whole list. */
type OwnRoute<Context> = {
  readonly method: Method
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly body?: TSchema
  readonly status?: number
  readonly answers: TSchema
  readonly replyHeaders?: readonly ['Location']
  /** A route with parameters reads them itself; one without refuses any. */
  readonly parameters?: Parameters
  /** In place of the limit of its kind. */
  readonly limit?: KeyLimit
  readonly handle: (context: Context) => unknown
}

type Demand = { readonly right: Right; readonly limit: KeyLimit }

/** What an organization has for itself, such as webhooks, and the routes that serve it. */
export type OwnRoutes<Context> = {
  /** Behind the address of the organization. */
  readonly path: string
  /** What a GET demands, and what every other request does. */
  readonly reading: Demand
  readonly writing: Demand
  /** Whether rules check the bodies, all faults at once, and not their schema. */
  readonly areBodiesCheckedByRules?: boolean
  readonly mayUse: (
    agent: Agent,
    organization: { readonly slug: string; readonly members: readonly Member[] },
  ) => boolean
  /** What is said to a caller who may not. */
  readonly refusal: string
  readonly contextOf: (own: OwnRequest) => Context
  readonly routes: readonly OwnRoute<Context>[]
}

/** Serves what an organization has for itself, below both prefixes, to those who may use it. */
export function registerOwnRoutes<Context>(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'environments'>,
  own: OwnRoutes<Context>,
): void {
  for (const prefix of pathPrefixes) {
    for (const route of own.routes) register(server, edge, own, { prefix, route })
  }
}

function register<Context>(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'environments'>,
  own: OwnRoutes<Context>,
  { prefix, route }: { readonly prefix: PathPrefix; readonly route: OwnRoute<Context> },
): void {
  const { method, operationId, summary, description, body, replyHeaders, parameters } = route
  const { status = 200 } = route
  const { right, limit } = method === 'GET' ? own.reading : own.writing
  const access = { type: 'key', prefix, right, limit: route.limit ?? limit } as const
  server.route<{ Params: OwnParameters }>({
    method,
    url: `${prefix}/organizations/:slug/${own.path}${route.path}`,
    ...edge.admit(access, parameters),
    ...(own.areBodiesCheckedByRules === true && checkedByRules),
    schema: {
      operationId,
      tags: ['organizations'],
      summary,
      ...(description !== undefined && { description }),
      ...(body && { body }),
      ...(replyHeaders && { replyHeaders }),
      response: { [status]: route.answers },
    },
    async handler(request, reply) {
      if (parameters === undefined) readQuery(request, {})
      const context = own.contextOf(enter(edge, own, request, reply))
      const answer = await route.handle(context)
      keepPrivate(reply)
      return reply.code(status).send(answer)
    },
  })
}

/** HttpErrors: `not_found` for no organization, `forbidden` for a caller who may not use this. */
function enter<Context>(
  { environments }: Pick<RegistryEdge, 'environments'>,
  { mayUse, refusal }: OwnRoutes<Context>,
  request: OwnRequest['request'],
  reply: FastifyReply,
): OwnRequest {
  const environment = environmentOf(environments, request.caller)
  const { slug } = nameOrganization(environment, request.params.slug)
  const members = environment.organizations.members(slug) ?? []
  if (!mayUse(knownCaller(request).agent, { slug, members })) {
    throw new HttpError('forbidden', refusal)
  }
  return { slug, environment, request, reply }
}
