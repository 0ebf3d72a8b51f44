// A registry in miniature, made with node:crypto and the recursion of RFC 6962 alone: its receipts
// are right without a line of the code that verifies them.

import canonicalize from 'canonicalize'
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

import { merkleTreeHash } from '#test/scenario/_tlog_client.ts'

/** A receipt as its JSON spells it. */
export type ReceiptJson = {
  statement: string
  ark: string
  version: number
  receipt_id: string
  timestamp: string
  content_hash: string | null
  metadata_hash: string
  signature: { algorithm: string; public_key: string; signature: string }
  fixity_status: string
  chain_proof: {
    block_height: number
    merkle_root: string
    inclusion_proof: string[]
    leaf_index: number
    tree_size: number
    checkpoint: string
  }
}

/** Name and keys of a registry; every run has the same keys. */
export type Registry = {
  readonly origin: string
  readonly receiptKey: KeyObject
  readonly logKey: KeyObject
}

export const content = Buffer.from('the content of a work')
export const metadata = { work_title: 'Über die Ordnung', work_type: 'article', authors: 'A. Ox' }

/** A registry whose receipt key and log key come from two seed bytes. */
export function createRegistry(receiptSeed = 1, logSeed = 2): Registry {
  const receiptKey = privateKey(receiptSeed)
  return { origin: 'registry.example/log', receiptKey, logKey: privateKey(logSeed) }
}

/** The Ed25519 key whose seed is one byte, 32 times. */
export function privateKey(seedByte: number): KeyObject {
  const seed = Buffer.alloc(32, seedByte)
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** The 32 bytes of the public key. */
export function rawPublicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
}

/** What `/.well-known/svc-keys.json` says of a registry (without its sandbox). */
export function keyListOf(registry: Registry) {
  const { origin, receiptKey, logKey } = registry
  return {
    log: { origin, vkey: vkeyOf(origin, logKey), url: `https://${origin}` },
    receipt_keys: [
      {
        key_id: 'first',
        public_key: rawPublicKey(receiptKey).toString('hex'),
        valid_from: '2026-01-01T00:00:00.000Z',
        valid_until: null as string | null,
      },
    ],
  }
}

/** The signed-note verifier key of an Ed25519 key. */
export function vkeyOf(name: string, key: KeyObject): string {
  const typed = Buffer.concat([Buffer.of(1), rawPublicKey(key)])
  return `${name}+${noteKeyId(name, typed).toString('hex')}+${typed.toString('base64')}`
}

/** A checkpoint of the log, signed by its key as a note. */
export function signedCheckpoint(
  registry: Pick<Registry, 'origin' | 'logKey'>,
  treeSize: number,
  root: Buffer,
): string {
  const { origin, logKey } = registry
  const text = `${origin}\n${treeSize}\n${root.toString('base64')}\n`
  const typed = Buffer.concat([Buffer.of(1), rawPublicKey(logKey)])
  const blob = Buffer.concat([noteKeyId(origin, typed), sign(null, Buffer.from(text), logKey)])
  return `${text}\n\u2014 ${origin} ${blob.toString('base64')}\n`
}

/**
 * Registers a statement as leaf `leafIndex` of a log of `treeSize` entries, and issues its receipt.
 * `changes` replace members of the statement before it is signed.
 */
export function issueReceipt(
  registry: Registry,
  place: { leafIndex: number; treeSize: number } = { leafIndex: 5, treeSize: 11 },
  changes: Record<string, unknown> = {},
): ReceiptJson {
  const statement = {
    statement: 'registered',
    ark: 'ark:/12345/x7wf3kz91',
    version: 1,
    receipt_id: 'rcpt_2026_03_04_0123456789bc',
    timestamp: '2026-03-04T05:06:07.089Z',
    content_hash: `sha256:${sha256(content).toString('hex')}`,
    metadata_hash: `sha256:${sha256(Buffer.from(canonicalize(metadata) ?? '')).toString('hex')}`,
    ...changes,
  }
  const message = `svc-receipt-v1\n${canonicalize(statement)}`
  const signature = {
    algorithm: 'Ed25519',
    public_key: rawPublicKey(registry.receiptKey).toString('hex'),
    signature: sign(null, Buffer.from(message), registry.receiptKey).toString('hex'),
  }
  const entry = Buffer.from(canonicalize({ ...statement, signature }) ?? '')
  const chain_proof = proveEntry(registry, entry, place)
  return { ...statement, signature, fixity_status: 'pending', chain_proof }
}

/** The chain proof of an entry in a log whose other entries are filler. */
export function proveEntry(
  registry: Registry,
  entry: Buffer,
  { leafIndex, treeSize }: { leafIndex: number; treeSize: number },
): ReceiptJson['chain_proof'] {
  const leaves = Array.from({ length: treeSize }, (_, index) =>
    leafHashOf(index === leafIndex ? entry : Buffer.from(`entry ${index}`)),
  )
  const root = merkleTreeHash(leaves)
  return {
    block_height: treeSize,
    merkle_root: root.toString('hex'),
    inclusion_proof: auditPath(leafIndex, leaves).map((hash) => hash.toString('hex')),
    leaf_index: leafIndex,
    tree_size: treeSize,
    checkpoint: signedCheckpoint(registry, treeSize, root),
  }
}

/** RFC 6962 §2.1: SHA-256(0x00 ‖ entry). */
export function leafHashOf(entry: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.of(0), entry]))
}

/** The log entry of a receipt: all of it but what is computed when it is read. */
export function entryOf(receipt: ReceiptJson): Buffer {
  const { fixity_status: _fixity, chain_proof: _proof, ...entry } = receipt
  return Buffer.from(canonicalize(entry) ?? '')
}

// PATH(m, D[n]) of RFC 6962 §2.1.1, word for word.
function auditPath(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return []
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...auditPath(index, left), merkleTreeHash(right)]
    : [...auditPath(index - split, right), merkleTreeHash(left)]
}

function noteKeyId(name: string, typedKey: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), typedKey])).subarray(0, 4)
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
