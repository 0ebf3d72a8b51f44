import { isUtf8 } from 'node:buffer'

import {
  type Agency,
  type EntryGroup,
  type ImportEntry,
  lineBytesMax,
} from '#src/cli/import_batch.ts'
import { BibtexContext, bibtexBeginning, cutParts, risBeginning } from '#src/cli/import_parts.ts'
import { beginning, type ImportSource, openSource } from '#src/cli/import_source.ts'
import { candidatesIn } from '#src/cli/registrant_names.ts'
import { isJsonList, readJsonItems } from '#src/cli/json_items.ts'
import { type Line, readLines } from '#src/cli/line_reader.ts'
import { UnusableError } from '#src/cli/program.ts'
import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import {
  checkEntry,
  citationBytesMax,
  type CitationEntry,
  type CitationFormat,
  explainFormat,
  formatOf,
  readCitationFile,
  type ReadEntry,
  unreadable,
  whyNotText,
} from '#src/discovery/citation_files/citation_file.ts'
import type { ColumnChoices, TableColumn } from '#src/discovery/citation_files/csv_columns.ts'
import { readCsvStream } from '#src/discovery/citation_files/csv_file.ts'
import {
  isJsonRecord,
  parseJsonRecords,
  readRecord,
} from '#src/discovery/citation_files/json_records.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import {
  isJsonLd,
  readSchemaOrg,
  schemaOrgWorks,
} from '#src/discovery/citation_files/schema_org.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'

/** The formats of files that say of works what others say of them. */
export type ImportFormat = CitationFormat | 'json_lines' | 'json_items'

// Records of Crossref with all their references are long.
export const headBytesMax = lineBytesMax

/**
 * The format of a file that says of works what others say of them, by its beginning; undefined if
 * it has a work a line as `POST /v1/works` takes it. UnusableError if it is of no format.
 */
