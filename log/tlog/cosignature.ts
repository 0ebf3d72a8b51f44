import { assert, LogError } from '#log/base/errors.ts'
import { type Ed25519Key, sign, verify } from '#log/tlog/ed25519.ts'
import { signatureBytes } from '#log/tlog/ed25519_policy.ts'
import {
  computeKeyId,
  cosignatureType,
  parseUsableVkey,
  type Signer,
  type Verifier,
} from '#log/tlog/note.ts'

/** A witness' signature of a checkpoint: when it looked, and 64 bytes of Ed25519. */
export type Cosignature = {
  /** Seconds of POSIX time, never 0. */
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
  assert(isTimestamp(timestamp), 'a cosignature is made at a time')
  assert(signature.length === signatureBytes, 'an Ed25519 signature has 64 bytes')
  const bytes = Buffer.alloc(timestampBytes + signatureBytes)
  bytes.writeBigUInt64BE(BigInt(timestamp))
  bytes.set(signature, timestampBytes)
  return bytes
}

/** Reads the 72 bytes of a cosignature; another length or time is `malformed_cosignature`. */
export function decodeCosignature(bytes: Uint8Array): Cosignature {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (view.length !== timestampBytes + signatureBytes) throw malformed()
  const timestamp = Number(view.readBigUInt64BE())
  if (!isTimestamp(timestamp)) throw malformed()
  return { timestamp, signature: bytes.subarray(timestampBytes) }
}

/**
 * What a witness signs of a checkpoint (C2SP tlog-cosignature, cosignature/v1): a line that names
 * the format, a line with the time, and the whole text of the note. It does not name the witness,
 * so a key must belong to one witness only.
 */
export function cosignedMessage(timestamp: number, text: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`cosignature/v1\ntime ${timestamp}\n`), text])
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

/** Verifies cosignatures by a vkey of type 0x04; another type is `malformed_vkey`. */
export function cosignatureVerifier(vkey: string): Verifier {
  const { keyName, keyId, publicKey } = parseUsableVkey(vkey, cosignatureType)
  return { keyName, keyId, verify: (text, bytes) => verifyCosignature(text, bytes, publicKey) }
}

function verifyCosignature(text: Uint8Array, bytes: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    const { timestamp, signature } = decodeCosignature(bytes)
    return verify(cosignedMessage(timestamp, text), signature, publicKey)
  } catch (error) {
    if (error instanceof LogError) return false
    throw error
  }
}

function isTimestamp(seconds: number): boolean {
  return Number.isSafeInteger(seconds) && seconds > 0
}

function malformed(): LogError {
  return new LogError('malformed_cosignature', 'not a cosignature: time and Ed25519 signature')
}
