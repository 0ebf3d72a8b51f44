/** The members of a receipt that are signed, whatever they are. */
export type SignedStatement = Readonly<Record<string, unknown>> & {
  readonly statement: 'registered' | 'content' | 'tombstoned'
  readonly ark: string
  readonly version: number
  readonly receipt_id: string
  readonly timestamp: string
  readonly content_hash: string | null
  readonly metadata_hash: string
}

/** An Ed25519 key and a signature by it, in lower-case hex. */
export type StatementSignature = {
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

/** A statement with its signature and its proof, of the right form; nothing of it is verified. */
export type Unverified<S> = {
  readonly statement: S
  readonly signature: StatementSignature
  readonly chainProof: ChainProof
}

/** A statement of the log that announces the next receipt key. */
export type Rotation = {
  readonly statement: 'key_rotated'
  readonly new_public_key: string
  readonly timestamp: string
}

type Rules = Readonly<Record<string, (value: unknown) => boolean>>

const matches = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value)
const isHash = matches(/^sha256:[0-9a-f]{64}$/)
const isHex32 = matches(/^[0-9a-f]{64}$/)
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isPositive = (value: unknown) => isCount(value) && value !== 0

/** Whether the value is a time as receipts spell it, and one that exists. */
export function isTimestamp(value: unknown): value is string {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  return matches(form)(value) && !Number.isNaN(Date.parse(String(value)))
}

// 64 levels are more than a tree of 2^53 leaves can have.
const inclusionProofMax = 64

const statementRules: Rules = {
  statement: matches(/^(?:registered|content|tombstoned)$/),
  ark: matches(/^ark:\/[\x21-\x7e]{1,255}$/),
  version: isPositive,
  receipt_id: matches(/^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{1,32}$/),
  timestamp: isTimestamp,
  content_hash: (value) => value === null || isHash(value),
  metadata_hash: isHash,
}

const rotationRules: Rules = {
  statement: (value) => value === 'key_rotated',
  new_public_key: isHex32,
  timestamp: isTimestamp,
}

const signatureRules: Rules = {
  algorithm: (value) => value === 'Ed25519',
  public_key: isHex32,
  signature: matches(/^[0-9a-f]{128}$/),
}

const chainProofRules: Rules = {
  block_height: isPositive,
  merkle_root: isHex32,
  inclusion_proof: (value) =>
    Array.isArray(value) && value.length <= inclusionProofMax && value.every(isHex32),
  leaf_index: isCount,
  tree_size: isPositive,
  checkpoint: (value) => typeof value === 'string',
}

/** What was read, or the members that are not as they must be. */
export type Form<S> =
  | { readonly type: 'read'; readonly read: Unverified<S> }
  | { readonly type: 'malformed'; readonly members: readonly string[] }

/** Reads a receipt: what remains without signature, fixity status and proof is the statement. */
export function readReceipt(value: unknown): Form<SignedStatement> {
  if (!isObject(value)) return { type: 'malformed', members: ['the receipt'] }
  const { fixity_status: _, ...proven } = value
  return readProven(proven, statementRules)
}

/** Reads a rotation of receipt keys with its proof. */
export function readRotation(value: unknown): Form<Rotation> {
  return isObject(value)
    ? readProven(value, rotationRules)
    : { type: 'malformed', members: ['the rotation'] }
}

function readProven<S>(value: Record<string, unknown>, rules: Rules): Form<S> {
  const { signature, chain_proof: chainProof, ...statement } = value
  const members = [
    ...wrongMembers(statement, rules, ''),
    ...furtherMembers(statement, rules),
    ...closedMembers(signature, signatureRules, 'signature'),
    ...closedMembers(chainProof, chainProofRules, 'chain_proof'),
  ]
  if (members.length > 0) return { type: 'malformed', members }
  return { type: 'read', read: { statement, signature, chainProof } as Unverified<S> }
}

/** Whether the value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrongMembers(value: Record<string, unknown>, rules: Rules, prefix: string): string[] {
  return Object.entries(rules)
    .filter(([name, isRight]) => !isRight(value[name]))
    .map(([name]) => `${prefix}${name}`)
}

// A statement may say more, all of which is signed; plain strings keep its canonical form plain.
function furtherMembers(statement: Record<string, unknown>, rules: Rules): string[] {
  const isPlain = (value: unknown) =>
    value === null || (typeof value === 'string' && value.isWellFormed())
  return Object.entries(statement)
    .filter(([name, value]) => !Object.hasOwn(rules, name) && !(isPlain(name) && isPlain(value)))
    .map(([name]) => name)
}

function closedMembers(value: unknown, rules: Rules, name: string): string[] {
  if (!isObject(value)) return [name]
  const isClosed = Object.keys(value).every((member) => Object.hasOwn(rules, member))
  return [...wrongMembers(value, rules, `${name}.`), ...(isClosed ? [] : [name])]
}
