// @ts-check

import { canonicalJson, decodeHex, encodeHex, sha256, utf8 } from '#src/client/verify/encoding.js'
import { checkpointIn, openCheckpoint } from '#src/client/verify/checkpoint.js'
import { verifyStrict } from '#src/client/verify/ed25519.js'
import { EvidenceError, explained } from '#src/client/verify/evidence_error.js'
import { checkInclusion, leafHash } from '#src/client/verify/merkle_tree.js'
import { nothingProven, proveTime } from '#src/client/verify/proven_time.js'
import { readReceipt, registrationDay } from '#src/client/verify/receipt_form.js'
import { demandQuorum, describeQuorum, openCosigned } from '#src/client/verify/witness_policy.js'

/**
 * @import {
 *   Bytes, ChainProof, CosignedCheckpoint, Evidence, Examination, ReceiptKey, SignedEntry,
 *   SignedStatement, StatementSignature, Step, StepName, TrustedKeys, UnverifiedReceipt,
 *   VerificationReport
 * } from '#src/client/verify/types.ts'
 */

/** The steps of a verification, in the order in which they are reported. */
export const stepNames = /** @type {const} */ ([
  'form',
  'receipt_key',
  'signature',
  'entry',
  'leaf_hash',
  'inclusion',
  'tree_head',
  'checkpoint',
  'witnesses',
  'time',
  'content_hash',
  'metadata_hash',
  'fixity_status',
])

// Written here again, and not taken from the signer: the verifier shares no code with it.
const receiptContext = 'svc-receipt-v1\n'

// The bytes of an entry at most (C2SP tlog-tiles).
const entryBytesMax = 65_535

/**
 * The steps that may be left out of a receipt that is proven.
 * @type {ReadonlySet<StepName>}
 */
const optionalSteps = new Set([
  'witnesses',
  'time',
  'content_hash',
  'metadata_hash',
  'fixity_status',
])

/**
 * Verifies a parsed receipt against pinned keys, offline: no network, no clock, no trust in any
 * key that the receipt brings along. Every step is reported, those that were not done too.
 * @type {(
 *   value: unknown,
 *   keys: TrustedKeys,
 *   evidence?: Evidence
 * ) => Promise<VerificationReport>}
 */
export async function verifyReceipt(value, keys, evidence = {}) {
  return (await examineReceipt(value, keys, evidence)).report
}

/**
 * Verifies a receipt as `verifyReceipt` does, and gives what it is about.
 * @type {(value: unknown, keys: TrustedKeys, evidence?: Evidence) => Promise<Examination>}
 */
export async function examineReceipt(value, keys, evidence = {}) {
  const form = readReceipt(value)
  if (form.type === 'malformed') return { report: unreadable(form.reasons) }
  const { receipt } = form
  const { statement, signature, chainProof } = receipt
  const { step: witnesses, cosigned } = await checkWitnesses(chainProof, keys)
  const { time, ...finding } = await proveTime(receipt, keys, cosigned)
  /** @type {readonly Step[]} */
  const steps = [
    done('form', 'every member of the receipt has its right form'),
    checkReceiptKey(receipt, keys),
    await checkSignature(receipt, keys),
    checkEntry(receipt),
    done('leaf_hash', `the entry’s leaf hash is ${encodeHex(await leafHash(logEntry(receipt)))}`),
    ...(await checkChainProof({ statement, signature }, chainProof, keys)),
    witnesses,
    { step: 'time', ...finding },
    checkContentHash(statement, evidence),
    await checkMetadataHash(statement, evidence.metadata),
    notChecked('fixity_status', 'it is what the registry said at download; nothing signs it'),
  ]
  const valid = steps.every(({ step, status }) => {
    return status === 'done' || (status === 'not_checked' && optionalSteps.has(step))
  })
  const registered_on = registrationDay(statement)
  // What is not proven to be there has no time either.
  const proven_time = valid ? time : nothingProven
  const report = { valid, registered_on, statement, proven_time, steps }
  return { report, receipt, ...(cosigned === undefined ? {} : { cosigned }) }
}

/**
 * Whether a key has signed a statement.
 * @type {(
 *   statement: object,
 *   signature: StatementSignature,
 *   key: Pick<ReceiptKey, 'publicKey'>
 * ) => Promise<boolean>}
 */
