import {
  emptyNode,
  keyBit,
  mapInnerHash,
  mapLeafHash,
  type MapPath,
} from '#log/tlog/map/map_tree.ts'
import { mapValueBytes } from '#log/tlog/map/map_value.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { hashBytes, sha256 } from '#log/tlog/hash.ts'

/** Bits that a path has at most: more than any two keys share that were not made to. */
const mapDepthMax = 128

/** What stands where a key would be: its value, the only other key there, or nothing. */
const present = 0
const otherLeaf = 1
const nothing = 2

/**
 * Spells the proof of what a map has at a key, of which `path` is the whole way from the root:
 *
 *     u8 kind (0 present, 1 absent: another leaf, 2 absent: nothing)
 *     u8 depth: the number of siblings
 *     one bit for each sibling, from the root down and from the most significant: it is not nothing
 *     those siblings, 32 bytes each
 *     0: the value; 1: the key and the SHA-256 of the value of the other leaf
 */
export function encodeMapProof(key: Uint8Array, { siblings, entry }: MapPath): Uint8Array {
  assert(siblings.length <= mapDepthMax, 'no two keys share so many bits')
  const bitmap = Buffer.alloc(Math.ceil(siblings.length / 8))
  const hashes: Uint8Array[] = []
  siblings.forEach(({ kind, hash }, at) => {
    if (kind === 'empty') return
    bitmap[at >> 3] = (bitmap[at >> 3] ?? 0) | (0x80 >> (at & 7))
    hashes.push(hash)
  })
  const isPresent = entry !== undefined && Buffer.compare(entry.key, key) === 0
  const kind = isPresent ? present : entry === undefined ? nothing : otherLeaf
  const end = isPresent
    ? [entry.value]
    : entry === undefined
      ? []
      : [entry.key, sha256(entry.value)]
  return Buffer.concat([Buffer.of(kind, siblings.length), bitmap, ...hashes, ...end])
}

/**
 * Verifies what a map of this root has at a key: its value, or undefined if it has none. Strict:
 * each fact has one proof. Errors: `malformed_proof`, and `proof_mismatch` if it is of another map
 * or key.
 */
export function checkMapProof(
  proof: Uint8Array,
  key: Uint8Array,
  rootHash: Uint8Array,
): Uint8Array | undefined {
  assert(key.length === hashBytes && rootHash.length === hashBytes, 'key and root are hashes')
  const { kind, siblings, end } = decodeMapProof(proof)
  const node = endHash(kind, end, key, siblings.length)
  const root = siblings.reduceRight<Uint8Array>((below, sibling, depth) => {
    const beside = sibling ?? emptyNode.hash
    return keyBit(key, depth) === 1 ? mapInnerHash(beside, below) : mapInnerHash(below, beside)
  }, node)
  if (Buffer.compare(root, rootHash) !== 0) {
    throw new LogError('proof_mismatch', 'the proof leads to another root of the map')
  }
  return kind === present ? end : undefined
}

type DecodedProof = {
  readonly kind: number
  /** From the root down; undefined is nothing. */
  readonly siblings: readonly (Uint8Array | undefined)[]
  /** The bytes after the siblings. */
  readonly end: Uint8Array
}

const endBytes = new Map([
  [present, mapValueBytes],
  [otherLeaf, 2 * hashBytes],
  [nothing, 0],
])

function decodeMapProof(proof: Uint8Array): DecodedProof {
  const [kind = -1, depth = mapDepthMax + 1] = proof
  const rest = endBytes.get(kind)
  if (rest === undefined || depth > mapDepthMax) throw malformed('its kind or depth is none')
  const bitmap = proof.subarray(2, 2 + Math.ceil(depth / 8))
  for (let at = depth; at < 8 * bitmap.length; at += 1) {
    if (keyBit(bitmap, at) === 1) throw malformed('an unused bit is set')
  }
  // A lone leaf beside nothing, and nothing beside nothing, would have moved up.
  if (depth > 0 && keyBit(bitmap, depth - 1) === 0)
    throw malformed('its deepest sibling is nothing')
  let at = 2 + bitmap.length
  const siblings = Array.from({ length: depth }, (_, level) => {
    if (keyBit(bitmap, level) === 0) return undefined
    at += hashBytes
    return proof.subarray(at - hashBytes, at)
  })
  if (proof.length !== at + rest) throw malformed('it has another length')
  return { kind, siblings, end: proof.subarray(at) }
}

/** The hash of what stands at the end of the way to a key. */
function endHash(kind: number, end: Uint8Array, key: Uint8Array, depth: number): Uint8Array {
  if (kind === nothing) return emptyNode.hash
  if (kind === present) return mapLeafHash(key, sha256(end))
  const other = end.subarray(0, hashBytes)
  if (Buffer.compare(other, key) === 0) throw malformed('it names the key as another one')
  for (let at = 0; at < depth; at += 1) {
    if (keyBit(other, at) !== keyBit(key, at)) throw malformed('its other leaf is elsewhere')
  }
  return mapLeafHash(other, end.subarray(hashBytes))
}

function malformed(reason: string): LogError {
  return new LogError('malformed_proof', `not a proof of the map: ${reason}`)
}
