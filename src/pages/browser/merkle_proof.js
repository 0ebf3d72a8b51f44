// @ts-check

import { sha256, toHex } from '#src/pages/browser/bytes.js'
import { Failure } from '#src/pages/browser/verdict.js'

/** @typedef {Uint8Array<ArrayBuffer>} Hash 32 bytes. */

/**
 * The leaf hash of an entry: SHA-256(0x00 ‖ entry) (RFC 9162 §2.1.1).
 * @param {Uint8Array<ArrayBuffer>} entry
 */
export function leafHash(entry) {
  return sha256(Uint8Array.of(0), entry)
}

/**
 * @param {Hash} left
 * @param {Hash} right
 */
function nodeHash(left, right) {
  return sha256(Uint8Array.of(1), left, right)
}

/**
 * Climbs from a leaf to the root that its inclusion proof leads to (RFC 9162 §2.1.3.2): gives the
 * hash after each step, the last of which is that root. None if the leaf is the whole tree.
 * @param {Hash} leaf
 * @param {{ leafIndex: number, treeSize: number, proof: readonly Hash[] }} place
 * @returns {AsyncGenerator<Hash>}
 */
export async function* climb(leaf, { leafIndex, treeSize, proof }) {
  if (leafIndex >= treeSize) throw new Failure(`leaf ${leafIndex} is in no tree of ${treeSize}`)
  let hash = leaf
  let index = leafIndex
  let used = 0
  // At each level a right child, or a sibling on its right, or neither.
  for (let last = treeSize - 1; last > 0; last = Math.floor(last / 2)) {
    if (index % 2 === 1 || index < last) {
      const sibling = proof[used]
      if (sibling === undefined) throw new Failure('the proof has too few hashes')
      hash = await (index % 2 === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling))
      used += 1
      yield hash
    }
    index = Math.floor(index / 2)
  }
  if (used !== proof.length) throw new Failure('the proof has too many hashes')
}

/**
 * A tree: how many leaves it has, and its root.
 * @typedef {{ treeSize: number, root: Hash }} Head
 */

/**
 * Demands that a tree begins with an older one (RFC 9162 §2.1.4.2).
 * @param {Head} older
 * @param {Head} newer
 * @param {readonly Hash[]} proof
 */
export async function demandConsistency(older, newer, proof) {
  const { treeSize: from } = older
  const { treeSize: to } = newer
  if (from > to) throw new Failure(`a log of ${to} entries does not continue one of ${from}`)
  if (from === 0) throw new Failure('nothing is proven from the empty tree')
  if (from === to && proof.length > 0) throw new Failure('the proof has too many hashes')
  const [oldRoot, newRoot] =
    from === to ? [newer.root, newer.root] : await rebuild({ from, to, proof, seed: older.root })
  if (toHex(oldRoot) !== toHex(older.root)) {
    throw new Failure(`the proof does not lead to the older root, that of ${from} entries`)
  }
  if (toHex(newRoot) !== toHex(newer.root)) {
    throw new Failure(`the proof does not lead to the newer root, that of ${to} entries`)
  }
}

/**
 * The two roots that a consistency proof leads to; `seed` is the older root.
 * @param {{ from: number, to: number, proof: readonly Hash[], seed: Hash }} claim
 * @returns {Promise<[Hash, Hash]>}
 */
async function rebuild({ from, to, proof, seed }) {
  let index = from - 1
  let last = to - 1
  while (index % 2 === 1) {
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  const rest = [...proof]
  // An older tree of a power of two is itself a node of the newer one.
  let oldHash = index === 0 ? seed : next(rest)
  let newHash = oldHash
  for (; last > 0; last = Math.floor(last / 2)) {
    if (index % 2 === 1) {
      const sibling = next(rest)
      oldHash = await nodeHash(sibling, oldHash)
      newHash = await nodeHash(sibling, newHash)
    } else if (index < last) {
      newHash = await nodeHash(newHash, next(rest))
    }
    index = Math.floor(index / 2)
  }
  if (rest.length > 0) throw new Failure('the proof has too many hashes')
  return [oldHash, newHash]
}

/** @param {Hash[]} hashes */
function next(hashes) {
  const hash = hashes.shift()
  if (hash === undefined) throw new Failure('the proof has too few hashes')
  return hash
}
