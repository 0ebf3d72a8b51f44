/** The members of a receipt that are signed: the statement, in the order it was received. */
export type SignedStatement = Readonly<Record<string, unknown>> & {
  readonly statement: 'registered' | 'content' | 'tombstoned'
  readonly ark: string
  readonly version: number
  readonly receipt_id: string
  readonly timestamp: string
  readonly content_hash: string | null
  readonly metadata_hash: string
}

/**
 * The day (UTC), `YYYY-MM-DD`, on which the version of a statement was registered, whatever the
 * statement is about: the id of its receipt says it, and is signed. The statement about the content
 * of a version may be much younger.
 */
export function registrationDay({ receipt_id: id }: Pick<SignedStatement, 'receipt_id'>): string {
  return id.split('_').slice(1, 4).join('-')
}

/** The signature of a receipt: an Ed25519 key and a signature by it, in lower-case hex. */
export type ReceiptSignature = {
  readonly algorithm: 'Ed25519'
  readonly public_key: string
  readonly signature: string
}

/** How a statement is proven to be in the log: hashes in lower-case hex, the checkpoint a note. */
export type ChainProof = {
  readonly block_height: number
  readonly merkle_root: string
  readonly inclusion_proof: readonly string[]
  readonly leaf_index: number
  readonly tree_size: number
  readonly checkpoint: string
}

/** A receipt of the right form. Nothing of it has been verified. */
export type UnverifiedReceipt = {
  readonly statement: SignedStatement
  readonly signature: ReceiptSignature
  readonly chainProof: ChainProof
}

/** A rotation of receipt keys with its proof, of the right form. Nothing of it is verified. */
export type UnverifiedRotation = Omit<UnverifiedReceipt, 'statement'> & {
  readonly statement: {
    readonly statement: 'key_rotated'
    readonly old_key_id: string
    readonly new_key_id: string
    /** 64 lower-case hex digits. */
    readonly new_public_key: string
    readonly timestamp: string
  }
}

/** The rotation as read, or every reason why it is not one. */
export type RotationForm =
  | { readonly type: 'rotation'; readonly rotation: UnverifiedRotation }
  | { readonly type: 'malformed'; readonly reasons: readonly string[] }

/** The receipt as read, or every reason why it is not one. */
export type ReceiptForm =
  | { readonly type: 'receipt'; readonly receipt: UnverifiedReceipt }
  | { readonly type: 'malformed'; readonly reasons: readonly string[] }

// Timestamps of receipts and keys: UTC with milliseconds, so that text order is time order.
const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

// 64 levels are more than a tree of 2^53 leaves can have.
const inclusionProofMax = 64
// A note of 100 signature lines, each with a post-quantum cosignature.
const checkpointCharactersMax = 1_000_000

/** What a member must be: `right` completes the sentence "… must be". */
type Rule = { readonly test: (value: unknown) => boolean; readonly right: string }
type Rules = Readonly<Record<string, Rule>>

const hash: Rule = { test: matches(/^sha256:[0-9a-f]{64}$/), right: 'sha256: and 64 hex digits' }
const hex32: Rule = { test: matches(/^[0-9a-f]{64}$/), right: '64 lower-case hex digits' }
const time: Rule = { test: isTimestamp, right: 'a time like 2026-01-31T12:00:00.000Z' }
const positive: Rule = { test: (value) => isCount(value) && value > 0, right: 'a positive integer' }

const statementRules: Rules = {
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
}

const keyId: Rule = { test: matches(/^[0-9a-f]{16}$/), right: '16 lower-case hex digits' }

const rotationRules: Rules = {
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

const signatureRules: Rules = {
  algorithm: { test: (value) => value === 'Ed25519', right: 'Ed25519' },
  public_key: hex32,
  signature: { test: matches(/^[0-9a-f]{128}$/), right: '128 lower-case hex digits' },
}

const chainProofRules: Rules = {
  block_height: positive,
  merkle_root: hex32,
  inclusion_proof: {
    test: (value) =>
      Array.isArray(value) && value.length <= inclusionProofMax && value.every(hex32.test),
    right: `at most ${inclusionProofMax} hashes of ${hex32.right}`,
  },
  leaf_index: { test: isCount, right: 'a non-negative integer' },
  tree_size: positive,
  checkpoint: {
    test: (value) => typeof value === 'string' && value.length <= checkpointCharactersMax,
    right: 'the text of a signed checkpoint',
  },
}

const fixityStatusRule: Rule = {
  test: matches(/^(verified|pending|failed|unreachable)$/),
  right: 'verified, pending, failed or unreachable',
}

/**
 * Reads parsed JSON as a receipt: the statement is whatever remains without `signature`,
 * `fixity_status` and `chain_proof`. A statement may say more than the rules name, in strings,
 * because all of it is signed; `signature` and `chain_proof` may not.
 */
export function readReceipt(value: unknown): ReceiptForm {
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
  return { type: 'receipt', receipt: { statement, signature, chainProof } as UnverifiedReceipt }
}

/** Reads parsed JSON as a rotation with its proof; its statement says nothing but what is known. */
export function readRotation(value: unknown): RotationForm {
  if (!isObject(value)) return { type: 'malformed', reasons: ['rotation must be a JSON object'] }
  const { signature, chain_proof: chainProof, ...statement } = value
  const reasons = [
    ...closedFaults(statement, rotationRules, 'rotation'),
    ...closedFaults(signature, signatureRules, 'signature'),
    ...closedFaults(chainProof, chainProofRules, 'chain_proof'),
  ]
  if (reasons.length > 0) return { type: 'malformed', reasons }
  return { type: 'rotation', rotation: { statement, signature, chainProof } as UnverifiedRotation }
}

/** Whether the value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the value is a time that exists, in the form of `timestampPattern`. */
export function isTimestamp(value: unknown): value is string {
  return matches(timestampPattern)(value) && !Number.isNaN(Date.parse(String(value)))
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0) && Number(value) >= 0
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value)
}

// Values are never quoted: they may hold anything, terminal controls included.
function memberFaults(value: Record<string, unknown>, rules: Rules, prefix: string): string[] {
  return Object.entries(rules)
    .filter(([name, rule]) => !rule.test(value[name]))
    .map(([name, rule]) => `${prefix}${name} must be ${rule.right}`)
}

// Plain strings keep the canonical form of a statement free of depth and of number spelling.
function furtherFaults(statement: Record<string, unknown>): string[] {
  const plain = Object.entries(statement)
    .filter(([name]) => !Object.hasOwn(statementRules, name))
    .every(([name, value]) => isText(name) && (value === null || isText(value)))
  return plain ? [] : ['any further member must be null or a string of whole characters']
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed()
}

function closedFaults(value: unknown, rules: Rules, name: string): string[] {
  if (!isObject(value)) return [`${name} must be an object`]
  const known = Object.keys(rules)
  const faults = memberFaults(value, rules, `${name}.`)
  if (Object.keys(value).every((member) => known.includes(member))) return faults
  return [...faults, `${name} may only have the members ${known.join(', ')}`]
}
