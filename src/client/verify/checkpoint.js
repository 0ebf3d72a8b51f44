// @ts-check

import { decodeBase64, encodeHex } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { isKeyName, parseNote, readDecimal, verifyNote } from '#src/client/verify/signed_note.js'

/** @import { Checkpoint, NoteKey } from '#src/client/verify/types.ts' */

// SHA-256 of nothing (RFC 9162 §2.1.1).
const emptyRootHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Reads the text of a checkpoint (C2SP tlog-checkpoint): origin, size and base64 root. Strict:
 * canonical numbers and base64, no extension lines. Throws EvidenceError `malformed_checkpoint`.
 * @type {(text: string) => Checkpoint}
 */
export function parseCheckpoint(text) {
  const [origin = '', size = '', root = '', end, ...more] = text.split('\n')
  const rootHash = decodeBase64(root)
  const treeSize = readDecimal(size)
  if (!isKeyName(origin) || treeSize === undefined || rootHash?.length !== 32) throw malformed()
  if (end !== '' || more.length > 0) throw malformed()
  if (treeSize === 0 && encodeHex(rootHash) !== emptyRootHash) throw malformed()
  return { origin, treeSize, rootHash }
}

/**
 * Reads the checkpoint in a note; nothing of it is verified. Errors: also `malformed_note`.
 * @type {(note: string) => Checkpoint}
 */
export function checkpointIn(note) {
  return parseCheckpoint(parseNote(note).text)
}

/**
 * Opens a checkpoint that a log has signed. Errors: also `wrong_signature`; `unverified_note`, if
 * it has no signature of the log, or its origin is another's.
 * @type {(note: string, log: NoteKey) => Promise<Checkpoint>}
 */
export async function openCheckpoint(note, log) {
  const read = parseNote(note)
  const verified = await verifyNote(read, [log])
  const checkpoint = parseCheckpoint(read.text)
  if (verified.length > 0 && checkpoint.origin === log.name) return checkpoint
  const message = `the log ${log.name} has not signed the checkpoint`
  throw new EvidenceError('unverified_note', message)
}

function malformed() {
  const message = 'not a checkpoint: origin, size and root hash'
  return new EvidenceError('malformed_checkpoint', message)
}