export function isSignedBy(statement, { signature }, { publicKey }) {
  const message = utf8(receiptContext + canonicalJson(statement))
  return verifyStrict(message, decodeHex(signature), decodeHex(publicKey))
}

/**
 * The steps `inclusion`, `tree_head` and `checkpoint` of a signed statement.
 * @type {(
 *   signed: SignedEntry,
 *   chainProof: ChainProof,
 *   beside: Pick<TrustedKeys, 'log'>
 * ) => Promise<readonly Step[]>}
 */
export async function checkChainProof(signed, chainProof, { log }) {
  return [
    await checkEntryInclusion(chainProof, await leafHash(logEntry(signed))),
    await checkTreeHead(chainProof),
    await attempt('checkpoint', async () => {
      await openCheckpoint(chainProof.checkpoint, log)
      return `the log ${log.name} signed the checkpoint`
    }),
  ]
}

/**
 * The content hash of some bytes as statements spell it: `sha256:` and lower-case hex.
 * @type {(sha256Hash: Uint8Array) => string}
 */
export function spellHash(sha256Hash) {
  return `sha256:${encodeHex(sha256Hash)}`
}

/** @type {(reasons: readonly string[]) => VerificationReport} */
function unreadable(reasons) {
  const [form, ...others] = stepNames
  const steps = others.map((step) => notChecked(step, 'the receipt could not be read'))
  return {
    valid: false,
    registered_on: undefined,
    statement: undefined,
    proven_time: nothingProven,
    steps: [failed(form, reasons.join('; ')), ...steps],
  }
}

/** @type {(signed: SignedEntry) => Bytes} */
function logEntry({ statement, signature }) {
  return utf8(canonicalJson({ ...statement, signature }))
}

/** @type {(given: UnverifiedReceipt, keys: TrustedKeys) => ReceiptKey | undefined} */
function findKey({ signature }, keys) {
  return keys.receiptKeys.find(({ publicKey }) => publicKey === signature.public_key)
}

/** @type {(receipt: UnverifiedReceipt, keys: TrustedKeys) => Step} */
function checkReceiptKey(receipt, keys) {
  const key = findKey(receipt, keys)
  const { timestamp } = receipt.statement
  if (key === undefined) {
    const reason =
      `the receipt’s key is not one of the ${keys.environment} keys of the key file, which may ` +
      'have been saved before the key was rotated; a key inside a receipt proves nothing'
    return failed('receipt_key', reason, 'unknown_key')
  }
  const atMs = Date.parse(timestamp)
  if (atMs < key.validFromMs || atMs >= key.validUntilMs) {
    return failed('receipt_key', `the key was not valid at ${timestamp}`, 'key_not_in_use')
  }
  const way = key.rotations === 1 ? 'one rotation' : `${key.rotations} rotations`
  const source =
    key.rotations === 0
      ? 'is pinned in the key file'
      : `follows from the key file by ${way} in the log`
  return done('receipt_key', `the key ${source} and was valid at ${timestamp}`)
}

/** @type {(receipt: UnverifiedReceipt, keys: TrustedKeys) => Promise<Step>} */
async function checkSignature(receipt, keys) {
  const key = findKey(receipt, keys)
  if (key === undefined) {
    return notChecked('signature', 'a signature by a key that is not pinned proves nothing')
  }
  return attempt('signature', async () => {
    if (await isSignedBy(receipt.statement, receipt.signature, key)) {
      return 'the pinned key signed exactly this statement'
    }
    return failed('signature', 'the signature is not one of this statement by the pinned key')
  })
}

/** @type {(receipt: UnverifiedReceipt) => Step} */
function checkEntry(receipt) {
  const { length } = logEntry(receipt)
  if (length > entryBytesMax) {
    return failed('entry', `the entry has ${length} bytes, more than ${entryBytesMax}`)
  }
  return done('entry', `statement and signature are the ${length} bytes that were logged`)
}

const notIncluded = 'the hashes do not lead from the entry to merkle_root'

