import { hash } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'

import { LRUCache } from 'lru-cache'

import { WorkerError } from '#actors/kernel/asked_worker.ts'
import { TaskThreads, type TaskTime } from '#actors/kernel/task_threads.ts'
import { RenderingError, type RenderingErrorCode } from '#src/edge/errors.ts'
import {
  jobBytes,
  type JobType,
  type Render,
  type Rendering,
  type RenderingJob,
  renderJob,
  withOwnBytes,
} from '#src/cli/start/rendering/rendering_job.ts'

/** Bytes up to which a job is done at once: the way to a thread and back would take longer. */
const smallJobBytesMax = 16_384

/** Twenty times what the largest job takes on a slow machine; much more if others have it busy. */
const limits = { jobTime: { cpuMsMax: 20_000, msMax: 300_000 }, heapMegabytesMax: 128 }

/** Renders jobs. */
export type JobRenderer = { readonly render: Render; close(): Promise<void> }

/** Bytes of the descriptions that are kept, with what they were made from. */
const keptBytesMax = 2_097_152

/** What an entry takes beside its bytes, about. */
const entryBytes = 512

/**
 * Renders small jobs at once, and all others in a thread of its own, or `elsewhere`. A short
 * description of a work, as a citation, is kept until others are asked for more often.
 */
export function openRenderer(elsewhere: JobRenderer = openRenderingThread()): JobRenderer {
  const kept = new LRUCache<string, Rendering>({
    maxSize: keptBytesMax,
    sizeCalculation: (rendering, key) => bytesIn(rendering) + key.length + entryBytes,
  })
  return {
    async render<T extends JobType>(job: RenderingJob<T>): Promise<Rendering<T>> {
      if (jobBytes(job) > smallJobBytesMax) return elsewhere.render(job)
      const key = keyOf(job)
      if (key === undefined) return renderJob(job)
      // What is kept under the key of a job is of its type.
      const found = kept.get(key) as Rendering<T> | undefined
      if (found !== undefined) return found
      const rendering = withOwnBytes(renderJob(job))
      kept.set(key, rendering)
      return rendering
    },
    close: () => elsewhere.close(),
  }
}

function bytesIn({ bytes }: Rendering): number {
  return bytes?.length ?? 0
}

/** All that a description is made from, in short; undefined for what is made anew each time. */
function keyOf(job: RenderingJob): string | undefined {
  if (job.type !== 'work' || job.wanted.name === 'html' || job.wanted.name === 'none') {
    return undefined
  }
  const { resolution, ...rest } = job
  return hash('sha256', resolution, 'base64url') + JSON.stringify(rest)
}

/** Renders in a thread, which starts when there is something for it. */
export function openRenderingThread(): JobRenderer {
  return new RenderingThread(limits)
}

/** What one job may take: of time, and of the memory of the thread. */
export type RenderingLimits = { readonly jobTime: TaskTime; readonly heapMegabytesMax: number }

/** Memory of the thread for what is soon forgotten. */
const youngMegabytesMax = 16

/**
 * Renders in a thread of its own, one job after the other, so that however long one takes, the
 * thread of the requests goes on. It starts with the first job and keeps no process alive; one that
 * takes too long, or dies, fails the job that it was at, and the next job has a new one.
 */
export class RenderingThread {
  readonly #thread: TaskThreads<RenderingJob, Rendering>

  constructor({ jobTime, heapMegabytesMax }: RenderingLimits) {
    this.#thread = new TaskThreads({
      file: new URL('./rendering_worker.ts', import.meta.url),
      name: 'rendering',
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytesMax,
        maxYoungGenerationSizeMb: youngMegabytesMax,
      },
      threadsMax: 1,
      waitingMax: Infinity,
      taskTime: jobTime,
      idleMsMax: Infinity,
    })
  }

  /** Rejects with RenderingError, or with what the rendering has thrown. */
  async render<T extends JobType>(job: RenderingJob<T>): Promise<Rendering<T>> {
    try {
      // What the thread answers to a job is of its type.
      return (await this.#thread.run(job)) as Rendering<T>
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      throw new RenderingError(codeOf(error), { cause: error.cause })
    }
  }

  /** Ends the thread; jobs that it has not brought to their end fail. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}

function codeOf({ code }: WorkerError): RenderingErrorCode {
  if (code === 'too_slow') return 'too_slow'
  return code === 'out_of_memory' ? 'too_large' : 'thread_failed'
}

/** A job on its way to the thread that has it rendered. */
type Sent = { readonly id: number; readonly job: RenderingJob }

/** What came of a job. */
type Answered = { readonly id: number } & (
  | { readonly type: 'rendered'; readonly rendering: Rendering }
  | { readonly type: 'given_up'; readonly code: RenderingErrorCode }
  | { readonly type: 'failed'; readonly error: unknown }
)

/**
 * Has what comes over a port rendered, for the thread at its other end (`rendererAt`). Jobs are too
 * long to be sent as JSON is.
 */
export function offerRenderer(port: MessagePort, renderer: JobRenderer): void {
  port.on('message', ({ id, job }: Sent) => {
    renderer.render(job).then(
      (rendering) => port.postMessage({ id, type: 'rendered', rendering } satisfies Answered),
      (error: unknown) => port.postMessage({ id, ...failureOf(error) } satisfies Answered),
    )
  })
  port.unref()
}

function failureOf(error: unknown) {
  if (error instanceof RenderingError) return { type: 'given_up', code: error.code } as const
  return { type: 'failed', error } as const
}

/** A renderer at the other end of a port. Its errors are those that it has there. */
export function rendererAt(port: MessagePort): JobRenderer {
  const waiting = new Map<number, PromiseWithResolvers<Rendering>>()
  let ids = 0
  port.on('message', (answered: Answered) => {
    const asked = waiting.get(answered.id)
    waiting.delete(answered.id)
    if (answered.type === 'rendered') asked?.resolve(answered.rendering)
    else if (answered.type === 'failed') asked?.reject(answered.error)
    else asked?.reject(new RenderingError(answered.code))
  })
  port.on('close', () => {
    for (const { reject } of waiting.values()) reject(new RenderingError('thread_failed'))
    waiting.clear()
  })
  return {
    render<T extends JobType>(job: RenderingJob<T>): Promise<Rendering<T>> {
      const asked = Promise.withResolvers<Rendering>()
      ids += 1
      waiting.set(ids, asked)
      port.postMessage({ id: ids, job } satisfies Sent)
      // What is answered to a job is of its type.
      return asked.promise as Promise<Rendering<T>>
    },
    close: async () => port.close(),
  }
}
