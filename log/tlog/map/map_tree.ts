import { assert } from '#log/tlog/errors.ts'
import { hashBytes, sha256, spelledSha256 } from '#log/tlog/hash.ts'

/** A key of the map, the SHA-256 of a name, with its value. Both are bytes of fixed lengths. */
export type MapEntry = { readonly key: Uint8Array; readonly value: Uint8Array }

/** A node by its hash. A `leaf` stands for all keys below it: it is the only one. */
export type MapNode = { readonly kind: 'empty' | 'leaf' | 'inner'; readonly hash: Uint8Array }

/** Bytes of a key. */
export const keyBytes = hashBytes

/** Bits of a key, and so the deepest that two keys can part. */
const keyBits = 8 * keyBytes

/** A place without a key. These 32 bytes are the hash of nothing that anybody knows. */
export const emptyNode: MapNode = {
  kind: 'empty',
  hash: Buffer.from('SPARSE_MERKLE_PLACEHOLDER_HASH__', 'latin1'),
}

const leafPrefix = Buffer.from('JMT::LeafNode', 'latin1')
const innerPrefix = Buffer.from('JMT::IntrnalNode', 'latin1')

// Scratch buffers serve every node: hashing is synchronous and copies its input.
const leafInput = Buffer.concat([leafPrefix, Buffer.alloc(2 * hashBytes)])
const innerInput = Buffer.concat([innerPrefix, Buffer.alloc(2 * hashBytes)])

/** The key of a name: the SHA-256 of its UTF-8. */
export function mapKey(name: string): Uint8Array {
  return sha256(Buffer.from(name))
}

/** Hash of a leaf: SHA-256(`JMT::LeafNode` ‖ key ‖ SHA-256(value)). */
export function mapLeafHash(key: Uint8Array, valueHash: Uint8Array): Uint8Array {
  assert(key.length === hashBytes && valueHash.length === hashBytes, 'a leaf has two hashes')
  leafInput.set(key, leafPrefix.length)
  leafInput.set(valueHash, leafPrefix.length + hashBytes)
  return sha256(leafInput)
}

/** Hash of an inner node: SHA-256(`JMT::IntrnalNode` ‖ left ‖ right). */
export function mapInnerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  assert(left.length === hashBytes && right.length === hashBytes, 'a node joins two hashes')
  innerInput.set(left, innerPrefix.length)
  innerInput.set(right, innerPrefix.length + hashBytes)
  return sha256(innerInput)
}

/**
 * The same of two hashes that lie side by side, as a text of bytes: to compare, of which no buffer
 * needs to be made.
 */
export function spelledInnerHash(hashes: Buffer, start: number): string {
  hashes.copy(innerInput, innerPrefix.length, start, start + 2 * hashBytes)
  return spelledSha256(innerInput)
}

/** An entry with its leaf. */
export type HashedEntry = MapEntry & { readonly leaf: MapNode }

/** An entry with its leaf, which is the node of it alone at any depth. */
export function hashedEntry({ key, value }: MapEntry): HashedEntry {
  return { key, value, leaf: { kind: 'leaf', hash: mapLeafHash(key, sha256(value)) } }
}

/** The node above two others. A leaf beside nothing stays what it is: it moves up. */
export function joinNodes(left: MapNode, right: MapNode): MapNode {
  if (left.kind === 'empty' && right.kind !== 'inner') return right
  if (right.kind === 'empty' && left.kind !== 'inner') return left
  return { kind: 'inner', hash: mapInnerHash(left.hash, right.hash) }
}

/** Bit `at` of a key, from the most significant one of its first byte. */
export function keyBit(key: Uint8Array, at: number): 0 | 1 {
  return ((key[at >> 3] ?? 0) >> (7 - (at & 7))) & 1 ? 1 : 0
}

/**
 * The node of all entries that share the first `depth` bits of their keys: at depth 0 the root of
 * the whole map. The entries are in the order of their keys, no two of one key.
 */
export function hashEntries(entries: readonly (MapEntry | HashedEntry)[], depth = 0): MapNode {
  return hashRange(entries, 0, entries.length, depth)
}

function hashRange(
  entries: readonly (MapEntry | HashedEntry)[],
  start: number,
  end: number,
  depth: number,
): MapNode {
  const first = entries[start]
  if (start >= end || first === undefined) return emptyNode
  if (end - start === 1) return 'leaf' in first ? first.leaf : hashedEntry(first).leaf
  const middle = split(entries, start, end, depth)
  const left = hashRange(entries, start, middle, depth + 1)
  return joinNodes(left, hashRange(entries, middle, end, depth + 1))
}

/** Where the entries of a range begin whose keys have the bit at `depth` set. */
function split(entries: readonly MapEntry[], start: number, end: number, depth: number): number {
  assert(depth < keyBits, 'no two entries have one key')
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry !== undefined && keyBit(entry.key, depth) === 1) high = middle
    else low = middle + 1
  }
  return low
}

/** Where a way down the tree ends, and the nodes beside it from its start down. */
export type MapPath = {
  readonly siblings: readonly MapNode[]
  /** The only entry there is below; undefined if there is none. */
  readonly entry: MapEntry | undefined
}

/** The way to a key among entries that share the first `depth` bits with it, as above. */
export function pathTo(key: Uint8Array, entries: readonly MapEntry[], depth = 0): MapPath {
  const siblings: MapNode[] = []
  let start = 0
  let end = entries.length
  for (let at = depth; end - start > 1; at += 1) {
    const middle = split(entries, start, end, at)
    const isRight = keyBit(key, at) === 1
    siblings.push(
      isRight ? hashRange(entries, start, middle, at + 1) : hashRange(entries, middle, end, at + 1),
    )
    if (isRight) start = middle
    else end = middle
  }
  return { siblings, entry: start < end ? entries[start] : undefined }
}
