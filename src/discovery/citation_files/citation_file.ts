import { WorkerError } from '#actors/kernel/asked_worker.ts'
import { TaskThreads } from '#actors/kernel/task_threads.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { checkNewWork, type NewWorkCheck } from '#actors/works/request_checks.ts'
import {
  type ColumnChoices,
  type TableColumn,
  tableKind,
} from '#src/discovery/citation_files/csv_columns.ts'

/** The formats of files that describe works. */
export type CitationFormat = 'bibtex' | 'ris' | 'json' | 'csv' | 'xml'

/**
 * What became of a thing that a file says. `left_out`: no field is for it; `not_read`: a field is,
 * but the value cannot be read; `repeated`: another value counts; `taken_as`: it is read in another
 * meaning, or in part.
 */
export type NoteKind = 'left_out' | 'not_read' | 'repeated' | 'taken_as'

/** A sentence about a thing that a file says and its work does not, or not as it stands there. */
export type ReadNote = {
  readonly kind: NoteKind
  /** By its name in the file; empty if it is about the entry as a whole. */
  readonly field: string
  /** Where it stands in the file, from 1. */
  readonly line: number
  readonly message: string
  /** Whether the file says something that the work does not. */
  readonly isLoss: boolean
}

/** The notes on one entry. */
export class NoteList {
  readonly notes: ReadNote[] = []
  readonly #line: number

  /** `line` is that of the entry, for what has no line of its own. */
  constructor(line: number) {
    this.#line = line
  }

  /** Notes a thing of which something is lost, unless it is `taken_as` another. */
  add(kind: NoteKind, field: string, message: string, more?: NoteExtent): void {
    const { line = this.#line, isLoss = kind !== 'taken_as' } = more ?? {}
    this.notes.push({ kind, field, line, message, isLoss })
  }
}

type NoteExtent = { readonly line?: number | undefined; readonly isLoss?: boolean }

/** Notes on one field of a record. */
export class FieldNotes {
  readonly field: string
  readonly line: number | undefined
  readonly #list: NoteList

  constructor(
    list: NoteList,
    field: { readonly name: string; readonly line?: number | undefined },
  ) {
    this.#list = list
    this.field = field.name
    this.line = field.line
  }

  add(kind: NoteKind, message: string, isLoss = kind !== 'taken_as'): void {
    this.#list.add(kind, this.field, message, { line: this.line, isLoss })
  }

  /** Notes that a value of the field cannot be read. */
  notRead(value: unknown, reason: string): void {
    const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    this.add('not_read', `${this.field} "${quote(shown)}" is left out: ${reason}.`)
  }

  /** Notes that no field is for it. */
  leftOut(): void {
    this.add('left_out', `${this.field} is left out: no field fits.`)
  }
}

const shownCharactersMax = 100

/** A text of a file in a sentence, on one line, cut where it is long. */
export function quote(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim())
}

/** A text that is cut where it is long. */
export function shorten(text: string, max = shownCharactersMax): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text
}

/** An entry as it was read from a file. */
export type ReadEntry = {
  /** Where it begins, from 1. */
  readonly line: number
  /** Its key in BibTeX; of other records, which have none, `record 3`. */
  readonly key: string
  /** The work that it changes, in any spelling; absent if it is a new one. */
  readonly ark?: string
  /** The body of a creation or a change, unchecked; undefined if the entry cannot be read. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** What cannot be read, by the names of the file's fields. */
  readonly faults: readonly FieldFault[]
  /** What was left out or taken in another meaning. */
  readonly notes: readonly ReadNote[]
}

/** An entry that cannot be read. */
export function unreadable(
  place: Pick<ReadEntry, 'line' | 'key'>,
  faults: readonly FieldFault[],
): ReadEntry {
  return { ...place, body: undefined, faults, notes: [] }
}

