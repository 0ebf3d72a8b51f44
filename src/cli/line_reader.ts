const newline = 0x0a
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** A line without its newline; `number` counts from 1. `bytes` is undefined if it is too long. */
export type Line = { readonly number: number; readonly bytes: Buffer | undefined }

/**
 * The lines of a stream, in groups as they arrive: blank ones left out, a byte order mark at the
 * start dropped. A line over `lineBytesMax` is never held in memory: it comes without its bytes.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter(lineBytesMax)
  for await (const chunk of chunks) yield splitter.push(chunk)
  yield splitter.end()
}

class LineSplitter {
  readonly #lineBytesMax: number
  #number = 1
  // The beginning of the line that the next chunk continues.
  #parts: Buffer[] = []
  #bytes = 0

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end))
      lines.push(...this.end())
      this.#number += 1
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    return lines
  }

  /** The line gathered so far, if it is not blank. */
  end(): Line[] {
    const line = { number: this.#number, bytes: this.#take() }
    return line.bytes !== undefined && isBlank(line.bytes) ? [] : [line]
  }

  #add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes <= this.#lineBytesMax) this.#parts.push(part)
    else this.#parts = []
  }

  #take(): Buffer | undefined {
    const parts = this.#parts
    const whole = this.#bytes <= this.#lineBytesMax
    this.#parts = []
    this.#bytes = 0
    if (!whole) return undefined
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    const marked = this.#number === 1 && bytes.subarray(0, 3).equals(byteOrderMark)
    return marked ? bytes.subarray(3) : bytes
  }
}

/** Whether there is nothing in a line but white space of JSON. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
