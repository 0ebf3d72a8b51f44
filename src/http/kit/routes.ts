import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'

import type { Access } from '#src/edge/admission.ts'
import type { KeyLimit } from '#src/edge/limits/limits.ts'
import { type Parameters, readQuery } from '#src/edge/query_string.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import { pathPrefixes, type Right } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

/** A key or a token, with the right if it names one; or nothing, counted per address. */
type Demand =
  | { readonly right?: Right; readonly limit: KeyLimit }
  | Extract<Access, { readonly type: 'public' }>

/**
 * A route of the JSON interface below both prefixes: its description, whom it admits, and its
 * answer, made of what its module is given (`Edge`), with the parts of its path (`Parts`).
 */
export type Route<Edge, Parts = unknown> = Omit<FastifySchema, 'tags'> & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind the prefix. */
  readonly path: string
  readonly demands: Demand
  /** A route with parameters reads them itself; one without refuses any. */
  readonly parameters?: Parameters
  /** Whether rules check the body, all faults at once, and not its schema. */
  readonly isCheckedByRules?: boolean
  readonly handle: (
    edge: Edge,
    request: FastifyRequest<{ Params: Parts }>,
    reply: FastifyReply,
  ) => unknown
}

/** Serves routes below both prefixes, under one tag of the description. */
export function registerRoutes<Edge extends Pick<RegistryEdge, 'admit'>, Parts>(
  server: FastifyInstance,
  edge: Edge,
  tag: string,
  routes: readonly Route<Edge, Parts>[],
): void {
  for (const prefix of pathPrefixes) {
    for (const route of routes) {
      const { method, path, demands, parameters, isCheckedByRules, handle, ...schema } = route
      const access = 'type' in demands ? demands : ({ type: 'key', prefix, ...demands } as const)
      server.route<{ Params: Parts }>({
        method,
        url: prefix + path,
        ...edge.admit(access, parameters),
        ...(isCheckedByRules === true && checkedByRules),
        schema: { tags: [tag], ...schema },
        async handler(request, reply) {
          if (parameters === undefined) readQuery(request, {})
          return handle(edge, request, reply)
        },
      })
    }
  }
}
