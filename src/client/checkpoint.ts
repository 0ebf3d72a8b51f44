import { verifyStrict, isStrictPublicKey } from '#src/client/ed25519.ts'
import {
  type Bytes,
  concatBytes,
  decodeBase64,
  encodeHex,
  sha256,
  utf8,
} from '#src/client/encoding.ts'

/** The key of a log (C2SP signed-note): its name is the log's origin. */
export type LogKey = { readonly origin: string; readonly keyId: string; readonly publicKey: Bytes }

/** A tree head: how many entries, and the hash over them. */
export type TreeHead = { readonly treeSize: number; readonly rootHash: Bytes }

const ed25519Type = 1

// SHA-256 of nothing (RFC 9162 §2.1.1).
const emptyRootHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const noteCharactersMax = 1_000_000
const signaturesMax = 100

/** Reads a verifier key, `<name>+<id>+<base64>`; undefined unless it is one of Ed25519. */
export async function parseLogKey(vkey: string): Promise<LogKey | undefined> {
  const [, origin = '', keyId = '', encoded = ''] =
    /^([^+]*)\+([0-9a-f]{8})\+(.*)$/.exec(vkey) ?? []
  const bytes = decodeBase64(encoded)
  if (bytes?.length !== 33 || bytes[0] !== ed25519Type || !isKeyName(origin)) return undefined
  const publicKey = bytes.slice(1)
  if (!isStrictPublicKey(publicKey)) return undefined
  const digest = await sha256(concatBytes(utf8(`${origin}\n`), bytes))
  return encodeHex(digest.subarray(0, 4)) === keyId ? { origin, keyId, publicKey } : undefined
}

function isKeyName(text: string): boolean {
  return text !== '' && text.isWellFormed() && !/[\s\p{Z}\p{Cc}+]/u.test(text)
}

/** A checkpoint as it was read: nobody has checked its signatures. */
export type UnverifiedCheckpoint = {
  readonly text: string
  readonly origin: string
  readonly head: TreeHead
  readonly signatures: readonly {
    readonly name: string
    readonly keyId: string
    readonly bytes: Bytes
  }[]
}

/**
 * Reads a checkpoint in a signed note (C2SP tlog-checkpoint): origin, size and root, an empty line,
 * signatures. Strict: canonical numbers and base64, no extension lines; undefined otherwise.
 */
export function parseCheckpoint(note: string): UnverifiedCheckpoint | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const isPlain = note.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(note)
  const split = note.lastIndexOf('\n\n')
  if (!isPlain || note.length > noteCharactersMax || split < 0 || !note.endsWith('\n')) {
    return undefined
  }
  const text = note.slice(0, split + 1)
  const lines = note.slice(split + 2, -1).split('\n')
  const signatures = lines.map(parseSignature).filter((line) => line !== undefined)
  const parsed = parseHead(text)
  const isWhole = signatures.length === lines.length && lines.length <= signaturesMax
  return isWhole && parsed !== undefined ? { text, signatures, ...parsed } : undefined
}

function parseSignature(line: string): UnverifiedCheckpoint['signatures'][number] | undefined {
  const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? []
  const bytes = decodeBase64(encoded)
  if (!isKeyName(name) || bytes === undefined || bytes.length < 5) return undefined
  return { name, keyId: encodeHex(bytes.subarray(0, 4)), bytes: bytes.slice(4) }
}

function parseHead(text: string): Pick<UnverifiedCheckpoint, 'origin' | 'head'> | undefined {
  const [origin = '', size = '', root = '', end, ...more] = text.split('\n')
  const rootHash = decodeBase64(root)
  const treeSize = /^(?:0|[1-9]\d{0,15})$/.test(size) ? Number(size) : Number.NaN
  const isHead = isKeyName(origin) && Number.isSafeInteger(treeSize) && rootHash?.length === 32
  if (!isHead || end !== '' || more.length > 0) return undefined
  if (treeSize === 0 && encodeHex(rootHash) !== emptyRootHash) return undefined
  return { origin, head: { treeSize, rootHash } }
}

/**
 * Whether the log has signed a checkpoint of its own: one line at least of its key, and none of it
 * that is wrong. Lines of other keys, such as those of witnesses, are left alone.
 */
export async function isSignedBy(
  { text, origin, signatures }: UnverifiedCheckpoint,
  key: LogKey,
): Promise<boolean> {
  const own = signatures.filter(({ name, keyId }) => name === key.origin && keyId === key.keyId)
  if (origin !== key.origin || own.length === 0) return false
  const message = utf8(text)
  for (const { bytes } of own) {
    if (!(await verifyStrict(message, bytes, key.publicKey))) return false
  }
  return true
}
