import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { markSandbox } from '#src/edge/admission.ts'
import {
  authorizeParameters,
  tokenBodySchema,
  tokenReplySchema,
} from '#src/http/oauth/oauth_schemas.ts'
import {
  answerByProvider,
  countedWith,
  formBytesMax,
  namedApplication,
  type OAuthEdge,
  registerProviderScope,
} from '#src/http/oauth/provider_request.ts'
import { pkceParameter, providerRoutes } from '#src/identity/oauth/provider_configuration.ts'

/** The identity provider of each environment. */
type OAuthEdges = Readonly<Record<EnvironmentName, OAuthEdge>>

/**
 * Registers the two addresses at which the interface of registering works speaks OAuth. Which
 * environment a request is about follows from the application that it names.
 */
export async function registerWriteBackRoutes(
  server: FastifyInstance,
  edges: OAuthEdges,
): Promise<void> {
  await registerProviderScope(server, (scope) => addRoutes(scope, edges))
}

function edgeOf({ live, sandbox }: OAuthEdges, clientId: string | null | undefined): OAuthEdge {
  return sandbox.isApplication(clientId ?? '') ? sandbox : live
}

/** `/api/v1/oauth/…`: where publishers come in (RFC 6749 §4.1). */
function addRoutes(scope: FastifyInstance, edges: OAuthEdges): void {
  const tags = ['oauth']
  const { live, sandbox } = edges
  const isApplication = (id: string) => live.isApplication(id) || sandbox.isApplication(id)
  const both = { count: live.count, isApplication }
  const authorizeRoute: RouteShorthandOptions = {
    ...countedWith(both, 'oauth'),
    config: { parameters: authorizeParameters },
    schema: {
      operationId: 'authorize',
      tags,
      security: [],
      summary: 'Asks a researcher for permission.',
      description:
        'Send the browser here. It comes back to `redirect_uri` with a `code`. An application of ' +
        'the sandbox (`app_test_…`) is permitted something by test people.',
      response: { 303: Type.Null({ description: 'To the identity provider.' }) },
    },
  }
  scope.get('/api/v1/oauth/authorize', authorizeRoute, (request, reply) => {
    const query = request.originalUrl.split('?').slice(1).join('?')
    const { provider, environment } = edgeOf(edges, new URLSearchParams(query).get('client_id'))
    if (environment === 'sandbox') markSandbox(reply)
    reply.header('cache-control', 'no-store')
    return reply.redirect(authorizationUrl(provider.issuer, query), 303)
  })
  const tokenRoute: RouteShorthandOptions = {
    ...countedWith(both, 'token'),
    config: { anyOrigin: true },
    bodyLimit: formBytesMax,
    schema: {
      operationId: 'createToken',
      consumes: ['application/json', 'application/x-www-form-urlencoded'],
      tags,
      security: [],
      summary: 'Exchanges a code, or a refresh token, for an access token.',
      response: { 200: tokenReplySchema },
    },
    // The provider judges the fields, in the words of OAuth: the schema is for readers only.
    attachValidation: true,
    validatorCompiler: () => () => true,
  }
  tokenRoute.schema = { ...tokenRoute.schema, body: tokenBodySchema }
  scope.post('/api/v1/oauth/token', tokenRoute, (request, reply) =>
    answerByProvider(edgeOf(edges, namedApplication(request)), request, reply, {
      path: providerRoutes.token,
      isForBrowsers: false,
    }),
  )
}

/** The provider's own address with the same query; without PKCE, it is told that it needs it. */
function authorizationUrl(issuer: string, query: string): string {
  const isChallenged = new URLSearchParams(query).has('code_challenge')
  const mark = isChallenged ? '' : `${query === '' ? '' : '&'}${pkceParameter}=1`
  return `${issuer}${providerRoutes.authorization}?${query}${mark}`
}
