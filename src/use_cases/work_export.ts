import { FairQueue, QueueError } from '#actors/kernel/fair_queue.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { undefinedIfDamage } from '#log/tlog/errors.ts'
import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { formatCslJson } from '#src/discovery/formats/csl_json.ts'
import { csvNote, csvRows } from '#src/discovery/formats/csv_row.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import {
  describedWork,
  readResolution,
  registrantOf,
  type ResolutionBody,
} from '#src/discovery/formats/resolution.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { HttpError } from '#src/edge/errors.ts'
import { workRecord } from '#src/use_cases/work_record.ts'

/** What one file may have: a file that would have more ends with a word on how to go on. */
export const exportLimits = { works: 100_000, bytes: 268_435_456, ms: 120_000 } as const

/** The limits, for those who take a file. */
export const exportLimitsText = '100,000 works, 256 MiB or 2 minutes'

/** Bytes that are sent at a time, about. */
const chunkBytes = 65_536

// A file keeps a thread half busy for as long as it takes: two at a time, and one of a caller.
const turns = {
  runningMax: 2,
  runningPerCallerMax: 1,
  waitingMax: 32,
  waitingPerCallerMax: 2,
}

/** The files that works are exported as. */
export const exportFormats = {
  ris: { label: 'RIS', mediaType: 'application/x-research-info-systems', extension: 'ris' },
  bibtex: { label: 'BibTeX', mediaType: 'application/x-bibtex', extension: 'bib' },
  csl: {
    label: 'CSL-JSON',
    mediaType: 'application/vnd.citationstyles.csl+json',
    extension: 'csl.json',
  },
  csv: { label: 'CSV', mediaType: 'text/csv', extension: 'csv' },
  jsonl: { label: 'JSON lines', mediaType: 'application/jsonl', extension: 'jsonl' },
} as const

export type ExportFormat = keyof typeof exportFormats

export const exportFormatNames = Object.keys(exportFormats) as readonly ExportFormat[]

/** Where what a search finds is exported. */
export const searchExportPath = '/search/export'

/** Works that are looked up at a time for a file. */
export const pageOfExport = 200

/** A page of works, `naan/name`; `next` is where the one after it begins, null at the end. */
type ExportPage = { readonly arks: readonly string[]; readonly next: string | null }

/** Which works are exported, and how. */
export type WorkExport = {
  readonly format: ExportFormat
  /** The name of the file without its ending. */
  readonly name: string
  /** A page of the works; it begins at `cursor`, or with the first one. */
  readonly page: (cursor: string | undefined) => Promise<ExportPage>
  /** The address of the file that goes on at a place. */
  readonly addressAt: (cursor: string) => string
}

/** A file that is sent piece by piece. */
type ExportedFile = {
  readonly mediaType: string
  readonly fileName: string
  readonly pieces: AsyncIterable<Buffer>
}

type WorkExporterOptions = {
  readonly environment: Pick<ServedEnvironment, 'catalogue' | 'organizations'>
  readonly baseUrl: string
  readonly nowMs: () => number
}

/** Makes files of works, piece by piece, within bounds; its callers take turns. */
export class WorkExporter {
  readonly #options: WorkExporterOptions
  readonly #queue = new FairQueue(turns)

  constructor(options: WorkExporterOptions) {
    this.#options = options
  }

  /**
   * Has the file sent for whom `caller` names: `send` resolves when it is sent, or its reader has
   * left. Errors: QueueError if too many wait, or `signal` is aborted before the turn; what the
   * first page throws. What fails later ends the file with a word.
   */
  async run(
    { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
    wanted: WorkExport,
    send: (file: ExportedFile) => Promise<void>,
  ): Promise<void> {
    const { mediaType, extension } = exportFormats[wanted.format]
    await this.#queue.run(
      caller,
      async () => {
        const pieces = this.#pieces(wanted, await wanted.page(undefined))
        await send({ mediaType, fileName: `${wanted.name}.${extension}`, pieces })
      },
      signal,
    )
  }

