import { WorkerError } from '#actors/kernel/asked_worker.ts'
import { TaskThreads } from '#actors/kernel/task_threads.ts'
import type { TaskTime } from '#actors/kernel/thread_time.ts'
import { RenderingError, type RenderingErrorCode } from '#src/errors.ts'
import type { JobType, Rendering, RenderingJob } from '#src/start/rendering/rendering_job.ts'

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
