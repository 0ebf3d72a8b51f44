import { type LogKey, parseLogKey } from '#src/client/checkpoint.ts'
import { VerificationError } from '#src/client/errors.ts'
import { isObject, isTimestamp } from '#src/client/receipt_form.ts'

/** Which registry: that of keys `svc_test_…` is the sandbox. */
export type EnvironmentName = 'live' | 'sandbox'

/** A receipt key and the time it was valid: `[validFromMs, validUntilMs)`, milliseconds of 1970. */
export type ReceiptKey = {
  /** 64 lower-case hex digits, as receipts spell it. */
  readonly publicKey: string
  readonly validFromMs: number
  /** Infinity while the key is in use. */
  readonly validUntilMs: number
}

/** What a verifier trusts of one environment. */
export type TrustedKeys = {
  readonly environment: EnvironmentName
  readonly log: LogKey
  /** Oldest first. */
  readonly receiptKeys: readonly ReceiptKey[]
}

const receiptKeysMax = 1_000

/**
 * Reads a registry's `/.well-known/svc-keys.json`, as JSON or as its text. Throws VerificationError
 * `keys`: nothing can be verified with it.
 */
export async function parseTrustedKeys(
  list: unknown,
  environment: EnvironmentName,
): Promise<TrustedKeys> {
  const listed = listedKeys(list, environment)
  const { log, receipt_keys: keys } = listed
  const vkey = isObject(log) ? log['vkey'] : undefined
  const logKey = typeof vkey === 'string' ? await parseLogKey(vkey) : undefined
  if (logKey === undefined || !isObject(log) || log['origin'] !== logKey.origin) {
    throw malformed('log.vkey must be an Ed25519 verifier key of the log named log.origin')
  }
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > receiptKeysMax) {
    throw malformed(`receipt_keys must list 1 to ${receiptKeysMax} keys`)
  }
  return { environment, log: logKey, receiptKeys: keys.map(parseReceiptKey) }
}

/** The part of a key list that is about one environment; its members are unchecked. */
export function listedKeys(
  list: unknown,
  environment: EnvironmentName,
): Readonly<Record<string, unknown>> {
  const whole = typeof list === 'string' ? parseJson(list) : list
  const part = isObject(whole) && environment === 'sandbox' ? whole['sandbox'] : whole
  if (isObject(part)) return part
  throw malformed(`it must be a JSON object with the keys of the ${environment} registry`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw malformed('it must be JSON')
  }
}

function parseReceiptKey(value: unknown, index: number): ReceiptKey {
  const key = isObject(value) ? value : {}
  const { public_key: publicKey, valid_from: from, valid_until: until } = key
  const isKey = typeof publicKey === 'string' && /^[0-9a-f]{64}$/.test(publicKey)
  if (
    !isKey ||
    !isTimestamp(from) ||
    !(isTimestamp(until) || until === null || until === undefined)
  ) {
    throw malformed(`receipt_keys[${index}] must have public_key, valid_from and valid_until`)
  }
  const validUntilMs = isTimestamp(until) ? Date.parse(until) : Number.POSITIVE_INFINITY
  return { publicKey, validFromMs: Date.parse(from), validUntilMs }
}

function malformed(what: string): VerificationError {
  return new VerificationError('keys', `The key list cannot be used: ${what}`)
}
