import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'

import { type Access, readingAccess } from '#src/edge/admission.ts'
import type { KeyLimit } from '#src/edge/limits/limits.ts'
import { type Parameters, refuseQuery } from '#src/edge/query_string.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import { type PathPrefix, pathPrefixes, type Right } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

/**
 * A key or a token, with the right if it names one; that below `/v1` and nothing below `/api/v1`
 * (`reading`); or nothing, counted per address.
 */
type Demand =
  | { readonly right?: Right; readonly limit: KeyLimit }
  | { readonly type: 'reading'; readonly right: Right; readonly limit: KeyLimit }
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
  /** The name of the operation below `/api/v1`, if it is another one there. */
  readonly publicOperationId?: string
  /** A route with parameters reads them itself; one without refuses any. */
  readonly parameters?: Parameters
  /** Whether rules check the body, all faults at once, and not its schema. */
  readonly isCheckedByRules?: boolean
  /** What the steps before the answer are told besides. */
  readonly config?: (edge: Edge) => FastifyContextConfig
  readonly handle: (
    edge: Edge,
    request: FastifyRequest<{ Params: Parts }>,
    reply: FastifyReply,
  ) => unknown
}

/** Serves routes below both prefixes, under one tag of the description. */
export function registerRoutes<Edge extends Pick<RegistryEdge, 'admit'>>(
  server: FastifyInstance,
  edge: Edge,
  tag: string,
  routes: readonly Route<Edge, never>[],
): void {
  for (const prefix of pathPrefixes) {
    for (const route of routes) {
      const { method, path, demands, parameters, isCheckedByRules, config, handle, ...rest } = route
      const { publicOperationId, ...schema } = rest
      const admission = edge.admit(accessOf(demands, prefix), parameters)
      const isRenamed = prefix !== '/v1' && publicOperationId !== undefined
      server.route<{ Params: never }>({
        method,
        url: prefix + path,
        config: { ...admission.config, ...config?.(edge) },
        ...(isCheckedByRules === true && checkedByRules),
        schema: {
          tags: [tag],
          ...schema,
          ...(isRenamed && { operationId: publicOperationId }),
        },
        ...(parameters === undefined && { preHandler: refuseQuery }),
        handler: handle.bind(undefined, edge),
      })
    }
  }
}

function accessOf(demands: Demand, prefix: PathPrefix): Access {
  if (!('type' in demands)) return { type: 'key', prefix, ...demands }
  return demands.type === 'public' ? demands : readingAccess(prefix, demands.right, demands.limit)
}
