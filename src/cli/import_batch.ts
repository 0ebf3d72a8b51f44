import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

import type { Line } from '#src/cli/line_reader.ts'
import type { CitationEntry, ReadNote } from '#src/discovery/citation_files/citation_file.ts'

/** Bytes of one line, at most: the largest body the interface takes for one work. */
export const lineBytesMax = 1_048_576

/** Lines of one call, and their bytes at which a call is made with fewer. */
const batchLinesMax = 500
const batchBytesWanted = 2 * 1_048_576

/**
 * A line that is JSON by itself, so that it can be passed on as it stands. `line` is where it
 * stands in its file, if `number` counts something else.
 */
export type WorkLine = {
  readonly number: number
  readonly line?: number
  readonly bytes: Buffer
  /** The work that it changes; absent if it is a new one. */
  readonly ark?: string
}

/** What became of a thing that an entry says, with the key of the entry. */
export type ImportNote = ReadNote & { readonly key: string }

/** A line that was not registered. `status` and `error` are those of the interface. */
export type ImportFailure = {
  readonly line: number
  readonly status: number
  readonly error: string
  readonly message: string
}

/** Neighbouring lines that go in one call, and those of them that cannot go at all. */
export type Batch = {
  readonly works: readonly WorkLine[]
  readonly failures: readonly ImportFailure[]
  readonly notes: readonly ImportNote[]
  /** Number of the last line the batch answers for. */
  readonly lastLine: number
}

/** Gathers lines after `linesDone` into batches. */
export async function* readBatches(
  groups: AsyncIterable<readonly Line[]>,
  linesDone: number,
): AsyncGenerator<Batch> {
  let draft = new BatchDraft()
  for await (const lines of groups) {
    for (const line of lines) {
      if (line.number <= linesDone) continue
      draft.add(line)
      if (!draft.full) continue
      yield draft.finish()
      draft = new BatchDraft()
    }
  }
  if (!draft.empty) yield draft.finish()
}

class BatchDraft {
  readonly #works: WorkLine[] = []
  readonly #failures: ImportFailure[] = []
  #bytes = 0
  #lastLine = 0

  get full(): boolean {
    return this.#works.length >= batchLinesMax || this.#bytes >= batchBytesWanted
  }

  get empty(): boolean {
    return this.#lastLine === 0
  }

  add({ number, bytes }: Line): void {
    this.#lastLine = number
    if (bytes === undefined) this.#failures.push(tooLong(number))
    else if (!isJson(bytes)) this.#failures.push(notJson(number))
    else {
      this.#works.push({ number, bytes })
      this.#bytes += bytes.length
    }
  }

  finish(): Batch {
    const [works, failures] = [this.#works, this.#failures]
    return { works, failures, notes: [], lastLine: this.#lastLine }
  }
}

/** Two lines that are no JSON could make JSON together, so each is looked at by itself. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

function tooLong(line: number): ImportFailure {
  const message = `The line has more than ${lineBytesMax} bytes.`
  return { line, status: 413, error: 'payload_too_large', message }
}

function notJson(line: number): ImportFailure {
  return { line, status: 400, error: 'bad_request', message: 'The line is not one JSON value.' }
}

const gzipMagic = Buffer.from([0x1f, 0x8b])

/** A file that is read from its start: `text` unpacked where it is gzip, `bytesRead` as stored. */
export type ImportSource = {
  readonly bytes: number
  readonly text: AsyncIterable<Buffer>
  readonly bytesRead: number
}

/** Opens a file of text, plain or gzip: its first bytes tell, not its name. */
export async function openSource(file: string): Promise<ImportSource> {
  const { size } = await fs.stat(file)
  const packed = await startsWith(file, gzipMagic)
  const stored = createReadStream(file)
  const text = packed ? stored.pipe(createGunzip()) : stored
  // The unpacked stream is the one that is read; a fault of the file must reach it.
  if (packed) stored.on('error', (error) => text.destroy(error))
  return {
    bytes: size,
    text,
    get bytesRead() {
      return stored.bytesRead
    },
  }
}

async function startsWith(file: string, magic: Buffer): Promise<boolean> {
  const handle = await fs.open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return bytesRead === magic.length && buffer.equals(magic)
  } finally {
    await handle.close()
  }
}

/** SHA-256 of a file, in hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Entries of one call. */
const batchEntriesMax = 500

/**
 * Gathers entries into batches, after the first `entriesDone`. Entries are counted where lines are
 * of other files: several can stand on one.
 */
export async function* readEntryBatches(
  groups: AsyncIterable<readonly CitationEntry[]>,
  entriesDone: number,
): AsyncGenerator<Batch> {
  let draft = new EntryBatch()
  let number = 0
  for await (const entries of groups) {
    for (const entry of entries) {
      number += 1
      if (number <= entriesDone) continue
      draft.add(entry, number)
      if (!draft.full) continue
      yield draft.finish()
      draft = new EntryBatch()
    }
  }
  if (!draft.empty) yield draft.finish()
}

class EntryBatch {
  readonly #works: WorkLine[] = []
  readonly #failures: ImportFailure[] = []
  readonly #notes: ImportNote[] = []
  #bytes = 0
  #entries = 0
  #last = 0

  get full(): boolean {
    return this.#entries >= batchEntriesMax || this.#bytes >= batchBytesWanted
  }

  get empty(): boolean {
    return this.#entries === 0
  }

  add(entry: CitationEntry, number: number): void {
    this.#entries += 1
    this.#last = number
    const { line, key, body, ark } = entry
    this.#notes.push(...entry.notes.map((note) => ({ ...note, key })))
    const failure = failureOf(entry)
    if (failure !== undefined) return void this.#failures.push(failure)
    const bytes = Buffer.from(JSON.stringify(body))
    this.#bytes += bytes.length
    this.#works.push({ number, line, bytes, ...(ark !== undefined && { ark }) })
  }

  finish(): Batch {
    const [works, failures, notes] = [this.#works, this.#failures, this.#notes]
    return { works, failures, notes, lastLine: this.#last }
  }
}

function failureOf({ line, key, faults }: CitationEntry): ImportFailure | undefined {
  if (faults.length === 0) return undefined
  const reasons = faults.map(({ message }) => message).join(' ')
  return { line, status: 422, error: 'validation_failed', message: `${key}: ${reasons}` }
}
