// A verification by the log's own code, which shares none with that of the client.

import canonicalize from 'canonicalize'

import { openCheckpoint } from '#log/tlog/checkpoint.ts'
import { noteVerifier, verify } from '#log/tlog/ed25519.ts'
import { leafHash, sha256 } from '#log/tlog/hash.ts'
import { checkInclusion } from '#log/tlog/proof.ts'
import type { ReceiptKey } from '#src/client/verify/types.ts'

/** Whom somebody trusts who has seen the keys of a registry. */
export type SeenKeys = {
  readonly origin: string
  readonly vkey: string
  readonly receiptKeys: readonly Pick<ReceiptKey, 'publicKey' | 'validFromMs' | 'validUntilMs'>[]
}

type Receipt = Readonly<Record<string, unknown>> & {
  readonly signature: { readonly public_key: string; readonly signature: string }
  readonly chain_proof: {
    readonly block_height: number
    readonly merkle_root: string
    readonly inclusion_proof: readonly string[]
    readonly leaf_index: number
    readonly tree_size: number
    readonly checkpoint: string
  }
}

/** Whether a receipt is proven; `metadata` must be what it is about, if there is any. */
export function provenByLog(value: unknown, keys: SeenKeys, metadata?: unknown): boolean {
  try {
    const { chain_proof: proof, fixity_status: _, ...entry } = value as Receipt
    const { signature, ...statement } = entry
    return (
      isPlain(statement) &&
      isSigned(statement, signature, keys) &&
      isLogged(entry, proof, keys) &&
      (metadata === undefined ||
        statement['metadata_hash'] === `sha256:${hex(sha256(canonical(metadata)))}`)
    )
  } catch {
    return false
  }
}

function isPlain({ version, ...members }: Readonly<Record<string, unknown>>): boolean {
  const isText = (member: unknown) => typeof member === 'string' && member.isWellFormed()
  return (
    typeof version === 'number' &&
    Object.values(members).every((member) => member === null || isText(member))
  )
}

function isSigned(
  statement: Readonly<Record<string, unknown>>,
  { public_key, signature }: Receipt['signature'],
  { receiptKeys }: SeenKeys,
): boolean {
  const key = receiptKeys.find(({ publicKey }) => publicKey === public_key)
  const atMs = Date.parse(String(statement['timestamp']))
  if (key === undefined || !(atMs >= key.validFromMs && atMs < key.validUntilMs)) return false
  const message = Buffer.concat([Buffer.from('svc-receipt-v1\n'), canonical(statement)])
  return verify(message, fromHex(signature), fromHex(public_key))
}

function isLogged(
  entry: object,
  { merkle_root, inclusion_proof, leaf_index, tree_size, ...proof }: Receipt['chain_proof'],
  { origin, vkey }: SeenKeys,
): boolean {
  const head = openCheckpoint(proof.checkpoint, origin, [noteVerifier(vkey)])
  checkInclusion({
    leafHash: leafHash(canonical(entry)),
    leafIndex: leaf_index,
    treeSize: tree_size,
    proof: inclusion_proof.map(fromHex),
    rootHash: head.rootHash,
  })
  const isSize = tree_size === head.treeSize && proof.block_height === head.treeSize
  return isSize && merkle_root === hex(head.rootHash)
}

function canonical(value: unknown): Buffer {
  return Buffer.from(canonicalize(value) ?? '')
}

function fromHex(text: string): Buffer {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Error('no hex')
  return Buffer.from(text, 'hex')
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
