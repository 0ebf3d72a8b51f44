import os from 'node:os'
import { isMainThread, Worker } from 'node:worker_threads'

import { threadEnvironment } from '#src/fairness/thread_environment.ts'
import { PreparedWork, type WorkDraft } from '#src/api/prepared_work.ts'
import { parseLongJson } from '#src/edge/json_body.ts'
import { type TaskTime, watchTime } from '#src/fairness/thread_time.ts'
import { type ErrorCode, HttpError } from '#src/errors.ts'

/** What a thread makes of a body: all of it but its works, and these; or why it is no JSON. */
export type BodyAnswer =
  | { readonly type: 'read'; readonly body: unknown; readonly works?: readonly WorkDraft[] }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }

/** What bodies are read with: how many threads, and what one body may take of them. */
export type PreparationLimits = {
  /** With none, bodies are read in the thread that asks, in turns, and works are checked later. */
  readonly threadsMax: number
  /** Bodies that wait for a thread. */
  readonly waitingMax: number
  readonly bodyTime: TaskTime
  readonly heapMegabytesMax: number
  /** How long a thread without work is kept. */
  readonly idleMsMax: number
}

type Waiting = {
  readonly bytes: Uint8Array
  readonly resolve: (answer: BodyAnswer) => void
  readonly reject: (error: Error) => void
}

/** A thread, and what it is at. */
type Running = { readonly waiting: Waiting; readonly stopWatching: () => void }

/** The module that a thread runs. */
const workerFile = new URL('./work_preparation_worker.ts', import.meta.url)

/**
 * Reads long bodies of many works in threads: strict JSON, checks, canonical form and hashes. A
 * thread takes one body at a time, starts when there is none that rests, and ends after a while
 * without work; meanwhile it keeps no process alive. One that dies fails the body that it was at.
 */
export class WorkPreparation {
  readonly #limits: PreparationLimits
  readonly #file: URL
  readonly #waiting: Waiting[] = []
  readonly #running = new Map<Worker, Running>()
  /** Those that rest, the one that has worked last at the end, each with what will end it. */
  readonly #resting = new Map<Worker, NodeJS.Timeout>()

  constructor(limits: PreparationLimits, file = workerFile) {
    this.#limits = limits
    this.#file = file
  }

  /** Threads that are at work or rest. */
  get threads(): number {
    return this.#running.size + this.#resting.size
  }

  /**
   * The JSON value of a body `{"works": […], …}` whose works are `PreparedWork`s. Throws HttpError:
   * `bad_request` for what is not strict JSON, `unavailable` where no thread could read it.
   */
  async read(bytes: Buffer): Promise<unknown> {
    if (this.#limits.threadsMax === 0) return parseLongJson(bytes)
    if (this.#waiting.length >= this.#limits.waitingMax) throw unread('too many others wait')
    const answer = await new Promise<BodyAnswer>((resolve, reject) => {
      this.#waiting.push({ bytes: new Uint8Array(bytes), resolve, reject })
      this.#next()
    })
    if (answer.type === 'refused') throw new HttpError(answer.code, answer.message)
    const { body, works } = answer
    if (works === undefined) return body
    return { ...(body as object), works: works.map((draft) => new PreparedWork(draft)) }
  }

  #next(): void {
    const isFull = this.#resting.size === 0 && this.#running.size >= this.#limits.threadsMax
    const waiting = isFull ? undefined : this.#waiting.shift()
    if (waiting === undefined) return
    const worker = this.#wake() ?? this.#start()
    const stop = () => this.#stop(worker, 'it took too long')
    const stopWatching = watchTime(worker, this.#limits.bodyTime, stop)
    this.#running.set(worker, { waiting, stopWatching })
    worker.ref()
    worker.postMessage(waiting.bytes, [waiting.bytes.buffer as ArrayBuffer])
  }

  #wake(): Worker | undefined {
    const [worker, ending] = [...this.#resting].at(-1) ?? []
    if (worker === undefined) return undefined
    clearTimeout(ending)
    this.#resting.delete(worker)
    return worker
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      name: 'preparation',
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMegabytesMax },
    })
    worker.on('message', (answer: BodyAnswer) => this.#answer(worker, answer))
    worker.on('error', (error) => this.#stop(worker, 'its thread has failed', error))
    worker.on('exit', () => this.#stop(worker, 'its thread has ended'))
    return worker
  }

  #answer(worker: Worker, answer: BodyAnswer): void {
    const waiting = this.#release(worker)
    if (waiting === undefined) return
    worker.unref()
    const stop = () => this.#stop(worker, 'it rested')
    this.#resting.set(worker, setTimeout(stop, this.#limits.idleMsMax).unref())
    waiting.resolve(answer)
    this.#next()
  }

  /** Ends a thread, and fails what it is at. What else it says concerns nobody any more. */
  #stop(worker: Worker, reason: string, cause?: unknown): void {
    clearTimeout(this.#resting.get(worker))
    this.#resting.delete(worker)
    this.#release(worker)?.reject(unread(reason, cause))
    void worker.terminate()
    this.#next()
  }

  #release(worker: Worker): Waiting | undefined {
    const running = this.#running.get(worker)
    this.#running.delete(worker)
    running?.stopWatching()
    return running?.waiting
  }
}

function unread(reason: string, cause?: unknown): HttpError {
  const message = `The works could not be read: ${reason}; send them again`
  return new HttpError('unavailable', message, { cause, extra: { retry_after: 1 } })
}

/** More threads than these are ahead of the one that commits. */
const threadsBound = 4

const usualLimits: Omit<PreparationLimits, 'threadsMax'> = {
  waitingMax: 64,
  bodyTime: { cpuMsMax: 20_000, msMax: 120_000 },
  heapMegabytesMax: 256,
  idleMsMax: 30_000,
}

/** The threads of this process. A thread of requests is one of several, and is told its share. */
const shared = new WorkPreparation({
  ...usualLimits,
  threadsMax: isMainThread ? Math.min(Math.max(1, os.availableParallelism() - 1), threadsBound) : 0,
})

/** Reads a body of many works as `WorkPreparation.read`. */
export type ReadWorks = (bytes: Buffer) => Promise<unknown>

/** Reads a body of many works with the threads of this process. */
export const readWorksBody: ReadWorks = (bytes) => shared.read(bytes)

/**
 * Reads bodies of many works for one of `edgeThreads` threads of requests, with threads of its own:
 * all of them together have one for each core, and each has one at least.
 */
export function worksReader(edgeThreads: number): ReadWorks {
  const share = Math.max(1, Math.floor(os.availableParallelism() / edgeThreads))
  const preparation = new WorkPreparation({
    ...usualLimits,
    threadsMax: Math.min(share, threadsBound),
  })
  return (bytes) => preparation.read(bytes)
}
