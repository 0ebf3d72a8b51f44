import { canonicalJson } from '#src/client/canonical_json.ts'
import { isSignedBy, type LogKey, parseCheckpoint, type TreeHead } from '#src/client/checkpoint.ts'
import { verifyStrict } from '#src/client/ed25519.ts'
import { type Bytes, decodeHex, encodeHex, sha256, utf8 } from '#src/client/encoding.ts'
import { UsageError, VerificationError, type VerificationStep } from '#src/client/errors.ts'
import { leafHash, provesInclusion } from '#src/client/merkle_tree.ts'
import {
  type ChainProof,
  readReceipt,
  type SignedStatement,
  type StatementSignature,
} from '#src/client/receipt_form.ts'
import type { ReceiptKey, TrustedKeys } from '#src/client/trusted_keys.ts'
import {
  demandWitnesses,
  type WitnessPolicy,
  type WitnessSignature,
} from '#src/client/witness_policy.ts'

/** What a receipt must be about, and what is there to compare it with. */
export type Evidence = {
  /** In any spelling: the name in it decides. */
  readonly ark?: string | undefined
  readonly version?: number | undefined
  readonly receiptId?: string | undefined
  /** `sha256:<hex>`, as the answer to a registration says it. */
  readonly metadataHash?: string | undefined
  /** The metadata itself, as `resolve` gives it. */
  readonly metadata?: unknown
  /** Whose cosignatures its checkpoint must carry: `parseWitnessPolicy`. */
  readonly witnesses?: WitnessPolicy | undefined
  /** The bytes of the content, or their `sha256:<hex>`. */
  readonly content?: Uint8Array | string | undefined
}

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
  /** What was compared beside the receipt's own proof. */
  readonly compared: readonly ('metadata_hash' | 'content_hash')[]
}

/** What comes before a statement where it is signed. */
const signatureContext = 'svc-receipt-v1\n'

/**
 * Verifies a receipt against keys that are trusted, without a network: its form, that it is about
 * what it should be, the key and its time, the signature over the canonical statement, the way from
 * the entry to the signed checkpoint, and what `evidence` has. Throws VerificationError with the
 * first step that fails. A key inside a receipt proves nothing.
 */
export async function verifyReceipt(
  receipt: unknown,
  keys: TrustedKeys,
  evidence: Evidence = {},
): Promise<VerifiedReceipt> {
  const form = readReceipt(receipt)
  if (form.type === 'malformed') {
    throw failed('form', `these members are not as they must be: ${form.members.join(', ')}`)
  }
  const { statement, signature, chainProof } = form.read
  checkIdentity(statement, evidence)
  const key = findReceiptKey(keys, signature, statement.timestamp)
  await checkSignature(statement, signature, key)
  const head = await checkChainProof({ statement, signature }, chainProof, keys.log)
  const { leaf_index: leafIndex, checkpoint } = chainProof
  const witnesses = await checkWitnesses(checkpoint, evidence)
  const compared = await compare(statement, evidence)
  const registeredOn = statement.receipt_id.split('_').slice(1, 4).join('-')
  return { statement, registeredOn, leafIndex, head, checkpoint, witnesses, compared }
}

async function checkWitnesses(
  note: string,
  { witnesses: policy }: Evidence,
): Promise<readonly WitnessSignature[]> {
  const checkpoint = parseCheckpoint(note)
  if (policy === undefined || checkpoint === undefined) return []
  return demandWitnesses(checkpoint, policy)
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

function findReceiptKey(
  { receiptKeys, environment }: TrustedKeys,
  { public_key: publicKey }: StatementSignature,
  timestamp: string,
): ReceiptKey {
  const key = receiptKeys.find((known) => known.publicKey === publicKey)
  if (key === undefined) {
    const message =
      `its key ${publicKey} is none of the trusted ${environment} keys; was the list of keys ` +
      'saved before it was rotated, or is the receipt of the other `environment`?'
    throw failed('receipt_key', message)
  }
  const atMs = Date.parse(timestamp)
  if (atMs >= key.validFromMs && atMs < key.validUntilMs) return key
  throw failed('receipt_key', `its key was not valid at ${timestamp}`)
}

/** Checks that a key has signed a statement. Throws VerificationError `signature`. */
export async function checkSignature(
  statement: object,
  { signature }: StatementSignature,
  { publicKey }: Pick<ReceiptKey, 'publicKey'>,
): Promise<void> {
  const message = utf8(signatureContext + canonicalJson(statement))
  if (await verifyStrict(message, decodeHex(signature), decodeHex(publicKey))) return
  throw failed('signature', 'its signature is not one of this statement by the trusted key')
}

/**
 * Checks that a signed statement is an entry of the log: its leaf hash leads to the root of a
 * checkpoint that the log has signed, which is returned. Throws VerificationError.
 */
export async function checkChainProof(
  { statement, signature }: { readonly statement: object; readonly signature: StatementSignature },
  chainProof: ChainProof,
  log: LogKey,
): Promise<TreeHead> {
  const { tree_size: treeSize, merkle_root: merkleRoot } = chainProof
  const inclusion = {
    leafHash: await leafHash(utf8(canonicalJson({ ...statement, signature }))),
    leafIndex: chainProof.leaf_index,
    treeSize,
    proof: chainProof.inclusion_proof.map(decodeHex),
    rootHash: decodeHex(merkleRoot),
  }
  if (!(await provesInclusion(inclusion))) {
    throw failed('inclusion', 'its entry does not lead to merkle_root in the log')
  }
  const checkpoint = parseCheckpoint(chainProof.checkpoint)
  const head = checkpoint?.head
  const isHead =
    head?.treeSize === treeSize &&
    chainProof.block_height === treeSize &&
    encodeHex(head.rootHash) === merkleRoot
  if (checkpoint === undefined || head === undefined || !isHead) {
    throw failed('tree_head', 'tree_size, block_height or merkle_root differ from the checkpoint')
  }
  if (await isSignedBy(checkpoint, log)) return head
  throw failed('checkpoint', `the log ${log.origin} has not signed its checkpoint`)
}

async function compare(
  statement: SignedStatement,
  { metadata, content }: Evidence,
): Promise<VerifiedReceipt['compared']> {
  const compared: ('metadata_hash' | 'content_hash')[] = []
  if (metadata !== undefined) {
    const hash = await hashMetadata(metadata)
    if (hash !== statement.metadata_hash) throw differs('metadata_hash', hash, statement)
    compared.push('metadata_hash')
  }
  if (content !== undefined) {
    const hash = typeof content === 'string' ? content : await spellHash(new Uint8Array(content))
    if (hash !== statement.content_hash) throw differs('content_hash', hash, statement)
    compared.push('content_hash')
  }
  return compared
}

async function hashMetadata(metadata: unknown): Promise<string> {
  try {
    return await spellHash(utf8(canonicalJson(metadata)))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw failed('metadata_hash', 'the metadata has no canonical form (RFC 8785)')
  }
}

async function spellHash(bytes: Bytes): Promise<string> {
  return `sha256:${encodeHex(await sha256(bytes))}`
}

function differs(
  step: 'metadata_hash' | 'content_hash',
  hash: string,
  statement: SignedStatement,
): VerificationError {
  const what = step === 'metadata_hash' ? 'metadata' : 'content'
  const stated = statement[step]
  const message =
    stated === null
      ? 'it names no content yet, so nothing ties this content to it'
      : `the ${what} has ${hash}, the statement ${stated}`
  return failed(step, message)
}

function failed(step: VerificationStep, what: string): VerificationError {
  return new VerificationError(step, `The receipt is not valid: ${what}`)
}
