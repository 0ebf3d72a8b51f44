// @ts-check

import { concatBytes, decodeBase64, equalBytes, sha256, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { leafHash } from '#src/client/verify/merkle_tree.js'
import { isKeyName, readDecimal } from '#src/client/verify/signed_note.js'

/** @import { Bytes, MapLeaf, MapState, MapValue } from '#src/client/verify/types.ts' */

// The formats of docs/map.md, written here again: the verifier shares no code with the prover.
const leafHeader = 'arklog-map/v1'
const valueBytes = 54
const hashBytes = 32
const depthMax = 128
const nothing = utf8('SPARSE_MERKLE_PLACEHOLDER_HASH__')
const leafLabel = utf8('JMT::LeafNode')
const innerLabel = utf8('JMT::IntrnalNode')

/** @type {ReadonlyMap<number, MapState>} */
const states = new Map([
  [1, 'registered'],
  [2, 'tombstoned'],
  [255, 'contradictory'],
])

/**
 * The key of an ARK in the map: SHA-256 of its canonical spelling.
 * @type {(ark: string) => Promise<Bytes>}
 */
function mapKey(ark) {
  return sha256(utf8(ark))
}

/**
 * Reads a map leaf, in its one spelling. Throws EvidenceError `malformed_map`.
 * @type {(entry: string) => MapLeaf}
 */
export function parseMapLeaf(entry) {
  const [header, origin = '', size = '', count = '', root = '', end, ...more] = entry.split('\n')
  const covers = readDecimal(size)
  const keys = readDecimal(count)
  const rootHash = decodeBase64(root)
  const isRight = header === leafHeader && isKeyName(origin) && end === '' && more.length === 0
  if (!isRight || covers === undefined || keys === undefined || rootHash?.length !== 32) {
    const message = 'not a map leaf: arklog-map/v1, origin, entries, keys and root hash'
    throw new EvidenceError('malformed_map', message)
  }
  return { origin, covers, keys, rootHash }
}

/**
 * Reads the value of a key (54 bytes). Throws EvidenceError `malformed_map`.
 * @type {(bytes: Uint8Array) => MapValue}
 */
export function parseMapValue(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const state = bytes.length === valueBytes ? states.get(view.getUint8(1)) : undefined
  if (state === undefined || view.getUint8(0) !== 1) {
    throw new EvidenceError('malformed_map', 'a value of the map has not its right form')
  }
  return {
    state,
    version: view.getUint32(2),
    versionLeaf: uint48(view, 6),
    newestLeaf: uint48(view, 12),
    statements: view.getUint32(18),
    history: new Uint8Array(bytes.subarray(22)),
  }
}

/** @type {(view: DataView, at: number) => number} */
function uint48(view, at) {
  return view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2)
}

/**
 * What a map says of an ARK by a proof: its value, or undefined where it has none. Strict: there is
 * one proof for each key and root. Throws EvidenceError `malformed_proof`, `malformed_map` or
 * `proof_mismatch`.
 * @type {(ark: string, proof: Bytes, rootHash: Bytes) => Promise<MapValue | undefined>}
 */
export async function checkMapProof(ark, proof, rootHash) {
  const key = await mapKey(ark)
  const { kind, siblings, rest } = splitProof(proof)
  const start = await startOf(kind, rest, key, siblings.length)
  let hash = start
  for (let depth = siblings.length; depth > 0; depth -= 1) {
    const sibling = siblings[depth - 1] ?? nothing
    const isRight = bitAt(key, depth - 1)
    hash = await (isRight ? innerHash(sibling, hash) : innerHash(hash, sibling))
  }
  if (!equalBytes(hash, rootHash)) {
    throw new EvidenceError('proof_mismatch', 'the proof does not lead to the root of the map')
  }
  return kind === 0 ? parseMapValue(rest) : undefined
}

/**
 * The parts of a proof: its kind, the siblings from the root down, undefined for those that are
 * nothing, and the bytes after them.
 * @type {(proof: Bytes) => {
 *   readonly kind: number
 *   readonly siblings: readonly (Bytes | undefined)[]
 *   readonly rest: Bytes
 * }}
 */
function splitProof(proof) {
  const [kind = 3, depth = depthMax + 1] = proof
  const bitmap = proof.subarray(2, 2 + Math.ceil(depth / 8))
  if (kind > 2 || depth > depthMax || bitmap.length !== Math.ceil(depth / 8)) throw malformed()
  let at = 2 + bitmap.length
  /** @type {(Bytes | undefined)[]} */
  const siblings = []
  for (let level = 0; level < 8 * bitmap.length; level += 1) {
    const isThere = bitAt(bitmap, level)
    // Bits after the last are 0; and what stands beside nothing would have moved up.
    if (level >= depth ? isThere : level === depth - 1 && !isThere) throw malformed()
    if (level < depth) siblings.push(isThere ? proof.subarray(at, (at += hashBytes)) : undefined)
  }
  const rest = proof.slice(at)
  const restBytes = [valueBytes, 2 * hashBytes, 0][kind]
  if (at > proof.length || rest.length !== restBytes) throw malformed()
  return { kind, siblings, rest }
}

/**
 * The hash at which a proof starts: of the leaf of the key, of another leaf that stands where it
 * would, or of nothing.
 * @type {(kind: number, rest: Bytes, key: Bytes, depth: number) => Promise<Bytes>}
 */
async function startOf(kind, rest, key, depth) {
  if (kind === 2) return nothing
  if (kind === 0) return leafNodeHash(key, await sha256(rest))
  const other = rest.subarray(0, hashBytes)
  if (equalBytes(other, key)) throw malformed()
  for (let at = 0; at < depth; at += 1) {
    if (bitAt(other, at) !== bitAt(key, at)) throw malformed()
  }
  return leafNodeHash(other, rest.subarray(hashBytes))
}

/**
 * Bit number `at`, from the most significant of the first byte on.
 * @type {(bytes: Uint8Array, at: number) => boolean}
 */
function bitAt(bytes, at) {
  return (((bytes[Math.floor(at / 8)] ?? 0) >> (7 - (at % 8))) & 1) === 1
}

/** @type {(key: Bytes, valueHash: Bytes) => Promise<Bytes>} */
function leafNodeHash(key, valueHash) {
  return sha256(concatBytes(leafLabel, key, valueHash))
}

/** @type {(left: Bytes, right: Bytes) => Promise<Bytes>} */
function innerHash(left, right) {
  return sha256(concatBytes(innerLabel, left, right))
}

function malformed() {
  return new EvidenceError('malformed_proof', 'not a proof of the map in its one form')
}

/**
 * Checks that these entries are all statements about an ARK that a map has counted, in the order of
 * their leaves. Throws EvidenceError `proof_mismatch` if one is missing, added or changed.
 * @type {(
 *   value: Pick<MapValue, 'statements' | 'history'>,
 *   entries: readonly { readonly leafIndex: number; readonly entry: Uint8Array }[]
 * ) => Promise<void>}
 */
export async function checkHistory({ statements, history }, entries) {
  let hash = new Uint8Array(hashBytes)
  for (const { leafIndex, entry } of entries) {
    const index = new Uint8Array(8)
    new DataView(index.buffer).setBigUint64(0, BigInt(leafIndex))
    hash = await sha256(concatBytes(Uint8Array.of(4), hash, index, await leafHash(entry)))
  }
  if (entries.length === statements && equalBytes(hash, history)) return
  const message = `these are not the ${statements} statements that the map has counted`
  throw new EvidenceError('proof_mismatch', message)
}
