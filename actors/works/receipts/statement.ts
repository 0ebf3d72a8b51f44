import * as crypto from 'node:crypto'

import {
  bufferOf,
  ByteWriter,
  isJsonObject,
  orderedJson,
  parseJson,
  rememberOrderedJson,
} from '#actors/values/serialization.ts'
import type { MapFact } from '#log/tlog/map/map_value.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { SigningThread } from '#log/store/signing_thread.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { leafHash, sha256 } from '#log/tlog/hash.ts'
import { computeKeyId, formatSignature } from '#log/tlog/note.ts'

/** What the registry states about one version of a work. Hashes are `sha256:<64 hex digits>`. */
export type WorkStatement = {
  readonly statement: 'registered' | 'content'
  readonly ark: string
  readonly version: number
  readonly receipt_id: string
  readonly timestamp: string
  readonly content_hash: string | null
  readonly metadata_hash: string
  /**
   * The hash of the newest checkpoint that the witnesses of the log had signed, cosignatures
   * included: `sha256:<64 hex digits>`. Nobody knew it before they signed, so the statement is
   * younger. Absent where the log has no witnesses.
   */
  readonly witnessed_checkpoint?: string
}

/**
 * That a work was withdrawn, and why. `by`: the operator of the registry did it, and not the owner
 * of the work; statements that were made before there was this member do not tell.
 */
export type TombstoneStatement = Omit<WorkStatement, 'statement'> & {
  readonly statement: 'tombstoned'
  readonly reason: string
  readonly by?: 'operator'
}

/**
 * That receipts are signed with another key from here on; the old key signs this. The ids are names
 * of 64 bits, `new_public_key` is the key itself, as 64 hex digits: a verifier that trusts the old
 * key can trust the new one. Older statements do not have it.
 */
export type KeyStatement = {
  readonly statement: 'key_rotated'
  readonly old_key_id: string
  readonly new_key_id: string
  readonly new_public_key?: string
  readonly timestamp: string
}

export type Statement = WorkStatement | TombstoneStatement | KeyStatement

/** The signature of a statement: key and signature in lower-case hex. */
type StatementSignature = {
  readonly algorithm: 'Ed25519'
  readonly public_key: string
  readonly signature: string
}

/** A statement and its signature: what a log entry holds. */
export type SignedStatement = {
  readonly statement: Statement
  readonly signature: StatementSignature
}

/** A signature (Ed25519, RFC 8032), and the key that made it as 64 hex digits. */
export type KeySignature = { readonly publicKey: string; readonly signature: Uint8Array }

/** Signs with the receipt key that is in use. */
export type StatementSigner = { sign(message: Uint8Array): Promise<KeySignature> }

/** Why bytes are not a log entry; `reason` completes the sentence "The entry is malformed: …". */
type MalformedEntry = { readonly type: 'malformed'; readonly reason: string }

// Keeps a signature over a statement from being one over anything else.
const signatureContext = 'svc-receipt-v1\n'

/** The id of a version's receipt, `rcpt_<yyyy>_<mm>_<dd>_<suffix>`; `at` starts with its day. */
export function receiptId(at: string, suffix: string): string {
  return `rcpt_${at.slice(0, 4)}_${at.slice(5, 7)}_${at.slice(8, 10)}_${suffix}`
}

/** Characters of a receipt id's suffix, all betanumerics. */
export const receiptSuffixCharacters = 12

/** The hash by which statements name metadata: `sha256:<hex>` of its canonical JSON. */
export function metadataHash(canonicalMetadata: string): string {
  return `sha256:${crypto.hash('sha256', canonicalMetadata)}`
}

/** The bytes that a statement's signature is over: `svc-receipt-v1\n` and its canonical JSON. */
export function signedBytes(statement: Statement): Uint8Array {
  return bytesToSign(spell(statement))
}

function bytesToSign(spelled: string): Uint8Array {
  return Buffer.from(signatureContext + spelled)
}

/**
 * Signs a statement. Gives what the log holds: the canonical JSON of the statement with its
 * `signature {algorithm, public_key, signature}`.
 */
export function signStatement(statement: Statement, signer: StatementSigner): Promise<Uint8Array> {
  const spelled = spell(statement)
  return signer.sign(bytesToSign(spelled)).then(({ publicKey, signature }) =>
    Buffer.from(
      withSignature(spelled, {
        algorithm: 'Ed25519',
        public_key: publicKey,
        signature: encodeHex(signature),
      }),
    ),
  )
}

