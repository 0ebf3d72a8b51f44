import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { pipeline as pipelined } from 'node:stream/promises'
import zlib from 'node:zlib'

import { UnusableError } from '#src/cli/program.ts'

/** What is read from its start: how many bytes are stored, and how many of them were read. */
type Stored = { readonly bytes: number; readonly bytesRead: number }

/** A file that is read from its start: `text` is unpacked where it is gzip or zstd. */
export type ImportSource = Stored & { readonly text: AsyncIterable<Buffer> }

/** A file of a folder or of an archive; the first one has the index 0. */
export type CollectedFile = {
  readonly index: number
  /** By which it is named there. */
  readonly name: string
  /** Unpacked; read before the next file is asked for, or not at all. */
  readonly text: AsyncIterable<Buffer>
}

/** Many files that are imported as one. */
export type Collection = Stored & { readonly files: AsyncIterable<CollectedFile> }

/** Opens a file of text, plain or packed: its first bytes tell, not its name. */
export async function openSource(file: string): Promise<ImportSource> {
  const { size } = await fs.stat(file)
  const stored = createReadStream(file)
  return {
    bytes: size,
    text: unpack(stored),
    get bytesRead() {
      return stored.bytesRead
    },
  }
}

/** Opens a folder, or a tar archive that may be packed as a whole; undefined if it is neither. */
export async function openCollection(file: string): Promise<Collection | undefined> {
  const stat = await fs.stat(file)
  if (stat.isDirectory()) return openFolder(file)
  const head = await beginning((await openSource(file)).text, 512)
  if (head.subarray(257, 262).toString('latin1') !== 'ustar') return undefined
  const stored = createReadStream(file)
  return {
    bytes: stat.size,
    files: archived(stored),
    get bytesRead() {
      return stored.bytesRead
    },
  }
}

async function* archived(stored: AsyncIterable<Buffer>): AsyncGenerator<CollectedFile> {
  let index = 0
  for await (const { name, bytes } of readTar(unpack(stored))) {
    yield { index, name: name.replace(/^\.\//, ''), text: unpack(bytes) }
    index += 1
  }
}

async function openFolder(folder: string): Promise<Collection> {
  const files = await filesIn(folder)
  let before = 0
  let stored: { readonly bytesRead: number } | undefined
  const read = async function* (): AsyncGenerator<CollectedFile> {
    for (const [index, { name, size }] of files.entries()) {
      const stream = createReadStream(path.join(folder, name))
      stored = stream
      yield { index, name, text: unpack(stream) }
      stream.destroy()
      stored = undefined
      before += size
    }
  }
  return {
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    files: read(),
    get bytesRead() {
      return before + (stored?.bytesRead ?? 0)
    },
  }
}

type FolderFile = { readonly name: string; readonly size: number; readonly mtimeMs: number }

/** The files of a folder and those below it, by their names. */
async function filesIn(folder: string): Promise<readonly FolderFile[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  const files: FolderFile[] = []
  for (const name of names.toSorted()) {
    const { size, mtimeMs } = await fs.stat(path.join(folder, name))
    files.push({ name, size, mtimeMs })
  }
  return files
}

/** What tells one import from another: SHA-256 of a file; of a folder, of what lies in it. */
export async function hashSource(file: string): Promise<string> {
  const hash = createHash('sha256')
  if ((await fs.stat(file)).isDirectory()) {
    const files = await filesIn(file)
    return hash.update(JSON.stringify(files)).digest('hex')
  }
  await pipelined(createReadStream(file), hash)
  return hash.digest('hex')
}

/** The first bytes of a stream, which is not read on. */
export async function beginning(chunks: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of chunks) {
    parts.push(part)
    bytes += part.length
    if (bytes >= bytesMax) break
  }
  return Buffer.concat(parts).subarray(0, bytesMax)
}

/** The first bytes of a stream, and the stream with them. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  bytesWanted: number,
): Promise<{ readonly head: Buffer; readonly all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const parts: Buffer[] = []
  let bytes = 0
  while (bytes < bytesWanted) {
    const next = await iterator.next()
    if (next.done === true) break
    parts.push(next.value)
    bytes += next.value.length
  }
  const rest = { [Symbol.asyncIterator]: () => iterator }
  const all = async function* () {
    yield* parts
    yield* rest
  }
  return { head: Buffer.concat(parts).subarray(0, bytesWanted), all: all() }
}

/** Bytes that are unpacked at a time: each turn of it costs as much as some records. */
const unpackedBytes = 131_072

const codecs: readonly (readonly [magic: Buffer, open: () => NodeJS.ReadWriteStream])[] = [
  [Buffer.from([0x1f, 0x8b]), () => zlib.createGunzip({ chunkSize: unpackedBytes })],
  [
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
    () => zlib.createZstdDecompress({ chunkSize: unpackedBytes }),
  ],
]

/** A stream of bytes, unpacked if they are gzip or zstd. UnusableError if they are damaged. */
async function* unpack(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, 4)
  const codec = codecs.find(([magic]) => head.subarray(0, magic.length).equals(magic))
  if (codec === undefined) {
    yield* all
    return
  }
  const counted = new Counted(all)
  const unpacked = codec[1]()
  // What fails is thrown where the unpacked bytes are read.
  pipeline(Readable.from(counted), unpacked, () => undefined)
  let bytes = 0
  try {
    for await (const part of unpacked as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > freeBytes && bytes > ratioMax * counted.bytes) throw tooDense()
      yield part
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!code.startsWith('Z_') && !code.startsWith('ZSTD_')) throw error
    throw new UnusableError(`The compressed file is damaged: ${(error as Error).message}.`)
  }
}

