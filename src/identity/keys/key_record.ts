import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Owner } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import {
  keyScopes,
  operatorScopes,
  readingScopes,
  researcherScopes,
} from '#src/identity/keys/scope.ts'
import type { KeyPrefix } from '#src/identity/store/api_key.ts'
import type { KeyRefusal } from '#src/identity/store/audit.ts'
import { isNetwork } from '#src/identity/store/ip_list.ts'

const hourMs = 3_600_000

/** How long a key is valid, in hours, unless its creator says otherwise, and at most. */
const keyHoursDefault = 90 * 24
export const keyHoursMax = 366 * 24

/** How long, at most, a key with `admin:*` is valid, in hours. */
const adminKeyHoursMax = 24

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

/** A key as its maker asks for it; what is left out takes its default. */
export type KeyRequest = {
  readonly owner: Owner
  readonly environment?: EnvironmentName
  readonly scopes: readonly string[]
  readonly label?: string
  readonly ip_allow?: readonly string[]
  readonly hours?: number
}

/** Characters of a label, and entries of an address list, at most. */
const labelCharactersMax = 100
const ipAllowMax = 50

/** Checks a request against every rule and names all its faults at once. */
export function checkNewKey(
  request: KeyRequest,
): { type: 'ok'; key: NewKey } | { type: 'invalid'; faults: readonly FieldFault[] } {
  const key: NewKey = {
    owner: request.owner,
    environment: request.environment ?? 'live',
    scopes: [...new Set(request.scopes)],
    label: request.label ?? '',
    ipAllow: request.ip_allow ?? [],
    hours: request.hours ?? defaultHours(request.scopes),
  }
  const faults = [...scopeFaults(key), ...hourFaults(key), ...listFaults(key)]
  return faults.length === 0 ? { type: 'ok', key } : { type: 'invalid', faults }
}

function defaultHours(scopes: readonly string[]): number {
  return scopes.includes('admin:*') ? adminKeyHoursMax : keyHoursDefault
}

function scopeFaults(key: NewKey): FieldFault[] {
  if (key.scopes.length === 0) {
    return [{ field: 'scopes', code: 'required', message: 'A key needs at least one scope.' }]
  }
  const known: readonly string[] = [...keyScopes, ...researcherScopes]
  const faults = key.scopes
    .filter((scope) => !known.includes(scope))
    .map((scope) => scopeFault(`"${scope}" is not a scope; scopes are ${known.join(', ')}.`))
  for (const scope of operatorScopes) {
    if (key.scopes.includes(scope) && key.owner.type !== 'operator') {
      faults.push(scopeFault(`Only a key of the operator can have ${scope}.`))
    }
  }
  return [...faults, ...researcherFaults(key)]
}

function researcherFaults({ scopes, owner }: NewKey): FieldFault[] {
  const rights: readonly string[] = researcherScopes
  if (!scopes.some((scope) => rights.includes(scope))) return []
  const faults: FieldFault[] = []
  const reading: readonly string[] = readingScopes
  if (!scopes.every((scope) => rights.includes(scope) || reading.includes(scope))) {
    const message = 'Beside mint and update a key can have only what reads'
    faults.push(scopeFault(`${message}: ${reading.join(', ')}.`))
  }
  if (owner.type !== 'person') {
    faults.push(scopeFault('Only a key of a person can have mint or update.'))
  }
  return faults
}

function scopeFault(message: string): FieldFault {
  return { field: 'scopes', code: 'invalid', message }
}

function hourFaults(key: NewKey): FieldFault[] {
  const max = key.scopes.includes('admin:*') ? adminKeyHoursMax : keyHoursMax
  if (Number.isInteger(key.hours) && key.hours >= 1 && key.hours <= max) return []
  const message = `A key with these scopes is valid for 1 to ${max} hours.`
  return [{ field: 'hours', code: 'out_of_range', message }]
}

/** What is right of a network of IPv4 that is written in IPv6. */
function mappedHint(text: string): string {
  return /^::ffff:.*\//i.test(text) ? '; of IPv4 in IPv6 it has 96 bits or more' : ''
}

function listFaults({ label, ipAllow, scopes }: NewKey): FieldFault[] {
  const faults: FieldFault[] = ipAllow
    .filter((text) => !isNetwork(text))
    .map((text) => ({
      field: 'ip_allow',
      code: 'invalid',
      message: `"${text}" is not an IP address or network such as 192.0.2.0/24${mappedHint(text)}.`,
    }))
  if (ipAllow.length > ipAllowMax) {
    const message = `An address list has at most ${ipAllowMax} entries.`
    faults.push({ field: 'ip_allow', code: 'too_long', message })
  }
  if (scopes.includes('admin:*') && ipAllow.length === 0) {
    const message = 'A key with admin:* must say from which addresses it is used.'
    faults.push({ field: 'ip_allow', code: 'required', message })
  }
  if (label.length > labelCharactersMax) {
    const message = `A label has at most ${labelCharactersMax} characters.`
    faults.push({ field: 'label', code: 'too_long', message })
  }
  return faults
}
