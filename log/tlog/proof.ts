import { LogError } from '#log/tlog/errors.ts'
import { hashBytes, nodeHasher, type TreeHasher } from '#log/tlog/hash.ts'

/** An inclusion claim: the leaf, its place, and the tree it is said to be in. */
export type Inclusion = {
  readonly leafHash: Uint8Array
  readonly leafIndex: number
  readonly treeSize: number
  readonly proof: readonly Uint8Array[]
  readonly rootHash: Uint8Array
}

/** A consistency claim: the tree of `from` leaves is a prefix of the tree of `to`. */
export type Consistency = {
  readonly from: number
  readonly to: number
  readonly fromRoot: Uint8Array
  readonly toRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/**
 * Checks that a leaf is in a tree (RFC 9162 §2.1.3.2). Returns when it is proven; otherwise throws
 * `malformed_proof` (impossible place, wrong number of hashes, wrong hash size) or
 * `proof_mismatch` (the proof leads to another root).
 */
export function checkInclusion(claim: Inclusion, hasher: TreeHasher = nodeHasher): void {
  const { leafIndex, treeSize, proof } = claim
  if (!isCount(treeSize) || !isCount(leafIndex) || leafIndex >= treeSize) {
    throw new LogError('malformed_proof', `leaf ${leafIndex} is not in a tree of ${treeSize}`)
  }
  checkHashes([claim.leafHash, claim.rootHash, ...proof])
  let hash = claim.leafHash
  let index = leafIndex
  let last = treeSize - 1
  let used = 0
  // At each level the node is a right child, or has a sibling on its right, or stands alone.
  while (last > 0) {
    if (index % 2 === 1 || index < last) {
      const sibling = proof[used]
      if (sibling === undefined) throw wrongLength()
      hash = index % 2 === 1 ? hasher.nodeHash(sibling, hash) : hasher.nodeHash(hash, sibling)
      used += 1
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  if (used !== proof.length) throw wrongLength()
  if (!equalBytes(hash, claim.rootHash)) {
    throw new LogError('proof_mismatch', 'the inclusion proof does not lead to the root hash')
  }
}

/**
 * Checks that one tree is a prefix of another (RFC 9162 §2.1.4.2). Equal sizes need equal roots and
 * an empty proof; nothing can be proven from the empty tree. Errors as `checkInclusion`.
 */
export function checkConsistency(claim: Consistency, hasher: TreeHasher = nodeHasher): void {
  const { from, to, fromRoot, toRoot, proof } = claim
  if (!isCount(from) || !isCount(to) || from < 1 || from > to) {
    throw new LogError('malformed_proof', `nothing leads from ${from} leaves to ${to}`)
  }
  checkHashes([fromRoot, toRoot, ...proof])
  const roots = from === to ? unchanged(claim) : climb(claim, hasher)
  if (!equalBytes(roots.from, fromRoot) || !equalBytes(roots.to, toRoot)) {
    throw new LogError('proof_mismatch', 'the consistency proof does not lead to both root hashes')
  }
}

function unchanged(claim: Consistency): { from: Uint8Array; to: Uint8Array } {
  if (claim.proof.length !== 0) throw wrongLength()
  return { from: claim.toRoot, to: claim.toRoot }
}

function climb(claim: Consistency, hasher: TreeHasher): { from: Uint8Array; to: Uint8Array } {
  let index = claim.from - 1
  let last = claim.to - 1
  while (index % 2 === 1) {
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  // An old tree that is one complete subtree is its own seed; otherwise the proof brings it.
  let used = index === 0 ? 0 : 1
  const seed = index === 0 ? claim.fromRoot : claim.proof[0]
  if (seed === undefined) throw wrongLength()
  let from = seed
  let to = seed
  while (last > 0) {
    if (index % 2 === 1 || index < last) {
      const sibling = claim.proof[used]
      if (sibling === undefined) throw wrongLength()
      used += 1
      if (index % 2 === 1) from = hasher.nodeHash(sibling, from)
      to = index % 2 === 1 ? hasher.nodeHash(sibling, to) : hasher.nodeHash(to, sibling)
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  if (used !== claim.proof.length) throw wrongLength()
  return { from, to }
}

/** Whether two byte strings are the same. What is compared is public, so timing tells nothing. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function checkHashes(hashes: readonly Uint8Array[]): void {
  if (hashes.some((hash) => hash.length !== hashBytes)) {
    throw new LogError('malformed_proof', `every hash of a proof has ${hashBytes} bytes`)
  }
}

function wrongLength(): LogError {
  return new LogError('malformed_proof', 'the proof has too few or too many hashes')
}
