import { LogError } from '#log/tlog/errors.ts'
import { checkpointPrefix } from '#log/store/log_rows.ts'
import { type Checkpoint, checkpointIn } from '#log/tlog/checkpoint.ts'
import {
  type BackupOwner,
  logOf,
  type OwnedLog,
  ownerOf,
  pepperOf,
  signedState,
} from '#src/keeping/backup/backup_owner.ts'
import { BackupError, type BackupTarget, damaged } from '#src/keeping/backup/backup_target.ts'
import {
  ChunkNames,
  decodeChunk,
  type Identities,
  keptChunkBytesMax,
  cutSnapshot,
  encodeChunk,
  type Recipients,
  type SnapshotChunk,
} from '#src/keeping/backup/chunk.ts'
import {
  type ClaimedBackup,
  findBackups,
  type LeftAlone,
  newestFirst,
} from '#src/keeping/backup/found_backups.ts'
import {
  chunkFile,
  isSigned,
  type Manifest,
  manifestFile,
  backupId,
  chunkFolder,
  formatFor,
  manifestFolder,
  signManifest,
} from '#src/keeping/backup/manifest.ts'
import {
  readSnapshot,
  SnapshotError,
  type SnapshotHead,
  type SnapshotItem,
  malformed,
} from '#src/keeping/snapshot/snapshot.ts'

/** Chunks that are read at one time. */
const readingMax = 4

