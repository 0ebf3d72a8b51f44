import type { FastifyInstance } from 'fastify'

import type { LimitName } from '#src/edge/limits.ts'
import {
  answerByProvider,
  countedWith,
  formBytesMax,
  type OAuthEdge,
  registerProviderScope,
} from '#src/http/oauth/provider_request.ts'
import { providerRoutes } from '#src/identity/oauth/provider_configuration.ts'

const discoveryPath = '/.well-known/openid-configuration'
const metadataPath = '/.well-known/oauth-authorization-server'

/** A path of the provider, and how requests to it are read and counted. */
type ProviderRoute = {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly path: string
  readonly limit: LimitName
  /** Whether it is a browser that comes, with a person before it. */
  readonly isForBrowsers?: boolean
}

const { authorization, token, userinfo, jwks, revocation, introspection } = providerRoutes
const { end_session: signOut } = providerRoutes

const routes: readonly ProviderRoute[] = [
  { method: 'GET', path: discoveryPath, limit: 'oauth' },
  { method: 'GET', path: metadataPath, limit: 'oauth' },
  { method: 'GET', path: jwks, limit: 'oauth' },
  { method: 'GET', path: userinfo, limit: 'oauth' },
  { method: 'POST', path: userinfo, limit: 'oauth' },
  { method: 'POST', path: token, limit: 'token' },
  { method: 'POST', path: revocation, limit: 'oauth' },
  { method: 'POST', path: introspection, limit: 'oauth' },
  { method: 'GET', path: authorization, limit: 'oauth', isForBrowsers: true },
  { method: 'GET', path: `${authorization}/:uid`, limit: 'oauth', isForBrowsers: true },
  { method: 'GET', path: signOut, limit: 'oauth', isForBrowsers: true },
  { method: 'POST', path: `${signOut}/confirm`, limit: 'oauth', isForBrowsers: true },
  { method: 'GET', path: `${signOut}/success`, limit: 'oauth', isForBrowsers: true },
  ...[discoveryPath, metadataPath, jwks, userinfo, token, revocation, introspection].map(
    (path) => ({ method: 'OPTIONS', path, limit: 'oauth' }) as const,
  ),
]

/** Registers an identity provider below its address. */
export async function registerOAuthRoutes(server: FastifyInstance, edge: OAuthEdge): Promise<void> {
  const prefix = new URL(edge.provider.issuer).pathname.replace(/\/$/, '')
  await registerProviderScope(server, (scope) => {
    for (const route of routes) addRoute(scope, edge, route, prefix + route.path)
    // RFC 8414 puts the path of the issuer behind the well-known one.
    if (prefix !== '') {
      const route = { method: 'GET', path: metadataPath, limit: 'oauth' } as const
      addRoute(scope, edge, route, metadataPath + prefix)
    }
  })
}

function addRoute(
  scope: FastifyInstance,
  edge: OAuthEdge,
  { method, path, limit, isForBrowsers = false }: ProviderRoute,
  url: string,
): void {
  scope.route({
    method,
    url,
    schema: { hide: true },
    bodyLimit: formBytesMax,
    ...(isForBrowsers && { onRequest: edge.lead }),
    ...countedWith(edge, limit),
    handler: (request, reply) => {
      const { uid } = request.params as { uid?: string }
      const below = uid === undefined ? path : path.replace(':uid', encodeURIComponent(uid))
      const query = request.originalUrl.split('?').slice(1).join('?')
      return answerByProvider(edge, request, reply, {
        path: query === '' ? below : `${below}?${query}`,
        isForBrowsers,
      })
    },
  })
}
