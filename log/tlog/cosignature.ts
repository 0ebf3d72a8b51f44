import { assert, LogError } from '#log/tlog/errors.ts'
import { parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { type Ed25519Key, noteSigner, noteVerifier, sign, verify } from '#log/tlog/ed25519.ts'
import { signatureBytes } from '#log/tlog/key_form.ts'
import {
  type MldsaKey,
  mldsaKeyOfLog,
  mldsaSignatureBytes,
  signMldsa,
  verifyMldsa,
} from '#log/tlog/mldsa.ts'
import {
  computeKeyId,
  cosignatureType,
  formatVkey,
  logKeyTypes,
  type LogSigner,
  mldsaType,
  parseUsableVkey,
  type Signer,
  type Verifier,
  type VerifierKey,
  witnessKeyTypes,
} from '#log/tlog/note.ts'

/** A signature of a checkpoint with its time: 64 bytes of Ed25519, or 2,420 of ML-DSA-44. */
export type Cosignature = {
  /** Seconds of POSIX time; 0 only where a log that signs with ML-DSA-44 says no time. */
  readonly timestamp: number
  readonly signature: Uint8Array
}

const timestampBytes = 8

/** The time of a cosignature as people read it; what is no time of our calendar as its number. */
export function formatSeconds(timestamp: number): string {
  const date = new Date(timestamp * 1_000)
  return Number.isNaN(date.getTime()) ? `second ${timestamp}` : date.toISOString()
}

/** The bytes of a cosignature in its note line: 64 bits of time, big-endian, then the signature. */
export function encodeCosignature({ timestamp, signature }: Cosignature): Uint8Array {
  const mayBeAtNone = signature.length === mldsaSignatureBytes && timestamp === 0
  assert(isTimestamp(timestamp) || mayBeAtNone, 'a cosignature is made at a time')
  assert(isSignatureLength(signature.length), 'a signature has 64 or 2,420 bytes')
  const bytes = Buffer.alloc(timestampBytes + signature.length)
  bytes.writeBigUInt64BE(BigInt(timestamp))
  bytes.set(signature, timestampBytes)
  return bytes
}

/**
 * Reads the 72 bytes of a cosignature, or the 2,428 of one of ML-DSA-44; another length or time is
 * `malformed_cosignature`.
 */
export function decodeCosignature(bytes: Uint8Array): Cosignature {
  const cosignature = decodeTimed(bytes)
  if (cosignature.timestamp === 0) throw malformed()
  return cosignature
}

/** Whether the bytes of a signature line may be a cosignature: as long, and with a time. */
export function tellsTime(bytes: Uint8Array): boolean {
  if (!isSignatureLength(bytes.length - timestampBytes)) return false
  return isTimestamp(Number(Buffer.from(bytes.buffer, bytes.byteOffset).readBigUInt64BE()))
}

function decodeTimed(bytes: Uint8Array): Cosignature {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!isSignatureLength(view.length - timestampBytes)) throw malformed()
  const timestamp = Number(view.readBigUInt64BE())
  if (timestamp !== 0 && !isTimestamp(timestamp)) throw malformed()
  return { timestamp, signature: bytes.subarray(timestampBytes) }
}

function isSignatureLength(length: number): boolean {
  return length === signatureBytes || length === mldsaSignatureBytes
}

/**
 * What a witness signs of a checkpoint (C2SP tlog-cosignature, cosignature/v1): a line that names
 * the format, a line with the time, and the whole text of the note. It does not name the witness,
 * so a key must belong to one witness only.
 */
export function cosignedMessage(timestamp: number, text: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`cosignature/v1\ntime ${timestamp}\n`), text])
}

/** Bytes of the name of a cosigner and of the origin of a log, at most, with ML-DSA-44. */
const nameBytesMax = 255

/**
 * What is signed of a checkpoint with ML-DSA-44 (C2SP tlog-cosignature, subtree/v1): the name of
 * the signer, the time, and origin, size and root of the log. Undefined for what cannot be signed:
 * names of more than 255 bytes, and checkpoints with extension lines, which it would not cover.
 */
