import { decodeBase64, encodeBase64, parseDecimal } from '#log/tlog/encoding.ts'
import { type Checkpoint, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { hashBytes, nodeHasher, type TreeHasher } from '#log/tlog/hash.ts'
import { noteBytesMax, type Verifier } from '#log/tlog/note.ts'
import { checkInclusion } from '#log/tlog/proof.ts'

/**
 * A file that proves a leaf on its own (C2SP tlog-proof). As text:
 *
 *     c2sp.org/tlog-proof@v1
 *     extra aGVsbG8=
 *     index 5
 *     vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
 *
 *     example.com/log
 *     …
 */
export type TlogProof = {
  /** What the application adds. Nothing vouches for it. */
  readonly extra?: Uint8Array
  readonly leafIndex: number
  /** The inclusion proof, from the leaf upwards. */
  readonly proof: readonly Uint8Array[]
  /** The signed checkpoint, as it was received. */
  readonly checkpoint: string
}

/** Whom a verifier trusts: the log's origin, and its own keys. */
export type TrustedLog = { readonly origin: string; readonly verifiers: readonly Verifier[] }

/** Hashes of an inclusion proof at most: a tree has fewer than 2^63 leaves. */
export const proofHashesMax = 63

/** Characters of a proof file at most: the longest note, and as much again before it. */
export const tlogProofLengthMax = 2 * noteBytesMax

const header = 'c2sp.org/tlog-proof@v1'

/** Writes a proof file. */
export function formatTlogProof({ extra, leafIndex, proof, checkpoint }: TlogProof): string {
  assert(Number.isSafeInteger(leafIndex) && leafIndex >= 0, 'a leaf index is a count')
  assert(proof.length <= proofHashesMax, 'a proof has at most 63 hashes')
  const extraLines = extra === undefined ? [] : [`extra ${encodeBase64(extra)}`]
  const lines = [header, ...extraLines, `index ${leafIndex}`, ...proof.map(encodeBase64)]
  const text = `${lines.join('\n')}\n\n${checkpoint}`
  assert(text.length <= tlogProofLengthMax, 'a proof file has at most two million characters')
  return text
}

/**
 * Reads a proof file; nothing in it is verified yet. Strict: lines in their order, a canonical
 * index, at most 63 hashes of 32 bytes, canonical base64; otherwise `malformed_proof`.
 */
export function parseTlogProof(text: string): TlogProof {
  const blank = text.indexOf('\n\n')
  if (blank < 0 || text.length > tlogProofLengthMax) throw malformed()
  const [first, ...lines] = text.slice(0, blank).split('\n')
  if (first !== header) throw malformed()
  const extraText = readLine(lines[0], 'extra')
  if (extraText !== undefined) lines.shift()
  const leafIndex = parseDecimal(readLine(lines.shift(), 'index') ?? '')
  if (leafIndex === undefined || lines.length > proofHashesMax) throw malformed()
  const extra = extraText === undefined ? {} : { extra: decode(extraText) }
  return { ...extra, leafIndex, proof: lines.map(decodeHash), checkpoint: text.slice(blank + 2) }
}

/**
 * Checks that the leaf is in the trusted log: the checkpoint, then the inclusion proof in it. The
 * caller computes the leaf hash of what it was shown, and judges cosignatures by its own policy.
 * Returns the checkpoint. Errors: those of `parseTlogProof`, `openCheckpoint`, `checkInclusion`.
 */
export function checkTlogProof(
  text: string,
  leafHash: Uint8Array,
  { origin, verifiers }: TrustedLog,
  hasher: TreeHasher = nodeHasher,
): Checkpoint {
  const { leafIndex, proof, checkpoint: message } = parseTlogProof(text)
  const checkpoint = openCheckpoint(message, origin, verifiers)
  const { treeSize, rootHash } = checkpoint
  checkInclusion({ leafHash, leafIndex, treeSize, proof, rootHash }, hasher)
  return checkpoint
}

function readLine(line: string | undefined, name: string): string | undefined {
  return line?.startsWith(`${name} `) ? line.slice(name.length + 1) : undefined
}

function decodeHash(line: string): Uint8Array {
  const hash = decode(line)
  if (hash.length !== hashBytes) throw malformed()
  return hash
}

function decode(base64: string): Uint8Array {
  try {
    return decodeBase64(base64, 'a line of the proof')
  } catch (cause) {
    throw malformed(cause)
  }
}

function malformed(cause?: unknown): LogError {
  return new LogError('malformed_proof', 'not a tlog-proof: index, hashes and checkpoint', {
    cause,
  })
}