/** What a thread is to read. */
export type CitationTask = {
  readonly text: string
  readonly format: CitationFormat
  readonly entriesMax: number
  /** What columns of a table hold that somebody has named by hand. */
  readonly choices: ColumnChoices
}

/** What a thread has read, or that it has not: `count` entries are too many, or there is none. */
export type CitationThreadAnswer =
  | {
      readonly type: 'read'
      readonly entries: readonly ReadEntry[]
      /** Of a table. */
      readonly columns?: readonly TableColumn[]
    }
  | { readonly type: 'too_many'; readonly count: number }
  | { readonly type: 'unreadable' }

/** A thread is kept for a while: after a preview, the same file is read again for its import. */
const readers = new TaskThreads<CitationTask, CitationThreadAnswer>({
  file: new URL('./citation_worker.ts', import.meta.url),
  name: 'citations',
  resourceLimits: { maxOldGenerationSizeMb: 256 },
  threadsMax: 2,
  waitingMax: 8,
  taskTime: { cpuMsMax: 20_000, msMax: 300_000 },
  idleMsMax: 10_000,
})

/**
 * Reads a file in a thread that does nothing else meanwhile. `busy`: too many others wait;
 * `too_slow`: the thread took too long or too much memory, and was ended.
 */
async function readInThread(
  task: CitationTask,
): Promise<CitationThreadAnswer | { readonly type: 'busy' | 'too_slow' }> {
  try {
    return await readers.run(task)
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error
    if (error.code === 'busy') return { type: 'busy' }
    if (error.code === 'too_slow' || error.code === 'out_of_memory') return { type: 'too_slow' }
    throw error
  }
}

// Where a value of ours stands in a file; tables and XML are told of by our own names.
const sources: Readonly<Record<CitationFormat, Readonly<Record<string, string>>>> = {
  csv: {},
  xml: {},
  bibtex: {
    work_title: 'title',
    authors: 'author',
    author_details: 'author',
    description: 'abstract',
    work_url: 'url',
    existing_doi: 'doi',
    keywords: 'keywords',
    published_date: 'date',
    publisher_name: 'publisher',
    container_title: 'journal',
    volume: 'volume',
    issue: 'number',
    pages: 'pages',
  },
  ris: {
    work_title: 'TI',
    authors: 'AU',
    author_details: 'AU',
    description: 'AB',
    work_url: 'UR',
    existing_doi: 'DO',
    keywords: 'KW',
    published_date: 'PY',
    publisher_name: 'PB',
    container_title: 'T2',
    volume: 'VL',
    issue: 'IS',
    pages: 'SP',
  },
  json: {
    work_title: 'title',
    authors: 'author',
    author_details: 'author',
    description: 'abstract',
    work_url: 'URL',
    existing_doi: 'DOI',
    published_date: 'issued',
    publisher_name: 'publisher',
    container_title: 'container-title',
    pages: 'page',
  },
}

/** A fault of a field of ours as one of the field of the file that it was read from. */
function explainFault(fault: FieldFault, format: CitationFormat): FieldFault {
  const { code, message } = fault
  const [ours = ''] = /^\w+/.exec(fault.field) ?? []
  const field = nameIn(format, ours)
  if (code !== 'required') return { field, code, message: message.replace(ours, field) }
  const missing = ours === 'work_url' ? `${field} or ${nameIn(format, 'existing_doi')}` : field
  return { field, code, message: `The entry has no ${missing}: give it one.` }
}

function nameIn(format: CitationFormat, field: string): string {
  const names = sources[format]
  return (Object.hasOwn(names, field) ? names[field] : undefined) ?? field
}

/** Bytes of a file, and entries in it, at most. */
export const citationBytesMax = 8 * 1_048_576
export const citationEntriesMax = 1_000

