// @ts-check

import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { isObject, isTimestamp } from '#src/client/verify/receipt_form.js'
import { logKeyTypes, mldsaType, parseUsableVkey } from '#src/client/verify/signed_note.js'
import { parsePolicy } from '#src/client/verify/witness_policy.js'

/**
 * @import {
 *   EnvironmentName, KeyList, NoteKey, ReceiptKey, TrustedKeys
 * } from '#src/client/verify/types.ts'
 */

const receiptKeysMax = 1_000

/**
 * Reads a saved `/.well-known/svc-keys.json`, as JSON or as its text: `{log: {origin, vkey, url},
 * receipt_keys: [{key_id, public_key, valid_from, valid_until}], sandbox: {…}}`. Members it does
 * not know are ignored: the file is trusted. Throws EvidenceError `malformed_key_list`.
 * @type {(list: unknown) => Promise<KeyList>}
 */
export async function parseKeyList(list) {
  const whole = parsedList(list)
  if (!isObject(whole)) throw malformed('it must be one JSON object')
  const sandbox = whole['sandbox'] ?? undefined
  return {
    live: await parseEnvironment(whole, 'live'),
    sandbox: sandbox === undefined ? undefined : await parseEnvironment(sandbox, 'sandbox'),
  }
}

/**
 * The keys of one environment of such a list. Throws EvidenceError `malformed_key_list`.
 * @type {(list: unknown, environment: EnvironmentName) => Promise<TrustedKeys>}
 */
export async function parseTrustedKeys(list, environment) {
  const { [environment]: keys } = await parseKeyList(list)
  if (keys === undefined) throw malformed('it has no keys of a sandbox')
  return keys
}

/**
 * The same trust, and that the witnesses of a policy (C2SP tlog-policy) must have signed. If the
 * policy names not the trusted key of the log, but one of ML-DSA-44 under its origin, the log must
 * have signed with that. Throws EvidenceError `malformed_policy`, also if it is for other logs.
 * @type {(keys: TrustedKeys, text: string) => Promise<TrustedKeys>}
 */
export async function withPolicy(keys, text) {
  const witnesses = await parsePolicy(text)
  const { logs } = witnesses
  const isMeant = logs.length === 0 || logs.some(({ vkey }) => vkey === keys.vkey)
  const log = isMeant
    ? keys.log
    : logs.find(({ name, type }) => name === keys.origin && type === mldsaType)
  if (log !== undefined) return { ...keys, log, witnesses }
  const message = `the policy is for other logs than ${keys.origin}, which it must name`
  throw new EvidenceError('malformed_policy', message)
}

/** @type {(message: string) => EvidenceError} */
function malformed(message) {
  return new EvidenceError('malformed_key_list', `the key file is malformed: ${message}`)
}

/**
 * A key list that was given as JSON or as its text; undefined for a text that is no JSON.
 * @type {(list: unknown) => unknown}
 */
export function parsedList(list) {
  if (typeof list !== 'string') return list
  try {
    return /** @type {unknown} */ (JSON.parse(list))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** @type {(value: unknown, environment: EnvironmentName) => Promise<TrustedKeys>} */
async function parseEnvironment(value, environment) {
  if (!isObject(value)) throw malformed(`${environment} must be an object`)
  const { log, receipt_keys: keys } = value
  if (!isObject(log)) throw malformed(`${environment}: log must be an object`)
  const { origin, vkey, url } = log
  if (typeof origin !== 'string' || typeof vkey !== 'string' || typeof url !== 'string') {
    throw malformed(`${environment}: log must have the strings origin, vkey and url`)
  }
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > receiptKeysMax) {
    throw malformed(`${environment}: receipt_keys must list 1 to ${receiptKeysMax} keys`)
  }
  const key = await parseLogKey(vkey, origin, environment)
  const receiptKeys = keys.map(parseReceiptKey)
  const policy = log['witness_policy']
  const named = typeof policy === 'string' ? { namedPolicy: policy } : {}
  return { environment, origin, vkey, log: key, url, receiptKeys, ...named }
}

/** @type {(vkey: string, origin: string, environment: string) => Promise<NoteKey>} */
async function parseLogKey(vkey, origin, environment) {
  try {
    const key = await parseUsableVkey(vkey, logKeyTypes)
    if (key.name === origin) return key
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    throw malformed(`${environment}: ${error.message}`)
  }
  throw malformed(`${environment}: the name in the vkey must be the origin of the log`)
}

/** @type {(value: unknown, index: number) => ReceiptKey} */
function parseReceiptKey(value, index) {
  const where = `receipt_keys[${index}]`
  if (!isObject(value)) throw malformed(`${where} must be an object`)
  const { key_id: keyId, public_key: publicKey } = value
  if (typeof keyId !== 'string') throw malformed(`${where}.key_id must be a string`)
  if (typeof publicKey !== 'string' || !/^[0-9a-f]{64}$/.test(publicKey)) {
    throw malformed(`${where}.public_key must be 64 lower-case hex digits`)
  }
  const validFromMs = parseTime(value['valid_from'], `${where}.valid_from`)
  const until = value['valid_until'] ?? undefined
  const validUntilMs = until === undefined ? Infinity : parseTime(until, `${where}.valid_until`)
  return { keyId, publicKey, validFromMs, validUntilMs, rotations: 0 }
}

/** @type {(value: unknown, where: string) => number} */
function parseTime(value, where) {
  if (isTimestamp(value)) return Date.parse(value)
  throw malformed(`${where} must be a time like 2026-01-31T12:00:00.000Z`)
}
