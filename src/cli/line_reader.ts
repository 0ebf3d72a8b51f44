const newline = 0x0a
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** A line without its newline; `number` counts from 1. `bytes` is undefined if it is too long. */
export type Line = { readonly number: number; readonly bytes: Buffer | undefined }

/**
 * The lines of a stream, in groups as they arrive: blank ones left out, a byte order mark at the
 * start dropped unless `keepsMark`. A line over `lineBytesMax` is never held in memory: it comes
 * without its bytes.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
  { keepsMark = false } = {},
): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter(lineBytesMax, keepsMark)
  for await (const chunk of chunks) yield splitter.push(chunk)
  yield splitter.end()
}

/** The bytes of a piece that comes in parts, unless they are more than `#bytesMax`. */
class PieceBuffer {
  readonly #bytesMax: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes <= this.#bytesMax) this.#parts.push(part)
    else this.#parts = []
  }

  /** The piece, after which the next one begins; undefined of one that is too long. */
  take(): Buffer | undefined {
    const [parts, isWhole] = [this.#parts, this.#bytes <= this.#bytesMax]
    this.#parts = []
    this.#bytes = 0
    if (!isWhole) return undefined
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }
}

class LineSplitter {
  #number = 1
  // The beginning of the line that the next chunk continues.
  readonly #piece: PieceBuffer
  readonly #keepsMark: boolean

  constructor(lineBytesMax: number, keepsMark: boolean) {
    this.#piece = new PieceBuffer(lineBytesMax)
    this.#keepsMark = keepsMark
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#piece.add(chunk.subarray(start, end))
      lines.push(...this.end())
      this.#number += 1
      start = end + 1
    }
    this.#piece.add(chunk.subarray(start))
    return lines
  }

  /** The line gathered so far, if it is not blank. */
  end(): Line[] {
    const line = { number: this.#number, bytes: this.#take() }
    return line.bytes !== undefined && isBlank(line.bytes) ? [] : [line]
  }

  #take(): Buffer | undefined {
    const bytes = this.#piece.take()
    if (this.#keepsMark || this.#number > 1) return bytes
    return bytes?.subarray(0, 3).equals(byteOrderMark) === true ? bytes.subarray(3) : bytes
  }
}

/** Whether there is nothing in a line but white space of JSON. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** How a file begins that is one list of records, or has one in the envelope of a dump. */
const listBeginning = /^\ufeff?\s*(?:\{\s*"(?:items|data)"\s*:\s*)?\[/

/** Whether a file of JSON, by its beginning, is one list of records. */
export function isJsonList(head: string): boolean {
  return listBeginning.test(head)
}

/**
 * The records of a file that is one list of them, in groups as they come: each as the bytes that
 * stand there, numbered from 1. None is parsed. One with more than `itemBytesMax` is never held: it
 * comes without its bytes.
 */
export async function* readJsonItems(
  chunks: AsyncIterable<Buffer>,
  itemBytesMax: number,
): AsyncGenerator<Line[]> {
  const splitter = new ItemSplitter(itemBytesMax)
  for await (const chunk of chunks) yield splitter.push(chunk)
  yield splitter.end()
}

/** Cuts a list of JSON where its members end. */
class ItemSplitter {
  readonly #piece: PieceBuffer
  #number = 1
  /** What of the list is open: 0 before it, 1 between its members. */
  #depth = 0
  #isOver = false
  #isInText = false
  #isEscaped = false

  constructor(itemBytesMax: number) {
    this.#piece = new PieceBuffer(itemBytesMax)
  }

  push(chunk: Buffer): Line[] {
    const items: Line[] = []
    let start = 0
    for (let at = 0; at < chunk.length && !this.#isOver; at += 1) {
      if (this.#isInText) {
        at = this.#endOfText(chunk, at)
        continue
      }
      const byte = chunk[at]
      if (byte === quote) this.#isInText = true
      else if (byte === openBracket || (byte === openBrace && this.#depth > 0)) {
        this.#depth += 1
        if (this.#depth === 1) start = at + 1
      } else if (byte === closeBracket || byte === closeBrace) this.#depth -= 1
      const isEnd = this.#depth === 0 && byte === closeBracket
      if (!isEnd && (byte !== comma || this.#depth !== 1)) continue
      this.#piece.add(chunk.subarray(start, at))
      items.push(...this.#take())
      this.#isOver = isEnd
      start = at + 1
    }
    if (this.#depth > 0) this.#piece.add(chunk.subarray(start))
    return items
  }

  /** What stands of a member that has no end. */
  end(): Line[] {
    return this.#isOver ? [] : this.#take()
  }

  /** Where a text ends that is open, or the end of the chunk. */
  #endOfText(chunk: Buffer, start: number): number {
    let at = start
    if (this.#isEscaped) at += 1
    this.#isEscaped = false
    for (;;) {
      const end = chunk.indexOf(quote, at)
      const slash = chunk.indexOf(backslash, at)
      if (slash >= 0 && (end < 0 || slash < end)) {
        at = slash + 2
        if (at <= chunk.length) continue
        this.#isEscaped = true
        return chunk.length
      }
      if (end < 0) return chunk.length
      this.#isInText = false
      return end
    }
  }

  #take(): Line[] {
    const bytes = this.#piece.take()
    if (bytes !== undefined && /^\s*$/.test(bytes.subarray(0, 64).toString('latin1'))) return []
    const item = { number: this.#number, bytes }
    this.#number += 1
    return [item]
  }
}
