import { Worker } from 'node:worker_threads'

import { threadEnvironment } from '#src/fairness/thread_environment.ts'
import { type TaskTime, watchTime } from '#src/fairness/thread_time.ts'
import { RenderingError, type RenderingErrorCode } from '#src/edge/rendering_error.ts'
import type { JobType, Rendering, RenderingJob } from '#src/rendering/rendering_job.ts'

/** What the thread answers: what it has rendered, or what its code has thrown. */
export type ThreadAnswer =
  | { readonly type: 'rendered'; readonly rendering: Rendering }
  | { readonly type: 'failed'; readonly error: unknown }

/** What one job may take: of time, and of the memory of the thread. */
export type RenderingLimits = { readonly jobTime: TaskTime; readonly heapMegabytesMax: number }

/** Memory of the thread for what is soon forgotten. */
const youngMegabytesMax = 16

type Waiting = {
  readonly job: RenderingJob
  readonly resolve: (rendering: Rendering) => void
  readonly reject: (error: unknown) => void
}

/**
 * Renders in a thread of its own, one job after the other, so that however long one takes, the
 * thread of the requests goes on. It starts with the first job and keeps no process alive; one that
 * takes too long, or dies, fails the job that it was at, and the next job has a new one.
 */
export class RenderingThread {
  readonly #limits: RenderingLimits
  #worker: Worker | undefined
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #stopWatching = () => {}

  constructor(limits: RenderingLimits) {
    this.#limits = limits
  }

  /** Rejects with RenderingError, or with what the rendering has thrown. */
  render<T extends JobType>(job: RenderingJob<T>): Promise<Rendering<T>> {
    return new Promise((resolve, reject) => {
      // What the thread answers to a job is of its type.
      this.#waiting.push({ job, resolve: resolve as Waiting['resolve'], reject })
      this.#next()
    })
  }

  /** Ends the thread; jobs that it has not brought to their end fail. */
  async close(): Promise<void> {
    const left = this.#waiting.splice(0)
    await this.#stop('thread_failed')
    for (const { reject } of left) reject(new RenderingError('thread_failed'))
  }

  #next(): void {
    if (this.#current !== undefined) return
    this.#current = this.#waiting.shift()
    if (this.#current === undefined) {
      this.#worker?.unref()
      return
    }
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    const stop = () => void this.#stop('too_slow')
    this.#stopWatching = watchTime(worker, this.#limits.jobTime, stop)
    worker.postMessage(this.#current.job)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./rendering_worker.ts', import.meta.url), {
      name: 'rendering',
      env: threadEnvironment(),
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.heapMegabytesMax,
        maxYoungGenerationSizeMb: youngMegabytesMax,
      },
    })
    // What a thread says that was ended, or replaced, concerns no job any more.
    const isAtWork = () => this.#worker === worker
    worker.on('message', (answer: ThreadAnswer) => {
      if (isAtWork()) this.#answer(answer)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      if (isAtWork()) void this.#stop(isMemory ? 'too_large' : 'thread_failed', error)
    })
    worker.on('exit', () => {
      if (isAtWork()) void this.#stop('thread_failed')
    })
    return worker
  }

  #answer(answer: ThreadAnswer): void {
    const done = this.#release()
    if (answer.type === 'rendered') done?.resolve(answer.rendering)
    else done?.reject(answer.error)
    this.#next()
  }

  /** Ends the thread and fails the job that it is at. */
  async #stop(code: RenderingErrorCode, cause?: unknown): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#release()?.reject(new RenderingError(code, { cause }))
    this.#next()
    await worker?.terminate()
  }

  #release(): Waiting | undefined {
    const current = this.#current
    this.#current = undefined
    this.#stopWatching()
    return current
  }
}
