import { type CheckpointVerifiers, checkpointVerifiers } from '#log/tlog/cosigned_checkpoint.ts'
import { LogError } from '#log/base/errors.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { isForLog, parsePolicy } from '#log/tlog/policy.ts'
import { nobleCosignatureVerifier, nobleVerifier } from '#src/verify/noble.ts'
import { isObject, isTimestamp } from '#src/verify/receipt_form.ts'

/** A receipt key and the time it was valid: `[validFromMs, validUntilMs)`, milliseconds of 1970. */
export type ReceiptKey = {
  readonly keyId: string
  /** 64 lower-case hex digits, as receipts spell it. */
  readonly publicKey: string
  readonly validFromMs: number
  /** Infinity while the key is in use. */
  readonly validUntilMs: number
  /** Rotations by which it follows from the key file; 0 for a key that stands in it. */
  readonly rotations: number
}

/** What a verifier trusts of one environment: the log's origin and key, and the receipt keys. */
export type TrustedKeys = {
  readonly environment: 'live' | 'sandbox'
  readonly origin: string
  readonly vkey: string
  readonly logVerifier: Verifier
  /** Where the log is served, for monitors. */
  readonly url: string
  readonly receiptKeys: readonly ReceiptKey[]
  /** Whose cosignatures a checkpoint must carry; undefined if nobody has said so. */
  readonly witnesses?: CheckpointVerifiers
}

/** The keys of a registry, as its `/.well-known/svc-keys.json` gives them. */
export type KeyList = { readonly live: TrustedKeys; readonly sandbox: TrustedKeys | undefined }

/** The key file cannot be used: nothing can be verified with it. */
export class KeyListError extends Error {
  readonly code = 'malformed_key_list'

  constructor(message: string) {
    super(`the key file is malformed: ${message}`)
    this.name = 'KeyListError'
  }
}

const receiptKeysMax = 1_000

/**
 * Parses a saved `/.well-known/svc-keys.json`: `{log: {origin, vkey, url}, receipt_keys: [{key_id,
 * public_key, valid_from, valid_until}], sandbox: {…}}`. Members it does not know are ignored: the
 * file is trusted. Throws KeyListError.
 */
export function parseKeyList(text: string): KeyList {
  const list = parseObject(text)
  const sandbox = list['sandbox'] ?? undefined
  return {
    live: parseEnvironment(list, 'live'),
    sandbox: sandbox === undefined ? undefined : parseEnvironment(sandbox, 'sandbox'),
  }
}

/**
 * The same trust, and that the witnesses of a policy (C2SP tlog-policy) must have signed. Errors:
 * LogError `malformed_policy`, also if it is for other logs.
 */
export function withPolicy(keys: TrustedKeys, text: string): TrustedKeys {
  const policy = parsePolicy(text)
  if (!isForLog(policy, keys.vkey)) {
    const message = `the policy is for other logs than ${keys.origin}, which it must name`
    throw new LogError('malformed_policy', message)
  }
  const witnesses = checkpointVerifiers(keys.logVerifier, policy, nobleCosignatureVerifier)
  return { ...keys, witnesses }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new KeyListError('it must be one JSON object')
}

function parseEnvironment(value: unknown, environment: 'live' | 'sandbox'): TrustedKeys {
  if (!isObject(value)) throw new KeyListError(`${environment} must be an object`)
  const { log, receipt_keys: keys } = value
  if (!isObject(log)) throw new KeyListError(`${environment}: log must be an object`)
  const { origin, vkey, url } = log
  if (typeof origin !== 'string' || typeof vkey !== 'string' || typeof url !== 'string') {
    throw new KeyListError(`${environment}: log must have the strings origin, vkey and url`)
  }
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > receiptKeysMax) {
    throw new KeyListError(`${environment}: receipt_keys must list 1 to ${receiptKeysMax} keys`)
  }
  const logVerifier = parseLogVerifier(vkey, origin, environment)
  return { environment, origin, vkey, logVerifier, url, receiptKeys: keys.map(parseReceiptKey) }
}

function parseLogVerifier(vkey: string, origin: string, environment: string): Verifier {
  try {
    const verifier = nobleVerifier(vkey)
    if (verifier.keyName === origin) return verifier
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw new KeyListError(`${environment}: ${error.message}`)
  }
  throw new KeyListError(`${environment}: the name in the vkey must be the origin of the log`)
}

function parseReceiptKey(value: unknown, index: number): ReceiptKey {
  const where = `receipt_keys[${index}]`
  if (!isObject(value)) throw new KeyListError(`${where} must be an object`)
  const { key_id: keyId, public_key: publicKey } = value
  if (typeof keyId !== 'string') throw new KeyListError(`${where}.key_id must be a string`)
  if (typeof publicKey !== 'string' || !/^[0-9a-f]{64}$/.test(publicKey)) {
    throw new KeyListError(`${where}.public_key must be 64 lower-case hex digits`)
  }
  const validFromMs = parseTime(value['valid_from'], `${where}.valid_from`)
  const until = value['valid_until'] ?? undefined
  const validUntilMs = until === undefined ? Infinity : parseTime(until, `${where}.valid_until`)
  return { keyId, publicKey, validFromMs, validUntilMs, rotations: 0 }
}

function parseTime(value: unknown, where: string): number {
  if (isTimestamp(value)) return Date.parse(value)
  throw new KeyListError(`${where} must be a time like 2026-01-31T12:00:00.000Z`)
}
