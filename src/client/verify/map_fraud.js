// @ts-check

import { openCheckpoint } from '#src/client/verify/checkpoint.js'
import { canonicalJson, decodeBase64, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { checkMapProof, parseMapLeaf } from '#src/client/verify/map_proof.js'
import { checkInclusion, leafHash } from '#src/client/verify/merkle_tree.js'
import { closedFaults, isObject } from '#src/client/verify/receipt_form.js'

/**
 * @import {
 *   Bytes, FraudVerdict, MapFact, MapFraud, MapLeaf, MapValue, ProvenEntry, Rule, Rules,
 *   TrustedKeys
 * } from '#src/client/verify/types.ts'
 */

const fraudFormat = 'arklog-map-fraud-v1'
const hashBytes = 32
const leafMark = 'arklog-map/v1\n'

/** @type {(pattern: RegExp) => (value: unknown) => boolean} */
function matches(pattern) {
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string' && value.isWellFormed()
}

/** @type {Rule} */
const text = { test: isText, right: 'a text of whole characters' }
/** @type {Rule} */
const index = {
  test: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  right: 'a non-negative integer',
}
/** @type {Rule} */
const objectOrNull = {
  test: (value) => value === null || isObject(value),
  right: 'null or an object',
}
/** @type {Rule} */
const textOrNull = {
  test: (value) => value === null || isText(value),
  right: `null or ${text.right}`,
}

/** @type {Rules} */
const fraudRules = {
  format: { test: (value) => value === fraudFormat, right: fraudFormat },
  ark: text,
  checkpoint: text,
  map_leaf: { test: isObject, right: 'an object' },
  map_proof: textOrNull,
  entry: objectOrNull,
}

/** @type {Rules} */
const entryRules = { leaf_index: index, text, proof: text }

/**
 * Whether parsed JSON is meant as a fraud proof, whatever is wrong with it.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isFraudProof(value) {
  return isObject(value) && value['format'] === fraudFormat
}

/**
 * Judges offline whether a file proves that a log has signed a wrong map (docs/map.md): a map leaf
 * that is not at its own place, or one whose map says of an ARK what an entry that it covers
 * contradicts. Nothing is trusted but the key of the log. `reason` says which lie it is, or why
 * nothing is proven.
 * @type {(value: unknown, keys: Pick<TrustedKeys, 'log'>) => Promise<FraudVerdict>}
 */
export async function judgeFraud(value, { log }) {
  try {
    return await judge(readFraud(value), log)
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.code === 'crypto_unavailable') throw error
    return { proven: false, reason: error.message }
  }
}

/** @type {(value: unknown) => MapFraud} */
function readFraud(value) {
  const faults = closedFaults(value, fraudRules, 'the fraud proof')
  if (faults.length === 0) {
    const { map_leaf: leaf, entry } = /** @type {MapFraud} */ (value)
    faults.push(...closedFaults(leaf, entryRules, 'map_leaf'))
    if (entry !== null) faults.push(...closedFaults(entry, entryRules, 'entry'))
  }
  if (faults.length > 0) throw new EvidenceError('malformed_proof', faults.join('; '))
  return /** @type {MapFraud} */ (value)
}

