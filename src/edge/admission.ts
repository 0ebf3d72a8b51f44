import type { FastifyRequest } from 'fastify'

import { assert } from '#log/tlog/errors.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type Caller, type KnownCaller, unauthorized } from '#src/edge/caller.ts'
import { type Authenticate, isConfirmed } from '#src/edge/credentials.ts'
import type { EdgeReply, EdgeRequest, Step } from '#src/edge/step.ts'
import type { Parameters } from '#src/edge/query_string.ts'
import type { RequestLimits } from '#src/edge/request_limits.ts'
import { rawPath } from '#src/edge/request_path.ts'
import { type PathPrefix, grants, type Right, scopeFor } from '#src/identity/keys/scope.ts'
import type { AddressLimit, KeyLimit, LimitName } from '#src/edge/limits/limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set by the admission of the route, before the body is read. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** What the route demands; a route without it admits its callers itself. */
    readonly access?: Access
    /** Whether the route takes callers without a credential. */
    readonly isPublic?: boolean
    /** The right that the route demands. */
    readonly right?: Right
    /** The limit that the route names, for its description. */
    readonly limit?: LimitName
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
      /** How many calls a request counts as; one by default. */
      readonly callsOf?: (request: EdgeRequest) => number
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

/** The options of a route that state its access; spread them into the route. */
export type Admission = {
  readonly config: {
    readonly access: Access
    readonly isPublic: boolean
    readonly right?: Right
    readonly limit: LimitName
    readonly anyOrigin: true
    readonly parameters: Parameters
  }
}

/**
 * States what a route demands: who calls, with which right, and how often. `parameters` are those
 * of its query string, which its description shows.
 */
export function admission(access: Access, parameters: Parameters = {}): Admission {
  return {
    config: {
      access,
      isPublic: access.type === 'public',
      ...('right' in access && { right: access.right }),
      limit: access.limit,
      anyOrigin: true,
      parameters,
    },
  }
}

/** Decides which callers may call the routes of a server, and how often. */
export type Doorkeeper = {
  /** Finds out who calls and admits it by the access of the route. Throws HttpError. */
  readonly admit: Step
  /**
   * The refusal of a request that a limit of its route has refused before, and refuses still; sets
   * its headers, and counts nothing. Undefined if that is not known.
   */
  readonly refusalAgain: (request: EdgeRequest, reply: EdgeReply) => HttpError | undefined
}

/**
 * `authenticate` tells who calls and throws HttpError for credentials that cannot be used. Those
 * are counted per address, and beyond that limit the answer is 429 in place of 401.
 */
export function createDoorkeeper(authenticate: Authenticate, limits: RequestLimits): Doorkeeper {
  const enter = (caller: Caller, access: Access, request: EdgeRequest, reply: EdgeReply): void => {
    request.caller = caller
    if (isOfSandbox(caller)) markSandbox(reply)
    const limit = limitOf(access, caller)
    if (limit === undefined) throw refusal(access, request)
    const { callsOf } = access.type === 'key' ? access : {}
    limits.count(limit, request, reply, callsOf && { all: callsOf(request) })
    if (access.type === 'public' || access.right === undefined) return
    if (caller.kind === 'anonymous' || !grants(caller.scopes, access.right)) {
      throw missingScope(scopeFor(access.right, access.prefix))
    }
    // Behind the other rights of an administrator, the rules check the code.
    if (access.right === 'administer' && !isConfirmed(caller)) throw notConfirmed()
  }
  return {
    admit(request, reply) {
      const { access } = request.routeOptions.config
      if (access === undefined) return undefined
      const refuse = (error: unknown): never => {
        if (!isRefused(error)) throw error
        limits.count('failed_credentials', request, reply)
        if (error.code === 'suspended') throw error
        throw refusal(access, request, error.message)
      }
      let caller: Caller | Promise<Caller>
      try {
        caller = authenticate(request)
      } catch (error) {
        return refuse(error)
      }
      // Nearly all have nothing to wait for, and a promise costs more than the rest.
      if (!(caller instanceof Promise)) return enter(caller, access, request, reply)
      return caller.catch(refuse).then((known) => enter(known, access, request, reply))
    },
    refusalAgain(request, reply) {
      const { access } = request.routeOptions.config
      if (access === undefined) return undefined
      try {
        const caller = authenticate(request)
        if (caller instanceof Promise) return undefined
        request.caller = caller
        if (isOfSandbox(caller)) markSandbox(reply)
        const limit = limitOf(access, caller)
        return limit && limits.refusalAgain(limit, request, reply)
      } catch (error) {
        if (!isRefused(error)) return undefined
        return limits.refusalAgain('failed_credentials', request, reply)
      }
    },
  }
}

/** The limit that a caller of a route is counted under; undefined for one that has to be known. */
function limitOf(access: Access, caller: Caller): KeyLimit | AddressLimit | undefined {
  const isAnonymous = caller.kind === 'anonymous'
  if (access.type === 'key') return isAnonymous ? undefined : access.limit
  const { limit, keyLimit = limit } = access
  return isAnonymous ? limit : keyLimit
}

/** Whether a credential cannot be used, for good or as long as somebody is suspended. */
function isRefused(error: unknown): error is HttpError {
  const refusals: readonly string[] = ['unauthorized', 'suspended']
  return error instanceof HttpError && refusals.includes(error.code)
}

function isOfSandbox(caller: Caller): boolean {
  return caller.kind !== 'anonymous' && caller.environment === 'sandbox'
}

/** The 401 of a route: it tells besides where everybody may read the same. */
function refusal(access: Access, request: EdgeRequest, message?: string): HttpError {
  const hasTwin = access.type !== 'public' && access.hasPublicTwin === true
  return unauthorized(hasTwin ? { public_path: `/api${rawPath(request)}` } : {}, message)
}

/** The caller of a route that demands a credential. */
export function knownCaller({ caller }: Pick<FastifyRequest, 'caller'>): KnownCaller {
  assert(caller.kind !== 'anonymous', 'the route admits callers with a credential only')
  return caller
}

/** Says that the reply is about the sandbox, which search engines should not show. */
export function markSandbox(reply: Pick<EdgeReply, 'header'>): void {
  reply.header('x-svc-environment', 'sandbox')
  reply.header('x-robots-tag', 'noindex')
}

/** HttpError `forbidden` if the credential of a caller does not have a right. */
export function demandRight({ scopes }: KnownCaller, right: Right, prefix: PathPrefix): void {
  if (!grants(scopes, right)) throw missingScope(scopeFor(right, prefix))
}

function notConfirmed(): HttpError {
  const message = 'Only an administrator can do this: send a key with admin:* and X-Admin-Code'
  return new HttpError('forbidden', message)
}

function missingScope(scope: string): HttpError {
  return new HttpError('forbidden', `API key lacks required scope: ${scope}`)
}