/** Signs the statements of one change one by one; gives the log entries that hold them. */
export async function signEntries(
  statements: readonly Statement[],
  signer: StatementSigner,
): Promise<readonly Uint8Array[]> {
  const entries: Uint8Array[] = []
  for (const statement of statements) entries.push(await signStatement(statement, signer))
  return entries
}

/**
 * The same statements, as made after the newest checkpoint that the witnesses of `log` had signed
 * by the time of each, if there is one.
 */
export function madeAfter<S extends WorkStatement | TombstoneStatement>(
  statements: readonly S[],
  log: Pick<LogReader, 'witnessedDigest'>,
): readonly S[] {
  return statements.map((statement) => {
    const digest = log.witnessedDigest(Date.parse(statement.timestamp))
    return digest === undefined
      ? statement
      : { ...statement, witnessed_checkpoint: `sha256:${digest}` }
  })
}

/** The log entry that holds a signed statement, as text. */
export function entryText({ statement, signature }: SignedStatement): string {
  return withSignature(spell(statement), signature)
}

/** What comes after the signature in every statement. No text within one has bare quotes. */
const afterSignature = ',"statement":'

/** How a statement ends that names a witnessed checkpoint: the last of its members. */
const namedCheckpoint = /,"witnessed_checkpoint":"sha256:([0-9a-f]{64})"}$/
const namedCheckpointCharacters = 98

function withSignature(spelled: string, signature: StatementSignature): string {
  const at = spelled.indexOf(afterSignature)
  return `${spelled.slice(0, at)},"signature":${JSON.stringify(signature)}${spelled.slice(at)}`
}

// Statements are flat, so writing the members in order gives canonical JSON at a third of the cost
// of sorting them; `undefined` members are left out. A property holds this to RFC 8785.
function spell(statement: Statement): string {
  if (statement.statement === 'key_rotated') {
    return JSON.stringify({
      new_key_id: statement.new_key_id,
      new_public_key: statement.new_public_key,
      old_key_id: statement.old_key_id,
      statement: statement.statement,
      timestamp: statement.timestamp,
    })
  }
  return JSON.stringify({
    ark: statement.ark,
    by: statement.statement === 'tombstoned' ? statement.by : undefined,
    content_hash: statement.content_hash,
    metadata_hash: statement.metadata_hash,
    reason: statement.statement === 'tombstoned' ? statement.reason : undefined,
    receipt_id: statement.receipt_id,
    statement: statement.statement,
    timestamp: statement.timestamp,
    version: statement.version,
    witnessed_checkpoint: statement.witnessed_checkpoint,
  })
}

/**
 * Parses a log entry of a registry. Strict: its members must be those of a statement and its
 * signature, and it must be canonical JSON. The signature is not verified.
 */
export function parseEntry(entry: Uint8Array): SignedStatement | MalformedEntry {
  const text = Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('utf8')
  const value = parseJson(text)
  if (!isJsonObject(value)) return malformed('it is not a JSON object')
  const { signature, ...statement } = value
  if (!isStatement(statement)) return malformed('its members are not those of a statement')
  if (!isSignature(signature)) return malformed('its signature does not have the form of one')
  const isCanonical = entryText({ statement, signature }) === text
  return isCanonical ? { statement, signature } : malformed('it is not canonical JSON')
}

/**
 * What an entry of a registry states about one work, for the map of its log. Undefined if it states
 * nothing about any: rotations of keys, map leaves, and what is no entry of a registry.
 */
export function mapFact(entry: Uint8Array, leafIndex: number): MapFact | undefined {
  const parsed = parseEntry(entry)
  if ('type' in parsed || parsed.statement.statement === 'key_rotated') return undefined
  const { statement: kind, ark, version } = parsed.statement
  return { ark, kind, version, leafIndex, leafHash: leafHash(entry) }
}

type Members = Readonly<Record<string, (value: unknown) => boolean>>

const matches = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value)
const isHash = matches(/^sha256:[0-9a-f]{64}$/)
const isTimestamp = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const isKey = matches(/^[0-9a-f]{64}$/)
const isWord = matches(/^[0-9a-z_]{1,64}$/)

