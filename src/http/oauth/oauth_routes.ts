import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type TSchema, Type } from 'typebox'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { sendError, toHttpError } from '#src/edge/error_reply.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { http } from '#src/edge/node_http.ts'
import type { Parameters } from '#src/edge/query_string.ts'
import { component, wordOf } from '#src/edge/reply_schemas.ts'
import type { CountRequest } from '#src/edge/request_limits.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Browser, IdentityProvider } from '#src/identity/oauth/provider.ts'
import { pkceParameter, providerRoutes } from '#src/identity/oauth/provider_configuration.ts'
import type { LimitName } from '#src/edge/limits/limits.ts'

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
    addPostedRequests(scope, edge, prefix + authorization)
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

/** Characters of a request for permission that came as a form: an address has room for them. */
const postedCharactersMax = 8_192

/**
 * A request for permission may be a form (OpenID Connect Core 1.0, §3.1.2.1). The browser asks
 * again at an address, because a form of another site comes without the cookies of the person.
 */
function addPostedRequests(
  scope: FastifyInstance,
  { provider, lead, ...counted }: OAuthEdge,
  url: string,
): void {
  const options = { schema: { hide: true }, bodyLimit: formBytesMax, onRequest: lead }
  scope.post(url, { ...options, ...countedWith(counted, 'oauth') }, (request, reply) => {
    reply.header('cache-control', 'no-store')
    return reply.redirect(`${provider.issuer}${authorization}?${postedQuery(request)}`, 303)
  })
}

/** The query of a request for permission that came as a form. HttpError `payload_too_large`. */
function postedQuery({ body }: Pick<FastifyRequest, 'body'>): string {
  const form = typeof body === 'string' ? body : ''
  if (form.length <= postedCharactersMax) return new URLSearchParams(form).toString()
  const message = `A request for permission has ${postedCharactersMax} characters at most`
  throw new HttpError('payload_too_large', message)
}

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
  await registerProviderScope(server, (scope) => addWriteBackRoutes(scope, edges))
}

function edgeOf({ live, sandbox }: OAuthEdges, clientId: string | null | undefined): OAuthEdge {
  return sandbox.isApplication(clientId ?? '') ? sandbox : live
}

/** `/api/v1/oauth/…`: where publishers come in (RFC 6749 §4.1). */
function addWriteBackRoutes(scope: FastifyInstance, edges: OAuthEdges): void {
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
  const lead = (reply: FastifyReply, query: string) => {
    const { provider, environment } = edgeOf(edges, new URLSearchParams(query).get('client_id'))
    if (environment === 'sandbox') markSandbox(reply)
    reply.header('cache-control', 'no-store')
    return reply.redirect(authorizationUrl(provider.issuer, query), 303)
  }
  const path = '/api/v1/oauth/authorize'
  scope.get(path, authorizeRoute, (request, reply) =>
    lead(reply, request.originalUrl.split('?').slice(1).join('?')),
  )
  const postedRoute = { ...countedWith(both, 'oauth'), bodyLimit: formBytesMax }
  const postedSchema = {
    operationId: 'authorizeByForm',
    consumes: [formType],
    tags,
    security: [],
    summary: 'Begins the consent of a person by a form.',
    response: { 303: Type.Null({ description: 'To the identity provider.' }) },
  }
  scope.post(path, { ...postedRoute, schema: postedSchema }, (request, reply) =>
    lead(reply, postedQuery(request)),
  )
  const tokenRoute: RouteShorthandOptions = {
    ...countedWith(both, 'token'),
    config: { anyOrigin: true },
    bodyLimit: formBytesMax,
    schema: {
      operationId: 'createToken',
      consumes: ['application/json', formType],
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
  // To the provider an empty one is none.
  const isChallenged = Boolean(new URLSearchParams(query).get('code_challenge'))
  const mark = isChallenged ? '' : `${query === '' ? '' : '&'}${pkceParameter}=1`
  return `${issuer}${providerRoutes.authorization}?${query}${mark}`
}

const text = (description: string): TSchema => Type.String({ description })

function parameter(description: string) {
  return { read: (value: string) => value, accepts: 'a text', schema: text(description) }
}

/** The query of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3), for its description. */
const authorizeParameters: Parameters = {
  response_type: parameter('`code`.'),
  client_id: parameter('The id of the application.'),
  redirect_uri: parameter('One of the addresses of the application, exactly.'),
  scope: parameter('The scopes that are asked for, separated by spaces.'),
  state: parameter('Comes back as it was sent.'),
  code_challenge: parameter('The SHA-256 of `code_verifier`, in base64url.'),
  code_challenge_method: parameter('`S256`.'),
}

/** What is exchanged for tokens (RFC 6749 §4.1.3, §6). */
const tokenBodySchema = component('TokenRequest', {
  grant_type: wordOf('GrantType', ['authorization_code', 'refresh_token']),
  client_id: text('The id of the application, unless it is in an Authorization header (Basic).'),
  client_secret: Type.Optional(text('Its secret, if it has one.')),
  code: Type.Optional(text('The code that the browser came back with.')),
  redirect_uri: Type.Optional(text('The same as in the authorization request.')),
  code_verifier: Type.Optional(text('What `code_challenge` was made from.')),
  refresh_token: Type.Optional(text('A refresh token, which can be used once.')),
  scope: Type.Optional(text('Fewer scopes than were permitted, if fewer are enough.')),
})

/** Tokens (RFC 6749 §5.1). */
const tokenReplySchema = component(
  'Token',
  {
    access_token: text('Send it as `Authorization: Bearer`.'),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: text('The scopes that were permitted, separated by spaces.'),
    refresh_token: Type.Optional(text('Good once, for 180 days.')),
    id_token: Type.Optional(text('Says who the person is, if `openid` was permitted.')),
  },
  { additionalProperties: true },
)

/** What the routes of an identity provider are given. */
export type OAuthEdge = {
  readonly environment: EnvironmentName
  readonly provider: IdentityProvider
  /** The browser that sends a request, as the pages know it. */
  readonly browserOf: (request: FastifyRequest, reply: FastifyReply) => Browser
  readonly count: CountRequest
  /** Whether there is an application of this id. */
  readonly isApplication: (clientId: string) => boolean
  /** Sends browsers on that came to the wrong host. */
  readonly lead: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** What the bodies of OAuth are (RFC 6749 §3.1, §3.2); some of our addresses take JSON, too. */
const formType = 'application/x-www-form-urlencoded'

/** Bytes of a form; the provider itself takes no more. */
const formBytesMax = 56 * 1_024

/**
 * Adds routes of identity providers in a scope of their own: replies are written by the provider,
 * bodies are forms, and errors speak the words of OAuth.
 */
async function registerProviderScope(
  server: FastifyInstance,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await server.register((scope, _options, done) => {
    registerBodies(scope)
    scope.setErrorHandler(sendOAuthError)
    addRoutes(scope)
    done()
  })
}

/** Bodies are forms, or JSON objects of texts, and both are handed on as the text of a form. */
function registerBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // At the provider's own addresses a body is a form and nothing else (RFC 6749 §3.2).
      if (!request.originalUrl.startsWith('/api/')) {
        throw new HttpError('unsupported_media_type', `Send the body as ${formType}`)
      }
      done(null, formOfJson(parseStrictJson(body as Buffer)))
    } catch (error) {
      done(error as HttpError)
    }
  })
}

function formOfJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError('invalid_request', 'The body must be a JSON object')
  }
  const form = new URLSearchParams()
  for (const [name, given] of Object.entries(value)) {
    if (typeof given !== 'string') {
      throw new HttpError('invalid_request', `The field ${name} must be a text`)
    }
    form.append(name, given)
  }
  return form.toString()
}

/** Counts the requests of a route for the application that each names, if there is such a one. */
function countedWith(
  { count, isApplication }: Pick<OAuthEdge, 'count' | 'isApplication'>,
  limit: LimitName,
) {
  return {
    // After the body, which names the application.
    preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
      const named = namedApplication(request)
      // Names that nobody has are many: all of them together count as one.
      if (named !== undefined && isApplication(named)) request.countedApplication = named
      await count(limit, request, reply)
    },
  }
}

/** Lets the identity provider answer a request at one of its own paths. */
async function answerByProvider(
  { environment, provider, browserOf }: OAuthEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, isForBrowsers }: { readonly path: string; readonly isForBrowsers: boolean },
): Promise<FastifyReply> {
  const { raw } = request
  if (environment === 'sandbox') markSandbox(reply)
  const message: IncomingMessage =
    raw.method === 'POST' ? formRequest(raw, (request.body as string | undefined) ?? '') : raw
  const browser = isForBrowsers ? browserOf(request, reply) : undefined
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  await provider.answer(message, reply.raw, path, browser)
  return reply
}

/** Errors before the provider: in the words of this interface and in those of OAuth. */
function sendOAuthError(failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toHttpError(failure)
  const { extra } = error
  const isOtherType = error.code === 'unsupported_media_type'
  const message = isOtherType ? `Send the body as ${formType}` : error.message
  const code = error.code === 'bad_request' ? 'invalid_request' : error.code
  const described = { ...extra, error_description: message }
  sendError(new HttpError(code, message, { cause: error.cause, extra: described }), request, reply)
}

const basicForm = /^basic ([A-Za-z0-9+/]+={0,2})$/i

/**
 * The id of the application that a request to the identity provider says it is, decoded as the
 * provider decodes it, so that every spelling of an id names one application: the user name of an
 * Authorization header is percent-encoded within its base64 (RFC 6749 §2.3.1), and `body` is the
 * text of a form. Undefined if it names no application, or several.
 */
function namedApplication({
  headers,
  body,
}: Pick<FastifyRequest, 'headers' | 'body'>): string | undefined {
  const form = new URLSearchParams(typeof body === 'string' ? body : '')
  const ids = form.getAll('client_id')
  const { authorization: credentials } = headers
  if (credentials !== undefined) ids.push(userNameOf(credentials) ?? '')
  const [id, ...others] = new Set(ids)
  return id === undefined || id === '' || others.length > 0 ? undefined : id
}

function userNameOf(credentials: string): string | undefined {
  const [, base64] = basicForm.exec(credentials) ?? []
  if (base64 === undefined) return undefined
  const [encoded = ''] = Buffer.from(base64, 'base64').toString().split(':', 1)
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/**
 * A request as it would have been had it come as an HTML form: for a reader of forms, after its
 * body has been read, or when it was something else. All else of `request` stays as it is.
 */
function formRequest(request: IncomingMessage, form: string): IncomingMessage {
  const body = Buffer.from(form)
  const { origin, ...headers } = request.headers
  // A page of any origin may call the API; at its own addresses the provider asks for the client's.
  const isOwn = origin !== undefined && !request.url?.startsWith('/api/')
  const copy = new http.IncomingMessage(request.socket)
  Object.assign(copy, {
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion,
    headers: {
      ...headers,
      ...(isOwn && { origin }),
      'content-type': formType,
      'content-length': String(body.length),
    },
    // An incomplete request would be aborted when it is read, and its socket with it.
    complete: true,
  })
  copy.push(body)
  copy.push(null)
  return copy
}
