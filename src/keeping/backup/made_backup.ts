import { checkpointPrefix } from '#log/store/log_rows.ts'
import { type BackupOwner, ownerOf } from '#src/keeping/backup/backup_owner.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import {
  ChunkNames,
  cutSnapshot,
  encodeChunk,
  type Recipients,
  type SnapshotChunk,
} from '#src/keeping/backup/chunk.ts'
import {
  backupId,
  chunkFile,
  chunkFolder,
  formatFor,
  type Manifest,
  manifestFile,
  manifestFolder,
  signManifest,
} from '#src/keeping/backup/manifest.ts'
import { malformed, type SnapshotItem } from '#src/keeping/snapshot/snapshot.ts'

/** What a backup is made from, and where. */
export type MakeOptions = {
  /** A snapshot of the registry, in pieces. */
  readonly pieces: AsyncIterable<Uint8Array>
  readonly target: BackupTarget
  readonly recipients: Recipients
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Hears how many bytes of the snapshot are kept, of about so many. */
  readonly progress: (done: number, total: number) => void
}

/** A backup that was made, and what of it the target did not have yet. */
export type MadeBackup = {
  readonly manifest: Manifest
  /** The registry that it is of. */
  readonly owner: BackupOwner
  readonly newChunks: number
  /** Bytes that were written to the target. */
  readonly writtenBytes: number
}

/** Chunks that are compressed, encrypted and written at one time. */
const writingMax = 4

/**
 * Makes a backup: the chunks of the snapshot that the target has not, then the manifest, with which
 * it is there. One that is cut off leaves chunks that the next one need not write. Errors: those of
 * the snapshot and its source, BackupError `target_failed`.
 */
export async function makeBackup(options: MakeOptions): Promise<MadeBackup> {
  const { pieces, target, nowMs } = options
  await using writer = new ChunkWriter(options, new Set(await target.list(chunkFolder)))
  for await (const chunk of cutSnapshot(pieces)) await writer.add(chunk)
  const { content, names, ...made } = await writer.end()
  const created_at = new Date(nowMs).toISOString()
  const format = formatFor(options.recipients)
  const manifest = { format, id: await freeId(target, nowMs), created_at, ...content }
  const signed = signManifest(manifest, names)
  await target.write(manifestFile(signed.id), Buffer.from(`${JSON.stringify(signed)}\n`))
  return { manifest: signed, ...made }
}

/** The id of a backup that is begun now. A clock that was put back does not overwrite another. */
async function freeId(target: BackupTarget, nowMs: number): Promise<string> {
  const taken = new Set(await target.list(manifestFolder))
  let ms = nowMs
  while (taken.has(manifestFile(backupId(ms)))) ms += 1
  return backupId(ms)
}

class ChunkWriter implements AsyncDisposable {
  readonly #options: MakeOptions
  readonly #kept: Set<string>
  readonly #writing: Promise<void>[] = []
  readonly #chunks: string[] = []
  readonly #checkpoints: Record<string, string> = {}
  #named: { readonly owner: BackupOwner; readonly names: ChunkNames } | undefined
  #store = ''
  #total = 0
  #rows = 0
  #bytes = 0
  #isEnded = false
  #newChunks = 0
  #writtenBytes = 0

  constructor(options: MakeOptions, kept: Set<string>) {
    this.#options = options
    this.#kept = kept
  }

  async add({ bytes, items }: SnapshotChunk): Promise<void> {
    for (const item of items) this.#note(item)
    if (this.#named === undefined) throw malformed('it has no head')
    const name = this.#named.names.nameOf(bytes)
    const file = chunkFile(name, this.#options.recipients)
    this.#chunks.push(name)
    this.#bytes += bytes.length
    if (!this.#kept.has(file)) {
      this.#kept.add(file)
      const written = this.#write(file, bytes)
      // Whoever waits for it hears of it.
      written.catch(() => undefined)
      this.#writing.push(written)
      if (this.#writing.length >= writingMax) await this.#writing.shift()
    }
    this.#options.progress(this.#bytes, Math.max(this.#bytes, this.#total))
  }

  async end() {
    await Promise.all(this.#writing)
    if (this.#named === undefined || !this.#isEnded) throw malformed('it ends early')
    const content = {
      recipients: [...this.#options.recipients],
      checkpoints: this.#checkpoints,
      rows: this.#rows,
      bytes: this.#bytes,
      chunks: this.#chunks,
    }
    const [newChunks, writtenBytes] = [this.#newChunks, this.#writtenBytes]
    return { content, ...this.#named, newChunks, writtenBytes }
  }

  /** Resolves once nothing is written any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#writing)
  }

  #note(item: SnapshotItem): void {
    switch (item.type) {
      case 'head': {
        const owner = ownerOf(item.head)
        const names = new ChunkNames(owner.pepper, this.#options.recipients)
        this.#named = { owner, names }
        this.#total = item.head.bytes
        break
      }
      case 'store':
        this.#store = item.name
        break
      case 'row': {
        const [key, value] = item.row
        this.#rows += 1
        // Rows come in the order of their keys, so that the last one is the newest.
        if (key.startsWith(checkpointPrefix)) {
          this.#checkpoints[this.#store] = Buffer.from(value).toString('utf8')
        }
        break
      }
      case 'end':
        this.#isEnded = true
    }
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const kept = await encodeChunk(bytes, this.#options.recipients)
    await this.#options.target.write(file, kept)
    this.#newChunks += 1
    this.#writtenBytes += kept.length
  }
}
