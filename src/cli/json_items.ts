import type { Line } from '#src/cli/line_reader.ts'

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
  readonly #bytesMax: number
  #number = 1
  /** What of the list is open: 0 before it, 1 between its members. */
  #depth = 0
  #isOver = false
  #isInText = false
  #isEscaped = false
  #parts: Buffer[] = []
  #bytes = 0

  constructor(itemBytesMax: number) {
    this.#bytesMax = itemBytesMax
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
      this.#keep(chunk.subarray(start, at))
      items.push(...this.#take())
      this.#isOver = isEnd
      start = at + 1
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(start))
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

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes <= this.#bytesMax) this.#parts.push(part)
    else this.#parts = []
  }

  #take(): Line[] {
    const isWhole = this.#bytes <= this.#bytesMax
    const bytes = isWhole ? Buffer.concat(this.#parts) : undefined
    this.#parts = []
    this.#bytes = 0
    if (bytes !== undefined && /^\s*$/.test(bytes.subarray(0, 64).toString('latin1'))) return []
    const item = { number: this.#number, bytes }
    this.#number += 1
    return [item]
  }
}
