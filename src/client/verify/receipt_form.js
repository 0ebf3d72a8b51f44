// @ts-check

/**
 * @import {
 *   ReceiptForm, RotationForm, Rule, Rules, SignedStatement, UnverifiedReceipt,
 *   UnverifiedRotation
 * } from '#src/client/verify/types.ts'
 */

/**
 * The day (UTC), `YYYY-MM-DD`, on which the version of a statement was registered, whatever the
 * statement is about: the id of its receipt says it, and is signed. The statement about the content
 * of a version may be much younger.
 * @type {(given: Pick<SignedStatement, 'receipt_id'>) => string}
 */
export function registrationDay({ receipt_id: id }) {
  return id.split('_').slice(1, 4).join('-')
}

// Timestamps of receipts and keys: UTC with milliseconds, so that text order is time order.
const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

// 64 levels are more than a tree of 2^53 leaves can have.
const inclusionProofMax = 64

/** @type {Rule} */
const hash = { test: matches(/^sha256:[0-9a-f]{64}$/), right: 'sha256: and 64 hex digits' }
/** @type {Rule} */
export const hex32 = { test: matches(/^[0-9a-f]{64}$/), right: '64 lower-case hex digits' }
/** @type {Rule} */
export const time = { test: isTimestamp, right: 'a time like 2026-01-31T12:00:00.000Z' }
/** @type {Rule} */
const positive = { test: (value) => isCount(value) && value > 0, right: 'a positive integer' }

/** @type {Rules} */
const statementRules = {
  statement: {
    test: matches(/^(registered|content|tombstoned)$/),
    right: 'registered, content or tombstoned',
  },
  ark: { test: matches(/^ark:\/[\x21-\x7e]{1,255}$/), right: 'an ARK that starts with ark:/' },
  version: positive,
  receipt_id: {
    test: matches(/^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{1,32}$/),
    right: 'of the form rcpt_<yyyy>_<mm>_<dd>_<suffix>',
  },
  timestamp: time,
  content_hash: {
    test: (value) => value === null || hash.test(value),
    right: `null or ${hash.right}`,
  },
  metadata_hash: hash,
  witnessed_checkpoint: {
    test: (value) => value === undefined || hash.test(value),
    right: `${hash.right}, if it is there`,
  },
}

/** @type {Rule} */
const keyId = { test: matches(/^[0-9a-f]{16}$/), right: '16 lower-case hex digits' }

/** @type {Rules} */
const rotationRules = {
  statement: { test: (value) => value === 'key_rotated', right: 'key_rotated' },
  old_key_id: keyId,
  new_key_id: keyId,
  new_public_key: {
    test: hex32.test,
    right:
      `${hex32.right}; a rotation that names the new key by its id alone, as older ones do, ` +
      'proves no key: save the key file anew',
  },
  timestamp: time,
}

/** @type {Rules} */
const signatureRules = {
  algorithm: { test: (value) => value === 'Ed25519', right: 'Ed25519' },
  public_key: hex32,
  signature: { test: matches(/^[0-9a-f]{128}$/), right: '128 lower-case hex digits' },
}

/** @type {Rule} */
export const inclusionProof = {
  test: (value) =>
    Array.isArray(value) && value.length <= inclusionProofMax && value.every(hex32.test),
  right: `at most ${inclusionProofMax} hashes of ${hex32.right}`,
}

/** @type {Rules} */
const chainProofRules = {
  block_height: positive,
  merkle_root: hex32,
  inclusion_proof: inclusionProof,
  leaf_index: { test: isCount, right: 'a non-negative integer' },
  tree_size: positive,
  checkpoint: { test: isText, right: 'the text of a signed checkpoint' },
}

/** @type {Rule} */
const fixityStatusRule = {
  test: matches(/^(verified|pending|failed|unreachable)$/),
  right: 'verified, pending, failed or unreachable',
}

/**
 * Reads parsed JSON as a receipt: the statement is whatever remains without `signature`,
 * `fixity_status` and `chain_proof`. A statement may say more than the rules name, in strings,
 * because all of it is signed; `signature` and `chain_proof` may not.
 * @type {(value: unknown) => ReceiptForm}
 */
export function readReceipt(value) {
  if (!isObject(value)) return { type: 'malformed', reasons: ['a receipt must be a JSON object'] }
  const { signature, fixity_status: fixityStatus, chain_proof: chainProof, ...statement } = value
  const reasons = [
    ...memberFaults(statement, statementRules, ''),
    ...furtherFaults(statement),
    ...closedFaults(signature, signatureRules, 'signature'),
    ...closedFaults(chainProof, chainProofRules, 'chain_proof'),
    ...memberFaults({ fixity_status: fixityStatus }, { fixity_status: fixityStatusRule }, ''),
  ]
  if (reasons.length > 0) return { type: 'malformed', reasons }
  return {
    type: 'receipt',
    receipt: /** @type {UnverifiedReceipt} */ ({ statement, signature, chainProof }),
  }
}

/**
 * Reads parsed JSON as a rotation with its proof; its statement says nothing but what is known.
 * @type {(value: unknown) => RotationForm}
 */
export function readRotation(value) {
  if (!isObject(value)) return { type: 'malformed', reasons: ['rotation must be a JSON object'] }
  const { signature, chain_proof: chainProof, ...statement } = value
  const reasons = [
    ...closedFaults(statement, rotationRules, 'rotation'),
    ...closedFaults(signature, signatureRules, 'signature'),
    ...closedFaults(chainProof, chainProofRules, 'chain_proof'),
  ]
  if (reasons.length > 0) return { type: 'malformed', reasons }
  return {
    type: 'rotation',
    rotation: /** @type {UnverifiedRotation} */ ({ statement, signature, chainProof }),
  }
}

/**
 * Whether the value is a JSON object: neither null nor a list.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether the value is a time that exists, in the form of `timestampPattern`.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isTimestamp(value) {
  return matches(timestampPattern)(value) && !Number.isNaN(Date.parse(String(value)))
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
function isCount(value) {
  return Number.isSafeInteger(value) && !Object.is(value, -0) && Number(value) >= 0
}

/** @type {(pattern: RegExp) => (value: unknown) => boolean} */
function matches(pattern) {
  return (value) => typeof value === 'string' && pattern.test(value)
}

// Values are never quoted: they may hold anything, terminal controls included.
/** @type {(value: Record<string, unknown>, rules: Rules, prefix: string) => string[]} */
function memberFaults(value, rules, prefix) {
  return Object.entries(rules)
    .filter(([name, rule]) => !rule.test(value[name]))
    .map(([name, rule]) => `${prefix}${name} must be ${rule.right}`)
}

// Plain strings keep the canonical form of a statement free of depth and of number spelling.
/** @type {(statement: Record<string, unknown>) => string[]} */
function furtherFaults(statement) {
  const plain = Object.entries(statement)
    .filter(([name]) => !Object.hasOwn(statementRules, name))
    .every(([name, value]) => isText(name) && (value === null || isText(value)))
  return plain ? [] : ['any further member must be null or a string of whole characters']
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string' && value.isWellFormed()
}

/**
 * What is wrong with an object that may have no members but those of the rules: a sentence each.
 * @type {(value: unknown, rules: Rules, name: string) => string[]}
 */
export function closedFaults(value, rules, name) {
  if (!isObject(value)) return [`${name} must be an object`]
  const known = Object.keys(rules)
  const faults = memberFaults(value, rules, `${name}.`)
  if (Object.keys(value).every((member) => known.includes(member))) return faults
  return [...faults, `${name} may only have the members ${known.join(', ')}`]
}
