import { type Bytes, concatBytes, equalBytes, sha256 } from '#src/client/encoding.ts'

/** The leaf hash of an entry: SHA-256(0x00 ‖ entry) (RFC 9162 §2.1.1). */
export function leafHash(entry: Uint8Array): Promise<Bytes> {
  return sha256(concatBytes(Uint8Array.of(0), entry))
}

function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  return sha256(concatBytes(Uint8Array.of(1), left, right))
}

/** An inclusion claim: the leaf, its place, and the tree it is said to be in. */
export type Inclusion = {
  readonly leafHash: Bytes
  readonly leafIndex: number
  readonly treeSize: number
  readonly proof: readonly Bytes[]
  readonly rootHash: Bytes
}

/** A consistency claim: the tree of `from` leaves is the beginning of the tree of `to`. */
export type Consistency = {
  readonly from: number
  readonly to: number
  readonly fromRoot: Bytes
  readonly toRoot: Bytes
  readonly proof: readonly Bytes[]
}

/** Whether a proof shows that a leaf is in a tree (RFC 9162 §2.1.3.2). Hashes have 32 bytes. */
export async function provesInclusion(claim: Inclusion): Promise<boolean> {
  const { leafIndex, treeSize, proof, rootHash } = claim
  if (leafIndex >= treeSize) return false
  const way = new Way(leafIndex, treeSize - 1)
  let hash = claim.leafHash
  for (const sibling of proof) {
    const side = way.climb()
    if (side === undefined) return false
    hash = side === 'right' ? await nodeHash(sibling, hash) : await nodeHash(hash, sibling)
  }
  return way.isAtTop && equalBytes(hash, rootHash)
}

/**
 * Whether a proof shows that one tree begins with another (RFC 9162 §2.1.4.2). Equal sizes need
 * equal roots and an empty proof; nothing is proven from the empty tree.
 */
export async function provesConsistency(claim: Consistency): Promise<boolean> {
  const { from, to, fromRoot, toRoot } = claim
  if (from < 1 || from > to) return false
  if (from === to) return claim.proof.length === 0 && equalBytes(fromRoot, toRoot)
  const way = new Way(from - 1, to - 1)
  way.skipRightChildren()
  // An old tree that is one complete subtree is its own seed; otherwise the proof brings it.
  const [seed, ...proof] = way.isOnLeftEdge ? [fromRoot, ...claim.proof] : claim.proof
  if (seed === undefined) return false
  let old = seed
  let whole = seed
  for (const sibling of proof) {
    const side = way.climb()
    if (side === undefined) return false
    if (side === 'right') {
      old = await nodeHash(sibling, old)
      whole = await nodeHash(sibling, whole)
    } else whole = await nodeHash(whole, sibling)
  }
  return way.isAtTop && equalBytes(old, fromRoot) && equalBytes(whole, toRoot)
}

/** A way from a node of a tree up to its root; sizes may pass 32 bits. */
class Way {
  #index: number
  #last: number

  constructor(index: number, last: number) {
    this.#index = index
    this.#last = last
  }

  get isAtTop(): boolean {
    return this.#last === 0
  }

  get isOnLeftEdge(): boolean {
    return this.#index === 0
  }

  /** Goes up as long as the node is a right child. */
  skipRightChildren(): void {
    while (this.#index % 2 === 1) this.#up()
  }

  /** Which child the node is, among two; goes up from there. Undefined at the root. */
  climb(): 'left' | 'right' | undefined {
    if (this.#last === 0) return undefined
    const isRight = this.#index % 2 === 1 || this.#index === this.#last
    // The last node of a level may have no sibling for some levels.
    while (isRight && this.#index % 2 === 0 && this.#index !== 0) this.#up()
    this.#up()
    return isRight ? 'right' : 'left'
  }

  #up(): void {
    this.#index = Math.floor(this.#index / 2)
    this.#last = Math.floor(this.#last / 2)
  }
}
