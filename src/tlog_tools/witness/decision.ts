import { hash } from 'node:crypto'

import { assert, LogError } from '#log/tlog/errors.ts'
import { type Checkpoint, parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import {
  cosignatureSigner,
  decodeCosignature,
  logVerifier,
  mldsaSigner,
  subtreeMessage,
} from '#log/tlog/cosignature.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import type { MldsaKey } from '#log/tlog/mldsa.ts'
import { emptyRootHash } from '#log/tlog/hash.ts'
import {
  cosignatureType,
  formatNote,
  formatSignature,
  formatVkey,
  mldsaType,
  openNote,
  type VerifiedNote,
  type Verifier,
} from '#log/tlog/note.ts'
import { checkConsistency, equalBytes } from '#log/tlog/proof.ts'

/** The newest head of a log that the witness has cosigned. */
export type CosignedHead = Pick<Checkpoint, 'treeSize' | 'rootHash'> & {
  /** POSIX seconds of that cosignature. */
  readonly timestamp: number
}

/** What a log claims, its signature being verified: this checkpoint follows the old size. */
export type Claim = {
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: Pick<Checkpoint, 'treeSize' | 'rootHash'>
}

/**
 * What a witness does with a claim. It cosigns a checkpoint that is proven to continue the last one
 * (`advance`), or that is the last one (`repeat`). All else it refuses, and stays where it is.
 */
export type Decision =
  | { readonly type: 'advance' }
  | { readonly type: 'repeat' }
  /** The old size is above that of the checkpoint. */
  | { readonly type: 'backwards'; readonly message: string }
  /** The old size is not where the witness is: `treeSize` is. */
  | { readonly type: 'stale'; readonly treeSize: number }
  | { readonly type: 'unproven'; readonly message: string }

/**
 * Decides on a claim, given the last head that was cosigned of its log, undefined if none ever was.
 * The order of the checks is that of C2SP tlog-witness; two roots of one size never pass.
 */
export function decide(claim: Claim, last: CosignedHead | undefined): Decision {
  const { oldSize, checkpoint } = claim
  const { treeSize, rootHash } = checkpoint
  if (oldSize > treeSize) {
    const message = `The old size ${oldSize} is above that of the checkpoint, ${treeSize}`
    return { type: 'backwards', message }
  }
  const lastSize = last?.treeSize ?? 0
  if (oldSize !== lastSize) return { type: 'stale', treeSize: lastSize }
  if (treeSize === 0 && !equalBytes(rootHash, emptyRootHash)) {
    return unproven('The root of size 0 is not that of the empty tree')
  }
  if (oldSize === 0 && claim.proof.length > 0) {
    return unproven('From size 0 there is no proof, so it must have no lines')
  }
  if (last === undefined || oldSize === 0) {
    return { type: last?.treeSize === treeSize ? 'repeat' : 'advance' }
  }
  return decideOnProof(claim, last)
}

function decideOnProof({ proof, checkpoint }: Claim, last: CosignedHead): Decision {
  const { treeSize, rootHash } = checkpoint
  if (treeSize === last.treeSize && !equalBytes(rootHash, last.rootHash)) {
    return unproven(`Another root was cosigned for the size ${treeSize}: the log is forked`)
  }
  try {
    const [from, to] = [last.treeSize, treeSize]
    checkConsistency({ from, to, fromRoot: last.rootHash, toRoot: rootHash, proof })
  } catch (error) {
    if (error instanceof LogError) {
      return unproven(`It is not proven from ${last.treeSize} to ${treeSize}: ${error.message}`)
    }
    throw error
  }
  return { type: treeSize === last.treeSize ? 'repeat' : 'advance' }
}

function unproven(message: string): Decision {
  return { type: 'unproven', message }
}

/** A log that the witness cosigns, as its operator has told it. */
export type WitnessedLog = {
  /** The first line of its checkpoints. */
  readonly origin: string
  /** Its key (signature type 0x01 or 0x06), whose name is mostly, and need not be, its origin. */
  readonly vkey: string
  /** New checkpoints a minute at most; null if what is set for all logs holds. */
  readonly rate: number | null
  /** Where its entries are read, if not at its origin. */
  readonly url?: string
}

/** A log with what verifies its checkpoints. */
export type KnownLog = WitnessedLog & { readonly id: string; readonly verifier: Verifier }

/** What a log is found by: SHA-256 of its origin in lower-case hex (C2SP tlog-witness). */
export function logId(origin: string): string {
  return hash('sha256', origin)
}

/** A log that can be verified. A vkey that is no key of a log is `malformed_vkey`. */
export function knowLog({ origin, vkey, rate, url }: WitnessedLog): KnownLog {
  const place = url === undefined ? {} : { url }
  return { origin, vkey, rate, ...place, id: logId(origin), verifier: logVerifier(vkey) }
}

/** A checkpoint that the witness has cosigned, as it is stored and served. */
export type CosignedCheckpoint = CosignedHead & {
  readonly origin: string
  /** The signed note: the lines of the log's key and of the witness. */
  readonly note: string
  /** The lines of the witness alone, one for each of its keys, with their line feeds. */
  readonly lines: string
}

/** Who cosigns: the name of the witness, its key, and one of ML-DSA-44 if it has that too. */
export type Cosigner = {
  readonly name: string
  readonly key: Ed25519Key
  readonly mldsaKey: MldsaKey | undefined
}

/** The verifier keys of a cosigner: the one that names it first. */
export function cosignerVkeys({ name, key, mldsaKey }: Cosigner): readonly [string, ...string[]] {
  const vkey = formatVkey(name, cosignatureType, key.publicKey)
  return mldsaKey === undefined ? [vkey] : [vkey, formatVkey(name, mldsaType, mldsaKey.publicKey)]
}

/**
 * Cosigns a checkpoint that was decided upon, at a time in POSIX seconds. `verified` is its note
 * as the log's key has verified it; lines of other keys are left out of what is stored.
 */
export function cosign(
  verified: VerifiedNote,
  { name, key, mldsaKey }: Cosigner,
  timestamp: number,
): CosignedCheckpoint {
  const { text } = verified
  const { origin, treeSize, rootHash } = parseForeignCheckpoint(text)
  const bytes = Buffer.from(text)
  const signers = [cosignatureSigner(name, key, timestamp)]
  // An origin of more than 255 bytes, or extension lines, have no such signature.
  if (mldsaKey !== undefined && subtreeMessage(name, timestamp, bytes) !== undefined) {
    signers.push(mldsaSigner(name, mldsaKey, timestamp))
  }
  const cosignatures = signers.map((signer) => {
    return { keyName: signer.keyName, keyId: signer.keyId, bytes: signer.sign(bytes) }
  })
  const note = formatNote(text, [...verified.verified, ...cosignatures])
  const lines = cosignatures.map(formatSignature).join('')
  return { origin, treeSize, rootHash, timestamp, note, lines }
}

/**
 * Reads a checkpoint that was stored. Errors: LogError, also if the witness did not cosign it with
 * any of its keys.
 */
export function openCosigned(note: string, witness: readonly Verifier[]): CosignedCheckpoint {
  const { text, verified } = openNote(note, witness)
  const [cosignature] = verified
  assert(cosignature !== undefined, 'an opened note has a signature of a known key')
  const { timestamp } = decodeCosignature(cosignature.bytes)
  const { origin, treeSize, rootHash } = parseForeignCheckpoint(text)
  const lines = verified.map(formatSignature).join('')
  return { origin, treeSize, rootHash, timestamp, note, lines }
}