const workMembers: Members = {
  statement: matches(/^(?:registered|content)$/),
  ark: matches(/^ark:\/[\x21-\x7e]{1,255}$/),
  version: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  receipt_id: matches(/^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{12}$/),
  timestamp: isTimestamp,
  content_hash: (value) => value === null || isHash(value),
  metadata_hash: isHash,
}

const rotationMembers: Members = {
  statement: matches(/^key_rotated$/),
  old_key_id: isWord,
  new_key_id: isWord,
  timestamp: isTimestamp,
}

const tombstoneMembers: Members = {
  ...workMembers,
  statement: matches(/^tombstoned$/),
  reason: isWord,
}

const takedownMembers: Members = { ...tombstoneMembers, by: matches(/^operator$/) }

const statementForms: readonly Members[] = [
  workMembers,
  { ...workMembers, witnessed_checkpoint: isHash },
  tombstoneMembers,
  { ...tombstoneMembers, witnessed_checkpoint: isHash },
  takedownMembers,
  { ...takedownMembers, witnessed_checkpoint: isHash },
  rotationMembers,
  { ...rotationMembers, new_public_key: isKey },
]

const signatureForm: Members = {
  algorithm: (value) => value === 'Ed25519',
  public_key: isKey,
  signature: matches(/^[0-9a-f]{128}$/),
}

function isStatement(value: Record<string, unknown>): value is Statement {
  return statementForms.some((form) => hasForm(value, form))
}

function isSignature(value: unknown): value is StatementSignature {
  return typeof value === 'object' && value !== null && hasForm({ ...value }, signatureForm)
}

function hasForm(value: Record<string, unknown>, form: Members): boolean {
  const names = Object.keys(form)
  const isComplete = names.every((name) => form[name]?.(value[name]))
  return isComplete && Object.keys(value).length === names.length
}

function malformed(reason: string): MalformedEntry {
  return { type: 'malformed', reason }
}

// The DER that stands before the raw key in a SubjectPublicKeyInfo (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const keyIdBytes = 8

/**
 * The id of a receipt key: the first 8 bytes of the SHA-256 of its SubjectPublicKeyInfo, in hex.
 * `publicKey` are 64 hex digits. It is a name for people, never a proof.
 */
export function receiptKeyId(publicKey: string): string {
  const spki = Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')])
  return Buffer.from(sha256(spki)).toString('hex', 0, keyIdBytes)
}

/** Signs with one receipt key; `publicKey` is its public half, as 64 hex digits. */
export type ReceiptSigner = StatementSigner & { readonly publicKey: string }

/** Signs statements with a receipt key, beside the main thread: a mint's dearest step. */
export function statementSigner(key: Ed25519Key): ReceiptSigner {
  const thread = new SigningThread(key)
  const publicKey = Buffer.from(key.publicKey).toString('hex')
  return {
    publicKey,
    sign: (message) => thread.sign(message).then((signature) => ({ publicKey, signature })),
  }
}

/** The name of the line that carries an earlier checkpoint, and the key ID that stands in it. */
const carriedName = 'arklog/witnessed-before'
const carriedKeyId = computeKeyId(carriedName, 0xff, Buffer.from('arklog witnessed-before'))

export type FixityStatus = 'pending' | 'verified' | 'failed' | 'unreachable'

/** The members of a chain proof that depend on the tree head alone, spelled once per head. */
type HeadText = {
  readonly treeSize: number
  readonly before: Buffer
  readonly after: Buffer
}

/**
 * Writes receipts from log entries. A receipt is the entry's own members, `fixity_status`, and
 * `chain_proof` against the oldest witnessed checkpoint that covers it, or else the newest one,
 * with the checkpoint that the statement names, if it names one: so a verifier needs nothing but
 * the receipt.
 */
export class ReceiptWriter {
  readonly #log: LogReader
  readonly #headTexts = new WeakMap<object, HeadText>()
  readonly #earlierTexts = new WeakMap<object, Buffer>()
  readonly #out = new ByteWriter()

  constructor(log: LogReader) {
    this.#log = log
  }

