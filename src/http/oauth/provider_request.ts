import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { sendError, toHttpError } from '#src/edge/error_reply.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import type { CountRequest } from '#src/edge/request_limits.ts'
import type { LimitName } from '#src/limits/limits.ts'
import { http } from '#src/edge/node_http.ts'
import { HttpError } from '#src/errors.ts'
import type { Browser, IdentityProvider } from '#src/identity/oauth/provider.ts'

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

/** Bytes of a form; the provider itself takes no more. */
export const formBytesMax = 56 * 1_024

/**
 * Adds routes of identity providers in a scope of their own: replies are written by the provider,
 * bodies are forms, and errors speak the words of OAuth.
 */
export async function registerProviderScope(
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
  const form = 'application/x-www-form-urlencoded'
  scope.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // At the provider's own addresses a body is a form and nothing else (RFC 6749 §3.2).
      if (!request.originalUrl.startsWith('/api/')) {
        throw new HttpError('unsupported_media_type', `Send the body as ${form}`)
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
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') {
      throw new HttpError('invalid_request', `The field ${name} must be a text`)
    }
    form.append(name, text)
  }
  return form.toString()
}

/** Counts the requests of a route for the application that each names, if there is such a one. */
export function countedWith(
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
export async function answerByProvider(
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
  const { message, extra } = error
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
export function namedApplication({
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
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    },
    // An incomplete request would be aborted when it is read, and its socket with it.
    complete: true,
  })
  copy.push(body)
  copy.push(null)
  return copy
}
