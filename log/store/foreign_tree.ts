import { sha256 } from '@noble/hashes/sha2.js'
import { MerkleTree } from 'merkletreejs'

/** The first byte of what is hashed for a node (RFC 6962 §2.1). */
const nodePrefix = Uint8Array.of(1)

/**
 * Root hash over node hashes of equal height, the last of which may be lower: as `merkletreejs`
 * computes it with the SHA-256 of noble, implementations that share nothing with ours. It pairs the
 * nodes of each row and lifts an odd last one, which gives the tree of RFC 6962 §2.1.
 */
export function foreignRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const tree = new MerkleTree([...hashes], hashPair, { hashLeaves: false, sort: false })
  return tree.getRoot()
}

function hashPair(pair: Buffer): Buffer {
  return Buffer.from(sha256(Buffer.concat([nodePrefix, pair])))
}
