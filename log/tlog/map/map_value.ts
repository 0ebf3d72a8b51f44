import { assert } from '#log/tlog/errors.ts'
import { hashBytes, sha256 } from '#log/tlog/hash.ts'

/** What one entry of the log states about one name. */
export type MapFact = {
  readonly ark: string
  readonly kind: 'registered' | 'content' | 'tombstoned'
  readonly version: number
  readonly leafIndex: number
  readonly leafHash: Uint8Array
}

/** What the map has about one name. */
export type MapValue = {
  /** `contradictory`: statements do not follow each other; nothing changes that any more. */
  readonly state: 'registered' | 'tombstoned' | 'contradictory'
  /** The newest version; 0 if the first statement did not register version 1. */
  readonly version: number
  /** The leaf of the entry that registered the newest version. */
  readonly versionLeaf: number
  /** The leaf of the newest statement about the name. */
  readonly newestLeaf: number
  /** How many statements there are. */
  readonly statements: number
  /** SHA-256(0x04 ‖ history before ‖ u64 leaf index ‖ leaf hash) of all, from 32 zero bytes on. */
  readonly history: Uint8Array
}

/** Bytes of a value. */
export const mapValueBytes = 54

const form = 1
const stateNumbers = { registered: 1, tombstoned: 2, contradictory: 255 } as const
const states = new Map<number, string>(
  Object.entries(stateNumbers).map(([name, number]) => [number, name]),
)
const leafBytes = 6

/** Offsets of what comes after form and state. */
const at = { version: 2, versionLeaf: 6, newestLeaf: 12, statements: 18, history: 22 } as const

/** The map's function f for one name: what it has after a further statement. It is total. */
export function addFact(before: MapValue | undefined, fact: MapFact): MapValue {
  const { leafIndex, leafHash } = fact
  const { version, versionLeaf, statements, history } = before ?? nothingStated
  const after = {
    state: stateAfter(before, fact),
    version,
    versionLeaf,
    newestLeaf: leafIndex,
    statements: statements + 1,
    history: historyAfter(history, leafIndex, leafHash),
  }
  const isNew = after.state === 'registered' && fact.kind === 'registered'
  return isNew ? { ...after, version: fact.version, versionLeaf: leafIndex } : after
}

const nothingStated = {
  version: 0,
  versionLeaf: 0,
  statements: 0,
  history: new Uint8Array(hashBytes),
} as const

function stateAfter(before: MapValue | undefined, fact: MapFact): MapValue['state'] {
  const { state, version } = before ?? { state: undefined, version: 0 }
  const isNext = fact.kind === 'registered' && fact.version === version + 1
  if (state === undefined) return isNext ? 'registered' : 'contradictory'
  if (state !== 'registered') return 'contradictory'
  if (fact.kind === 'tombstoned') return 'tombstoned'
  return isNext || fact.kind === 'content' ? 'registered' : 'contradictory'
}

// One scratch buffer serves every value: hashing is synchronous and copies its input.
const historyInput = Buffer.alloc(1 + 2 * hashBytes + 8)
historyInput[0] = 4

function historyAfter(before: Uint8Array, leafIndex: number, leafHash: Uint8Array): Uint8Array {
  assert(leafHash.length === hashBytes, 'a leaf is known by its hash')
  historyInput.set(before, 1)
  // The upper two bytes of the index are 0.
  historyInput.writeUIntBE(leafIndex, 1 + hashBytes + 2, leafBytes)
  historyInput.set(leafHash, 1 + hashBytes + 8)
  return sha256(historyInput)
}

/**
 * Spells a value, all numbers big-endian: u8 form (1), u8 state (1 registered, 2 tombstoned, 255
 * contradictory), u32 version, u48 leaf of the version, u48 leaf of the newest statement, u32
 * number of statements, 32 bytes of history.
 */
export function encodeMapValue(value: MapValue): Uint8Array {
  const bytes = Buffer.alloc(mapValueBytes)
  bytes.writeUInt8(form)
  bytes.writeUInt8(stateNumbers[value.state], 1)
  bytes.writeUInt32BE(value.version, at.version)
  bytes.writeUIntBE(value.versionLeaf, at.versionLeaf, leafBytes)
  bytes.writeUIntBE(value.newestLeaf, at.newestLeaf, leafBytes)
  bytes.writeUInt32BE(value.statements, at.statements)
  bytes.set(value.history, at.history)
  return bytes
}

/** Reads a value; undefined if it has a form or a state that there is none of. */
export function decodeMapValue(encoded: Uint8Array): MapValue | undefined {
  if (encoded.length !== mapValueBytes || encoded[0] !== form) return undefined
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length)
  const state = states.get(bytes.readUInt8(1)) as MapValue['state'] | undefined
  if (state === undefined) return undefined
  return {
    state,
    version: bytes.readUInt32BE(at.version),
    versionLeaf: bytes.readUIntBE(at.versionLeaf, leafBytes),
    newestLeaf: bytes.readUIntBE(at.newestLeaf, leafBytes),
    statements: bytes.readUInt32BE(at.statements),
    history: bytes.subarray(at.history),
  }
}
