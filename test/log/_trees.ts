import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { MerkleTree } from 'merkletreejs'

import { assert } from '#log/tlog/errors.ts'
import { emptyRootHash, leafHash, nodeHash } from '#log/tlog/hash.ts'
import type { HashReader } from '#log/tlog/tree.ts'

/** Leaf hashes of `count` different entries. */
export function makeLeaves(count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`entry ${index}`)))
}

/** Reads the complete subtrees of a tree that is held in memory, each computed once. */
export function readLeaves(leaves: readonly Uint8Array[]): HashReader {
  const levels = [leaves]
  for (let below = leaves; below.length > 1; ) {
    const hashes: Uint8Array[] = []
    for (let index = 0; index + 1 < below.length; index += 2) {
      hashes.push(nodeHash(at(below, index), at(below, index + 1)))
    }
    levels.push(hashes)
    below = hashes
  }
  return (level, index) => at(levels[level] ?? [], index)
}

/** A tree of any size whose leaves are all `leaf`: the hash of a subtree depends on its level. */
export function readEqualLeaves(leaf: Uint8Array): HashReader {
  const levels = [leaf]
  for (let level = 1; level <= 53; level += 1) {
    const below = at(levels, level - 1)
    levels.push(nodeHash(below, below))
  }
  return (level) => at(levels, level)
}

/** MTH of RFC 6962 §2.1, word by word. */
export function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRootHash
  if (leaves.length === 1) return at(leaves, 0)
  const k = split(leaves.length)
  return nodeHash(naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)))
}

/** PATH of RFC 6962 §2.1.1, word by word. */
export function naiveInclusion(leafIndex: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return []
  const k = split(leaves.length)
  return leafIndex < k
    ? [...naiveInclusion(leafIndex, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naiveInclusion(leafIndex - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))]
}

/** A hash of the tree: MTH(D[start:end]) for a range that the tree has as a subtree. */
type RangeHash = (start: number, end: number) => Uint8Array

/** PROOF of RFC 6962 §2.1.2, word by word. */
export function naiveConsistency(from: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  return subProof(from, 0, leaves.length, true, (start, end) => naiveRoot(leaves.slice(start, end)))
}

function subProof(
  from: number,
  start: number,
  end: number,
  isWhole: boolean,
  hash: RangeHash,
): Uint8Array[] {
  if (from === end) return isWhole ? [] : [hash(start, end)]
  const middle = start + split(end - start)
  return from <= middle
    ? [...subProof(from, start, middle, isWhole, hash), hash(middle, end)]
    : [...subProof(from, middle, end, false, hash), hash(start, middle)]
}

/** The same tree as merkletreejs builds it: nodes hashed with their prefix, lone ones promoted. */
export class ForeignTree {
  readonly #tree: MerkleTree

  constructor(leaves: readonly Uint8Array[]) {
    const hashNode = (pair: Uint8Array) => nobleSha256(Buffer.concat([Uint8Array.of(1), pair]))
    this.#tree = new MerkleTree(
      leaves.map((leaf) => Buffer.from(leaf)),
      hashNode,
    )
  }

  root(): Uint8Array {
    return this.#tree.getRoot()
  }

  inclusion(leafIndex: number): Uint8Array[] {
    const leaf = at(this.#tree.getLeaves(), leafIndex)
    return this.#tree.getProof(leaf, leafIndex).map(({ data }) => data)
  }

  // merkletreejs has no consistency proofs; the nodes of one are in its layers.
  consistency(from: number): Uint8Array[] {
    const layers: readonly Uint8Array[][] = this.#tree.getLayers()
    return subProof(from, 0, this.#tree.getLeafCount(), true, (start, end) => {
      const level = Math.ceil(Math.log2(end - start))
      return at(layers[level] ?? [], start / 2 ** level)
    })
  }
}

function split(count: number): number {
  let k = 1
  while (k * 2 < count) k *= 2
  return k
}

function at<V>(list: readonly V[], index: number): V {
  const value = list[index]
  assert(value !== undefined, `the tree has an item ${index}`)
  return value
}
