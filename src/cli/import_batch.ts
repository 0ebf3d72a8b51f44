import { parseJson } from '#actors/values/serialization.ts'
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
  readonly file?: string
  readonly bytes: Buffer
  /** The work that it changes; absent if it is a new one. */
  readonly ark?: string
  /** What says whose it is, the narrowest first. */
  readonly registrants?: readonly string[]
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

/** Neighbouring lines that go in one call, and those of them that cannot go at all. */
export type Batch = {
  readonly works: readonly WorkLine[]
  readonly failures: readonly ImportFailure[]
  readonly notes: readonly ImportNote[]
  /** Entries that are left out on purpose, each with a note. */
  readonly leftOut: number
  /** The fields of its works, and how many of them have each. */
  readonly fields: ReadonlyMap<string, number>
  /** Number of the last line the batch answers for. */
  readonly lastLine: number
  /** Where that stands, if files are imported together. */
  readonly place?: FilePlace
}

/** The index of a file of many, and how many entries stand in those before it. */
export type FilePlace = { readonly index: number; readonly before: number }

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
    const nothing = { notes: [], leftOut: 0, fields: new Map<string, number>() }
    return { works, failures, ...nothing, lastLine: this.#lastLine }
  }
}

/** Two lines that are no JSON could make JSON together, so each is looked at by itself. */
function isJson(bytes: Buffer): boolean {
  return parseJson(bytes.toString()) !== undefined
}

function tooLong(line: number): ImportFailure {
  const message = `The line has more than ${lineBytesMax} bytes.`
  return { line, status: 413, error: 'payload_too_large', message }
}

function notJson(line: number): ImportFailure {
  return { line, status: 400, error: 'bad_request', message: 'The line is not one JSON value.' }
}

/** Entries of one call. */
const batchEntriesMax = 500

/** An entry, and what says whose it is, the narrowest first. */
export type ImportEntry = CitationEntry & {
  readonly registrants?: readonly string[]
  /** Whose record it is, where it is a record of an agency. */
  readonly agency?: Agency
}

/** The agencies whose dumps are migrated. */
export const agencies = ['datacite', 'crossref'] as const

export type Agency = (typeof agencies)[number]

/** Which entries are read: those that are wanted, and of one agency if it is named. */
export type EntryChoice = {
  readonly isWanted?: (entry: ImportEntry) => boolean
  readonly from?: Agency | undefined
}

/** Entries that came together, and the file of many in which they stand. */
export type EntryGroup = {
  readonly entries: readonly ImportEntry[]
  readonly file?: { readonly index: number; readonly name: string }
}

/** How far entries have been read: so many, and where the file began that is at hand. */
export type EntryPlace = { readonly done: number; readonly before: number }

/**
 * Gathers entries into batches, after the first `done`; those of the files that were passed over
 * are `before`. Entries are counted where lines are of other files: several can stand on one.
 */
export async function* readEntryBatches(
  groups: AsyncIterable<EntryGroup>,
  { done, before }: EntryPlace,
  { isWanted = () => true, from }: EntryChoice = {},
): AsyncGenerator<Batch> {
  let draft = new EntryBatch()
  let number = before
  let place: FilePlace | undefined
  for await (const { entries, file } of groups) {
    if (file !== undefined && file.index !== place?.index) {
      place = { index: file.index, before: number }
    }
    for (const entry of entries) {
      number += 1
      if (number <= done || !isWanted(entry)) continue
      draft.add(ofAgency(entry, from), number, file?.name)
      if (!draft.full) continue
      yield draft.finish(place)
      draft = new EntryBatch()
    }
  }
  if (!draft.empty) yield draft.finish(place)
}

/** The entry, or why it cannot be one of the dump of an agency. */
function ofAgency(entry: ImportEntry, from: Agency | undefined): ImportEntry {
  const { agency = from, line, key } = entry
  if (from === undefined || agency === from) return entry
  const message = `The record is one of ${agency}, not of ${from}.`
  const fault = { field: '', code: 'not_readable', message }
  return { line, key, body: undefined, faults: [fault], notes: [] }
}

class EntryBatch {
  readonly #works: WorkLine[] = []
  readonly #failures: ImportFailure[] = []
  readonly #notes: ImportNote[] = []
  readonly #fields = new Map<string, number>()
  #leftOut = 0
  #bytes = 0
  #entries = 0
  #last = 0

  get full(): boolean {
    return this.#entries >= batchEntriesMax || this.#bytes >= batchBytesWanted
  }

  get empty(): boolean {
    return this.#entries === 0
  }

  add(entry: ImportEntry, number: number, name: string | undefined): void {
    this.#entries += 1
    this.#last = number
    const { line, key, body, ark, registrants } = entry
    const file = name === undefined ? {} : { file: name }
    for (const note of entry.notes) this.#notes.push({ ...note, key, ...file })
    const failure = failureOf(entry)
    if (failure !== undefined) return void this.#failures.push({ ...file, ...failure })
    if (body === undefined) return void (this.#leftOut += 1)
    for (const field of Object.keys(body)) {
      this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1)
    }
    const bytes = Buffer.from(JSON.stringify(body))
    this.#bytes += bytes.length
    const whose = { ...(ark !== undefined && { ark }), ...(registrants && { registrants }) }
    this.#works.push({ number, line, ...file, bytes, ...whose })
  }

  finish(place: FilePlace | undefined): Batch {
    return {
      works: this.#works,
      failures: this.#failures,
      notes: this.#notes,
      leftOut: this.#leftOut,
      fields: this.#fields,
      lastLine: this.#last,
      ...(place && { place }),
    }
  }
}

function failureOf({ line, key, faults }: CitationEntry): ImportFailure | undefined {
  if (faults.length === 0) return undefined
  const reasons = faults.map(({ message }) => message).join(' ')
  return { line, status: 422, error: 'validation_failed', message: `${key}: ${reasons}` }
}
