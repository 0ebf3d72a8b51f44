// @ts-check

/**
 * A receipt of the right form, not verified yet.
 * @typedef {object} Receipt
 * @property {Record<string, string | number | null>} statement The members that are signed.
 * @property {{ algorithm: string, public_key: string, signature: string }} signature
 * @property {ChainProof} chainProof
 *
 * @typedef {object} ChainProof
 * @property {number} block_height
 * @property {string} merkle_root
 * @property {string[]} inclusion_proof
 * @property {number} leaf_index
 * @property {number} tree_size
 * @property {string} checkpoint
 */

// A tree of 2^53 leaves has fewer levels.
const proofHashesMax = 64
const checkpointCharactersMax = 1_000_000

const hashText = text(/^sha256:[0-9a-f]{64}$/)
const hex32 = text(/^[0-9a-f]{64}$/)

/** @type {Record<string, (value: unknown) => boolean>} */
const statementRules = {
  statement: text(/^(?:registered|content|tombstoned)$/),
  ark: text(/^ark:\/[\x21-\x7e]{1,255}$/),
  version: isPositive,
  receipt_id: text(/^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{1,32}$/),
  timestamp: isTimestamp,
  content_hash: (value) => value === null || hashText(value),
  metadata_hash: hashText,
}

/** @type {Record<string, (value: unknown) => boolean>} */
const signatureRules = {
  algorithm: text(/^Ed25519$/),
  public_key: hex32,
  signature: text(/^[0-9a-f]{128}$/),
}

/** @type {Record<string, (value: unknown) => boolean>} */
const chainProofRules = {
  block_height: isPositive,
  merkle_root: hex32,
  inclusion_proof: (value) =>
    Array.isArray(value) && value.length <= proofHashesMax && value.every(hex32),
  leaf_index: isCount,
  tree_size: isPositive,
  checkpoint: (value) => typeof value === 'string' && value.length <= checkpointCharactersMax,
}

const isFixityStatus = text(/^(?:verified|pending|failed|unreachable)$/)

/**
 * Reads parsed JSON as a receipt: the statement is whatever remains without `signature`,
 * `fixity_status` and `chain_proof`, and all of it is signed. Or else names the member that is not
 * as it must be.
 * @param {unknown} value
 * @returns {Receipt | { wrong: string }}
 */
export function readReceipt(value) {
  if (!isObject(value)) return { wrong: 'the receipt' }
  const { signature, fixity_status: fixityStatus, chain_proof: chainProof, ...statement } = value
  const further = Object.entries(statement).filter(([name]) => !(name in statementRules))
  const wrong =
    wrongMember(statement, statementRules) ??
    further.find(([name, member]) => !isPlain(name) || !isPlain(member))?.[0] ??
    wrongClosed(signature, signatureRules, 'signature') ??
    wrongClosed(chainProof, chainProofRules, 'chain_proof') ??
    (isFixityStatus(fixityStatus) ? undefined : 'fixity_status')
  if (wrong !== undefined) return { wrong }
  return /** @type {Receipt} */ ({ statement, signature, chainProof })
}

/**
 * Whether a value is a JSON object: neither null nor a list.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param {RegExp} pattern */
function text(pattern) {
  return (/** @type {unknown} */ value) => typeof value === 'string' && pattern.test(value)
}

const isTimeLike = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** @param {unknown} value */
function isTimestamp(value) {
  return isTimeLike(value) && !Number.isNaN(Date.parse(String(value)))
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && !Object.is(value, -0) && Number(value) >= 0
}

/** @param {unknown} value */
function isPositive(value) {
  return isCount(value) && Number(value) > 0
}

/** @param {unknown} value */
function isPlain(value) {
  return value === null || (typeof value === 'string' && value.isWellFormed())
}

/**
 * @param {Record<string, unknown>} value
 * @param {Record<string, (member: unknown) => boolean>} rules
 */
function wrongMember(value, rules) {
  return Object.entries(rules).find(([name, isRight]) => !isRight(value[name]))?.[0]
}

/**
 * @param {unknown} value
 * @param {Record<string, (member: unknown) => boolean>} rules
 * @param {string} name
 */
function wrongClosed(value, rules, name) {
  if (!isObject(value) || Object.keys(value).some((member) => !Object.hasOwn(rules, member))) {
    return name
  }
  const wrong = wrongMember(value, rules)
  return wrong === undefined ? undefined : `${name}.${wrong}`
}
