import { BackupError, damaged } from '#src/backup/backup_error.ts'
import type { BackupTarget } from '#src/backup/backup_target.ts'
import { ChunkNames, decodeChunk, type Identities } from '#src/backup/chunk_codec.ts'
import {
  backupFormat,
  chunkFile,
  chunkFolder,
  isSigned,
  type Manifest,
  manifestFile,
  manifestFolder,
  manifestIdOf,
  parseManifest,
} from '#src/backup/manifest.ts'
import { readSnapshot, type SnapshotHead, type SnapshotItem } from '#src/snapshot/snapshot.ts'
import { SnapshotError } from '#src/snapshot/snapshot_error.ts'

/** Chunks that are read at one time. */
const readingMax = 4

/** The ids of the backups that a target keeps, oldest first. BackupError `target_failed`. */
export async function listBackups(target: BackupTarget): Promise<readonly string[]> {
  const files = await target.list(manifestFolder)
  return files.flatMap((file) => manifestIdOf(file) ?? []).sort()
}

/**
 * Removes all but the newest `keptMax` backups of a target, and the chunks that none of those has.
 * Nobody may make a backup there meanwhile. Gives the ids of what is gone. Errors: BackupErrors
 * `backup_damaged` if a manifest that stays cannot be read, `target_failed`.
 */
export async function pruneBackups(
  target: BackupTarget,
  keptMax: number,
): Promise<readonly string[]> {
  const ids = await listBackups(target)
  const gone = ids.slice(0, -keptMax)
  const used = new Set<string>()
  for (const id of ids.slice(-keptMax)) {
    const { chunks, recipients } = await readManifest(target, id)
    for (const name of chunks) used.add(chunkFile(name, recipients))
  }
  // Without its manifest a backup is none, so that none is ever half there.
  for (const id of gone) await target.remove(manifestFile(id))
  for (const file of await target.list(chunkFolder)) if (!used.has(file)) await target.remove(file)
  return gone
}

async function readManifest(target: BackupTarget, id: string): Promise<Manifest> {
  const file = manifestFile(id)
  const bytes = await target.read(file)
  if (bytes === undefined) throw missing(`There is no backup ${id}.`)
  const manifest = parseManifest(file, bytes)
  if (manifest.id !== id) throw damaged(`${file} is of another backup`)
  if (manifest.format > backupFormat) {
    throw new BackupError(
      'backup_foreign',
      `${file} was made by a newer version of Arklog. Install that one to restore it.`,
    )
  }
  return manifest
}

/** A backup of which the head was read, and with it who made the rest. */
export type KeptBackup = {
  readonly manifest: Manifest
  readonly head: SnapshotHead
  /** What it consists of, each chunk checked before anything of it is given. */
  items(): AsyncGenerator<SnapshotItem>
}

/** Which backup is opened, and with what. */
export type OpenOptions = {
  readonly target: BackupTarget
  /** The newest one unless told. */
  readonly id: string | undefined
  readonly identities: Identities
}

/**
 * Opens a backup. BackupErrors `backup_missing`, `backup_encrypted`, `backup_foreign`,
 * `backup_damaged` and `target_failed`; reading its items may end with each of them too, and with
 * SnapshotError `snapshot_malformed`.
 */
export async function openBackup({ target, id, identities }: OpenOptions): Promise<KeptBackup> {
  const newest = id ?? (await listBackups(target)).at(-1)
  if (newest === undefined) {
    throw missing('No backup is kept there: check the address, or make one with "arklog backup".')
  }
  const manifest = await readManifest(target, newest)
  const first = await readChunk({ target, identities, manifest }, 0)
  const head = await headOf(first)
  const names = new ChunkNames(head, manifest.recipients)
  if (!isSigned(manifest, names)) throw changed(manifestFile(newest))
  assertNamed({ manifest, names }, 0, first)
  const chunks = { target, identities, manifest, names }
  return { manifest, head, items: () => readSnapshot(readChunks(chunks)) }
}

type Chunks = Pick<OpenOptions, 'target' | 'identities'> & { readonly manifest: Manifest }

type NamedChunks = { readonly manifest: Manifest; readonly names: ChunkNames }

async function headOf(first: Buffer): Promise<SnapshotHead> {
  const items = readSnapshot(
    (async function* () {
      yield first
    })(),
  )
  try {
    for await (const item of items) if (item.type === 'head') return item.head
  } catch (cause) {
    // Nobody knows yet whether it is as it was written: what names it is in it.
    if (!(cause instanceof SnapshotError)) throw cause
  } finally {
    await items.return(undefined)
  }
  throw damaged('The backup does not begin with a head')
}

async function* readChunks(chunks: Chunks & NamedChunks): AsyncGenerator<Uint8Array> {
  const { manifest } = chunks
  const reading: Promise<Buffer>[] = []
  for (let index = 0; index < manifest.chunks.length; index += 1) {
    const end = Math.min(index + readingMax, manifest.chunks.length)
    while (index + reading.length < end) {
      const chunk = readChunk(chunks, index + reading.length)
      // Whoever takes it hears of it.
      chunk.catch(() => undefined)
      reading.push(chunk)
    }
    const bytes = (await reading.shift()) as Buffer
    assertNamed(chunks, index, bytes)
    yield bytes
  }
}

/** BackupError `backup_damaged` if a chunk does not have the name that it has in the manifest. */
function assertNamed({ manifest, names }: NamedChunks, index: number, bytes: Buffer): void {
  const name = manifest.chunks[index] as string
  if (!names.isNameOf(name, bytes)) throw changed(chunkFile(name, manifest.recipients))
}

function changed(file: string): BackupError {
  return damaged(`${file} is not as it was written`)
}

async function readChunk({ target, manifest, identities }: Chunks, index: number): Promise<Buffer> {
  const { recipients, chunks } = manifest
  const file = chunkFile(chunks[index] as string, recipients)
  const kept = await target.read(file)
  if (kept === undefined) throw damaged(`${file}, a part of backup ${manifest.id}, is missing`)
  return decodeChunk(kept, recipients.length > 0, identities)
}

function missing(message: string): BackupError {
  return new BackupError('backup_missing', message)
}
