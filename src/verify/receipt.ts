import { canonicalJson } from '#actors/values/serialization.ts'
import { checkpointIn, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
import { formatSeconds } from '#log/tlog/cosignature.ts'
import { entryBytesMax } from '#log/tlog/tile.ts'
import { LogError } from '#log/base/errors.ts'
import { describeQuorum } from '#log/tlog/policy.ts'
import { checkInclusion } from '#log/tlog/proof.ts'
import type { ReceiptKey, TrustedKeys } from '#src/verify/key_list.ts'
import { nobleHasher, sha256, verifyStrict } from '#src/verify/noble.ts'
import type { ChainProof, SignedStatement, UnverifiedReceipt } from '#src/verify/receipt_form.ts'
import { readReceipt, registrationDay } from '#src/verify/receipt_form.ts'

/** The steps of a verification, in the order in which they are reported. */
export const stepNames = [
  'form',
  'receipt_key',
  'signature',
  'entry',
  'leaf_hash',
  'inclusion',
  'tree_head',
  'checkpoint',
  'witnesses',
  'content_hash',
  'metadata_hash',
  'fixity_status',
] as const

export type StepName = (typeof stepNames)[number]

/** What became of one step, and why, in a sentence. */
export type Step = {
  readonly step: StepName
  readonly status: 'done' | 'failed' | 'not_checked'
  readonly reason: string
}

/**
 * What a verification found. `valid`: every step that the receipt alone allows was done, and no
 * other failed. `statement` is what the receipt says, `registered_on` the day (UTC) on which it
 * says that the version was registered; believe them only if `valid`.
 */
export type VerificationReport = {
  readonly valid: boolean
  readonly registered_on: string | undefined
  readonly statement: SignedStatement | undefined
  readonly steps: readonly Step[]
}

/** What there is beside the receipt. */
export type Evidence = {
  /** `sha256:<hex>` of the content; or else why there is none, if the reason is known. */
  readonly contentHash?: string
  readonly noContent?: string
  /** The metadata as JSON. */
  readonly metadata?: unknown
}

// Written here again, and not taken from the signer: the verifier shares no code with it.
/** What comes before a statement where it is signed. */
export const receiptContext = 'svc-receipt-v1\n'
const utf8 = new TextEncoder()

/**
 * Verifies a parsed receipt against pinned keys, offline: no network, no clock, no trust in any
 * key that the receipt brings along. Every step is reported, those that were not done too.
 */
export function verifyReceipt(
  value: unknown,
  keys: TrustedKeys,
  evidence: Evidence = {},
): VerificationReport {
  const form = readReceipt(value)
  if (form.type === 'malformed') return unreadable(form.reasons)
  const { receipt } = form
  const key = keys.receiptKeys.find((known) => known.publicKey === receipt.signature.public_key)
  const entry = logEntry(receipt)
  const leafHash = nobleHasher.leafHash(entry)
  const steps = [
    done('form', 'every member of the receipt has its right form'),
    checkReceiptKey(receipt, key, keys.environment),
    checkSignature(receipt, key),
    checkEntry(entry),
    done('leaf_hash', `the entry’s leaf hash is ${hex(leafHash)}`),
    ...checkChainProof(receipt.chainProof, leafHash, keys),
    checkWitnesses(receipt.chainProof, keys),
    checkContentHash(receipt.statement, evidence),
    checkMetadataHash(receipt.statement, evidence.metadata),
    notChecked('fixity_status', 'it is what the registry said at download; nothing signs it'),
  ]
  const valid = steps.every((step) => step.status !== 'failed')
  const { statement } = receipt
  return { valid, registered_on: registrationDay(statement), statement, steps }
}

/** The steps `inclusion`, `tree_head` and `checkpoint` for the leaf hash of an entry. */
export function checkChainProof(
  chainProof: ChainProof,
  leafHash: Uint8Array,
  keys: Pick<TrustedKeys, 'origin' | 'logVerifier'>,
): readonly Step[] {
  return [
    checkEntryInclusion(chainProof, leafHash),
    checkTreeHead(chainProof),
    checkCheckpoint(chainProof, keys),
  ]
}

/** The content hash of some bytes as statements spell it: `sha256:` and lower-case hex. */
export function spellHash(sha256Hash: Uint8Array): string {
  return `sha256:${hex(sha256Hash)}`
}

function unreadable(reasons: readonly string[]): VerificationReport {
  const [form, ...others] = stepNames
  const steps = others.map((step) => notChecked(step, 'the receipt could not be read'))
  return {
    valid: false,
    registered_on: undefined,
    statement: undefined,
    steps: [failed(form, reasons.join('; ')), ...steps],
  }
}

function logEntry(receipt: UnverifiedReceipt): Uint8Array {
  return utf8.encode(canonicalJson({ ...receipt.statement, signature: receipt.signature }))
}

function checkReceiptKey(
  receipt: UnverifiedReceipt,
  key: ReceiptKey | undefined,
  environment: string,
): Step {
  const { timestamp } = receipt.statement
  if (key === undefined) {
    const reason =
      `the receipt’s key is not one of the ${environment} keys of the key file, which may have ` +
      'been saved before the key was rotated; a key inside a receipt proves nothing'
    return failed('receipt_key', reason)
  }
  const atMs = Date.parse(timestamp)
  if (atMs < key.validFromMs || atMs >= key.validUntilMs) {
    return failed('receipt_key', `the key was not valid at ${timestamp}`)
  }
  const way = key.rotations === 1 ? 'one rotation' : `${key.rotations} rotations`
  const source =
    key.rotations === 0
      ? 'is pinned in the key file'
      : `follows from the key file by ${way} in the log`
  return done('receipt_key', `the key ${source} and was valid at ${timestamp}`)
}

function checkSignature(receipt: UnverifiedReceipt, key: ReceiptKey | undefined): Step {
  if (key === undefined) {
    return notChecked('signature', 'a signature by a key that is not pinned proves nothing')
  }
  const message = utf8.encode(receiptContext + canonicalJson(receipt.statement))
  const signature = Buffer.from(receipt.signature.signature, 'hex')
  if (!verifyStrict(message, signature, Buffer.from(key.publicKey, 'hex'))) {
    return failed('signature', 'the signature is not one of this statement by the pinned key')
  }
  return done('signature', 'the pinned key signed exactly this statement')
}

function checkEntry(entry: Uint8Array): Step {
  if (entry.length > entryBytesMax) {
    return failed('entry', `the entry has ${entry.length} bytes, more than ${entryBytesMax}`)
  }
  return done('entry', `statement and signature are the ${entry.length} bytes that were logged`)
}

function checkEntryInclusion(chainProof: ChainProof, leafHash: Uint8Array): Step {
  const { leaf_index: leafIndex, tree_size: treeSize, merkle_root: merkleRoot } = chainProof
  const proof = chainProof.inclusion_proof.map((hash) => Buffer.from(hash, 'hex'))
  const rootHash = Buffer.from(merkleRoot, 'hex')
  return attempt('inclusion', () => {
    checkInclusion({ leafHash, leafIndex, treeSize, proof, rootHash }, nobleHasher)
    return `leaf ${leafIndex} of ${treeSize} leads to merkle_root in ${proof.length} hashes`
  })
}

function checkTreeHead(chainProof: ChainProof): Step {
  const { block_height: blockHeight, tree_size: treeSize, merkle_root: root } = chainProof
  return attempt('tree_head', () => {
    const head = checkpointIn(chainProof.checkpoint)
    if (
      treeSize !== head.treeSize ||
      blockHeight !== head.treeSize ||
      root !== hex(head.rootHash)
    ) {
      return failed(
        'tree_head',
        'block_height, tree_size or merkle_root differ from the checkpoint',
      )
    }
    return 'block_height, tree_size and merkle_root are those of the checkpoint'
  })
}

function checkCheckpoint(
  { checkpoint }: ChainProof,
  keys: Pick<TrustedKeys, 'origin' | 'logVerifier'>,
): Step {
  return attempt('checkpoint', () => {
    openCheckpoint(checkpoint, keys.origin, [keys.logVerifier])
    return `the log ${keys.origin} signed the checkpoint`
  })
}

function checkWitnesses({ checkpoint }: ChainProof, { witnesses }: TrustedKeys): Step {
  if (witnesses === undefined) return notChecked('witnesses', 'no policy of witnesses was given')
  return attempt('witnesses', () => {
    const { signed, missing } = openWitnessed(checkpoint, witnesses)
    const at = signed.map(({ name, timestamp }) => `${name} at ${formatSeconds(timestamp)}`)
    const others = missing.length === 0 ? '' : `; ${missing.join(', ')} did not`
    const demand = describeQuorum(witnesses.policy)
    return `the policy demands ${demand}: signed by ${at.join(', ') || 'nobody'}${others}`
  })
}

function checkContentHash(
  statement: SignedStatement,
  { contentHash, noContent = 'no content file was given' }: Evidence,
): Step {
  const step = 'content_hash'
  if (contentHash === undefined) return notChecked(step, noContent)
  if (statement.content_hash === null) {
    const reason =
      'the statement names no content, so nothing ties this content to it; a receipt that is ' +
      'downloaded after the registry has hashed the content does'
    return failed(step, reason)
  }
  if (contentHash !== statement.content_hash) {
    const reason = `the content has ${contentHash}, the statement ${statement.content_hash}`
    return failed(step, reason)
  }
  return done(step, `the content has ${contentHash}, which the statement names`)
}

function checkMetadataHash(statement: SignedStatement, metadata: unknown): Step {
  const step = 'metadata_hash'
  if (metadata === undefined) return notChecked(step, 'no metadata file was given')
  const metadataHash = hashMetadata(metadata)
  if (metadataHash === undefined)
    return failed(step, 'the metadata has no canonical form (RFC 8785)')
  if (metadataHash !== statement.metadata_hash) {
    return failed(
      step,
      `the metadata has ${metadataHash}, the statement ${statement.metadata_hash}`,
    )
  }
  return done(step, `the metadata has ${metadataHash}`)
}

// Lone surrogates and infinite numbers, which JSON text can spell, have no canonical form.
function hashMetadata(metadata: unknown): string | undefined {
  try {
    return spellHash(sha256(utf8.encode(canonicalJson(metadata))))
  } catch {
    return undefined
  }
}

function attempt(step: StepName, check: () => string | Step): Step {
  try {
    const result = check()
    return typeof result === 'string' ? done(step, result) : result
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return failed(step, error.message)
  }
}

function done(step: StepName, reason: string): Step {
  return { step, status: 'done', reason }
}

function failed(step: StepName, reason: string): Step {
  return { step, status: 'failed', reason }
}

function notChecked(step: StepName, reason: string): Step {
  return { step, status: 'not_checked', reason }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