/** @type {(fraud: MapFraud, log: TrustedKeys['log']) => Promise<FraudVerdict>} */
async function judge({ ark, checkpoint, map_leaf, map_proof, entry }, log) {
  const head = await openCheckpoint(checkpoint, log)
  await checkEntry(map_leaf, head)
  const leaf = readLeaf(map_leaf)
  if (leaf === undefined) return proven(`entry ${map_leaf.leaf_index} is an unreadable map leaf`)
  if (leaf.origin !== head.origin) return proven(`it is a map leaf of ${leaf.origin}`)
  if (leaf.covers !== map_leaf.leaf_index) {
    return proven(`entry ${map_leaf.leaf_index} says that its map covers ${leaf.covers} entries`)
  }
  const lost = entry === null ? undefined : await lostKeys(entry, { ...map_leaf, ...leaf }, head)
  if (lost !== undefined) return proven(lost)
  const bytes = map_proof === null ? undefined : decodeBase64(map_proof)
  if (bytes === undefined) return unproven('the map leaf is at its own place')
  const value = await checkMapProof(ark, bytes, leaf.rootHash)
  if (value !== undefined && Math.max(value.versionLeaf, value.newestLeaf) >= leaf.covers) {
    return proven('the value names an entry that the map does not cover')
  }
  if (value?.state === 'contradictory') {
    return proven('the map says itself that statements about the ARK contradict each other')
  }
  if (entry === null) return unproven('no entry contradicts the map')
  await checkEntry(entry, head)
  if (entry.leaf_index >= leaf.covers) return unproven('the map does not cover the entry')
  const fact = readFact(entry)
  const lie = fact?.ark === ark ? contradiction(fact, value) : undefined
  const reason = lie ?? misnamed(ark, entry.leaf_index, fact, value)
  return reason === undefined ? unproven('the entry and the map agree') : proven(reason)
}

/**
 * The map leaf in an entry; undefined if it is one that cannot be read.
 * @type {(entry: ProvenEntry) => MapLeaf | undefined}
 */
function readLeaf({ text: entry }) {
  try {
    return parseMapLeaf(entry)
  } catch (error) {
    if (!(error instanceof EvidenceError) || !entry.startsWith(leafMark)) throw error
    return undefined
  }
}

/**
 * Why an entry is a map leaf that shows another, later one to have lost ARKs: no key is ever
 * removed. Undefined if it is none.
 * @type {(
 *   earlier: ProvenEntry,
 *   later: { readonly leaf_index: number, readonly keys: number },
 *   head: { treeSize: number, rootHash: Bytes }
 * ) => Promise<string | undefined>}
 */
async function lostKeys(earlier, { leaf_index: leafIndex, keys }, head) {
  if (!earlier.text.startsWith(leafMark)) return undefined
  await checkEntry(earlier, head)
  const before = readLeaf(earlier)
  if (before === undefined) return `entry ${earlier.leaf_index} is an unreadable map leaf`
  if (earlier.leaf_index >= leafIndex || keys >= before.keys) return undefined
  return `the map of entry ${leafIndex} has ${keys} ARKs, and had ${before.keys} before`
}

/** @type {(entry: ProvenEntry, head: { treeSize: number, rootHash: Bytes }) => Promise<void>} */
async function checkEntry({ leaf_index: leafIndex, text: entry, proof }, head) {
  const bytes = decodeBase64(proof)
  if (bytes === undefined || bytes.length % hashBytes !== 0) {
    throw new EvidenceError('malformed_proof', 'the proof of an entry is not base64 of hashes')
  }
  const count = bytes.length / hashBytes
  const hashes = Array.from({ length: count }, (_, at) =>
    bytes.slice(at * hashBytes, (at + 1) * hashBytes),
  )
  await checkInclusion({ ...head, leafIndex, leafHash: await leafHash(utf8(entry)), proof: hashes })
}

/** @type {(reason: string) => FraudVerdict} */
function proven(reason) {
  return { proven: true, reason }
}

/** @type {(reason: string) => FraudVerdict} */
function unproven(reason) {
  return { proven: false, reason }
}

/**
 * What no right map says of an ARK of which it covers a statement; undefined if the two agree.
 * @type {(fact: MapFact, value: MapValue | undefined) => string | undefined}
 */
export function contradiction({ kind, version, leafIndex }, value) {
  if (value === undefined) return 'the map denies an ARK of which it covers a statement'
  if (value.newestLeaf < leafIndex) return 'the map leaves out a statement that it covers'
  if (value.state === 'contradictory') return undefined
  const lie = kind === 'registered' ? unregistered({ version }, value) : undefined
  if (lie !== undefined) return lie
  if (kind === 'tombstoned' && value.state !== 'tombstoned') return 'the map hides a withdrawal'
  const isOther = kind === 'registered' && value.version === version
  return isOther && value.versionLeaf !== leafIndex
    ? 'the map names another entry for this version'
    : undefined
}