/** Where backups are looked for, and with what they are opened. */
export type ReadOptions = {
  readonly target: BackupTarget
  readonly identities: Identities
  /** The verifier key of the log whose backups are wanted, if it is known from elsewhere. */
  readonly vkey: string | undefined
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** Which backup is opened: the newest one by default. */
export type OpenOptions = ReadOptions & { readonly id: string | undefined }

/** A backup of which the head was read, and with it who has made the rest. */
export type KeptBackup = {
  readonly manifest: Manifest
  readonly head: SnapshotHead
  readonly owner: BackupOwner
  /** Its live log, and the newest state of it, signed with the log's key. */
  readonly log: OwnedLog & { readonly state: Checkpoint }
  /** What it consists of, each chunk checked before anything of it is given. */
  items(): AsyncGenerator<SnapshotItem>
}

/** The backup that was asked for, and what else the target shows. */
export type FoundBackup = KeptBackup & {
  /** What could have been the newest one and is none, or is of another log. */
  readonly left: readonly LeftAlone[]
  /** The newest state of the log that another manifest shows, signed with the log's key. */
  readonly newest: { readonly file: string; readonly state: Checkpoint } | undefined
}

/**
 * Opens the backup of an id, or the newest one: of the log with `vkey`, else of any. Manifests that
 * nobody has authenticated, or that do not open, are passed over and told. BackupErrors
 * `backup_missing`, `backup_encrypted`, `backup_foreign`, `backup_damaged` and `target_failed`;
 * reading its items may end with each of them too, and with SnapshotError `snapshot_malformed`.
 */
export async function openBackup(options: OpenOptions): Promise<FoundBackup> {
  const { target, id, vkey } = options
  const { claimed, unread } = await findBackups(target)
  const isWanted = ({ file }: { file: string }) => id === undefined || file === manifestFile(id)
  const left: LeftAlone[] = unread.filter(isWanted)
  const failures: BackupError[] = []
  for (const claim of rank(claimed.filter(isWanted), options)) {
    const opened = await openClaim(claim, options)
    if (!(opened instanceof BackupError)) {
      const others = claimed.filter((other) => other !== claim)
      const isPinned = id !== undefined || vkey !== undefined
      const strangers = isPinned ? [] : strangersIn(others, opened)
      return { ...opened, left: [...left, ...strangers], newest: newestIn(others, opened) }
    }
    failures.push(opened)
    left.push({ file: claim.file, code: opened.code, why: opened.message })
  }
  // With the right identity there might be one.
  const failure = failures.find(({ code }) => code === 'backup_encrypted') ?? failures[0]
  throw failure ?? noneIn(left, id)
}

/** A backup of a target, as far as it can be told whose it is. */
export type ListedBackup = {
  readonly id: string
  readonly isEncrypted: boolean
  /** Its log, if the backup is authentic; else why that cannot be told. */
  readonly log: KeptBackup['log'] | BackupError
}

/**
 * The backups that a target keeps, the newest last, and what else lies there. BackupError
 * `target_failed`.
 */
export async function listBackups(
  options: ReadOptions,
): Promise<{ readonly backups: readonly ListedBackup[]; readonly left: readonly LeftAlone[] }> {
  const { claimed, unread } = await findBackups(options.target)
  const backups: ListedBackup[] = []
  for (const claim of rank(claimed, options).reverse()) {
    const { id, recipients } = claim.manifest
    const opened = await openClaim(claim, options)
    const log = opened instanceof BackupError ? opened : opened.log
    backups.push({ id, isEncrypted: recipients.length > 0, log })
  }
  return { backups, left: unread }
}

/** Manifests by how new they claim to be, by what the log with `vkey` has signed if it is given. */
function rank(
  claimed: readonly ClaimedBackup[],
  { vkey, nowMs }: Pick<ReadOptions, 'vkey' | 'nowMs'>,
): ClaimedBackup[] {
  return claimed
    .map((claim) => ({ ...claim, treeSize: sizeIn(claim, vkey) }))
    .sort(newestFirst(nowMs))
    .map(({ file, manifest }) => ({ file, manifest }))
}

function sizeIn({ manifest }: ClaimedBackup, vkey: string | undefined): number {
  if (vkey !== undefined) return signedState(manifest, vkey)?.treeSize ?? -1
  try {
    return checkpointIn(manifest.checkpoints['live'] ?? '').treeSize
  } catch (error) {
    if (error instanceof LogError) return -1
    throw error
  }
}

function strangersIn(others: readonly ClaimedBackup[], { log }: KeptBackup): readonly LeftAlone[] {
  return others
    .filter(({ manifest }) => signedState(manifest, log.vkey) === undefined)
    .map(({ file }) => ({ file, code: 'backup_foreign', why: `is not of the log ${log.vkey}` }))
}

function newestIn(others: readonly ClaimedBackup[], { log }: KeptBackup): FoundBackup['newest'] {
  let newest: FoundBackup['newest']
  for (const { file, manifest } of others) {
    const state = signedState(manifest, log.vkey)
    const known = newest?.state ?? log.state
    if (state !== undefined && state.treeSize > known.treeSize) newest = { file, state }
  }
  return newest
}

function noneIn([first]: readonly LeftAlone[], id: string | undefined): BackupError {
  if (first !== undefined) {
    return new BackupError(first.code, `${first.file} cannot be restored: ${first.why}.`)
  }
  return new BackupError(
    'backup_missing',
    id === undefined
      ? 'There is no backup there: check the address, or make one with "arklog backup".'
      : `There is no backup ${id}: "arklog restore --list" lists the existing ones.`,
  )
}

/** Opens a backup, and authenticates it; gives the fault if that fails. Throws `target_failed`. */
async function openClaim(
  { file, manifest }: ClaimedBackup,
  { target, identities, vkey }: ReadOptions,
): Promise<KeptBackup | BackupError> {
  try {
    const first = await readChunk({ target, identities, manifest }, 0)
    const head = await headOf(first)
    // The head says by itself what it is authenticated with: that alone proves nothing of who made
    // it, but that it is whole, and that the rest is of the same hand.
    const names = new ChunkNames(pepperOf(head), manifest.recipients)
    if (!isSigned(manifest, names)) throw changed(file)
    assertNamed({ manifest, names }, 0, first)
    const owner = ownerOf(head)
    const log = logOf(owner)
    if (vkey !== undefined && log.vkey !== vkey) throw ofAnotherLog(manifest, log, vkey)
    const state = signedState(manifest, log.vkey)
    if (state === undefined) throw damaged(`${file} has no signed state of its log`)
    const chunks = { target, identities, manifest, names }
    const items = () => readSnapshot(readChunks(chunks))
    return { manifest, head, owner, log: { ...log, state }, items }
  } catch (error) {
    if (error instanceof BackupError && error.code !== 'target_failed') return error
    throw error
  }
}

function ofAnotherLog({ id }: Manifest, log: OwnedLog, vkey: string): BackupError {
  return new BackupError(
    'backup_foreign',
    `Backup ${id} is of the log ${log.vkey}, but you gave the key ${vkey}. Give the key ` +
      'of that log, or another target.',
  )
}

type Chunks = Pick<ReadOptions, 'target' | 'identities'> & { readonly manifest: Manifest }

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
      // Its reader gets the error.
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
  const kept = await target.read(file, keptChunkBytesMax)
  if (kept === undefined) throw damaged(`${file}, a part of backup ${manifest.id}, is missing`)
  return decodeChunk(kept, recipients.length > 0, identities)
}

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
      // The caller that waits for it gets the error.
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
