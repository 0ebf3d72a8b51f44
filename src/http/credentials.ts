import type { Agent } from '#actors/agent.ts'
import type { EnvironmentName } from '#actors/environment.ts'

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

/** A caller that sent no credentials; the environment follows from what it asks for. */
export type AnonymousCaller = { readonly kind: 'anonymous'; readonly ip: string }

/** Who is calling. Credentials that cannot be used never become a caller: they are a 401. */
export type Caller = KeyCaller | AnonymousCaller
