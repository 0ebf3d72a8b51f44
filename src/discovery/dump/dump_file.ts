import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type Static, Type } from 'typebox'

import { DumpError } from '#src/discovery/dump/logged_works.ts'

export const dumpFormat = 'arklog-dump-1'

/** The tables of a dump, each as CSV and as Parquet. */
export const dumpTableNames = ['works', 'authors', 'funding', 'relations', 'events'] as const

export type DumpTableName = (typeof dumpTableNames)[number]

const hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const strict = { additionalProperties: false }

const fileSchema = Type.Object(
  {
    // Without a slash: a manifest names nothing outside of its folder.
    name: Type.String({ pattern: '^[a-z]+-[0-9-]+\\.jsonl\\.(?:gz|zst)$' }),
    holds: Type.Union([Type.Literal('works'), Type.Literal('log')]),
    month: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$' })),
    encoding: Type.Union([Type.Literal('gzip'), Type.Literal('zstd')]),
    bytes: whole,
    sha256: hex,
    lines: whole,
    lines_sha256: hex,
  },
  strict,
)

const tableSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z]+-[0-9]+\\.(?:csv\\.gz|parquet)$' }),
    holds: Type.Unsafe<DumpTableName>(Type.Union(dumpTableNames.map((name) => Type.Literal(name)))),
    form: Type.Union([Type.Literal('csv'), Type.Literal('parquet')]),
    bytes: whole,
    sha256: hex,
    rows: whole,
    rows_sha256: hex,
  },
  strict,
)

export const manifestSchema = Type.Object(
  {
    format: Type.Literal(dumpFormat),
    made_at: Type.String(),
    registry: Type.Object({ name: Type.String(), url: Type.String() }, strict),
    documentation: Type.String(),
    log: Type.Object(
      { origin: Type.String(), tree_size: whole, root_hash: hex, checkpoint: Type.String() },
      strict,
    ),
    counts: Type.Object({ works: whole, withdrawn: whole, without_metadata: whole }, strict),
    // Two a month for two hundred years.
    files: Type.Array(fileSchema, { minItems: 1, maxItems: 5_000 }),
    tables: Type.Array(tableSchema, { maxItems: 2 * dumpTableNames.length }),
  },
  strict,
)

/**
 * A file of a dump with a JSON text a line. `lines_sha256` is the hash of the file once it is
 * unpacked. A file of works has those that changed last in its `month`, such as `2026-01`.
 */
export type DumpFile = Static<typeof fileSchema>

/**
 * A table of a dump, which says what the files of works and of the log say. `rows_sha256` is the
 * hash of its rows as CSV, header included, in whichever form they are.
 */
export type DumpTableFile = Static<typeof tableSchema>

/** What a dump says of itself. */
export type DumpManifest = Static<typeof manifestSchema>

/** Bytes that are written at a time, about. */
const chunkBytes = 65_536

/** Bytes of a line at most: metadata has 256 KiB and more once it is spelled. */
const lineBytesMax = 4_194_304

/** Texts as bytes of about 64 KiB each. */
async function* chunksOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < chunkBytes) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting !== '') yield Buffer.from(waiting)
}

/** A file of lines that is written in one go or in several, packed with gzip. */
export class LineFile {
  readonly #folder: string
  readonly #about: Pick<DumpFile, 'name' | 'holds' | 'month'>
  readonly #hash: Hash = createHash('sha256')
  #lines = 0

  constructor(folder: string, about: Pick<DumpFile, 'name' | 'holds' | 'month'>) {
    this.#folder = folder
    this.#about = about
  }

  async append(lines: AsyncIterable<string>): Promise<void> {
    const file = path.join(this.#folder, this.#about.name)
    const ended = async function* (this: LineFile): AsyncGenerator<string> {
      for await (const line of lines) {
        this.#lines += 1
        yield `${line}\n`
      }
    }
    const hashed = async function* (this: LineFile): AsyncGenerator<Buffer> {
      for await (const chunk of chunksOf(ended.call(this))) {
        this.#hash.update(chunk)
        yield chunk
      }
    }
    // What is packed in several goes is one text once it is unpacked (RFC 1952, section 2.2).
    const target = createWriteStream(file, { flags: 'a' })
    await pipeline(Readable.from(hashed.call(this)), createGzip(), target)
  }

  async end(): Promise<DumpFile> {
    const measured = await measureFile(path.join(this.#folder, this.#about.name))
    const lines_sha256 = this.#hash.digest('hex')
    return { ...this.#about, encoding: 'gzip', ...measured, lines: this.#lines, lines_sha256 }
  }
}

/** The same lines, packed by Zstandard. */
export async function packAgain(
  folder: string,
  { name: gzip, ...about }: DumpFile,
): Promise<DumpFile> {
  const name = gzip.replace(/gz$/, 'zst')
  const file = path.join(folder, name)
  const target = createWriteStream(file)
  const source = createReadStream(path.join(folder, gzip))
  await pipeline(source, createGunzip(), createZstdCompress(), target)
  return { ...about, name, encoding: 'zstd', ...(await measureFile(file)) }
}

/** Whether there is a file that can be read. */
export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** The length and the hash of a file. */
export async function measureFile(
  file: string,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * The lines of a file, which must have the hashes and the numbers that are said of it. Errors:
 * DumpError; those of the file system.
 */
export async function* linesOf(
  folder: string,
  { name, encoding, bytes, sha256, lines, lines_sha256 }: DumpFile,
): AsyncGenerator<Buffer> {
  const packed = createHash('sha256')
  const unpacked = createHash('sha256')
  let [size, count] = [0, 0]
  let rest: Buffer = Buffer.of()
  const source = createReadStream(path.join(folder, name))
  source.on('data', (chunk: string | Buffer) => {
    packed.update(chunk)
    size += chunk.length
  })
  const unpack = encoding === 'gzip' ? createGunzip() : createZstdDecompress()
  source.on('error', (error) => unpack.destroy(error))
  try {
    for await (const chunk of source.pipe(unpack) as AsyncIterable<Buffer>) {
      unpacked.update(chunk)
      const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, start)) {
        count += 1
        yield all.subarray(start, end)
        start = end + 1
      }
      rest = all.subarray(start)
      if (rest.length > lineBytesMax) throw unusable(`${name}: a line is too long`)
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!code.startsWith('Z_') && !code.startsWith('ZSTD_')) throw error
    throw unusable(`${name} cannot be unpacked: ${(error as Error).message}`)
  }
  const isWhole = size === bytes && packed.digest('hex') === sha256 && rest.length === 0
  const isSaid = count === lines && unpacked.digest('hex') === lines_sha256
  if (!isWhole || !isSaid) throw notProven(`${name} is not the file that the manifest names`)
}

/** The log says otherwise. */
export function notProven(why: string): DumpError {
  return new DumpError('dump_not_proven', why)
}

/** It is not a dump, or not a whole one. */
export function unusable(why: string): DumpError {
  return new DumpError('dump_unusable', why)
}
