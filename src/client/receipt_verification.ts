import { VerificationError, type VerificationStep } from '#src/client/errors.ts'
import { decodeHex, sha256 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { followRotations as follow } from '#src/client/verify/key_chain.js'
import { examineReceipt, spellHash } from '#src/client/verify/receipt.js'
import { registrationDay } from '#src/client/verify/receipt_form.js'
import { parseTrustedKeys as parseKeys } from '#src/client/verify/trusted_keys.js'
import { parsePolicy } from '#src/client/verify/witness_policy.js'
import type {
  EnvironmentName,
  Evidence as ReceiptEvidence,
  SignedStatement,
  Step,
  TreeHead,
  TrustedKeys,
  WitnessPolicy,
} from '#src/client/verify/types.ts'

/** The work that a receipt must be about, and data to compare it with. */
export type Evidence = {
  /** In any spelling: the name in it decides. */
  readonly ark?: string | undefined
  readonly version?: number | undefined
  readonly receiptId?: string | undefined
  /** `sha256:<hex>`, as the answer to a registration says it. */
  readonly metadataHash?: string | undefined
  /** The metadata itself, as `resolve` gives it. */
  readonly metadata?: unknown
  /** The policy of witnesses for its checkpoint: `parseWitnessPolicy`. */
  readonly witnesses?: WitnessPolicy | undefined
  /** The bytes of the content, or their `sha256:<hex>`. */
  readonly content?: Uint8Array | string | undefined
}

/** A witness that has signed a checkpoint, and when, by its own clock. */
export type WitnessSignature = { readonly name: string; readonly signedAtMs: number }

/** A receipt that was verified: what it states, and the signed tree head that covers it. */
export type VerifiedReceipt = {
  readonly statement: SignedStatement
  /**
   * The day (UTC), `YYYY-MM-DD`, on which the version was registered, as the signed id of the
   * receipt says. `statement.timestamp` is the time of the newest statement, which may be about the
   * content.
   */
  readonly registeredOn: string
  readonly leafIndex: number
  readonly head: TreeHead
  /** The checkpoint as a signed note. */
  readonly checkpoint: string
  /** The witnesses of the policy that have signed it; none without a policy. */
  readonly witnesses: readonly WitnessSignature[]
  /**
   * The interval in which the statement was made, by the clocks of the witnesses alone, in
   * milliseconds since 1970; undefined where they prove nothing.
   */
  readonly notBeforeMs: number | undefined
  readonly notAfterMs: number | undefined
  /** The hashes that were compared beside the receipt's own proof. */
  readonly compared: readonly ('metadata_hash' | 'content_hash')[]
}

/**
 * Verifies a receipt against keys that are trusted, without a network: its form, that it is about
 * what it should be, the key and its time, the signature over the canonical statement, the way from
 * the entry to the signed checkpoint, and what `evidence` has. Throws VerificationError with the
 * first step that fails. A key inside a receipt proves nothing.
 */
export async function verifyReceipt(
  value: unknown,
  keys: TrustedKeys,
  evidence: Evidence = {},
): Promise<VerifiedReceipt> {
  const { witnesses } = evidence
  const trusted = witnesses === undefined ? keys : { ...keys, witnesses }
  const { report, receipt, cosigned } = await examineReceipt(value, trusted, await given(evidence))
  if (receipt !== undefined) checkIdentity(receipt.statement, evidence)
  const wrong = report.steps.find(({ status }) => status === 'failed')
  if (wrong !== undefined) throw failed(stepOf(wrong), wrong.reason)
  const unchecked = report.steps.find(({ status }) => status !== 'done')
  if (receipt === undefined || !report.valid) {
    throw new EvidenceError('crypto_unavailable', unchecked?.reason ?? 'nothing was verified')
  }
  const { statement, chainProof } = receipt
  const { tree_size: treeSize, merkle_root: root, leaf_index: leafIndex, checkpoint } = chainProof
  const compared = (['metadata_hash', 'content_hash'] as const).filter((name) =>
    report.steps.some(({ step, status }) => step === name && status === 'done'),
  )
  return {
    statement,
    registeredOn: registrationDay(statement),
    leafIndex,
    head: { treeSize, rootHash: decodeHex(root) },
    checkpoint,
    witnesses: (cosigned?.signed ?? []).map(({ name, seconds }) => {
      return { name, signedAtMs: seconds * 1_000 }
    }),
    notBeforeMs: millisecondsOf(report.proven_time.not_before),
    notAfterMs: millisecondsOf(report.proven_time.not_after),
    compared,
  }
}

function millisecondsOf(time: string | null): number | undefined {
  const ms = time === null ? Number.NaN : Date.parse(time)
  return Number.isNaN(ms) ? undefined : ms
}

async function given({ metadata, content }: Evidence): Promise<ReceiptEvidence> {
  const contentHash =
    content instanceof Uint8Array ? spellHash(await sha256(new Uint8Array(content))) : content
  return { metadata, ...(contentHash === undefined ? {} : { contentHash }) }
}

function checkIdentity(statement: SignedStatement, evidence: Evidence): void {
  const { ark } = evidence
  if (ark !== undefined && nameIn(ark) !== nameIn(statement.ark)) {
    throw failed('identity', `it is one of ${statement.ark}, not of ${ark}`)
  }
  const wanted = {
    version: evidence.version,
    receipt_id: evidence.receiptId,
    metadata_hash: evidence.metadataHash,
  }
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined || statement[name] === value) continue
    throw failed('identity', `its ${name} is ${String(statement[name])}, not ${value}`)
  }
}

/** The name in an ARK, which may have been spelled in any of its ways. */
function nameIn(ark: string): string {
  return (ark.split('/').at(-1) ?? '').replaceAll('-', '').toLowerCase()
}

// The hash of a leaf is computed and the state of content is not signed: neither can fail.
function stepOf({ step }: Step): VerificationStep {
  return step === 'leaf_hash' || step === 'fixity_status' ? 'form' : step
}

function failed(step: VerificationStep, what: string): VerificationError {
  return new VerificationError(step, `The receipt is not valid: ${what}`)
}

/**
 * Reads a registry's `/.well-known/svc-keys.json`, as JSON or as its text. Throws VerificationError
 * `keys`: nothing can be verified with it.
 */
export function parseTrustedKeys(
  list: unknown,
  environment: EnvironmentName,
): Promise<TrustedKeys> {
  return inStep('keys', () => parseKeys(list, environment))
}

/**
 * Reads whose cosignatures a checkpoint must carry (C2SP tlog-policy). Its logs are left to the
 * caller, who has trusted the key of one. Throws VerificationError `policy`, which names the line.
 */
export function parseWitnessPolicy(text: string): Promise<WitnessPolicy> {
  return inStep('policy', () => parsePolicy(text))
}

/**
 * Follows the rotations of receipt keys from the newest that is trusted to the newest of a list, of
 * which nothing is believed. Throws VerificationError `keys`.
 */
export function followRotations(keys: TrustedKeys, list: unknown): Promise<TrustedKeys> {
  return inStep('keys', () => follow(keys, list))
}

async function inStep<T>(step: VerificationStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const isWrong = cause instanceof EvidenceError && cause.code !== 'crypto_unavailable'
    throw isWrong ? new VerificationError(step, cause.message, { cause }) : cause
  }
}
