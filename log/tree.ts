import { assert, LogError } from '#log/errors.ts'
import { emptyRootHash, nodeHash } from '#log/hash.ts'

/**
 * Reads the hash of a complete subtree: MTH(D[index·2^level : (index+1)·2^level]). Level 0 are the
 * leaf hashes. The tree code asks only for subtrees that lie within the tree it was asked about.
 */
export type HashReader = (level: number, index: number) => Uint8Array

/** Root hash of the tree of the first `treeSize` leaves (RFC 6962 §2.1). */
export function rootHash(treeSize: number, read: HashReader): Uint8Array {
  assertCount(treeSize, 'tree size')
  return treeSize === 0 ? emptyRootHash : rangeHash(0, treeSize, read)
}

/** Gives the hash of the leaves of a range, as a tree splits them: MTH(D[start:end]). */
export type RangeReader = (start: number, end: number) => Uint8Array

/** Hashes of ranges, each computed from the complete subtrees in it. */
export function rangeHashes(read: HashReader): RangeReader {
  return (start, end) => rangeHash(start, end, read)
}

/**
 * Inclusion proof of the leaf `leafIndex` in the tree of `treeSize` leaves: siblings from the leaf
 * upwards (PATH of RFC 6962 §2.1.1). A leaf outside the tree is `out_of_range`.
 */
export function proveInclusion(
  leafIndex: number,
  treeSize: number,
  read: HashReader,
): Uint8Array[] {
  return inclusionPath(leafIndex, treeSize, rangeHashes(read))
}

/** The same proof from the hashes of ranges, which who makes many proofs may have kept. */
export function inclusionPath(
  leafIndex: number,
  treeSize: number,
  hashOf: RangeReader,
): Uint8Array[] {
  assertCount(treeSize, 'tree size')
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize) {
    throw new LogError('out_of_range', `leaf ${leafIndex} is not in a tree of ${treeSize} leaves`)
  }
  const downwards: Uint8Array[] = []
  let start = 0
  let end = treeSize
  while (end - start > 1) {
    const middle = start + splitPoint(end - start)
    if (leafIndex < middle) {
      downwards.push(hashOf(middle, end))
      end = middle
    } else {
      downwards.push(hashOf(start, middle))
      start = middle
    }
  }
  return downwards.reverse()
}

/**
 * Consistency proof from the tree of `from` leaves to the tree of `to` (PROOF of RFC 6962 §2.1.2);
 * empty when both are the same tree. No proof starts at the empty tree: `out_of_range`.
 */
export function proveConsistency(from: number, to: number, read: HashReader): Uint8Array[] {
  assertCount(to, 'tree size')
  if (!Number.isSafeInteger(from) || from < 1 || from > to) {
    throw new LogError('out_of_range', `no consistency proof leads from ${from} to ${to} leaves`)
  }
  const downwards: Uint8Array[] = []
  let start = 0
  let end = to
  // The old tree is [0, from). While it fills a left part whole, the verifier knows that hash.
  let isOldRoot = true
  while (from !== end) {
    const middle = start + splitPoint(end - start)
    if (from <= middle) {
      downwards.push(rangeHash(middle, end, read))
      end = middle
    } else {
      downwards.push(rangeHash(start, middle, read))
      start = middle
      isOldRoot = false
    }
  }
  if (!isOldRoot) downwards.push(rangeHash(start, end, read))
  return downwards.reverse()
}

/** The largest power of two that is smaller than `count`, for a count of at least 2. */
function splitPoint(count: number): number {
  assert(count >= 2, 'only two leaves or more can be split')
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/**
 * MTH(D[start:end]) for a range as the tree splits them: `start` is a multiple of the smallest
 * power of two that is at least `end - start`. Folds the complete subtrees from the right.
 */
function rangeHash(start: number, end: number, read: HashReader): Uint8Array {
  const peaks: Uint8Array[] = []
  let at = start
  while (at < end) {
    let level = 0
    let width = 1
    while (width * 2 <= end - at) {
      width *= 2
      level += 1
    }
    peaks.push(read(level, at / width))
    at += width
  }
  let hash = peaks.pop()
  assert(hash !== undefined, 'a range has at least one leaf')
  for (let left = peaks.pop(); left !== undefined; left = peaks.pop()) hash = nodeHash(left, hash)
  return hash
}

function assertCount(count: number, label: string): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new LogError('out_of_range', `${label} ${count} is not a count`)
  }
}