/** An entry of a file as it can be registered, or what keeps it from being. */
export type CitationEntry = {
  /** Where it begins in the file, from 1. */
  readonly line: number
  /** Its key in BibTeX; of other records, which have none, `record 3`. */
  readonly key: string
  /** The work that it changes, in any spelling; absent if it is a new one. */
  readonly ark?: string
  /**
   * What `POST /v1/works` takes if there are no faults, or a `PUT` of the work that it changes;
   * undefined if it cannot be read.
   */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** By the names of the file's fields; none if the entry can be registered. */
  readonly faults: readonly FieldFault[]
  /** What was left out or taken in another meaning. */
  readonly notes: readonly ReadNote[]
}

/** A file that was read, or why it was not: a sentence. */
type CitationFile<Entry = CitationEntry> =
  | {
      readonly type: 'read'
      readonly format: CitationFormat
      readonly entries: readonly Entry[]
      /** Of a table, and what is read of each. */
      readonly columns?: readonly TableColumn[]
    }
  | {
      readonly type: 'too_large' | 'too_many' | 'too_slow' | 'not_text' | 'unknown_format' | 'busy'
      readonly message: string
    }

/**
 * Reads a file of BibTeX, RIS, CSV, XML (DataCite, Crossref, JATS, MODS) or JSON (CSL-JSON,
 * schema.org, or what Crossref and DataCite give for a DOI) in UTF-8, each entry on its own; in
 * another thread, so that a file that takes too long or too much keeps nobody up. Fetches nothing.
 */
export async function readCitationFile(
  bytes: Uint8Array,
  choices: ColumnChoices = {},
): Promise<CitationFile> {
  const file = await readUncheckedFile(bytes, choices)
  if (file.type !== 'read') return file
  return { ...file, entries: file.entries.map((each) => checkEntry(each, file.format)) }
}

/** The same as `readCitationFile`, of which nobody has looked yet what can be registered. */
export async function readUncheckedFile(
  bytes: Uint8Array,
  choices: ColumnChoices = {},
): Promise<CitationFile<ReadEntry>> {
  if (bytes.length > citationBytesMax) {
    return refusal('too_large', `The file has more than ${citationBytesMax / 1_048_576} MiB.`)
  }
  const text = decode(bytes)
  if (text === undefined) return refusal('not_text', whyNotText(bytes))
  const format = formatOf(text)
  if (format === undefined) {
    return refusal('unknown_format', explainFormat(text))
  }
  const answer = await readInThread({
    text,
    format,
    choices,
    entriesMax: citationEntriesMax,
  })
  switch (answer.type) {
    case 'read':
      return {
        type: 'read',
        format,
        entries: answer.entries,
        ...(answer.columns && { columns: answer.columns }),
      }
    case 'too_many': {
      const { count } = answer
      const message = `The file has ${count} entries: import ${citationEntriesMax} at a time.`
      return refusal('too_many', message)
    }
    case 'unreadable':
      return refusal('unknown_format', explainFormat(text))
    case 'too_slow':
      return refusal('too_slow', 'The file takes too long to read: import it in parts.')
    case 'busy':
      return refusal('busy', 'Too many files are being read: try again in a minute.')
  }
}

const noEntry =
  'There is no entry of BibTeX, such as @article{key, …}, none of RIS, which begins with ' +
  '"TY  - ", no record of CSL-JSON, schema.org, Crossref, DataCite, JATS or MODS, and no table ' +
  'with the names of its columns in the first row.'

type Refusal = Exclude<CitationFile, { type: 'read' }>

function refusal(type: Refusal['type'], message: string): Refusal {
  return { type, message }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    // It drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.replace(/\r\n?/g, '\n')
  } catch {
    return undefined
  }
}