export async function fileFormat(file: string): Promise<ImportFormat | undefined> {
  const { text } = await openSource(file)
  const bytes = await beginning(text, headBytesMax)
  const head = bytes.toString('utf8').replace(/^\ufeff/, '')
  const format = headFormat(file, head)
  const isLines = head.trim() === '' || /^\s*\{/m.test(head)
  if (format === undefined && !isLines) throw new UnusableError(explainFormat(head))
  // What is not long is read whole, with the lines on which its records stand.
  return format === 'json_items' && bytes.length < headBytesMax ? 'json' : format
}

/** The format of a file by its name and its beginning; undefined as `fileFormat`, or of none. */
export function headFormat(name: string, head: string): ImportFormat | undefined {
  const format = /\.(?:csv|tsv)(?:\.gz|\.zst)?$/i.test(name) ? 'csv' : formatOf(head)
  if (format !== 'json') return format
  const kind = jsonFormat(head)
  return kind !== 'json_lines' && isJsonList(head) ? 'json_items' : kind
}

/** Whether JSON is one value, or has a value a line: a record, or a work as our interface takes. */
function jsonFormat(head: string): ImportFormat | undefined {
  const text = head.trimStart()
  const [line = ''] = text.split('\n', 1)
  try {
    const value: unknown = JSON.parse(line)
    if (Array.isArray(value)) return 'json'
    if (!isJsonRecord(value) && !isJsonLd(value) && !isJsonRecord(unwrapped(value))) {
      return undefined
    }
    return text.slice(line.length).trim() === '' ? 'json' : 'json_lines'
  } catch {
    return 'json'
  }
}

function unwrapped(value: unknown): unknown {
  return parseJsonRecords(JSON.stringify(value))[0]
}

/** How the entries of a file are read. */
export type EntryOptions = {
  readonly format: ImportFormat
  readonly choices: ColumnChoices
  /** Is told the columns of a table. */
  readonly seen: (columns: readonly TableColumn[]) => void
}

/**
 * The entries of a file, in groups as they come: only a part of a long file is held, unless it is
 * one value of JSON. UnusableError if the file cannot be read.
 */
export async function* readEntries(
  file: string,
  source: ImportSource,
  { format, choices, seen }: EntryOptions,
): AsyncGenerator<EntryGroup> {
  if (format === 'csv') {
    for await (const group of readCsvStream(decoded(source.text), choices, seen)) {
      yield { entries: group.map((entry) => checkEntry(entry, format)) }
    }
  } else if (format === 'bibtex') {
    for await (const group of readBibtexParts(file, decoded(source.text))) {
      yield { entries: group.map((entry) => checkEntry(entry, format)) }
    }
  } else for await (const entries of readStream(source.text, format)) yield { entries }
}

/** The same of a text that is read once, of a format that needs no more. */
export async function* readStream(
  text: AsyncIterable<Buffer>,
  format: Exclude<ImportFormat, 'csv' | 'bibtex'>,
): AsyncGenerator<readonly ImportEntry[]> {
  if (format === 'json') {
    yield await readJsonFile(text)
    return
  }
  const checked = format === 'json_lines' || format === 'json_items' ? 'json' : format
  for await (const group of readGroups(text, format)) {
    yield group.map((entry) => checkEntry(entry, checked))
  }
}

function readGroups(
  text: AsyncIterable<Buffer>,
  format: Exclude<ImportFormat, 'csv' | 'bibtex' | 'json'>,
): AsyncIterable<readonly ReadEntry[]> {
  switch (format) {
    case 'xml':
      return readXmlStream(decoded(text))
    case 'ris':
      return readRisParts(decoded(text))
    case 'json_lines':
      return readJsonLines(readLines(text, lineBytesMax))
    case 'json_items':
      return readJsonLines(readJsonItems(text, lineBytesMax))
  }
}

async function readJsonFile(text: AsyncIterable<Buffer>): Promise<readonly CitationEntry[]> {
  // One byte more than it may have is enough to be refused.
  const read = await readCitationFile(await beginning(text, citationBytesMax + 1))
  if (read.type === 'read') return read.entries
  const isLong = read.type === 'too_large' || read.type === 'too_many'
  const hint = isLong ? ' A file with one record on each line may be longer.' : ''
  throw new UnusableError(`${read.message}${hint}`)
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first: Buffer | undefined
  try {
    for await (const chunk of chunks) {
      first ??= chunk
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnusableError(whyNotText(first ?? Buffer.alloc(0)))
  }
}

async function* readXmlStream(texts: AsyncIterable<string>) {
  const reader = new XmlReader()
  for await (const text of texts) yield reader.push(text)
  yield reader.end()
}

async function* readBibtexParts(file: string, texts: AsyncIterable<string>) {
  const again = async function* () {
    const { text } = await openSource(file)
    yield* cutParts(decoded(text), bibtexBeginning)
  }
  const context = await BibtexContext.of(again)
  for await (const part of cutParts(texts, bibtexBeginning)) {
    const { text, endLine } = context.complete(part)
    const entries = readBibtex(splitBibtex(text))
    // What was added stands before and behind the part.
    yield entries.filter(({ line }) => line >= part.line && line < endLine)
  }
}

async function* readRisParts(texts: AsyncIterable<string>) {
  let count = 0
  for await (const { text, line } of cutParts(texts, risBeginning)) {
    const before = count
    const entries = readRis(splitRis(`${'\n'.repeat(line - 1)}${text}`))
    count += entries.length
    yield entries.map((entry, index) => ({ ...entry, key: `record ${before + index + 1}` }))
  }
}

async function* readJsonLines(groups: AsyncIterable<readonly Line[]>) {
  let count = 0
  for await (const lines of groups) {
    for (const line of lines) {
      const entries = readJsonLine(line, count)
      count += entries.length
      yield entries
    }
  }
}

/** The entries of one line, of which `before` others stand before it. */
function readJsonLine({ number: line, bytes }: Line, before: number): readonly ReadEntry[] {
  const placeOf = (index: number) => ({ line, key: `record ${before + index + 1}` })
  const refuse = (message: string) => [
    unreadable(placeOf(0), [{ field: '', code: 'not_readable', message }]),
  ]
  if (bytes === undefined) return refuse(`The line has more than ${lineBytesMax} bytes.`)
  if (!isUtf8(bytes)) return refuse('The line is not text in UTF-8.')
  const records = parseJsonRecords(bytes.toString('utf8'))
  if (records.length === 0) return refuse('The line is not one JSON value.')
  if (!records.some(isJsonLd)) {
    return records.map((each, index) => {
      const place = placeOf(index)
      const state = hiddenState(each)
      if (state !== undefined) return unfindable(place, state)
      const whose = { registrants: candidatesIn(each), agency: agencyOf(each) }
      return { ...readRecord(each, place), ...whose }
    })
  }
  const entries = readSchemaOrg(schemaOrgWorks(records))
  if (entries.length === 0) return refuse('The line has no work of schema.org.')
  return entries.map((entry, index) => {
    const notes = entry.notes.map((note) => ({ ...note, line }))
    return { ...entry, ...placeOf(index), notes }
  })
}

/** Whose record it is, as far as a glance tells; of CSL-JSON, which has a DOI too, Crossref's. */
function agencyOf(record: unknown): Agency | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  return 'attributes' in record ? 'datacite' : 'DOI' in record ? 'crossref' : undefined
}

/** The state of a record of DataCite that nobody can find by its DOI. */
function hiddenState(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const { attributes } = record as { readonly attributes?: unknown }
  if (typeof attributes !== 'object' || attributes === null) return undefined
  const { state } = attributes as { readonly state?: unknown }
  return state === 'registered' || state === 'draft' ? state : undefined
}

/** An entry that is left out for the state of its DOI. */
export function unfindable(place: Pick<ReadEntry, 'line' | 'key'>, state: string): ReadEntry {
  const message = `${place.key} is left out: its state is ${state}, so nobody can find it.`
  const about = { kind: 'left_out', field: 'state', isLoss: false } as const
  const note = { ...about, line: place.line, message }
  return { ...place, body: undefined, faults: [], notes: [note] }
}
