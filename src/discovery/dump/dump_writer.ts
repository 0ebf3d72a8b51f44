import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, createZstdCompress } from 'node:zlib'

import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { parseArk } from '#actors/values/ark.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import {
  DumpError,
  entryLine,
  LoggedWorks,
  type LoggedWork,
} from '#src/discovery/dump/logged_works.ts'

/** A file of a dump. `lines_sha256` is that of the file once it is unpacked. */
type DumpFile = {
  readonly name: string
  readonly holds: 'works' | 'log'
  readonly encoding: 'gzip' | 'zstd'
  readonly bytes: number
  readonly sha256: string
  readonly lines: number
  readonly lines_sha256: string
}

/** What a dump says of itself. */
export type DumpManifest = {
  readonly format: typeof dumpFormat
  readonly made_at: string
  readonly registry: { readonly name: string; readonly url: string }
  readonly documentation: string
  readonly log: {
    readonly origin: string
    readonly tree_size: number
    readonly root_hash: string
    readonly checkpoint: string
  }
  readonly counts: {
    readonly works: number
    readonly withdrawn: number
    readonly without_metadata: number
  }
  readonly files: readonly DumpFile[]
}

export const dumpFormat = 'arklog-dump-1'

/** Where dumps are, in the data directory. */
export const dumpsFolder = 'dumps'

/** Works that one dump has at most: what the log says of them is in memory while it is made. */
const worksMax = 500_000

/** The name of the file that names all others. */
export const manifestName = 'manifest.json'

/** Bytes that are written at a time, about. */
const chunkBytes = 65_536

type DumpSource = {
  readonly environment: Pick<ServedEnvironment, 'log' | 'catalogue' | 'origin'>
  readonly name: string
  readonly baseUrl: string
  readonly nowMs: () => number
  /** Ends the making, by an error. */
  readonly signal: AbortSignal
}

/**
 * Writes all works as they stand at the log's newest checkpoint below `dir`, beside the entries of
 * the log that prove it, and takes the dump before away. What was begun and not finished is made
 * anew. Errors: DumpError, if a work was erased meanwhile or is damaged, or there are too many; the
 * reason of `signal`; those of the file system.
 */
export async function writeDump(source: DumpSource, dir: string): Promise<DumpManifest> {
  const { environment, name, baseUrl, nowMs } = source
  const { log, origin } = environment
  const { treeSize, rootHash, checkpoint } = log.head()
  const half = path.join(dir, 'half')
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { recursive: true })
  const works = new LoggedWorks()
  const entries = entryLines(source, treeSize, works)
  const logFile = await writeGzip(half, `log-${treeSize}.jsonl.gz`, 'log', entries)
  const counts = { works: works.size, withdrawn: 0, without_metadata: 0 }
  const lines = workLines(source, works, counts)
  const gzip = await writeGzip(half, `works-${treeSize}.jsonl.gz`, 'works', lines)
  const zstd = await packAgain(half, gzip)
  const manifest: DumpManifest = {
    format: dumpFormat,
    made_at: new Date(nowMs()).toISOString(),
    registry: { name, url: baseUrl },
    documentation: `${baseUrl}/data`,
    log: { origin, tree_size: treeSize, root_hash: encodeHex(rootHash), checkpoint },
    counts,
    files: [zstd, gzip, logFile],
  }
  await writeFile(path.join(half, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const folder = `${manifest.made_at.slice(0, 10)}-${treeSize}`
  await rm(path.join(dir, folder), { recursive: true, force: true })
  await rename(half, path.join(dir, folder))
  for (const other of await dumpsIn(dir)) {
    if (other !== folder) await rm(path.join(dir, other), { recursive: true, force: true })
  }
  return manifest
}

/** Removes all dumps, and what was begun of one: they have what was erased from the store. */
export async function removeDumps(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true })
}

async function dumpsIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => /^\d{4}-\d\d-\d\d-\d+$/.test(name)).toSorted()
}

/** The newest whole dump below a folder, and the folder that it is in; undefined without one. */
export async function newestDump(
  dir: string,
): Promise<{ readonly folder: string; readonly manifest: DumpManifest } | undefined> {
  const name = (await dumpsIn(dir)).at(-1)
  if (name === undefined) return undefined
  const folder = path.join(dir, name)
  const text = await readFile(path.join(folder, manifestName), 'utf8')
  return { folder, manifest: JSON.parse(text) as DumpManifest }
}

async function* entryLines(
  { environment: { log }, signal }: DumpSource,
  treeSize: number,
  works: LoggedWorks,
): AsyncGenerator<string> {
  const stride = new Stride()
  for await (const entry of log.entries(0, treeSize)) {
    works.add(entry)
    if (works.size > worksMax) {
      throw new DumpError('dump_unusable', `there are more than ${worksMax} works`)
    }
    signal.throwIfAborted()
    yield entryLine(entry)
    await stride.step(entry.length)
  }
}

async function* workLines(
  source: DumpSource,
  works: LoggedWorks,
  counts: { withdrawn: number; without_metadata: number },
): AsyncGenerator<string> {
  const stride = new Stride()
  for (const work of works.all()) {
    source.signal.throwIfAborted()
    const metadata = await metadataOf(source, work)
    if (work.status === 'withdrawn') counts.withdrawn += 1
    if (metadata === null) counts.without_metadata += 1
    const line = JSON.stringify({ ...work, metadata })
    yield line
    await stride.step(line.length)
  }
}

/** What was registered as the version that the log has; null once it was erased. */
async function metadataOf(
  { environment: { catalogue } }: DumpSource,
  { ark: shown, version, status }: LoggedWork,
): Promise<unknown> {
  const parsed = parseArk(shown)
  const found =
    parsed.type === 'ark' ? await catalogue.resolve(parsed.ark, shown, version) : undefined
  if (found?.type === 'found') {
    const body = JSON.parse(Buffer.from(found.body).toString('utf8')) as { metadata?: unknown }
    if (body.metadata !== undefined) return body.metadata
    if (status === 'withdrawn') return null
  }
  throw new DumpError('dump_unusable', `${shown} v${version} cannot be read as the log has it`)
}

async function writeGzip(
  folder: string,
  name: string,
  holds: DumpFile['holds'],
  texts: AsyncIterable<string>,
): Promise<DumpFile> {
  const hash = createHash('sha256')
  let lines = 0
  async function* chunks(): AsyncGenerator<Buffer> {
    let text = ''
    const bytesOf = () => {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      text = ''
      return bytes
    }
    for await (const line of texts) {
      text += `${line}\n`
      lines += 1
      if (text.length >= chunkBytes) yield bytesOf()
    }
    yield bytesOf()
  }
  const file = path.join(folder, name)
  await pipeline(Readable.from(chunks()), createGzip(), createWriteStream(file))
  const about = { name, holds, encoding: 'gzip' } as const
  return { ...about, ...(await measure(file)), lines, lines_sha256: hash.digest('hex') }
}

/** The same lines, packed by Zstandard. */
async function packAgain(folder: string, { name: gzip, ...about }: DumpFile): Promise<DumpFile> {
  const name = gzip.replace(/gz$/, 'zst')
  const file = path.join(folder, name)
  await pipeline(
    createReadStream(path.join(folder, gzip)),
    createGunzip(),
    createZstdCompress(),
    createWriteStream(file),
  )
  return { ...about, name, encoding: 'zstd', ...(await measure(file)) }
}

async function measure(file: string): Promise<Pick<DumpFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
