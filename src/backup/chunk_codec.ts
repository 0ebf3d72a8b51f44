import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

import { Decrypter, Encrypter } from 'age-encryption'

import { BackupError, damaged } from '#src/backup/backup_error.ts'
import type { SnapshotHead } from '#src/snapshot/snapshot.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The longest chunk is one row, as long as a snapshot may have one, with its store and the end. */
const chunkBytesMax = 257 * 1_048_576

/** Whom chunks are for: recipients of age (`age1…`), or nobody if they are not encrypted. */
export type Recipients = readonly string[]

/** The secrets that open what was encrypted: identities of age (`AGE-SECRET-KEY-1…`). */
export type Identities = readonly string[]

/**
 * The key under which the chunks of a registry have their names, which are digests of what is in
 * them (HMAC-SHA-256): who does not know the registry's secrets learns nothing from a name, and
 * cannot make a chunk that has it. Other recipients get other chunks, so other names.
 */
export class ChunkNames {
  readonly #key: Buffer

  constructor({ secrets }: SnapshotHead, recipients: Recipients) {
    const pepper = Buffer.from(secrets['api-keys.pepper'] ?? '', 'base64')
    const use = ['arklog backup', ...recipients].join('\n')
    this.#key = Buffer.from(hkdfSync('sha256', pepper, '', use, 32))
  }

  /** 64 hex digits. */
  nameOf(bytes: Uint8Array): string {
    return createHmac('sha256', this.#key).update(bytes).digest('hex')
  }

  /** Whether bytes are those that were given this name. */
  isNameOf(name: string, bytes: Uint8Array): boolean {
    const [given, made] = [Buffer.from(name), Buffer.from(this.nameOf(bytes))]
    return given.length === made.length && timingSafeEqual(given, made)
  }
}

/** A chunk as it is kept: compressed with Zstandard (RFC 8878), then encrypted as age has it. */
export async function encodeChunk(bytes: Uint8Array, recipients: Recipients): Promise<Uint8Array> {
  const compressed = await compress(bytes)
  if (recipients.length === 0) return compressed
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter.encrypt(compressed)
}

/**
 * A chunk as it was, from what is kept of it. `isEncrypted` says whether it should be. BackupErrors
 * `backup_encrypted` if none of the identities opens it, `backup_damaged`.
 */
export async function decodeChunk(
  kept: Uint8Array,
  isEncrypted: boolean,
  identities: Identities,
): Promise<Buffer> {
  const compressed = isEncrypted ? await decrypt(kept, identities) : kept
  try {
    return await decompress(compressed, { maxOutputLength: chunkBytesMax })
  } catch (cause) {
    throw damaged(`A part of the backup cannot be unpacked (${(cause as Error).message})`)
  }
}

async function decrypt(kept: Uint8Array, identities: Identities): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    return await decrypter.decrypt(kept)
  } catch (cause) {
    throw new BackupError(
      'backup_encrypted',
      `The backup is encrypted, and cannot be opened (${(cause as Error).message}). Give a file ` +
        'with the identity of one of its recipients with --identity.',
      { cause },
    )
  }
}

/** Whether a text is a recipient that age knows. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}
