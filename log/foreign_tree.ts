import { MerkleTree } from 'merkletreejs'

import { hashBytes, nodeHash } from '#log/hash.ts'

/**
 * Root hash over node hashes of equal height, the last of which may be lower: as `merkletreejs`
 * computes it, an implementation that shares nothing with this one but the hash of a pair. It pairs
 * the nodes of each row and lifts an odd last one, which gives the tree of RFC 6962 §2.1.
 */
export function foreignRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const tree = new MerkleTree([...hashes], hashPair, { hashLeaves: false, sort: false })
  return tree.getRoot()
}

function hashPair(pair: Buffer): Buffer {
  return Buffer.from(nodeHash(pair.subarray(0, hashBytes), pair.subarray(hashBytes)))
}