/** @type {(chainProof: ChainProof, hash: Bytes) => Promise<Step>} */
function checkEntryInclusion(chainProof, hash) {
  const { leaf_index: leafIndex, tree_size: treeSize, merkle_root: merkleRoot } = chainProof
  const proof = chainProof.inclusion_proof.map(decodeHex)
  const rootHash = decodeHex(merkleRoot)
  return attempt('inclusion', async () => {
    const claim = { leafHash: hash, leafIndex, treeSize, proof, rootHash }
    await explained(notIncluded, () => checkInclusion(claim))
    return `leaf ${leafIndex} of ${treeSize} leads to merkle_root in ${proof.length} hashes`
  })
}

/** @type {(chainProof: ChainProof) => Promise<Step>} */
function checkTreeHead(chainProof) {
  const { block_height: blockHeight, tree_size: treeSize, merkle_root: root } = chainProof
  return attempt('tree_head', async () => {
    const head = checkpointIn(chainProof.checkpoint)
    const isSize = treeSize === head.treeSize && blockHeight === head.treeSize
    return isSize && root === encodeHex(head.rootHash)
      ? 'block_height, tree_size and merkle_root are those of the checkpoint'
      : failed('tree_head', 'block_height, tree_size or merkle_root differ from the checkpoint')
  })
}

/** @type {(
 *   given: ChainProof,
 *   beside: TrustedKeys
 * ) => Promise<{ readonly step: Step; readonly cosigned?: CosignedCheckpoint }>} */
async function checkWitnesses({ checkpoint }, { witnesses: policy, log }) {
  if (policy === undefined) {
    return { step: notChecked('witnesses', 'no policy of witnesses was given') }
  }
  /** @type {CosignedCheckpoint | undefined} */
  let cosigned
  const step = await attempt('witnesses', async () => {
    cosigned = await openCosigned(checkpoint, log, policy)
    demandQuorum(cosigned, policy)
    const { signed, missing } = cosigned
    const at = signed.map(({ name, seconds }) => `${name} at ${formatSeconds(seconds)}`)
    const others = missing.length === 0 ? '' : `; ${missing.join(', ')} did not`
    const demand = describeQuorum(policy)
    return `the policy demands ${demand}: signed by ${at.join(', ') || 'nobody'}${others}`
  })
  return { step, ...(cosigned === undefined ? {} : { cosigned }) }
}

/**
 * A time as people read it; what is no time of our calendar as its number.
 * @type {(seconds: number) => string}
 */
function formatSeconds(seconds) {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
}

/** @type {(statement: SignedStatement, beside: Evidence) => Step} */
function checkContentHash(statement, { contentHash, noContent = 'no content file was given' }) {
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

/** @type {(statement: SignedStatement, metadata: unknown) => Promise<Step>} */
async function checkMetadataHash(statement, metadata) {
  const step = 'metadata_hash'
  if (metadata === undefined) return notChecked(step, 'no metadata file was given')
  const metadataHash = await hashMetadata(metadata)
  if (metadataHash === undefined) {
    return failed(step, 'the metadata has no canonical form (RFC 8785)')
  }
  if (metadataHash === statement.metadata_hash) {
    return done(step, `the metadata has ${metadataHash}`)
  }
  const stated = statement.metadata_hash
  return failed(step, `the metadata has ${metadataHash}, the statement ${stated}`)
}

// Lone surrogates and infinite numbers, which JSON text can spell, have no canonical form; nor has
// what is nested too deeply.
/** @type {(metadata: unknown) => Promise<string | undefined>} */
async function hashMetadata(metadata) {
  try {
    return spellHash(await sha256(utf8(canonicalJson(metadata))))
  } catch {
    return undefined
  }
}

/**
 * Makes a step. Where there is no cryptography it is not checked, and so nothing is proven.
 * @type {(step: StepName, check: () => Promise<string | Step>) => Promise<Step>}
 */
async function attempt(step, check) {
  try {
    const result = await check()
    return typeof result === 'string' ? done(step, result) : result
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    const isUnchecked = error.code === 'crypto_unavailable'
    return isUnchecked ? notChecked(step, error.message) : failed(step, error.message, error.code)
  }
}

/** @type {(step: StepName, reason: string) => Step} */
function done(step, reason) {
  return { step, status: 'done', reason }
}

/** @type {(step: StepName, reason: string, code?: string) => Step} */
function failed(step, reason, code) {
  return { step, status: 'failed', reason, ...(code && { code }) }
}

/** @type {(step: StepName, reason: string) => Step} */
function notChecked(step, reason) {
  return { step, status: 'not_checked', reason }
}
