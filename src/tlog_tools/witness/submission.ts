import { type Checkpoint, parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { decodeBase64, parseDecimal } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import { parseNote, type UnverifiedNote } from '#log/tlog/note.ts'

/**
 * Bytes of a submission at most (413 beyond): 63 lines of proof take 3 kB, and a checkpoint may
 * bring signatures of 5 kB from those who sign for a time after quantum computers.
 */
export const submissionBytesMax = 131_072

/** Lines of a consistency proof, at most (C2SP tlog-witness). */
const proofLinesMax = 63

/**
 * What a log asks a witness to cosign (C2SP tlog-witness, add-checkpoint). Nobody has verified a
 * signature of it, so all of it may be anybody's.
 */
export type UnverifiedSubmission = {
  /** The size at which the log believes that the witness is. */
  readonly oldSize: number
  /** The consistency proof from that size to that of the checkpoint. */
  readonly proof: readonly Uint8Array[]
  readonly note: UnverifiedNote
  readonly unverifiedCheckpoint: Checkpoint
}

/** A submission, or what of its form is wrong, as a sentence begins. */
export type ParsedSubmission =
  | { readonly type: 'submission'; readonly submission: UnverifiedSubmission }
  | { readonly type: 'malformed'; readonly message: string }

/**
 * Reads the body of an add-checkpoint request, of which there is one spelling: the old size, up to
 * 63 lines of proof, an empty line, and the signed checkpoint, which may have extension lines. From
 * 2 leaves to 3:
 *
 *     old 2
 *     Zx8UbF5HHooag6PCFM5LqQe486WIjRTMjNPOdbsS75Q=
 *
 *     registry.example/log
 *     3
 *     Wqx3HImawpLnS/Gv4ubjAvi1WIOy0b8Ze0amvqbavKk=
 *
 *     — registry.example/log nC2r78HvMSllQDRDXsSNegSF8biaH08SpnugindebP1eVv6pSjK2Kp9KQv9X…
 */
export function parseSubmission(body: Uint8Array): ParsedSubmission {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const end = bytes.indexOf('\n\n')
  if (end < 0) return malformed('The body has no empty line that ends the proof')
  const [oldLine = '', ...proofLines] = bytes.toString('latin1', 0, end).split('\n')
  const oldSize = oldLine.startsWith('old ') ? parseDecimal(oldLine.slice(4)) : undefined
  if (oldSize === undefined) return malformed('The first line is not "old" and a decimal size')
  if (proofLines.length > proofLinesMax) {
    return malformed(`The proof has more than ${proofLinesMax} lines`)
  }
  try {
    const proof = proofLines.map(parseHash)
    const note = parseNote(bytes.subarray(end + 2))
    const unverifiedCheckpoint = parseForeignCheckpoint(note.unverifiedText)
    return { type: 'submission', submission: { oldSize, proof, note, unverifiedCheckpoint } }
  } catch (error) {
    if (error instanceof LogError) return malformed(`The body cannot be read: ${error.message}`)
    throw error
  }
}

function parseHash(line: string): Uint8Array {
  const hash = decodeBase64(line, 'a line of the proof')
  if (hash.length === hashBytes) return hash
  throw new LogError('malformed_proof', 'a line of the proof is not a hash of 32 bytes')
}

function malformed(message: string): ParsedSubmission {
  return { type: 'malformed', message }
}