  /** The receipt of the statement at a leaf, as JSON; the statement's bytes are as logged. */
  write(leafIndex: number, fixity: FixityStatus): Buffer {
    this.append(this.#out.begin(), leafIndex, fixity)
    return this.#out.take()
  }

  /** Writes the same JSON into a larger text. */
  append(out: ByteWriter, leafIndex: number, fixity: FixityStatus): void {
    const entry = this.#log.entry(leafIndex)
    out.bytes(entry, 0, entry.length - 1)
    out.ascii(',"fixity_status":"').ascii(fixity).ascii('","chain_proof":')
    this.#appendProof(out, leafIndex, entry)
    out.ascii('}')
  }

  /** The signed statement at a leaf and its `chain_proof`, as JSON. */
  proven(leafIndex: number): Buffer {
    const entry = this.#log.entry(leafIndex)
    const out = this.#out.begin()
    out.bytes(entry, 0, entry.length - 1).ascii(',"chain_proof":')
    this.#appendProof(out, leafIndex, entry)
    return out.ascii('}').take()
  }

  /** `chain_proof` of a leaf as JSON; `block_height` is the size of the checkpoint's tree. */
  chainProof(leafIndex: number): Buffer {
    const out = this.#out.begin()
    this.#appendProof(out, leafIndex, this.#log.entry(leafIndex))
    return out.take()
  }

  /** Tells the heads of the proofs of leaves: it changes no more once these are witnessed. */
  headTag(leaves: readonly number[]): string {
    const heads = leaves.map((leaf) => this.#log.provingHead(leaf))
    return heads
      .map(({ number, treeSize }) => (number === undefined ? treeSize : `w${number}`))
      .join('.')
  }

  #appendProof(out: ByteWriter, leafIndex: number, entry: Uint8Array): void {
    const { before, after, treeSize } = this.#head(leafIndex)
    out.bytes(before)
    let isFirst = true
    for (const hash of this.#log.inclusionTexts(leafIndex, treeSize)) {
      out.ascii(isFirst ? '["' : '","').ascii(hash)
      isFirst = false
    }
    out.ascii(isFirst ? '[]' : '"]')
    out.ascii(',"leaf_index":').ascii(String(leafIndex)).bytes(after)
    const earlier = this.#earlier(leafIndex, entry)
    if (earlier !== undefined) out.bytes(earlier)
    out.ascii('"}')
  }

  /**
   * The checkpoint that a statement names, if it names one, as the bytes of a signature line of a
   * key that nobody has: verifiers pass over lines of keys that they do not know, those too that
   * know of no witnesses.
   */
  #earlier(leafIndex: number, entry: Uint8Array): Buffer | undefined {
    const end = bufferOf(entry).toString('latin1', entry.length - namedCheckpointCharacters)
    const [, digest] = namedCheckpoint.exec(end) ?? []
    const head = digest === undefined ? undefined : this.#log.witnessedBefore(leafIndex, digest)
    if (head === undefined) return undefined
    const known = this.#earlierTexts.get(head)
    if (known !== undefined) return known
    const bytes = Buffer.from(head.checkpoint)
    const line = formatSignature({ keyName: carriedName, keyId: carriedKeyId, bytes })
    const text = Buffer.from(JSON.stringify(line).slice(1, -1))
    this.#earlierTexts.set(head, text)
    return text
  }

  #head(leafIndex: number): HeadText {
    const head = this.#log.provingHead(leafIndex)
    const known = this.#headTexts.get(head)
    if (known !== undefined) return known
    const { treeSize, rootHash, checkpoint } = head
    const root = encodeHex(rootHash)
    const before = `{"block_height":${treeSize},"merkle_root":"${root}","inclusion_proof":`
    // The text stays open at its end: a line may follow.
    const after = `,"tree_size":${treeSize},"checkpoint":${JSON.stringify(checkpoint).slice(0, -1)}`
    const text = { treeSize, before: Buffer.from(before), after: Buffer.from(after) }
    this.#headTexts.set(head, text)
    return text
  }
}

/** The canonical JSON of metadata, and the hash by which statements name it. */
export type MetadataDigest = { readonly text: string; readonly hash: string }

const hashes = new WeakMap<object, string>()

/** The digest of metadata whose members stand in canonical order. */
export function digestOf(metadata: object): MetadataDigest {
  const text = orderedJson(metadata)
  return { text, hash: hashes.get(metadata) ?? metadataHash(text) }
}

/** Keeps the digest of metadata that another thread has made of it, as long as the metadata. */
export function rememberDigest(metadata: object, { text, hash }: MetadataDigest): void {
  rememberOrderedJson(metadata, text)
  hashes.set(metadata, hash)
}
