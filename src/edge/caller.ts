import type { Agent } from '#actors/values/agent.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { HttpError } from '#src/errors.ts'
import { countedAddress } from '#src/edge/client_address.ts'

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

/** A caller that sent a usable access token: an application, for who has permitted it. */
export type TokenCaller = {
  readonly kind: 'token'
  readonly agent: Agent
  readonly scopes: ReadonlySet<string>
  readonly environment: EnvironmentName
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

/** The environment that a caller's requests are about: without a credential it is the live one. */
export function environmentOf<E>(
  environments: Readonly<Record<EnvironmentName, E>>,
  caller: Caller,
): E {
  return environments[caller.kind === 'anonymous' ? 'live' : caller.environment]
}

/**
 * What tells the callers of the registry apart where they share something: the id of a key, the
 * application and person of a token, else what the client address is counted by.
 */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return caller.keyId
    case 'token':
      return `${caller.clientId} ${caller.ppid}`
    case 'anonymous':
      return countedAddress(caller.ip)
  }
}

/** The one answer to credentials that are missing or cannot be used, whatever the reason. */
export function unauthorized(
  extra: { readonly public_path?: string } = {},
  message = 'Invalid API key',
): HttpError {
  return new HttpError('unauthorized', message, { extra })
}
