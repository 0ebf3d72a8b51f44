import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'

import type { Member } from '#actors/people/organizations/events.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { environmentOf } from '#src/edge/caller.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { HttpError } from '#src/edge/errors.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import type { Right } from '#src/identity/keys/scope.ts'
import type { KeyLimit } from '#src/edge/limits/limits.ts'
import { nameOrganization } from '#src/use_cases/organization_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

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
type OwnRoute<Context> = Omit<
  Route<RouteEdge>,
  'demands' | 'isCheckedByRules' | 'response' | 'handle'
> & {
  readonly status?: number
  readonly answers: TSchema
  /** In place of the limit of its kind. */
  readonly limit?: KeyLimit
  readonly handle: (context: Context) => unknown
}

type RouteEdge = Pick<RegistryEdge, 'admit' | 'environments'>
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
  edge: RouteEdge,
  own: OwnRoutes<Context>,
): void {
  const routes = own.routes.map((route): Route<RouteEdge, OwnParameters> => {
    const { path, status = 200, answers, limit, handle, ...described } = route
    const demands = route.method === 'GET' ? own.reading : own.writing
    return {
      ...described,
      path: `/organizations/:slug/${own.path}${path}`,
      demands: { ...demands, ...(limit !== undefined && { limit }) },
      isCheckedByRules: own.areBodiesCheckedByRules === true,
      response: { [status]: answers },
      async handle(_edge, request, reply) {
        const answer = await handle(own.contextOf(enter(edge, own, request, reply)))
        keepPrivate(reply)
        return reply.code(status).send(answer)
      },
    }
  })
  registerRoutes(server, edge, 'organizations', routes)
}

/** HttpErrors: `not_found` for no organization, `forbidden` for a caller who may not use this. */
function enter<Context>(
  { environments }: RouteEdge,
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
