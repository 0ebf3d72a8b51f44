import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

import { bodyHashOf } from '#actors/journal/idempotency.ts'
import { WorkerError } from '#actors/kernel/asked_worker.ts'
import { TaskThreads, type TaskThreadsOptions, type TaskTime } from '#actors/kernel/task_threads.ts'
import { digestOf, type MetadataDigest, rememberDigest } from '#actors/receipts/statement.ts'
import { checkNewWork, type NewWorkCheck } from '#actors/works/request_checks.ts'
import { parseLongJson } from '#src/edge/json_body.ts'
import { type ErrorCode, HttpError } from '#src/edge/errors.ts'

// What a body leaves is short-lived: of its own, such a thread would take three times as much.
const youngMegabytesMax = 48

/** What is made of a body without a look at the registry, as plain data. */
type WorkDraft = {
  readonly check: NewWorkCheck
  /** The SHA-256 of the body, in hex. */
  readonly bodyHash: string
  /** Of metadata that is as it should be. */
  readonly digest?: MetadataDigest
}

/** Checks the body of a work and digests what is to be stored of it. */
export function draftWork(body: unknown): WorkDraft {
  const check = checkNewWork(body)
  const bodyHash = bodyHashOf(body)
  return check.type === 'ok'
    ? { check, bodyHash, digest: digestOf(check.metadata) }
    : { check, bodyHash }
}

/** What names the work that it changes is no new work: it is passed on as it was sent. */
export type NamedBody = { readonly named: unknown }

/** Drafts the works of a body, but for those that name one of ours, by `ark` or in `arks`. */
export function draftWorks(
  works: readonly unknown[],
  arks: readonly unknown[],
): readonly (WorkDraft | NamedBody)[] {
  return works.map((work, index) => {
    const isNamed = typeof work === 'object' && work !== null && Object.hasOwn(work, 'ark')
    return isNamed || (arks[index] ?? null) !== null ? { named: work } : draftWork(work)
  })
}

/** A work that a thread has drafted. It is a class so that no body can be taken for one. */
export class PreparedWork {
  readonly check: NewWorkCheck
  readonly bodyHash: string

  constructor({ check, bodyHash, digest }: WorkDraft) {
    if (check.type === 'ok' && digest !== undefined) rememberDigest(check.metadata, digest)
    this.check = check
    this.bodyHash = bodyHash
  }

  /** Stands for the body where the whole request is digested. */
  toJSON(): string {
    return this.bodyHash
  }
}

/** What a thread makes of a body: all of it but its works, and these; or why it is no JSON. */
export type BodyAnswer =
  | {
      readonly type: 'read'
      readonly body: unknown
      readonly works?: readonly (WorkDraft | NamedBody)[]
    }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }

/** What bodies are read with: how many threads, and what one body may take of them. */
export type PreparationLimits = Pick<TaskThreadsOptions, 'waitingMax' | 'idleMsMax'> & {
  /** With none, bodies are read in the thread that asks, in turns, and works are checked later. */
  readonly threadsMax: number
  readonly bodyTime: TaskTime
  readonly heapMegabytesMax: number
}

/**
 * Reads long bodies of many works in threads: strict JSON, checks, canonical form and hashes. A
 * thread takes one body at a time, starts when there is none that rests, and ends after a while
 * without work; meanwhile it keeps no process alive. One that dies fails the body that it was at.
 */
export class WorkPreparation {
  /** Undefined where bodies are read in the thread that asks. */
  readonly #threads: TaskThreads<Uint8Array, BodyAnswer> | undefined

  constructor({ bodyTime, heapMegabytesMax, ...limits }: PreparationLimits) {
    if (limits.threadsMax === 0) return
    this.#threads = new TaskThreads({
      ...limits,
      file: new URL('./work_preparation_worker.ts', import.meta.url),
      name: 'preparation',
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytesMax,
        maxYoungGenerationSizeMb: youngMegabytesMax,
      },
      taskTime: bodyTime,
    })
  }

  /** Threads that are at work or rest. */
  get threads(): number {
    return this.#threads?.running ?? 0
  }

  /**
   * The JSON value of a body `{"works": […], …}` whose works are `PreparedWork`s. Throws HttpError:
   * `bad_request` for what is not strict JSON, `unavailable` where no thread could read it.
   */
  async read(bytes: Buffer): Promise<unknown> {
    if (this.#threads === undefined) return parseLongJson(bytes)
    const own = new Uint8Array(bytes)
    const answer = await this.#threads.run(own, [own.buffer]).catch((error: unknown) => {
      throw unread(error)
    })
    if (answer.type === 'refused') throw new HttpError(answer.code, answer.message)
    const { body, works } = answer
    if (works === undefined) return body
    const read = works.map((work) => ('named' in work ? work.named : new PreparedWork(work)))
    return { ...(body as object), works: read }
  }
}

function unread(error: unknown): HttpError {
  const message = `The works could not be read: ${whyUnread(error)}; send them again`
  const cause = error instanceof WorkerError ? error.cause : error
  return new HttpError('unavailable', message, { cause, extra: { retry_after: 1 } })
}

function whyUnread(error: unknown): string {
  const code = error instanceof WorkerError ? error.code : 'died'
  if (code === 'busy') return 'too many others wait'
  if (code === 'too_slow') return 'it took too long'
  return code === 'ended' ? 'its thread has ended' : 'its thread has failed'
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