/** Formats that are like those that are read, by how they begin, and where they come from. */
const otherFormats: readonly (readonly [begins: RegExp, format: string])[] = [
  [/^\s*(?:FN |VR |PT [A-Z]\n)/, 'the plain text of Web of Science'],
  [/^\s*PT\tAU\t/, 'the table of Web of Science'],
  [/^\s*PMID- ?\d/m, "PubMed's format"],
  [/^\s*%0 /m, 'the format of EndNote (Refer)'],
  [/^\s*RT [A-Z]/m, 'the tagged format of RefWorks'],
  [/<PubmedArticle|<PubmedBook/, 'the XML of PubMed'],
  [/<xml>\s*<records>/, 'the XML of EndNote'],
  [/<TEI\b/, 'TEI'],
  [/<(?:\w+:)?dc\b[^>]*dc\/elements\/1\.1/, 'Dublin Core'],
  [/<(?:marc:)?(?:record|collection)\b[^>]*MARC21\/slim/, 'MARC'],
]

/** Why a text is of no format that is read. */
export function explainFormat(text: string): string {
  const [, format] = otherFormats.find(([begins]) => begins.test(text.slice(0, 2_000))) ?? []
  return format === undefined ? noEntry : `This is ${format}: export it as RIS or BibTeX.`
}

/** Why bytes are no text of ours, and what would be right. */
export function whyNotText([first, second]: Uint8Array): string {
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isWide
    ? 'The file is text in UTF-16: save it in UTF-8, which Excel calls “CSV UTF-8”.'
    : 'The file is not text in UTF-8: save it in this encoding.'
}

