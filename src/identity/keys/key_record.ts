import type { Owner } from '#actors/values/agent.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { KeyPrefix } from '#src/identity/store/api_key.ts'
import { researcherScopes } from '#src/identity/keys/scope.ts'
import type { KeyRefusal } from '#src/identity/store/audit.ts'

const hourMs = 3_600_000

/** How long a key is valid, in hours, unless its creator says otherwise, and at most. */
export const keyHoursDefault = 90 * 24
export const keyHoursMax = 366 * 24

/** How long, at most, a key with `admin:*` is valid, in hours. */
export const adminKeyHoursMax = 24

/** How long a rotated key works beside the one that replaces it. */
export const rotationOverlapMs = 7 * 24 * hourMs

/** What is kept of a key, for ever. Times are `YYYY-MM-DDThh:mm:ss.sssZ`. */
export type KeyRecord = {
  readonly id: string
  /** The prefix and the first four digits: all that is shown after creation. */
  readonly shown: string
  /** HMAC-SHA256 of the whole key under the pepper, 64 hex digits. */
  readonly digest: string
  readonly owner: Owner
  readonly environment: EnvironmentName
  readonly scopes: readonly string[]
  /** What its owner calls it; may be empty. */
  readonly label: string
  /** Addresses and networks it may be used from; empty: everywhere. */
  readonly ip_allow: readonly string[]
  readonly created_at: string
  readonly created_by: Owner
  readonly expires_at: string
  readonly state: 'active' | 'rotating' | 'revoked'
  /** The id of the key this one replaces. */
  readonly replaces?: string
  /** When a rotating key stops working. */
  readonly rotate_until?: string
}

/** The newest use of a key that was written down: at most one per minute. */
export type KeyUse = {
  readonly at: string
  /** The /24 (IPv6: /48) the request came from. */
  readonly network: string
  readonly user_agent: string
}

/** A key that was asked for, checked. `hours` is how long it is valid from its creation on. */
export type NewKey = {
  readonly owner: Owner
  readonly environment: EnvironmentName
  readonly scopes: readonly string[]
  readonly label: string
  readonly ipAllow: readonly string[]
  readonly hours: number
}

/** Whether a key has a researcher's rights, which reach what the person has added themselves. */
export function isResearcherKey({ scopes }: Pick<NewKey, 'scopes'>): boolean {
  return researcherScopes.some((scope) => scopes.includes(scope))
}

/** The prefix of a new key: `svc-` if it has a researcher's rights, else its environment's. */
export function prefixOf(key: NewKey): KeyPrefix {
  if (isResearcherKey(key)) return 'svc-'
  return key.environment === 'live' ? 'svc_live_' : 'svc_test_'
}

/** When a key made at `nowMs` expires, in milliseconds since 1970. */
export function expiryMs(key: NewKey, nowMs: number): number {
  return nowMs + key.hours * hourMs
}

/** When the key stops working, in milliseconds since 1970; 0 if it was revoked. */
export function usableUntilMs(
  record: Pick<KeyRecord, 'state' | 'expires_at' | 'rotate_until'>,
): number {
  if (record.state === 'revoked') return 0
  const expiresMs = Date.parse(record.expires_at)
  return Math.min(expiresMs, Date.parse(record.rotate_until ?? record.expires_at))
}

/** Why a key that is past `usableUntilMs` cannot be used. */
export function whyLapsed(record: KeyRecord, nowMs: number): KeyRefusal {
  if (record.state === 'revoked') return 'revoked'
  return nowMs < Date.parse(record.expires_at) ? 'rotated_out' : 'expired'
}
