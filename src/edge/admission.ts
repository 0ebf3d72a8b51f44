import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

import { assert } from '#log/base/errors.ts'
import { HttpError } from '#src/errors.ts'
import { type Caller, type KnownCaller, unauthorized } from '#src/edge/caller.ts'
import type { Authenticate, PresentedRequest } from '#src/edge/credentials.ts'
import type { AddressLimit, CountAtOnce, KeyLimit, LimitName } from '#src/edge/limits.ts'
import type { Parameters } from '#src/edge/query_string.ts'
import { rawPath } from '#src/edge/request_path.ts'
import { type PathPrefix, grants, type Right, scopeFor } from '#src/identity/keys/scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set by the admission of the route, before the body is read. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Whether the route takes callers without a credential; set by its admission. */
    readonly isPublic?: boolean
    /** The right that the route demands, and the limit under which a credential is counted. */
    readonly right?: Right
    readonly limit?: LimitName
    /** The same where it is public and a credential is counted otherwise than an address. */
    readonly keyLimit?: LimitName
  }
}

/**
 * What a route demands. `key`: a key or a token with the right, or any without one; counted per
 * key, or per application and person. `public`: nothing, counted per address, or per key when one
 * is sent and `keyLimit` names how.
 */
export type Access =
  | {
      readonly type: 'key'
      readonly prefix: PathPrefix
      readonly right?: Right
      readonly limit: KeyLimit
      /** Whether everybody may read the same below `/api/v1`, which a 401 then names. */
      readonly hasPublicTwin?: boolean
    }
  | {
      readonly type: 'public'
      readonly limit: AddressLimit
      readonly keyLimit?: KeyLimit
    }

/**
 * What reading a public record demands: below `/v1` a key or token with the right, below `/api/v1`
 * nothing.
 */
export function readingAccess(prefix: PathPrefix, right: Right, limit: KeyLimit): Access {
  return prefix === '/v1'
    ? { type: 'key', prefix, right, limit, hasPublicTwin: true }
    : { type: 'public', limit: 'public_read', keyLimit: limit }
}

/** The options of a route that carry out its access; spread them into the route. */
export type Admission = {
  readonly onRequest: onRequestHookHandler
  readonly config: {
    readonly isPublic: boolean
    readonly right?: Right
    readonly limit: LimitName
    readonly keyLimit?: LimitName
    readonly anyOrigin: true
    readonly parameters: Parameters
  }
}

/**
 * Makes the admission of a route: who calls, whether it may, and whether it has calls left.
 * `parameters` are those of its query string, which its description shows.
 */
export type Admit = (access: Access, parameters?: Parameters) => Admission

/**
 * `authenticate` tells who calls and throws HttpError for credentials that cannot be used. Those
 * are counted per address, and beyond that limit the answer is 429 in place of 401.
 */
export function createAdmit(authenticate: Authenticate, count: CountAtOnce): Admit {
  function identify(
    access: Access,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Caller | Promise<Caller> {
    const refuse = (error: unknown): never => {
      if (!(error instanceof HttpError && error.code === 'unauthorized')) throw error
      count('failed_credentials', request, reply)
      throw refusal(access, request, error.message)
    }
    try {
      const caller = authenticate(request)
      return caller instanceof Promise ? caller.catch(refuse) : caller
    } catch (error) {
      return refuse(error)
    }
  }

  /** Throws HttpError if the caller of the request is not admitted. */
  function admit(access: Access, request: FastifyRequest, reply: FastifyReply): void {
    const { caller } = request
    if (caller.kind !== 'anonymous' && caller.environment === 'sandbox') markSandbox(reply)
    if (access.type === 'public') {
      const { limit: addressLimit, keyLimit = addressLimit } = access
      count(caller.kind === 'anonymous' ? addressLimit : keyLimit, request, reply)
      return
    }
    if (caller.kind === 'anonymous') throw refusal(access, request)
    count(access.limit, request, reply)
    const { right, prefix } = access
    if (right !== undefined && !grants(caller.scopes, right)) {
      throw missingScope(scopeFor(right, prefix))
    }
  }

  return (access, parameters = {}) => ({
    config: {
      isPublic: access.type === 'public',
      ...('right' in access && { right: access.right }),
      limit: access.limit,
      ...('keyLimit' in access && { keyLimit: access.keyLimit }),
      anyOrigin: true,
      parameters,
    },
    onRequest(request, reply, done) {
      const enter = (caller: Caller): void => {
        request.caller = caller
        admit(access, request, reply)
      }
      const caller = identify(access, request, reply)
      // Nearly all have nothing to wait for, and a promise costs more than the rest.
      if (caller instanceof Promise) caller.then(enter).then(() => done(), done)
      else {
        enter(caller)
        done()
      }
    },
  })
}

/**
 * The caller of a request to a route that demands a right, if it is plainly let in. Undefined for
 * one that the route refuses, and for one whose reply says more because of its caller.
 */
export function plainCaller(
  authenticate: Authenticate,
  request: PresentedRequest,
  right: Right,
): KnownCaller | undefined {
  try {
    const caller = authenticate(request)
    if (caller instanceof Promise || caller.kind === 'anonymous') return undefined
    return caller.environment === 'live' && grants(caller.scopes, right) ? caller : undefined
  } catch {
    // The route refuses it in the same way, counts that, and tells of it.
    return undefined
  }
}

/** The 401 of a route: it tells besides where everybody may read the same. */
function refusal(access: Access, request: FastifyRequest, message?: string): HttpError {
  const hasTwin = access.type !== 'public' && access.hasPublicTwin === true
  return unauthorized(hasTwin ? { public_path: `/api${rawPath(request)}` } : {}, message)
}

/** The caller of a route that demands a credential. */
export function knownCaller({ caller }: FastifyRequest): KnownCaller {
  assert(caller.kind !== 'anonymous', 'the route admits callers with a credential only')
  return caller
}

/** Says that the reply is about the sandbox, which search engines should not show. */
export function markSandbox(reply: FastifyReply): void {
  reply.header('x-svc-environment', 'sandbox')
  reply.header('x-robots-tag', 'noindex')
}

function missingScope(scope: string): HttpError {
  return new HttpError('forbidden', `API key lacks required scope: ${scope}`)
}