/**
 * Why a map that covers a statement does not know its version; undefined if it does. The function
 * takes statements about content and withdrawals of versions that were never registered, so such a
 * map may be right; but no registry makes such a statement, and no reader believes one.
 * @type {(fact: Pick<MapFact, 'version'>, value: MapValue | undefined) => string | undefined}
 */
export function unregistered({ version }, value) {
  if (value === undefined || value.state === 'contradictory') return undefined
  if (version <= value.version) return undefined
  return `the map says version ${value.version}, and covers ${version}`
}

/**
 * Why an entry that a value names is not what it is named for; undefined if it is, or is not named.
 * @type {(
 *   ark: string, leafIndex: number, fact: MapFact | undefined, value: MapValue | undefined
 * ) => string | undefined}
 */
function misnamed(ark, leafIndex, fact, value) {
  if (value === undefined) return undefined
  const { version, versionLeaf, newestLeaf } = value
  const registers = fact?.ark === ark && fact.kind === 'registered' && fact.version === version
  if (version > 0 && versionLeaf === leafIndex && !registers) {
    return `entry ${leafIndex}, which the map names for version ${version}, does not register it`
  }
  if (newestLeaf === leafIndex && fact?.ark !== ark) {
    return `entry ${leafIndex}, which the map names as the newest statement, is none of the ARK`
  }
  return undefined
}

const hash = matches(/^sha256:[0-9a-f]{64}$/)

/** @type {Readonly<Record<string, (value: unknown) => boolean>>} */
const statementMembers = {
  ark: matches(/^ark:\/[\x21-\x7e]{1,255}$/),
  content_hash: (value) => value === null || hash(value),
  metadata_hash: hash,
  receipt_id: matches(/^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{12}$/),
  signature: isSignature,
  statement: matches(/^(?:registered|content|tombstoned)$/),
  timestamp: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  version: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
}

/** @type {Readonly<Record<string, (value: unknown, kind: unknown) => boolean>>} */
const furtherMembers = {
  witnessed_checkpoint: hash,
  reason: (value, kind) => kind === 'tombstoned' && matches(/^[0-9a-z_]{1,64}$/)(value),
  by: (value, kind) => kind === 'tombstoned' && value === 'operator',
}

/** @type {(value: unknown) => boolean} */
function isSignature(value) {
  if (!isObject(value) || Object.keys(value).length !== 3) return false
  const { algorithm, public_key: key, signature } = value
  const isHex = matches(/^[0-9a-f]{64}$/)(key) && matches(/^[0-9a-f]{128}$/)(signature)
  return algorithm === 'Ed25519' && isHex
}

/**
 * What an entry states about a work, exactly as the function of the map reads it (docs/map.md);
 * undefined for any other entry.
 * @type {(entry: Pick<ProvenEntry, 'leaf_index' | 'text'>) => MapFact | undefined}
 */
export function readFact({ leaf_index: leafIndex, text: entry }) {
  const value = parse(entry)
  if (!isObject(value)) return undefined
  const { statement: kind, ark, version } = value
  const isRight = Object.entries(statementMembers).every(([name, test]) => test(value[name]))
  const others = Object.keys(value).filter((name) => !Object.hasOwn(statementMembers, name))
  const isKnown = others.every((name) => furtherMembers[name]?.(value[name], kind) === true)
  const hasReason = (kind === 'tombstoned') === 'reason' in value
  if (!isRight || !isKnown || !hasReason || canonicalJson(value) !== entry) return undefined
  return /** @type {MapFact} */ ({ kind, ark, version, leafIndex })
}

/** @type {(entry: string) => unknown} */
function parse(entry) {
  try {
    return JSON.parse(entry)
  } catch {
    return undefined
  }
}
