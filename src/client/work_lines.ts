import { encodeHex, sha256, utf8 } from '#src/client/verify/encoding.js'
import { UsageError } from '#src/client/errors.ts'
import { isObject } from '#src/client/verify/receipt_form.js'
import type { Bytes } from '#src/client/verify/types.ts'
import type { NewWork } from '#src/client/types.ts'

/**
 * Where works come from: a list or any other iterable of them, or JSON Lines, as a text, as bytes,
 * as a `Blob` or `File`, or as a stream such as `createReadStream('works.jsonl')`.
 */
export type WorkSource =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<NewWork>
  | AsyncIterable<NewWork | Uint8Array | string>

/** A work as it is sent: `index` counts works from 0, `line` lines of a file from 1. */
export type WorkLine = { readonly index: number; readonly line?: number; readonly text: string }

/** A line that is no work. */
export type BadLine = Omit<WorkLine, 'text'> & { readonly message: string }

/** Works that go in one call, named by what they are; and the lines among them that cannot go. */
export type Batch = {
  readonly works: readonly WorkLine[]
  readonly bad: readonly BadLine[]
  /** JSON of the call. */
  readonly body: string
  /** SHA-256 of the body in hex, shortened to 128 bits, behind the number of the batch. */
  readonly name: string
  readonly bytes: number
}

/** Sizes of a call: those that the registry takes, less what is around the works. */
export const batchItemsMax = 1_000
export const batchBytesMax = 8 * 1_048_576 - 1_024
const batchValuesMax = 240_000

/** Cuts works into batches, always in the same way: a source that is read again gives the same. */
export async function* cutBatches(
  source: WorkSource,
  { itemsMax, bytesMax }: { readonly itemsMax: number; readonly bytesMax: number },
): AsyncGenerator<Batch> {
  let draft = new Draft(0)
  for await (const line of readWorks(source)) {
    if (!draft.hasRoomFor(line, itemsMax, bytesMax)) {
      yield await draft.finish()
      draft = new Draft(draft.number + 1)
    }
    draft.add(line)
  }
  if (!draft.isEmpty) yield await draft.finish()
}

/** A batch that is being filled. */
class Draft {
  readonly number: number
  readonly #works: WorkLine[] = []
  readonly #bad: BadLine[] = []
  #bytes = 0
  #values = 0

  constructor(number: number) {
    this.number = number
  }

  get isEmpty(): boolean {
    return this.#works.length + this.#bad.length === 0
  }

  hasRoomFor(line: WorkLine | BadLine, itemsMax: number, bytesMax: number): boolean {
    if (this.isEmpty) return true
    if (this.#works.length + this.#bad.length >= itemsMax) return false
    if (!('text' in line)) return true
    const isLong = this.#bytes + bytesOf(line) > bytesMax
    return !isLong && this.#values + valuesOf(line) <= batchValuesMax
  }

  add(line: WorkLine | BadLine): void {
    if (!('text' in line)) {
      this.#bad.push(line)
      return
    }
    this.#works.push(line)
    this.#bytes += bytesOf(line)
    this.#values += valuesOf(line)
  }

  async finish(): Promise<Batch> {
    const body = `{"works":[${this.#works.map(({ text }) => text).join(',')}]}`
    const bytes: Bytes = utf8(body)
    const digest = encodeHex(await sha256(bytes)).slice(0, 32)
    const name = `${this.number}.${digest}`
    return { works: this.#works, bad: this.#bad, body, name, bytes: bytes.length }
  }
}

function bytesOf({ text }: WorkLine): number {
  return utf8(text).length + 1
}

// Every value but the first of its list or object stands behind a comma; some stand in texts.
function valuesOf({ text }: WorkLine): number {
  return text.split(/[,[{]/).length
}

async function* readWorks(source: WorkSource): AsyncGenerator<WorkLine | BadLine> {
  let index = 0
  const lines = new LineReader()
  for await (const item of itemsOf(source)) {
    if (typeof item === 'string' || item instanceof Uint8Array) {
      for (const line of lines.push(item)) yield asLine(line, index++)
    } else yield { index: index++, text: JSON.stringify(item) }
  }
  for (const line of lines.end()) yield asLine(line, index++)
}

function itemsOf(source: WorkSource): AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof source === 'string' || source instanceof Uint8Array) return [source]
  const items: object = source instanceof Blob ? source.stream() : source
  if (isIterable(items)) return items
  // Not every browser iterates over streams.
  if (items instanceof ReadableStream) return chunksOf(items as ReadableStream<Uint8Array>)
  throw new UsageError('malformed_source', 'Works are a list, an iterable, or JSON Lines')
}

function isIterable(value: object): value is AsyncIterable<unknown> | Iterable<unknown> {
  return Symbol.iterator in value || Symbol.asyncIterator in value
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}

type NumberedText = { readonly line: number; readonly text: string }

/** Parts a text that comes in pieces into lines, blank ones left out. */
class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #rest = ''
  #line = 0

  push(chunk: string | Uint8Array): NumberedText[] {
    return this.#take(typeof chunk === 'string' ? chunk : this.#decode(chunk))
  }

  end(): NumberedText[] {
    return this.#take(`${this.#decode()}\n`)
  }

  #take(text: string): NumberedText[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines
      .map((line) => ({ line: ++this.#line, text: line.trim() }))
      .filter((line) => line.text !== '')
  }

  #decode(chunk?: Uint8Array): string {
    try {
      return chunk === undefined
        ? this.#decoder.decode()
        : this.#decoder.decode(chunk, { stream: true })
    } catch (cause) {
      const message = `The works are not UTF-8 after line ${this.#line}`
      throw new UsageError('malformed_source', message, { cause })
    }
  }
}

function asLine({ line, text }: NumberedText, index: number): WorkLine | BadLine {
  try {
    // A line that is one JSON object goes on as it stands.
    if (isObject(JSON.parse(text))) return { index, line, text }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { index, line, message: `Line ${line} is not one JSON object` }
}
