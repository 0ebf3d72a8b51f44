// @ts-check

import { concatBytes, equalBytes, sha256 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'

/** @import { Bytes, Consistency, Inclusion, PlaceInTree } from '#src/client/verify/types.ts' */

const hashBytes = 32

/**
 * The leaf hash of an entry: SHA-256(0x00 ‖ entry) (RFC 9162 §2.1.1).
 * @type {(entry: Uint8Array) => Promise<Bytes>}
 */
export function leafHash(entry) {
  return sha256(concatBytes(Uint8Array.of(0), entry))
}

/** @type {(left: Uint8Array, right: Uint8Array) => Promise<Bytes>} */
function nodeHash(left, right) {
  return sha256(concatBytes(Uint8Array.of(1), left, right))
}

/**
 * Climbs from a leaf to the root that its inclusion proof leads to (RFC 9162 §2.1.3.2): gives the
 * hash after each step, the last of which is that root; none if the leaf is the whole tree. Throws
 * EvidenceError `malformed_proof`. Sizes may pass 32 bits.
 * @type {(leaf: Bytes, beside: PlaceInTree) => AsyncGenerator<Bytes>}
 */
export async function* climb(leaf, { leafIndex, treeSize, proof }) {
  if (!isCount(leafIndex) || !isCount(treeSize) || leafIndex >= treeSize) {
    throw malformed(`leaf ${leafIndex} is not in a tree of ${treeSize}`)
  }
  checkHashes([leaf, ...proof])
  const siblings = proof.values()
  let hash = leaf
  let index = leafIndex
  // At each level the node is a right child, or has a sibling on its right, or stands alone.
  for (let last = treeSize - 1; last > 0; last = half(last), index = half(index)) {
    if (index % 2 === 0 && index >= last) continue
    const sibling = nextOf(siblings)
    hash = await (index % 2 === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling))
    yield hash
  }
  demandEnd(siblings)
}

/**
 * Checks that a leaf is in a tree (RFC 9162 §2.1.3.2). Throws EvidenceError `malformed_proof`
 * (impossible place, wrong number or size of hashes) or `proof_mismatch` (another root).
 * @type {(claim: Inclusion) => Promise<void>}
 */
export async function checkInclusion(claim) {
  checkHashes([claim.rootHash])
  let hash = claim.leafHash
  for await (const above of climb(hash, claim)) hash = above
  if (equalBytes(hash, claim.rootHash)) return
  throw mismatch('the inclusion proof does not lead to the root hash')
}

/**
 * Checks that one tree begins with another (RFC 9162 §2.1.4.2). Equal sizes need equal roots and an
 * empty proof; nothing is proven from the empty tree. Errors as `checkInclusion`.
 * @type {(claim: Consistency) => Promise<void>}
 */
export async function checkConsistency(claim) {
  const { from, to, fromRoot, toRoot, proof } = claim
  if (!isCount(from) || !isCount(to) || from > to) {
    throw malformed(`a log of ${to} entries does not continue one of ${from}`)
  }
  if (from === 0) throw malformed('nothing is proven from the empty tree')
  checkHashes([fromRoot, toRoot, ...proof])
  const siblings = proof.values()
  const [older, newer] = from === to ? [toRoot, toRoot] : await rebuild(claim, siblings)
  demandEnd(siblings)
  if (!equalBytes(older, fromRoot)) {
    throw mismatch(`the proof does not lead to the older root, that of ${from} entries`)
  }
  if (!equalBytes(newer, toRoot)) {
    throw mismatch(`the proof does not lead to the newer root, that of ${to} entries`)
  }
}

/**
 * The two roots that a consistency proof leads to.
 * @type {(given: Consistency, siblings: Iterator<Bytes>) => Promise<readonly [Bytes, Bytes]>}
 */
async function rebuild({ from, to, fromRoot }, siblings) {
  let index = from - 1
  let last = to - 1
  for (; index % 2 === 1; index = half(index)) last = half(last)
  // An older tree that is one complete subtree is its own seed; otherwise the proof brings it.
  let older = index === 0 ? fromRoot : nextOf(siblings)
  let newer = older
  for (; last > 0; last = half(last), index = half(index)) {
    if (index % 2 === 1) {
      const sibling = nextOf(siblings)
      older = await nodeHash(sibling, older)
      newer = await nodeHash(sibling, newer)
    } else if (index < last) newer = await nodeHash(newer, nextOf(siblings))
  }
  return [older, newer]
}

/** @type {(count: number) => number} */
function half(count) {
  return Math.floor(count / 2)
}

/** @type {(siblings: Iterator<Bytes>) => Bytes} */
function nextOf(siblings) {
  const next = siblings.next()
  if (next.done === true) throw wrongLength()
  return next.value
}

/** @type {(siblings: Iterator<Bytes>) => void} */
function demandEnd(siblings) {
  if (siblings.next().done !== true) throw wrongLength()
}

/** @type {(value: number) => boolean} */
function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0
}

/** @type {(hashes: readonly Bytes[]) => void} */
function checkHashes(hashes) {
  if (hashes.some((hash) => hash.length !== hashBytes)) {
    throw malformed(`every hash of a proof has ${hashBytes} bytes`)
  }
}

function wrongLength() {
  return malformed('the proof has too few or too many hashes')
}

/** @type {(message: string) => EvidenceError} */
function malformed(message) {
  return new EvidenceError('malformed_proof', message)
}

/** @type {(message: string) => EvidenceError} */
function mismatch(message) {
  return new EvidenceError('proof_mismatch', message)
}