/** Times that packed bytes may grow, once they are so many: dumps of records grow by 10 to 20. */
const ratioMax = 200
const freeBytes = 16 * 1_048_576

function tooDense(): UnusableError {
  return new UnusableError(
    `The uncompressed file is more than ${ratioMax} times as large: it is not a dump.`,
  )
}

/** A stream that counts its bytes. */
class Counted implements AsyncIterable<Buffer> {
  bytes = 0
  readonly #chunks: AsyncIterable<Buffer>

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const part of this.#chunks) {
      this.bytes += part.length
      yield part
    }
  }
}

/** A file of a tar archive: its bytes are read before the next one is asked for, or passed over. */
type TarFile = {
  readonly name: string
  readonly size: number
  readonly bytes: AsyncIterable<Buffer>
}

const blockBytes = 512

/** Bytes of a header that tells of the one behind it: a long name, or attributes of pax. */
const longHeaderBytesMax = 65_536

/**
 * The files of a tar archive in the order in which they stand there, with long names of pax and of
 * GNU tar; folders and links are passed over. UnusableError if it is none, or ends too early.
 */
async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const input = new TarInput(chunks)
  let longName: string | undefined
  let longSize: number | undefined
  for (;;) {
    const header = await input.read(blockBytes)
    // Archives end with blocks of zeros; some end without them.
    if (header === undefined || header.every((byte) => byte === 0)) return
    const { name, size, type } = readHeader(header)
    if (type === 'x' || type === 'L') {
      const text = await input.text(size)
      if (type === 'L') longName = text.replace(/\0.*$/s, '')
      else ({ path: longName, size: longSize } = paxOf(text, longName))
      continue
    }
    const bytes = longSize ?? size
    const isFile = type === '0' || type === '\0' || type === '7'
    const body = input.begin(bytes)
    if (isFile) yield { name: longName ?? name, size: bytes, bytes: body }
    await input.pass()
    longName = longSize = undefined
  }
}

type Header = { readonly name: string; readonly size: number; readonly type: string }

function readHeader(block: Buffer): Header {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (Number.parseInt(textAt(block, 148, 8), 8) !== sum) throw notTar()
  const isUstar = block.subarray(257, 262).toString('latin1') === 'ustar'
  const folder = isUstar ? textAt(block, 345, 155) : ''
  const name = textAt(block, 0, 100)
  const type = String.fromCharCode(block[156] ?? 0)
  return { name: folder === '' ? name : `${folder}/${name}`, size: sizeIn(block), type }
}

function textAt(block: Buffer, start: number, length: number): string {
  return block
    .subarray(start, start + length)
    .toString('utf8')
    .replace(/\0.*$/s, '')
    .trim()
}

/** Octal digits, or a number of 64 bits where a file is larger than those can say. */
function sizeIn(block: Buffer): number {
  const isBinary = ((block[124] ?? 0) & 0x80) !== 0
  const size = isBinary
    ? Number(block.readBigUInt64BE(128))
    : Number.parseInt(textAt(block, 124, 12) || '0', 8)
  if (!Number.isSafeInteger(size) || size < 0) throw notTar()
  return size
}

/** The path and the size of `27 path=…\n` lines, each of which begins with its length. */
function paxOf(text: string, before: string | undefined) {
  let named = before
  let size: number | undefined
  for (const [, key, value = ''] of text.matchAll(/(?:^|\n)\d+ (path|size)=([^\n]*)/g)) {
    if (key === 'path') named = value
    else size = Number(value)
  }
  if (size !== undefined && !Number.isSafeInteger(size)) throw notTar()
  return { path: named, size }
}

function notTar(): UnusableError {
  return new UnusableError('The archive is not a tar file, or it is damaged.')
}

/** The bytes of an archive, in order. */
class TarInput {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  /** Bytes of the file that is being read, and of what fills its last block. */
  #left = 0
  #filling = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** So many bytes; undefined at the end. */
  async read(length: number): Promise<Buffer | undefined> {
    while (this.#held.length < length) {
      const next = await this.#chunks.next()
      if (next.done !== true) this.#held = Buffer.concat([this.#held, next.value])
      else if (this.#held.length === 0) return undefined
      else throw notTar()
    }
    const bytes = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return bytes
  }

  /** The text of a long header. */
  async text(size: number): Promise<string> {
    if (size > longHeaderBytesMax) throw notTar()
    const bytes = await this.read(size + fillingOf(size))
    if (bytes === undefined) throw notTar()
    return bytes.subarray(0, size).toString('utf8')
  }

  /** The bytes of a file as they come; those that nobody has read, `pass` passes over. */
  begin(size: number): AsyncGenerator<Buffer> {
    this.#left = size
    this.#filling = fillingOf(size)
    return this.#take()
  }

  async *#take(): AsyncGenerator<Buffer> {
    while (this.#left > 0) {
      if (this.#held.length === 0) {
        const next = await this.#chunks.next()
        if (next.done === true) throw notTar()
        this.#held = next.value
      }
      const part = this.#held.subarray(0, this.#left)
      this.#held = this.#held.subarray(part.length)
      this.#left -= part.length
      yield part
    }
  }

  /** Goes to the end of the file that is being read. */
  async pass(): Promise<void> {
    for await (const _ of this.#take()) continue
    if (this.#filling > 0) await this.read(this.#filling)
    this.#filling = 0
  }
}

function fillingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes
}
