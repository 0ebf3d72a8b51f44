import { assert } from '#log/errors.ts'
import { type FormatName, formats } from '#src/formats/format_table.ts'
import type { CitationStyle } from '#src/formats/formatted_citation.ts'
import { describedWork, type Place, readResolution } from '#src/http/resolution.ts'
import { type RecordsTask, writeRecords } from '#src/oai/written_records.ts'

/** A work to be written in a format: `resolution` is the catalogue's JSON of it. */
export type FormatTask = {
  readonly resolution: Uint8Array
  readonly place: Place
  readonly format: FormatName
  readonly style: CitationStyle
}

/** What can be rendered. A job is data alone, so that it can be sent to another thread. */
export type RenderingJob =
  | ({ readonly type: 'records' } & RecordsTask)
  | ({ readonly type: 'format' } & FormatTask)

/** What came of a job, in UTF-8: so many of its items, from the first on. */
export type Rendering = { readonly bytes: Uint8Array; readonly count: number }

/**
 * Turns what is stored into what is sent, here or elsewhere. Rejects with RenderingError if that
 * takes more time or memory than any job of ours should.
 */
export type Render = (job: RenderingJob) => Promise<Rendering>

/** Renders in this thread, which does nothing else meanwhile. */
export function renderJob(job: RenderingJob): Rendering {
  switch (job.type) {
    case 'records':
      return writeRecords(job)
    case 'format':
      return { bytes: Buffer.from(formatWork(job)), count: 1 }
  }
}

/** Bytes that a job is made from, which its cost grows with. */
export function jobBytes(job: RenderingJob): number {
  switch (job.type) {
    case 'records':
      return job.records.reduce((sum, { work }) => sum + (work?.metadata.length ?? 0), 0)
    case 'format':
      return job.resolution.length
  }
}

function formatWork({ resolution, place, format, style }: FormatTask): string {
  const work = describedWork(readResolution(resolution), place)
  assert(work !== undefined, 'a work is described as long as its metadata are there')
  return formats[format].render(work, style)
}