  async *#pieces(wanted: WorkExport, first: ExportPage): AsyncGenerator<Buffer> {
    let text = ''
    let bytes = 0
    for await (const piece of this.#texts(wanted, first, () => bytes)) {
      text += piece
      bytes += Buffer.byteLength(piece)
      if (text.length < chunkBytes) continue
      yield Buffer.from(text)
      text = ''
    }
    if (text !== '') yield Buffer.from(text)
  }

  async *#texts(
    { format, page, addressAt }: WorkExport,
    first: ExportPage,
    bytesSent: () => number,
  ): AsyncGenerator<string> {
    const { nowMs } = this.#options
    const endMs = nowMs() + exportLimits.ms
    const stride = new Stride()
    const writer = writers[format]()
    let works = 0
    let erased = 0
    let shown = first
    for (;;) {
      for (const ark of shown.arks) {
        const text = await writer.work(this.#options, ark)
        if (text === undefined) {
          erased += 1
          continue
        }
        works += 1
        yield text
        await stride.step(text.length)
      }
      const { next } = shown
      if (next === null) break
      const told = (why: string) =>
        writer.note({ text: `${works} works; ${why}`, rest: addressAt(next) })
      const bound = boundOf(works, bytesSent(), endMs - nowMs())
      if (bound !== undefined) {
        yield told(`the file ends here because it ${bound}`)
        break
      }
      try {
        shown = await page(next)
      } catch (error) {
        if (!(error instanceof HttpError) && !(error instanceof QueueError)) throw error
        yield told(`cut off: ${error.message}`)
        break
      }
    }
    if (erased > 0) yield writer.note({ text: `${erased} works that were erased are left out` })
    yield writer.end
  }
}

function boundOf(works: number, bytes: number, msLeft: number): string | undefined {
  if (works >= exportLimits.works) return `has ${exportLimits.works} works`
  if (bytes >= exportLimits.bytes) return `has ${exportLimits.bytes / 1_048_576} MiB`
  if (msLeft <= 0) return `took ${exportLimits.ms / 1_000} seconds`
  return undefined
}

type Source = Pick<WorkExporterOptions, 'environment' | 'baseUrl'>

/** A word at the end of a file; `rest` is where works follow that are not in it. */
type Note = { readonly text: string; readonly rest?: string }

/** How a format writes one work after another. */
type Writer = {
  /** The text of a work; undefined if nothing is left of it. `ark` is `naan/name`. */
  readonly work: (source: Source, ark: string) => Promise<string | undefined>
  readonly note: (note: Note) => string
  /** What stands after the last one. */
  readonly end: string
}

/** The work as formats describe it; undefined if there is nothing left to describe. */
async function describe(
  { environment, baseUrl }: Source,
  ark: string,
): Promise<DescribedWork | undefined> {
  const found = await environment.catalogue.resolve(ark, `ark:/${ark}`).catch(undefinedIfDamage)
  if (found === undefined || found.type === 'not_found') return undefined
  const body = JSON.parse(Buffer.from(found.body).toString('utf8')) as ResolutionBody
  const place = { baseUrl, isPinned: false, registrant: registrantOf(environment, ark) }
  return describedWork(readResolution(body), place)
}

function written(write: (work: DescribedWork) => string): Writer['work'] {
  return async (source, ark) => {
    const work = await describe(source, ark)
    return work && write(work)
  }
}

function noteText({ text, rest }: Note): string {
  return rest === undefined ? text : `${text}. The rest: ${rest}`
}

const writers: Readonly<Record<ExportFormat, () => Writer>> = {
  csv() {
    let columns = ''
    return {
      work: written((work) => {
        const { header, row } = csvRows(work)
        if (columns !== '') return row
        columns = header
        // By this mark programs for tables know that it is UTF-8.
        return `\ufeff${header}${row}`
      }),
      note: (note) => csvNote(noteText(note), columns),
      end: '',
    }
  },
  bibtex: () => ({
    work: written((work) => `${formatBibtex(work)}\n`),
    // What stands outside of entries, BibTeX leaves alone, unless an at sign is in it.
    note: (note) => `% ${noteText(note).replaceAll('@', '(at)')}\n`,
    end: '',
  }),
  // RIS and JSON have no comments: there the word is a record, which a reader sees.
  ris: () => ({
    work: written((work) => `${formatRis(work)}\r\n`),
    note: (note) =>
      note.rest === undefined
        ? ''
        : `TY  - GEN\r\nTI  - ${noteText(note)}\r\nUR  - ${note.rest}\r\nER  - \r\n`,
    end: '',
  }),
  csl() {
    let before = '[\n'
    const item = (text: string) => {
      const all = before + text.trimEnd()
      before = ',\n'
      return all
    }
    return {
      work: written((work) => item(formatCslJson(work))),
      note: (note) => {
        if (note.rest === undefined) return ''
        const title = noteText(note)
        return item(JSON.stringify({ id: 'rest', type: 'document', title, URL: note.rest }))
      },
      get end() {
        return before === '[\n' ? '[]\n' : '\n]\n'
      },
    }
  },
  jsonl: () => ({
    async work({ environment }, ark) {
      const text = await workRecord(environment, ark).catch(undefinedIfDamage)
      return text && `${text}\n`
    },
    note: (note) =>
      note.rest === undefined
        ? ''
        : `${JSON.stringify({ note: noteText(note), rest: note.rest })}\n`,
    end: '',
  }),
}
