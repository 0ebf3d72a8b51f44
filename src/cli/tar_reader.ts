import { UnusableError } from '#src/cli/program.ts'

/** A file of a tar archive: its bytes are read before the next one is asked for, or passed over. */
export type TarFile = {
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
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
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
  let path = before
  let size: number | undefined
  for (const [, key, value = ''] of text.matchAll(/(?:^|\n)\d+ (path|size)=([^\n]*)/g)) {
    if (key === 'path') path = value
    else size = Number(value)
  }
  if (size !== undefined && !Number.isSafeInteger(size)) throw notTar()
  return { path, size }
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
