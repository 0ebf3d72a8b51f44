import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Agent } from '#actors/values/agent.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { unauthorized } from '#src/edge/admission.ts'
import { presentedKey } from '#src/edge/presented_key.ts'
import type { AccessTokens } from '#src/identity/oauth/access_tokens.ts'
import type { AdminCodes } from '#src/identity/keys/admin_code.ts'
import type { LoadedKey } from '#src/identity/keys/key_index.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { keyScopes } from '#src/identity/keys/scope.ts'

/** A caller that sent a usable key: for whom it acts, what it may do, and in which environment. */
export type KeyCaller = {
  readonly kind: 'key'
  readonly agent: Agent
  readonly scopes: ReadonlySet<string>
  readonly environment: EnvironmentName
  readonly keyId: string
  /** The client's address as the trusted proxies tell it, IPv4-mapped IPv6 unfolded to IPv4. */
  readonly ip: string
}

/**
 * A caller that sent a usable access token: an application, for the person who has permitted it.
 * Tokens are live only.
 */
export type TokenCaller = {
  readonly kind: 'token'
  readonly agent: Agent
  readonly scopes: ReadonlySet<string>
  readonly environment: 'live'
  readonly grantId: string
  readonly clientId: string
  readonly ppid: string
  readonly ip: string
}

/** A caller that sent no credentials; the environment follows from what it asks for. */
export type AnonymousCaller = { readonly kind: 'anonymous'; readonly ip: string }

/** A caller that sent a credential. */
export type KnownCaller = KeyCaller | TokenCaller

/** Who is calling. Credentials that cannot be used never become a caller: they are a 401. */
export type Caller = KnownCaller | AnonymousCaller

/** A confirmed administrator has every scope for the length of one call. */
const allScopes: ReadonlySet<string> = new Set(keyScopes)

/**
 * Makes the function that tells who sends a request. It throws HttpError `unauthorized`, always
 * with the same words, for a credential that cannot be used, whatever the reason, and `bad_request`
 * for two different ones.
 */
export function createAuthenticate(
  keys: KeyStore,
  adminCodes: AdminCodes,
  tokens: Pick<AccessTokens, 'check'>,
): (request: FastifyRequest) => Caller {
  return (request) => {
    const { ip } = request
    const adminCode = request.headers['x-admin-code']
    const presented = presentedKey(request)
    if (presented === undefined) {
      if (adminCode !== undefined) throw unauthorized()
      return { kind: 'anonymous', ip }
    }
    const { text, isBearer } = presented
    // A key says what it is; only a token can be anything else.
    if (isBearer && adminCode === undefined && !text.startsWith('svc')) {
      const token = tokens.check(text, ip)
      if (token !== undefined) return { kind: 'token', environment: 'live', ip, ...token }
    }
    const userAgent = request.headers['user-agent'] ?? ''
    const answer = keys.authenticate(text, { ip, userAgent })
    if (answer.type !== 'accepted') throw unauthorized()
    const caller = callerOf(answer.key, ip)
    if (adminCode === undefined) return caller
    if (!caller.scopes.has('admin:*') || !adminCodes.redeem(String(adminCode))) throw unauthorized()
    return { ...caller, agent: { ...caller.agent, admin: true }, scopes: allScopes }
  }
}

function callerOf({ agent, scopes, record }: LoadedKey, ip: string): KeyCaller {
  return { kind: 'key', agent, scopes, environment: record.environment, keyId: record.id, ip }
}

const inQueryWarning = '299 - "API keys in addresses leak into logs: send Authorization: Bearer"'

/**
 * Marks every reply to a request that carries its key in the address: nothing may keep the reply or
 * pass the address on. It has the last word over what a route says about caching.
 */
export function warnOfKeysInAddresses(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if ((request.query as { api_key?: unknown }).api_key !== undefined) {
      reply.header('warning', inQueryWarning)
      reply.header('referrer-policy', 'no-referrer')
      reply.header('cache-control', 'private, no-store')
    }
    done(null, payload)
  })
}
