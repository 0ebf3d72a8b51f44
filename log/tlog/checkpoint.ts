import { decodeBase64, encodeBase64, parseDecimal } from '#log/tlog/encoding.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { emptyRootHash, hashBytes } from '#log/tlog/hash.ts'
import {
  isKeyName,
  type LogSigner,
  openNote,
  parseNote,
  signNote,
  type Verifier,
} from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'

/** A tree head in the form that is signed: the log's identity, its size and its root hash. */
export type Checkpoint = {
  readonly origin: string
  readonly treeSize: number
  readonly rootHash: Uint8Array
}

/**
 * The text of a checkpoint (C2SP tlog-checkpoint): origin, size and base64 root, a line each. There
 * are no extension lines: no one can audit them.
 */
export function formatCheckpoint(checkpoint: Checkpoint): string {
  const { origin, treeSize, rootHash } = checkpoint
  assert(isKeyName(origin), 'an origin is a schema-less URL without spaces')
  assert(Number.isSafeInteger(treeSize) && treeSize >= 0, 'a tree size is a count')
  assert(rootHash.length === hashBytes, 'a root hash has 32 bytes')
  assert(
    treeSize > 0 || equalBytes(rootHash, emptyRootHash),
    'the empty tree has its own root hash',
  )
  return `${origin}\n${treeSize}\n${encodeBase64(rootHash)}\n`
}

/**
 * Reads the checkpoint in a note whose signatures have been verified, or are elsewhere. Errors:
 * those of `parseNote` and `parseCheckpoint`.
 */
export function checkpointIn(note: string | Uint8Array): Checkpoint {
  return parseCheckpoint(parseNote(note).unverifiedText)
}

/**
 * Reads a checkpoint's text. Extension lines, a size that is not canonical, a root of the wrong
 * length, and an empty tree with another root than the empty one are `malformed_checkpoint`.
 */
export function parseCheckpoint(text: string): Checkpoint {
  const { extension, ...checkpoint } = parseForeignCheckpoint(text)
  const { origin, treeSize, rootHash } = checkpoint
  if (!isKeyName(origin) || extension.length > 0) throw malformed()
  if (treeSize === 0 && !equalBytes(rootHash, emptyRootHash)) throw malformed()
  return checkpoint
}

/** The checkpoint of a log that may not be one of ours, with its further lines. */
export type ForeignCheckpoint = Checkpoint & { readonly extension: readonly string[] }

/**
 * Reads the checkpoint of a log that may not be one of ours (C2SP tlog-checkpoint): some origins
 * have spaces, some checkpoints further lines, and whether an empty tree has its own root is for
 * the caller to judge. For the rest as `parseCheckpoint`: the three lines have one spelling, so a
 * signature on the text is one on what was read.
 */
export function parseForeignCheckpoint(text: string): ForeignCheckpoint {
  const [origin = '', sizeText = '', rootText = '', ...extension] = text.split('\n')
  const treeSize = parseDecimal(sizeText)
  const isEnded = extension.pop() === '' && !extension.includes('')
  if (origin === '' || treeSize === undefined || !isEnded) throw malformed()
  let rootHash: Uint8Array
  try {
    rootHash = decodeBase64(rootText, 'the root hash')
  } catch (cause) {
    throw malformed(cause)
  }
  if (rootHash.length !== hashBytes) throw malformed()
  return { origin, treeSize, rootHash, extension }
}

function malformed(cause?: unknown): LogError {
  return new LogError('malformed_checkpoint', 'not a checkpoint: origin, size and root hash', {
    cause,
  })
}

/** Signs a checkpoint; the signer's key name is the origin. */
export function signCheckpoint(checkpoint: Checkpoint, signer: LogSigner): string {
  assert(signer.keyName === checkpoint.origin, 'a log signs under its origin')
  const signers = signer.second === undefined ? [signer] : [signer, signer.second]
  return signNote(formatCheckpoint(checkpoint), signers)
}

/**
 * Opens a signed checkpoint of any log (C2SP tlog-checkpoint): its origin need not be the name of
 * the key, and further lines, of which nothing is known, are allowed. Errors as `openCheckpoint`.
 */
export function openForeignCheckpoint(message: string | Uint8Array, log: Verifier): Checkpoint {
  const { text } = openNote(message, [log])
  const { origin, treeSize, rootHash } = parseForeignCheckpoint(text)
  if (treeSize === 0 && !equalBytes(rootHash, emptyRootHash)) throw malformed()
  demandOrigin(origin, log)
  return { origin, treeSize, rootHash }
}

/** Demands that a checkpoint is of the log of a verifier: otherwise `unverified_note`. */
export function demandOrigin(found: string, { keyName, origin = keyName }: Verifier): void {
  if (found === origin) return
  throw new LogError('unverified_note', `the checkpoint is of ${found}, not ${origin}`)
}

/**
 * Opens a signed checkpoint of the log `origin`. Errors as `openNote` and `parseCheckpoint`; the
 * checkpoint of another log is `unverified_note`.
 */
export function openCheckpoint(
  message: string | Uint8Array,
  origin: string,
  verifiers: readonly Verifier[],
): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(message, verifiers).text)
  if (checkpoint.origin !== origin) {
    throw new LogError(
      'unverified_note',
      `the checkpoint is of ${checkpoint.origin}, not ${origin}`,
    )
  }
  return checkpoint
}
