import { assert, LogError } from '#log/tlog/errors.ts'
import { emptyRootHash, nodeHash } from '#log/tlog/hash.ts'

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

/**
 * Inclusion proof of the leaf `leafIndex` in the tree of `treeSize` leaves: siblings from the leaf
 * upwards (PATH of RFC 6962 §2.1.1). A leaf outside the tree is `out_of_range`.
 */
export function proveInclusion(
  leafIndex: number,
  treeSize: number,
  read: HashReader,
): Uint8Array[] {
  return inclusionPath(leafIndex, treeSize, {
    node: read,
    rest: (start) => rangeHash(start, treeSize, read),
  })
}

/**
 * What an inclusion proof is put together from, in whatever form: the hashes of complete subtrees,
 * named as a `HashReader` does, and of the rest of the tree from a leaf on (`rangeHash`).
 */
export type PathSource<Hash> = {
  node(level: number, index: number): Hash
  rest(start: number): Hash
}

/** The same proof from hashes in another form, or that who makes many proofs has kept. */
export function inclusionPath<Hash>(
  leafIndex: number,
  treeSize: number,
  source: PathSource<Hash>,
): Hash[] {
  assertCount(treeSize, 'tree size')
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize) {
    throw new LogError('out_of_range', `leaf ${leafIndex} is not in a tree of ${treeSize} leaves`)
  }
  const path: Hash[] = []
  let index = leafIndex
  for (let level = 0, width = 1; width < treeSize; level += 1, width *= 2) {
    const sibling = index % 2 === 0 ? index + 1 : index - 1
    const start = sibling * width
    if (start + width <= treeSize) path.push(source.node(level, sibling))
    // A subtree at the right edge that has no sibling moves up as it is.
    else if (start < treeSize) path.push(source.rest(start))
    index = Math.floor(index / 2)
  }
  return path
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
export function rangeHash(start: number, end: number, read: HashReader): Uint8Array {
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
