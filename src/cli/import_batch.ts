import type { Line } from '#src/cli/line_reader.ts'
import type {
  CitationFormat,
  ReadEntry,
  ReadNote,
} from '#src/discovery/citation_files/citation_file.ts'
import type { LineForm } from '#src/use_cases/work_drafting.ts'

/** Bytes of one line, at most: the largest body the interface takes for one work. */
export const lineBytesMax = 1_048_576

/** Entries of one call, and their bytes at which a call is made with fewer. */
const batchEntriesMax = 500
const batchBytesWanted = 1_048_576

/** What one entry of a file brings. */
export type ImportEntry = Pick<ReadEntry, 'line' | 'key' | 'ark' | 'faults' | 'notes'> & {
  readonly form: LineForm
  /** What the registry reads: one value of JSON. Undefined if there is nothing to register. */
  readonly bytes: Buffer | undefined
}

/** An entry that was read by its format; what does not fit, the registry leaves out and tells. */
export function readEntryOf({ body, ...read }: ReadEntry, form: CitationFormat): ImportEntry {
  return { ...read, form, bytes: body && Buffer.from(JSON.stringify(body)) }
}

/** An entry that the registry reads: a line, or an item of a list. */
export function lineEntryOf(
  { number: line, bytes }: Line,
  key: string,
  form: LineForm,
): ImportEntry {
  const message = `The line has more than ${lineBytesMax} bytes.`
  const faults = bytes === undefined ? [{ field: '', code: 'payload_too_large', message }] : []
  return { line, key, form, bytes, faults, notes: [] }
}

/** An entry that goes to the registry; `number` tells it from all others of the import. */
export type WorkLine = Pick<ImportEntry, 'line' | 'key' | 'ark' | 'form'> & {
  readonly number: number
  readonly file?: string
  readonly bytes: Buffer
}

/** What became of a thing that an entry says, with the key of the entry, and the file of many. */
export type ImportNote = ReadNote & { readonly key: string; readonly file?: string }

/** A line that was not registered. `status` and `error` are those of the interface. */
export type ImportFailure = {
  /** The file of a folder or an archive. */
  readonly file?: string
  readonly line: number
  readonly status: number
  readonly error: string
  readonly message: string
}

/** Neighbouring entries of one form that go in one call, and those that cannot go at all. */
export type Batch = {
  readonly works: readonly WorkLine[]
  readonly failures: readonly ImportFailure[]
  readonly notes: readonly ImportNote[]
  /** Entries that are left out on purpose, each with a note. */
  readonly leftOut: number
  /** Number of the last entry the batch answers for. */
  readonly lastLine: number
  /** Where that stands, if files are imported together. */
  readonly place?: FilePlace
}

/** The index of a file of many, and how many entries stand in those before it. */
export type FilePlace = { readonly index: number; readonly before: number }

/** Entries that came together, and the file of many in which they stand. */
export type EntryGroup = {
  readonly entries: readonly ImportEntry[]
  readonly file?: { readonly index: number; readonly name: string }
}

/** How far entries have been read: so many, and where the file began that is at hand. */
export type EntryPlace = { readonly done: number; readonly before: number }

/**
 * Gathers entries into batches, after the first `done`; those of the files that were passed over
 * are `before`. Works on lines of a file of their own have the numbers of these; other entries are
 * counted: several can stand on one.
 */
export async function* readBatches(
  groups: AsyncIterable<EntryGroup>,
  { done, before }: EntryPlace,
): AsyncGenerator<Batch> {
  let draft = new BatchDraft()
  let number = before
  let place: FilePlace | undefined
  for await (const { entries, file } of groups) {
    if (file !== undefined && file.index !== place?.index) {
      place = { index: file.index, before: number }
    }
    for (const entry of entries) {
      number = file === undefined && entry.form === 'work' ? entry.line : number + 1
      if (number <= done) continue
      if (!draft.takes(entry)) {
        yield draft.finish(place)
        draft = new BatchDraft()
      }
      draft.add(entry, number, file?.name)
    }
  }
  if (!draft.isEmpty) yield draft.finish(place)
}

class BatchDraft {
  readonly #works: WorkLine[] = []
  readonly #failures: ImportFailure[] = []
  readonly #notes: ImportNote[] = []
  #leftOut = 0
  #bytes = 0
  #entries = 0
  #last = 0

  get isEmpty(): boolean {
    return this.#entries === 0
  }

  /** Whether an entry has room, and is of the form of the others. */
  takes({ form }: ImportEntry): boolean {
    const [first] = this.#works
    const isFull = this.#entries >= batchEntriesMax || this.#bytes >= batchBytesWanted
    return !isFull && (first === undefined || first.form === form)
  }

  add(entry: ImportEntry, number: number, name: string | undefined): void {
    this.#entries += 1
    this.#last = number
    const { faults, notes, bytes, ...about } = entry
    const file = name === undefined ? {} : { file: name }
    for (const note of notes) this.#notes.push({ ...note, key: entry.key, ...file })
    if (faults.length > 0) this.#failures.push({ ...file, ...failureOf(entry) })
    else if (bytes === undefined) this.#leftOut += 1
    else {
      this.#bytes += bytes.length
      this.#works.push({ ...about, ...file, number, bytes })
    }
  }

  finish(place: FilePlace | undefined): Batch {
    return {
      works: this.#works,
      failures: this.#failures,
      notes: this.#notes,
      leftOut: this.#leftOut,
      lastLine: this.#last,
      ...(place && { place }),
    }
  }
}

function failureOf({ form, line, key, faults }: ImportEntry): ImportFailure {
  const message = faults.map((fault) => fault.message).join(' ')
  return form === 'work'
    ? { line, status: 413, error: 'payload_too_large', message }
    : { line, status: 422, error: 'validation_failed', message: `${key}: ${message}` }
}
