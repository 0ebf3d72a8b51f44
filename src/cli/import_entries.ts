import path from 'node:path'

import {
  type EntryGroup,
  type ImportEntry,
  lineBytesMax,
  lineEntryOf,
  readEntryOf,
} from '#src/cli/import_batch.ts'
import {
  beginning,
  type CollectedFile,
  type Collection,
  type ImportSource,
  openSource,
  peek,
} from '#src/cli/import_source.ts'
import { isJsonList, type Line, readJsonItems, readLines } from '#src/cli/line_reader.ts'
import { UnusableError } from '#src/cli/program.ts'
import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { nextEntryForm, splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import {
  citationBytesMax,
  type CitationFormat,
  explainFormat,
  formatOf,
  type ReadEntry,
  readUncheckedFile,
  whyNotText,
} from '#src/discovery/citation_files/citation_file.ts'
import type { ColumnChoices, TableColumn } from '#src/discovery/citation_files/csv_columns.ts'
import { readCsvStream } from '#src/discovery/citation_files/csv_file.ts'
import { isJsonRecord, parseJsonRecords } from '#src/discovery/citation_files/json_records.ts'
import { unfindable } from '#src/discovery/citation_files/record_line.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { isJsonLd } from '#src/discovery/citation_files/schema_org.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'

/**
 * The formats of files: those of citations; records a line, or in one list; and `work_lines`, a
 * work a line as `POST /v1/works` takes it.
 */
export type ImportFormat = CitationFormat | 'json_lines' | 'json_items' | 'work_lines'

// Records of Crossref with all their references are long.
const headBytesMax = lineBytesMax

/** The format of a file, by its beginning. UnusableError if it is of none. */
export async function fileFormat(file: string): Promise<ImportFormat> {
  const { text } = await openSource(file)
  const bytes = await beginning(text, headBytesMax)
  const head = bytes.toString('utf8').replace(/^\ufeff/, '')
  const isLines = head.trim() === '' || /^\s*\{/m.test(head)
  const format = headFormat(file, head) ?? (isLines ? 'work_lines' : undefined)
  if (format === undefined) throw new UnusableError(explainFormat(head))
  // What is not long is read whole, with the lines on which its records stand.
  return format === 'json_items' && bytes.length < headBytesMax ? 'json' : format
}

/** The format of a file by its name and its beginning; undefined if it is of none. */
function headFormat(name: string, head: string): ImportFormat | undefined {
  const format = /\.(?:csv|tsv)(?:\.gz|\.zst)?$/i.test(name) ? 'csv' : formatOf(head)
  if (format !== 'json') return format
  const kind = jsonFormat(head)
  return kind !== 'json_lines' && isJsonList(head) ? 'json_items' : kind
}

/** Whether JSON is one value, or has a value a line: a record, or a work as our interface takes. */
function jsonFormat(head: string): ImportFormat {
  const text = head.trimStart()
  const [line = ''] = text.split('\n', 1)
  try {
    const value: unknown = JSON.parse(line)
    if (Array.isArray(value)) return 'json'
    if (!isJsonRecord(value) && !isJsonLd(value) && !isJsonRecord(unwrapped(value))) {
      return 'work_lines'
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
      yield { entries: group.map((entry) => readEntryOf(entry, format)) }
    }
  } else if (format === 'bibtex') {
    for await (const group of readBibtexParts(file, decoded(source.text))) {
      yield { entries: group.map((entry) => readEntryOf(entry, format)) }
    }
  } else for await (const entries of readStream(source.text, format)) yield { entries }
}

/** The same of a text that is read once, of a format that needs no more. */
async function* readStream(
  text: AsyncIterable<Buffer>,
  format: Exclude<ImportFormat, 'csv' | 'bibtex'>,
): AsyncGenerator<readonly ImportEntry[]> {
  switch (format) {
    case 'json':
      yield (await readJsonFile(text)).map((entry) => readEntryOf(entry, format))
      return
    case 'json_lines':
      return yield* recordEntries(readLines(text, lineBytesMax))
    case 'json_items':
      return yield* recordEntries(readJsonItems(text, lineBytesMax))
    case 'work_lines':
      for await (const lines of readLines(text, lineBytesMax)) {
        yield lines.map((line) => lineEntryOf(line, `line ${line.number}`, 'work'))
      }
      return
    case 'xml':
    case 'ris': {
      const groups = format === 'xml' ? readXmlStream(decoded(text)) : readRisParts(decoded(text))
      for await (const group of groups) yield group.map((entry) => readEntryOf(entry, format))
    }
  }
}

/** Records, which the registry reads. */
async function* recordEntries(groups: AsyncIterable<readonly Line[]>) {
  let count = 0
  for await (const lines of groups) {
    yield lines.map((line) => lineEntryOf(line, `record ${(count += 1)}`, 'record'))
  }
}

async function readJsonFile(text: AsyncIterable<Buffer>): Promise<readonly ReadEntry[]> {
  // One byte more than it may have is enough to be refused.
  const read = await readUncheckedFile(await beginning(text, citationBytesMax + 1))
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
    const entries = readRis(splitRis(text, line))
    count += entries.length
    yield entries.map((entry, index) => ({ ...entry, key: `record ${before + index + 1}` }))
  }
}

/** How the lists begin that DataCite's dumps have beside their records. */
const stateListHeader = 'doi,state,client_id,updated'

/** Files of a dump that have no records. */
const otherFiles = /^(?:MANIFEST|README|LICENSE|CHECKSUMS?|(?:SHA256|MD5)SUMS)(?:\.\w+)?$|^\./i

/**
 * The entries of all files of a folder or an archive, in groups as they come, each with its file;
 * those before `filesDone` are passed over. A file that cannot be read is an entry that fails.
 */
export async function* readCollection(
  { files }: Collection,
  filesDone: number,
): AsyncGenerator<EntryGroup> {
  for await (const file of files) {
    const { index, name } = file
    if (index < filesDone || otherFiles.test(path.basename(name))) continue
    for await (const entries of readFile(file)) yield { file: { index, name }, entries }
  }
}

async function* readFile({ name, text }: CollectedFile): AsyncGenerator<readonly ImportEntry[]> {
  const { head, all } = await peek(text, headBytesMax)
  const firstText = head.toString('utf8').replace(/^\ufeff/, '')
  if (firstText.startsWith(stateListHeader)) yield* readStates(all)
  else if (firstText.trim() !== '') {
    const format = headFormat(name, firstText)
    if (format === 'bibtex' || format === 'csv' || format === undefined) {
      yield [refused(name, 'is not read in a folder or an archive: import it by itself.')]
    } else yield* readStream(all, format)
  }
  // What is behind it in an archive is read once this is.
  for await (const _ of all) continue
}

function refused(name: string, why: string): ImportEntry {
  const key = path.basename(name)
  const fault = { field: '', code: 'not_readable', message: `${name} ${why}` }
  return { line: 1, key, form: 'record', bytes: undefined, faults: [fault], notes: [] }
}

/** The DOIs of a list that have no record in the dump, because nobody can find them. */
async function* readStates(text: AsyncIterable<Buffer>): AsyncGenerator<readonly ImportEntry[]> {
  for await (const lines of readLines(text, lineBytesMax)) {
    yield lines.slice(Number(lines[0]?.number === 1)).flatMap(({ number: line, bytes }) => {
      const [doi = '', state = ''] = bytes?.toString('utf8').split(',') ?? []
      return state === 'findable'
        ? []
        : [readEntryOf(unfindable({ line, key: doi }, state), 'json')]
    })
  }
}

/** A part of a file that ends where an entry ends; `line` is where it begins, from 1. */
type FilePart = { readonly text: string; readonly line: number }

/** Characters at which a part ends with its entry, and those that it has at most. */
const partCharactersWanted = 262_144
const partCharactersMax = 8 * 1_048_576

/** The line breaks before the entries of BibTeX, where their reader sees entries, too. */
function bibtexBeginning(): RegExp {
  return new RegExp(nextEntryForm)
}

/** The line breaks before the records of RIS, by how the file writes its tags. */
function risBeginning(text: string): RegExp {
  return /^\s*TY {2}-/m.test(text) ? /\n\s*TY {2}-/g : /\n[ \t]*TY[ \t]{1,2}-/gi
}

/**
 * Cuts a text before entries into parts of about 256 KiB; `formOf` gives, by the first part,
 * what an entry begins with. UnusableError if an entry is longer than 8 MiB.
 */
async function* cutParts(
  texts: AsyncIterable<string>,
  formOf: (text: string) => RegExp,
): AsyncGenerator<FilePart> {
  let held = ''
  let line = 1
  let form: RegExp | undefined
  for await (const text of withLineFeeds(texts)) {
    held += text
    if (held.length < partCharactersWanted) continue
    form ??= formOf(held)
    const end = lastBeginning(held, form)
    if (end !== undefined) {
      yield { text: held.slice(0, end), line }
      line += lineFeeds(held.slice(0, end))
      held = held.slice(end)
    } else if (held.length > partCharactersMax) {
      const size = `${partCharactersMax / 1_048_576} MiB`
      throw new UnusableError(`The entry on line ${line} is larger than ${size}.`)
    }
  }
  if (held !== '') yield { text: held, line }
}

async function* withLineFeeds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let open = ''
  for await (const text of texts) {
    const whole = open + text
    // The line feed that belongs to it may come with what follows.
    open = whole.endsWith('\r') ? '\r' : ''
    yield whole.slice(0, whole.length - open.length).replace(/\r\n?/g, '\n')
  }
  if (open !== '') yield '\n'
}

