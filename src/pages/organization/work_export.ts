import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'

import type { HeldWork } from '#actors/catalogue/owner_lists.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { HttpError } from '#src/errors.ts'
import { FairQueue } from '#actors/kernel/fair_queue.ts'
import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { csvNote, csvRows } from '#src/discovery/formats/csv_row.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import {
  describedWork,
  readResolution,
  registrantOf,
  type ResolutionBody,
} from '#src/discovery/formats/resolution.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'
import { type HeldPage, plainArk } from '#src/pages/organization/held_works.ts'

/** What one file may have: a file that would have more ends with a word on how to go on. */
export const exportWorksMax = 100_000
const exportBytesMax = 67_108_864
const exportMsMax = 60_000

/** Bytes that are sent at a time, about. */
const chunkBytes = 65_536

// A file keeps a thread half busy for as long as it takes: two at a time, and one of a person.
const exportLimits = {
  runningMax: 2,
  runningPerCallerMax: 1,
  waitingMax: 32,
  waitingPerCallerMax: 2,
}

/** The files that works are exported as. */
export const exportFormats = {
  csv: { label: 'CSV', mediaType: 'text/csv', extension: 'csv' },
  bibtex: { label: 'BibTeX', mediaType: 'application/x-bibtex', extension: 'bib' },
} as const

export type ExportFormat = keyof typeof exportFormats

/** What is exported, and how. */
export type WorkExport = {
  readonly format: ExportFormat
  /** The name of the file without its ending. */
  readonly name: string
  /** A page of the works; it begins at `cursor`, or with the first one. */
  readonly page: (cursor: string | undefined) => Promise<HeldPage>
  /** The address of the file that goes on at a place. */
  readonly addressAt: (cursor: string) => string
}

export type WorkExporterOptions = {
  readonly environment: Pick<ServedEnvironment, 'catalogue' | 'organizations'>
  readonly baseUrl: string
  readonly nowMs: () => number
}

/** Sends works as files, piece by piece, within bounds; its callers take turns. */
export class WorkExporter {
  readonly #options: WorkExporterOptions
  readonly #queue = new FairQueue(exportLimits)

  constructor(options: WorkExporterOptions) {
    this.#options = options
  }

  /**
   * Sends the file as the reply, for whom `caller` names; resolves when it is sent, or its reader
   * has left. Errors: QueueError if too many wait; what the first page throws. What fails later
   * ends the file with a word.
   */
  async send(reply: FastifyReply, caller: string, wanted: WorkExport): Promise<void> {
    await this.#queue.run(
      caller,
      async () => {
        const first = await wanted.page(undefined)
        const { mediaType, extension } = exportFormats[wanted.format]
        reply.header('content-type', `${mediaType}; charset=utf-8`)
        const file = `${wanted.name}.${extension}`
        reply.header('content-disposition', `attachment; filename="${file}"`)
        reply.header('cache-control', 'no-store')
        const stream = Readable.from(this.#pieces(wanted, first))
        reply.send(stream)
        // Whoever leaves has had enough of it.
        await finished(stream).catch(() => undefined)
      },
      reply.standAside(),
    )
  }

  async *#pieces(wanted: WorkExport, first: HeldPage): AsyncGenerator<Buffer> {
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
    first: HeldPage,
    bytesSent: () => number,
  ): AsyncGenerator<string> {
    const { nowMs } = this.#options
    const endMs = nowMs() + exportMsMax
    const stride = new Stride()
    const write = writers[format]()
    let works = 0
    let erased = 0
    let held = first
    for (;;) {
      for (const work of held.works) {
        const described = await this.#describe(work)
        if (described === undefined) erased += 1
        else {
          const text = write.work(described)
          works += 1
          yield text
          await stride.step(text.length)
        }
      }
      const { next } = held
      if (next === null) break
      const bound = boundOf(works, bytesSent(), endMs - nowMs())
      const rest = `The rest: ${addressAt(next)}`
      if (bound !== undefined) {
        yield write.note(`${plural(works, 'work')}; the file ends here ${bound}. ${rest}`)
        return
      }
      try {
        held = await page(next)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        yield write.note(`${plural(works, 'work')}; cut off: ${error.message}. ${rest}`)
        return
      }
    }
    if (erased > 0) {
      yield write.note(`${plural(erased, 'work')} without metadata, which were erased: left out.`)
    }
  }

  /** The work as formats describe it; undefined if there is nothing left to describe. */
  async #describe({ ark_identifier: shown }: HeldWork): Promise<DescribedWork | undefined> {
    const { environment, baseUrl } = this.#options
    const { catalogue } = environment
    const ark = plainArk(shown)
    const found = await catalogue.resolve(ark, shown)
    if (found.type === 'not_found') return undefined
    const body = JSON.parse(Buffer.from(found.body).toString('utf8')) as ResolutionBody
    const place = { baseUrl, isPinned: false, registrant: registrantOf(environment, ark) }
    return describedWork(readResolution(body), place)
  }
}

function boundOf(works: number, bytes: number, msLeft: number): string | undefined {
  if (works >= exportWorksMax) return `because it has ${formatNumber(exportWorksMax)} works`
  if (bytes >= exportBytesMax) return `because it has ${exportBytesMax / 1_048_576} MiB`
  if (msLeft <= 0) return `because it took ${exportMsMax / 1_000} seconds`
  return undefined
}

/** How a format writes one work after another, and a word at the end. */
type Writer = {
  readonly work: (work: DescribedWork) => string
  readonly note: (text: string) => string
}

const writers: Readonly<Record<ExportFormat, () => Writer>> = {
  csv() {
    let columns = ''
    return {
      work(work) {
        const { header, row } = csvRows(work)
        if (columns !== '') return row
        columns = header
        // By this mark programs for tables know that it is UTF-8.
        return `\ufeff${header}${row}`
      },
      note: (text) => csvNote(text, columns),
    }
  },
  bibtex: () => ({
    work: (work) => `${formatBibtex(work)}\n`,
    // What stands outside of entries, BibTeX leaves alone, unless an at sign is in it.
    note: (text) => `% ${text.replaceAll('@', '(at)')}\n`,
  }),
}
