import { parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { cosignatureSigner, decodeCosignature } from '#log/tlog/cosignature.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import { assert } from '#log/base/errors.ts'
import { formatNote, formatSignature, openNote, type VerifiedNote } from '#log/tlog/note.ts'
import type { Verifier } from '#log/tlog/note.ts'
import type { CosignedHead } from '#src/tlog_tools/witness/decision.ts'

/** A checkpoint that the witness has cosigned, as it is stored and served. */
export type CosignedCheckpoint = CosignedHead & {
  readonly origin: string
  /** The signed note: the lines of the log's key and of the witness. */
  readonly note: string
  /** The line of the witness alone, its line feed included. */
  readonly line: string
}

/** Who cosigns: the name of the witness and its key. */
export type Cosigner = { readonly name: string; readonly key: Ed25519Key }

/**
 * Cosigns a checkpoint that was decided upon, at a time in POSIX seconds. `verified` is its note
 * as the log's key has verified it; lines of other keys are left out of what is stored.
 */
export function cosign(
  verified: VerifiedNote,
  { name, key }: Cosigner,
  timestamp: number,
): CosignedCheckpoint {
  const { text } = verified
  const { origin, treeSize, rootHash } = parseForeignCheckpoint(text)
  const signer = cosignatureSigner(name, key, timestamp)
  const { keyName, keyId } = signer
  const cosignature = { keyName, keyId, bytes: signer.sign(Buffer.from(text)) }
  const note = formatNote(text, [...verified.verified, cosignature])
  return { origin, treeSize, rootHash, timestamp, note, line: formatSignature(cosignature) }
}

/**
 * Reads a checkpoint that was stored. Errors: LogError, also if the witness did not cosign it.
 */
export function openCosigned(note: string, witness: Verifier): CosignedCheckpoint {
  const { text, verified } = openNote(note, [witness])
  const [cosignature] = verified
  assert(cosignature !== undefined, 'an opened note has a signature of a known key')
  const { timestamp } = decodeCosignature(cosignature.bytes)
  return { ...parseForeignCheckpoint(text), timestamp, note, line: formatSignature(cosignature) }
}