/** The format of a file by its text, or by the beginning of it. */
export function formatOf(text: string): CitationFormat | undefined {
  if (/^\s*[[{]/.test(text)) return 'json'
  if (/^\s*</.test(text)) return 'xml'
  if (/^\s*PT\tAU\t/.test(text)) return undefined
  const table = tableKind(text)
  if (table === 'known') return 'csv'
  const bibtex = text.search(/^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]/m)
  // A file may quote the other format: the first entry counts.
  const type = bibtex < 0 ? /^[ \t]*TY[ \t]{1,2}-/im : /^[ \t]*TY[ \t]{1,2}-[ \t]*\w*[ \t]*$/im
  const ris = text.search(type)
  if (ris >= 0 && (bibtex < 0 || ris < bibtex)) return 'ris'
  if (bibtex >= 0) return 'bibtex'
  return table === undefined ? undefined : 'csv'
}

/**
 * What keeps an entry from being registered is named in it. A row that changes a work is checked
 * beside that work: what a program for tables made of a value need not be one.
 */
export function checkEntry(entry: ReadEntry, format: CitationFormat): CitationEntry {
  const { check: _, ...checked } = judgeEntry(entry, format)
  return checked
}

/** An entry with the check of its body, if it has one that makes a new work. */
export type JudgedEntry = CitationEntry & { readonly check?: NewWorkCheck }

/** The same as `checkEntry`, with what is to be stored of the entry. */
export function judgeEntry(entry: ReadEntry, format: CitationFormat): JudgedEntry {
  if (entry.body === undefined || entry.ark !== undefined) return entry
  const check = checkNewWork(entry.body)
  if (check.type === 'ok')
    return { ...entry, check, notes: withDoubts(entry.notes, check, entry, format) }
  // A value of somebody's own table is put right there, and not left out.
  const fit = format === 'csv' ? undefined : withoutUnfit(entry, check.faults, format)
  if (fit !== undefined) return fit
  const faults = check.faults.map((fault) => explainFault(fault, format))
  return { ...entry, faults, check: { type: 'invalid', faults } }
}

// Warnings of a registration that tell of the file, rather than of how a value is spelled here.
const doubts = new Set([
  'ends_with_stop',
  'names_joined',
  'names_parted',
  'other_calendar',
  'other_field',
  'percent_encoded',
  'several_licenses',
  'short_doi',
  'unusual_identifier',
])

/** Notes on an entry, and those that its check makes of what may be meant otherwise. */
function withDoubts(
  notes: readonly ReadNote[],
  { warnings }: Pick<NewWorkCheck & { readonly type: 'ok' }, 'warnings'>,
  entry: Pick<ReadEntry, 'line' | 'body'>,
  format: CitationFormat,
): readonly ReadNote[] {
  const found = warnings.filter(({ code }) => doubts.has(code))
  const all = format === 'bibtex' ? found : [...found, ...latexIn(entry.body ?? {})]
  if (all.length === 0) return notes
  const told = all.map((warning) => explainFault(warning, format))
  return [...notes, ...warningNotes(told, entry.line)]
}

// Commands for letters, marks and signs; what is no file of LaTeX has them from a program for it.
const latexForm =
  /\\(?:["'`^~=.]\{?\\?[A-Za-z]|[A-Za-z]{1,20}\{|(?:ss|ae|AE|oe|OE|aa|AA|[oOlLij])\b|[&%#_])/

/** What is LaTeX in texts that are read as they stand; formulas have it, and stay. */
function latexIn(body: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  return ['work_title', 'container_title', 'publisher_name', 'authors'].flatMap((field) => {
    const text = body[field]
    if (typeof text !== 'string' || !text.includes('\\')) return []
    if (!latexForm.test(text.replaceAll(/\$[^$]{1,500}\$/g, ''))) return []
    return [{ field, code: 'latex', message: `${field} has LaTeX, which stays as it is` }]
  })
}

/** What a check warns of, as notes on the entry that begins at `line`. */
export function warningNotes(warnings: readonly FieldFault[], line = 1): readonly ReadNote[] {
  const list = new NoteList(line)
  for (const { code, field, message } of warnings) {
    list.add('taken_as', field, `${message}.`, { isLoss: code === 'short_doi' })
  }
  return list.notes
}

// Without these there is no work to register.
const neededFields = new Set(['work_title', 'work_type', 'authors'])

// What a list lacks when a member of one of its things is taken away shows in the next round.
const roundsMax = 4

/**
 * An entry without the values that its fields do not take, each of which is told; undefined if it
 * cannot be registered without them either.
 */
function withoutUnfit(
  entry: ReadEntry,
  found: readonly FieldFault[],
  format: CitationFormat,
): JudgedEntry | undefined {
  const body = structuredClone(entry.body) as Record<string, unknown>
  const notes = new NoteList(entry.line)
  let faults = found
  for (let round = 0; round < roundsMax; round += 1) {
    for (const fault of faults) {
      const path = fault.field.split(/[.[\]]+/).filter((part) => part !== '')
      const [name = ''] = path
      if (neededFields.has(name) || !(name in body)) return undefined
      const isWhole = fault.code === 'required'
      // What lacks a member because that was just taken away is told of already.
      if (!isWhole || round === 0) {
        const { field, message } = isWhole ? fault : explainFault(fault, format)
        notes.add('not_read', field, `${message}: ${isWhole ? name : 'it'} is left out.`)
      }
      remove(body, path, isWhole)
    }
    for (const [name, value] of Object.entries(body)) {
      const rest: unknown = Array.isArray(value)
        ? value.filter((each) => each !== undefined)
        : value
      if (Array.isArray(rest) && rest.length === 0) delete body[name]
      else body[name] = rest
    }
    const check = checkNewWork(body)
    if (check.type === 'ok') {
      const all = [...entry.notes, ...notes.notes]
      return { ...entry, body, check, notes: withDoubts(all, check, entry, format) }
    }
    faults = check.faults
  }
  return undefined
}

/** Takes a value away: a field, a member of a thing in a list, or the whole of that thing. */
function remove(
  body: Record<string, unknown>,
  [name = '', index, ...path]: readonly string[],
  isWhole: boolean,
): void {
  const list = body[name]
  if (!Array.isArray(list) || index === undefined) {
    delete body[name]
    return
  }
  const [member] = path
  const item: unknown = list[Number(index)]
  const isMember = !isWhole && member !== undefined && typeof item === 'object' && item !== null
  if (!isMember || !Reflect.deleteProperty(item, member)) list[Number(index)] = undefined
}