function lastBeginning(text: string, form: RegExp): number | undefined {
  let last: number | undefined
  for (const { index } of text.matchAll(form)) last = index + 1
  return last
}

function lineFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Characters of the abbreviations, and of the entries that others name, at most. */
const contextCharactersMax = 8 * 1_048_576

const referenceForm = /\b(?:crossref|xdata|xref|entryset)\s*=\s*["{]([^"{}]*)/gi
const aliasForm = /\bids\s*=\s*["{]([^"{}]*)/i
const keyForm = /^[^{(]*[{(]\s*([^\s,]*)/

/**
 * What the parts of a BibTeX file need of each other: the abbreviations that stand before a part,
 * and the entries that its own ones take fields from.
 */
class BibtexContext {
  /** By their keys in small letters. */
  readonly #entries: ReadonlyMap<string, string>
  #abbreviations = ''

  private constructor(entries: ReadonlyMap<string, string>) {
    this.#entries = entries
  }

  /** Reads all parts, twice where entries name others. UnusableError if those are too long. */
  static async of(partsAgain: () => AsyncIterable<FilePart>): Promise<BibtexContext> {
    const named = new Set<string>()
    let count = 0
    for await (const { text } of partsAgain()) {
      count += 1
      for (const key of namedIn(text)) named.add(key)
    }
    const entries = new Map<string, string>()
    if (count < 2 || named.size === 0) return new BibtexContext(entries)
    let characters = 0
    for await (const { text } of partsAgain()) {
      for (const entry of entriesOf(text)) {
        for (const key of keysOf(entry).filter((each) => named.has(each) && !entries.has(each))) {
          entries.set(key, entry)
          characters += entry.length
        }
      }
      if (characters > contextCharactersMax) throw tooMuch('entries that others take fields from')
    }
    return new BibtexContext(entries)
  }

  /**
   * A part, the next one in order, with what it needs: its lines keep their numbers, and what is
   * behind it begins on `endLine`.
   */
  complete({ text, line }: FilePart): { readonly text: string; readonly endLine: number } {
    const own = text.endsWith('\n') ? text : `${text}\n`
    const before = this.#abbreviations + '\n'.repeat(line - 1)
    if (/@\s*string/i.test(own)) this.#define(this.#abbreviations + own)
    const endLine = line + lineFeeds(own)
    return { text: `${before}${own}${this.#needed(own).join('')}`, endLine }
  }

  #define(text: string): void {
    const strings = splitBibtex(text).flatMap(({ kind, fields }) => {
      return kind === 'string' ? fields : []
    })
    const values = new Map(strings.map(({ name, value }) => [name, value.replace(/\s+/g, ' ')]))
    this.#abbreviations = [...values].map(([name, value]) => `@string{${name}={${value}}}`).join('')
    if (this.#abbreviations.length > contextCharactersMax) throw tooMuch('abbreviations')
  }

  /** The entries that those of a text name, and those that these name. */
  #needed(text: string): readonly string[] {
    const found = new Set<string>()
    const keys = namedIn(text)
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      const entry = this.#entries.get(key)
      if (entry === undefined || found.has(entry)) continue
      found.add(entry)
      keys.push(...namedIn(entry))
    }
    return [...found]
  }
}

function tooMuch(what: string): UnusableError {
  const size = `${contextCharactersMax / 1_048_576} MiB`
  return new UnusableError(`The file has more than ${size} of ${what}: import it in parts.`)
}

/** The keys, in small letters, of the entries that those of a text take fields from. */
function namedIn(text: string): string[] {
  return [...text.matchAll(referenceForm)].flatMap(([, keys = '']) => keysIn(keys))
}

function keysIn(list: string): readonly string[] {
  const keys = list.split(',').map((key) => key.trim().toLowerCase())
  return keys.filter((key) => key !== '')
}

/** The entries of a text, each with what stands between it and the next one. */
function entriesOf(text: string): readonly string[] {
  const starts = [...text.matchAll(bibtexBeginning())].map(({ index }) => index + 1)
  const all = text.startsWith('@') ? [0, ...starts] : starts
  return all.map((start, index) => `${text.slice(start, all[index + 1]).trimEnd()}\n`)
}

function keysOf(entry: string): readonly string[] {
  const [, key = ''] = keyForm.exec(entry) ?? []
  const [, aliases = ''] = aliasForm.exec(entry) ?? []
  return keysIn(`${key},${aliases}`)
}
