import { writeWork } from '#src/start/rendering/written_work.ts'
import { writeRecords } from '#src/discovery/oai/record_formats.ts'

/** What can be rendered, by the type of the job. */
const writers = { records: writeRecords, work: writeWork } as const

type Writers = typeof writers

export type JobType = keyof Writers

/** A task for a writer. A job is data alone, so that it can be sent to another thread. */
export type RenderingJob<T extends JobType = JobType> = Extract<
  { readonly [K in JobType]: { readonly type: K } & Parameters<Writers[K]>[0] }[JobType],
  { readonly type: T }
>

/** What came of a job. Its `bytes`, where it has any, are in UTF-8. */
export type Rendering<T extends JobType = JobType> = ReturnType<Writers[T]>

/**
 * Turns what is stored into what is sent, here or elsewhere. Rejects with RenderingError if that
 * takes more time or memory than any job of ours should.
 */
export type Render = <T extends JobType>(job: RenderingJob<T>) => Promise<Rendering<T>>

/** Renders in this thread, which does nothing else meanwhile. */
export function renderJob<T extends JobType>(job: RenderingJob<T>): Rendering<T> {
  // The compiler does not see that a job and the writer of its type belong together.
  const write = writers[job.type] as unknown as (task: RenderingJob<T>) => Rendering<T>
  return write(job)
}

/** What a work costs that is read and not written, as a part of what it costs to write it. */
const readingShare = 1 / 4

/** Bytes that a job is made from, which its cost grows with. */
export function jobBytes(job: RenderingJob): number {
  switch (job.type) {
    case 'records':
      return job.records.reduce((sum, { work }) => sum + (work?.metadata.length ?? 0), 0)
    case 'work':
      return job.resolution.length * (job.wanted.name === 'none' ? readingShare : 1)
  }
}