export function subtreeMessage(
  keyName: string,
  timestamp: number,
  text: Uint8Array,
): Uint8Array | undefined {
  const { origin, treeSize, rootHash, extension } = parseForeignCheckpoint(
    Buffer.from(text).toString('utf8'),
  )
  const names = [keyName, origin].map((name) => Buffer.from(name))
  if (extension.length > 0 || names.some(({ length }) => length > nameBytesMax)) return undefined
  const [signer = Buffer.of(), log = Buffer.of()] = names.map((name) => {
    return Buffer.concat([Uint8Array.of(name.length), name])
  })
  const numbers = [timestamp, 0, treeSize].map((number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(number))
    return bytes
  })
  const [time = Buffer.of(), start = Buffer.of(), end = Buffer.of()] = numbers
  return Buffer.concat([Buffer.from('subtree/v1\n\0'), signer, time, log, start, end, rootHash])
}

/** Cosigns checkpoints at `timestamp`, in POSIX seconds, with signature type 0x04. */
export function cosignatureSigner(keyName: string, key: Ed25519Key, timestamp: number): Signer {
  const keyId = computeKeyId(keyName, cosignatureType, key.publicKey)
  return {
    keyName,
    keyId,
    sign: (text) => {
      const signature = sign(cosignedMessage(timestamp, text), key)
      return encodeCosignature({ timestamp, signature })
    },
  }
}

/**
 * Signs checkpoints at `timestamp` with signature type 0x06, as a witness or as the log itself. The
 * caller has seen that `subtreeMessage` has words for them.
 */
export function mldsaSigner(keyName: string, key: MldsaKey, timestamp: number): Signer {
  const keyId = computeKeyId(keyName, mldsaType, key.publicKey)
  return {
    keyName,
    keyId,
    sign: (text) => {
      const message = subtreeMessage(keyName, timestamp, text)
      assert(message !== undefined, 'what is signed with ML-DSA-44 can be')
      return encodeCosignature({ timestamp, signature: signMldsa(message, key) })
    },
  }
}

/**
 * Signs the checkpoints of a log with its key and, if `withMldsa`, with the ML-DSA-44 key that
 * follows from it. That signature says no time: when a log has signed is its own word.
 */
export function logSigner(origin: string, key: Ed25519Key, withMldsa: boolean): LogSigner {
  const signer = noteSigner(origin, key)
  return withMldsa ? { ...signer, second: mldsaSigner(origin, mldsaKeyOfLog(key), 0) } : signer
}

/** The verifier key of the ML-DSA-44 key of a log. */
export function mldsaVkeyOfLog(origin: string, key: Ed25519Key): string {
  return formatVkey(origin, mldsaType, mldsaKeyOfLog(key).publicKey)
}

/** Verifies cosignatures by a vkey of type 0x04 or 0x06; another type is `malformed_vkey`. */
export function cosignatureVerifier(vkey: string): Verifier {
  const key = parseUsableVkey(vkey, witnessKeyTypes)
  return verifierOf(key, (bytes) => decodeCosignature(bytes))
}

/**
 * Verifies a log's checkpoints by a vkey of type 0x01 or 0x06; another is `malformed_vkey`.
 * `origin` is that of a log whose key has another name.
 */
export function logVerifier(vkey: string, origin?: string): Verifier {
  const key = parseUsableVkey(vkey, logKeyTypes)
  // A log need not say when it has signed; a witness must.
  const verifier = key.type === mldsaType ? verifierOf(key, decodeTimed) : noteVerifier(vkey)
  return origin === undefined ? verifier : { ...verifier, origin }
}

function verifierOf(
  { keyName, keyId, type, publicKey }: VerifierKey,
  decode: (bytes: Uint8Array) => Cosignature,
): Verifier {
  const holds = (text: Uint8Array, { timestamp, signature }: Cosignature) => {
    if (type === cosignatureType) {
      return verify(cosignedMessage(timestamp, text), signature, publicKey)
    }
    const message = subtreeMessage(keyName, timestamp, text)
    return message !== undefined && verifyMldsa(message, signature, publicKey)
  }
  return {
    keyName,
    keyId,
    verify: (text, bytes) => {
      try {
        return holds(text, decode(bytes))
      } catch (error) {
        if (error instanceof LogError) return false
        throw error
      }
    },
  }
}

function isTimestamp(seconds: number): boolean {
  return Number.isSafeInteger(seconds) && seconds > 0
}

function malformed(): LogError {
  return new LogError('malformed_cosignature', 'not a cosignature: time and signature')
}
