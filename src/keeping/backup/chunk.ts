import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, zstdCompress, zstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'

import { BackupError, damaged } from '#src/keeping/backup/backup_target.ts'
import { decodeItem, type SnapshotItem, splitItems } from '#src/keeping/snapshot/snapshot.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The longest chunk is one row, as long as a snapshot may have one, with its store and the end. */
const unpackedBytesMax = 257 * 1_048_576

/** What is kept of a chunk is at most as much longer as Zstandard and age make what is random. */
export const keptChunkBytesMax = unpackedBytesMax + 8 * 1_048_576

/** Bytes of the `info` of HKDF at most, in Node. */
const infoBytesMax = 1_024

/** Whom a backup can be encrypted for, at most. */
export const recipientsMax = 64

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

  /** `pepper` is the registry's secret. */
  constructor(pepper: Uint8Array, recipients: Recipients) {
    this.#key = Buffer.from(hkdfSync('sha256', pepper, '', useOf(recipients), 32))
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

/**
 * What the key of the names is for: the list of the recipients, or its digest where it is longer
 * than the `info` of HKDF (RFC 5869) may be in Node. No list is spelled as a digest is.
 */
function useOf(recipients: Recipients): string {
  const use = ['arklog backup', ...recipients].join('\n')
  if (isShort(recipients)) return use
  return `arklog backup\nsha256 ${hash('sha256', use)}`
}

/** Whether the key of the names is made from the recipients as format 1 of manifests has it. */
export function isShort(recipients: Recipients): boolean {
  return ['arklog backup', ...recipients].join('\n').length <= infoBytesMax
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
    return await decompress(compressed, { maxOutputLength: unpackedBytesMax })
  } catch (cause) {
    throw damaged(`A part of the backup cannot be decompressed (${(cause as Error).message})`)
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
      `The backup is encrypted and cannot be decrypted (${(cause as Error).message}). Give a ` +
        'file with the identity of one of its recipients with --identity.',
      { cause },
    )
  }
}

/**
 * Why nothing can be encrypted for these recipients; undefined if it can. Classic and post-quantum
 * ones do not go together, as age has it (its label `postquantum`): a file is as safe as the
 * weakest of them.
 */
export function recipientsProblem(recipients: Recipients): string | undefined {
  const strange = recipients.find((recipient) => !isRecipient(recipient))
  if (strange !== undefined) {
    return `${strange} is not an age recipient. A recipient begins with age1.`
  }
  if (recipients.length > recipientsMax) {
    return `A backup can have at most ${recipientsMax} recipients.`
  }
  const quantumSafe = recipients.filter((text) => /^age1(?:pq|tagpq)1/.test(text))
  if (quantumSafe.length === 0 || quantumSafe.length === recipients.length) return undefined
  return (
    'Classic and post-quantum recipients cannot be mixed: somebody who breaks the classic ones ' +
    'with a quantum computer can read the backup. Give recipients of one kind (age1pq1… and ' +
    'age1tagpq1… are post-quantum).'
  )
}

function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

/** Whether a text is an identity that age knows. */
export function isIdentity(text: string): boolean {
  try {
    new Decrypter().addIdentity(text)
    return true
  } catch {
    return false
  }
}

/** A part of a snapshot: whole items, in their order. */
export type SnapshotChunk = {
  readonly bytes: Buffer
  readonly items: readonly SnapshotItem[]
}

/** Bytes of rows in a chunk: at least, but for a store's last, and at most, but for one row. */
const chunkBytesMin = 256 * 1_024
const chunkBytesMax = 8 * 1_048_576

/** One key in so many ends a chunk. */
const keysPerCut = 4_096

/**
 * Cuts a snapshot into chunks: the head by itself, and the rows of each store where their keys say
 * so. Where rows have not changed between two snapshots, neither have most of their chunks,
 * wherever rows were added or removed before them: what was kept once need not be kept again.
 */
export async function* cutSnapshot(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<SnapshotChunk> {
  let bytes: Buffer[] = []
  let items: SnapshotItem[] = []
  let length = 0
  const take = () => {
    const chunk = { bytes: Buffer.concat(bytes), items }
    bytes = []
    items = []
    length = 0
    return chunk
  }
  for await (const written of splitItems(pieces)) {
    const item = decodeItem(written)
    if (item.type === 'store' && length > 0) yield take()
    bytes.push(written)
    items.push(item)
    length += written.length
    if (endsChunk(item, length)) yield take()
  }
  if (length > 0) yield take()
}

function endsChunk(item: SnapshotItem, length: number): boolean {
  if (item.type === 'head') return true
  if (item.type !== 'row') return false
  if (length >= chunkBytesMax) return true
  return length >= chunkBytesMin && crc32(item.row[0]) % keysPerCut === 0
}
