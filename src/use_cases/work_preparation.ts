import os from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

import { WorkerError } from '#actors/kernel/asked_worker.ts'
import { TaskThreads, type TaskThreadsOptions, type TaskTime } from '#actors/kernel/task_threads.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { rememberDigest } from '#actors/works/receipts/statement.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { NewWorkCheck } from '#actors/works/request_checks.ts'
import { type ReadNote, warningNotes } from '#src/discovery/citation_files/citation_file.ts'
import { parseLongJson } from '#src/edge/json_body.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type BodyAnswer,
  type BodyLayout,
  type BodyTask,
  type Draft,
  draftLines,
  type WorkDraft,
} from '#src/use_cases/work_drafting.ts'

// What a body leaves is short-lived: of its own, such a thread would take three times as much.
const youngMegabytesMax = 48

/** Bytes of lines that are not worth the visit of a thread, at most. */
const shortBytesMax = 32_768

/** A work that a thread has drafted. It is a class so that no body can be taken for one. */
export class PreparedWork {
  readonly bodyHash: string
  readonly notes: readonly ReadNote[] | undefined
  readonly warnings: readonly FieldFault[]
  readonly #draft: WorkDraft
  #check: NewWorkCheck | undefined

  constructor(draft: WorkDraft) {
    this.#draft = draft
    this.warnings = draft.type === 'ok' ? draft.warnings : []
    this.bodyHash = draft.bodyHash
    this.notes = draft.notes
  }

  /** The check of the work, whose metadata have their digest already. */
  get check(): NewWorkCheck {
    this.#check ??= checkOf(this.#draft)
    return this.#check
  }

  /** Stands for the body where the whole request is digested. */
  toJSON(): string {
    return this.bodyHash
  }
}

function checkOf(draft: WorkDraft): NewWorkCheck {
  if (draft.type === 'invalid') return { type: 'invalid', faults: draft.faults }
  const { digest, warnings } = draft
  const metadata = JSON.parse(digest.text) as Metadata
  rememberDigest(metadata, digest)
  return { type: 'ok', metadata, warnings }
}

/** An entry of a file that is left out on purpose. */
export class LeftOutEntry {
  readonly notes: readonly ReadNote[]

  constructor(notes: readonly ReadNote[]) {
    this.notes = notes
  }
}

/** The works of one line that has several, or none. */
class WorksOfLine {
  readonly works: readonly unknown[]

  constructor(works: readonly unknown[]) {
    this.works = works
  }
}

/**
 * What became of things that the entry of a work says: notes of those who read it, and what the
 * registry has `answered`, or else the check of the work, to warn of.
 */
export function notesOf(work: unknown, answered?: readonly FieldFault[]): readonly ReadNote[] {
  if (work instanceof LeftOutEntry) return work.notes
  const { notes = [], warnings = [] } = work instanceof PreparedWork ? work : {}
  return [...notes, ...warningNotes(answered ?? warnings)]
}

/** The works that an item of a body brings: itself, unless it is a line that has several. */
export function worksOf(item: unknown): readonly unknown[] {
  return item instanceof WorksOfLine ? item.works : [item]
}

function prepared(draft: Draft): unknown {
  if (!('type' in draft)) return new WorksOfLine(draft.map(prepared))
  if (draft.type === 'named') return draft.body
  if (draft.type === 'left_out') return new LeftOutEntry(draft.notes)
  if (draft.type === 'refused') return new HttpError(draft.code, draft.message)
  return new PreparedWork(draft)
}

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
  readonly #threads: TaskThreads<BodyTask, BodyAnswer> | undefined

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
   * The JSON value of a body `{"works": […], …}`, or of lines as one, whose works are
   * `PreparedWork`s; of lines, a work that is no strict JSON is the HttpError that it would be
   * alone. Throws HttpError: `bad_request`, `unavailable` where no thread could read it.
   */
  async read(bytes: Buffer, layout: BodyLayout = 'value'): Promise<unknown> {
    const answer = await this.#answer(bytes, layout)
    if (answer.type === 'refused') throw new HttpError(answer.code, answer.message)
    const { body, works } = answer
    return works === undefined ? body : { ...(body as object), works: works.map(prepared) }
  }

  async #answer(bytes: Buffer, layout: BodyLayout): Promise<BodyAnswer> {
    const isShort = bytes.length <= shortBytesMax
    if (layout !== 'value' && (isShort || this.#threads === undefined)) {
      return draftLines(bytes, layout, nextTurn)
    }
    if (this.#threads === undefined) return { type: 'read', body: await parseLongJson(bytes) }
    const own = new Uint8Array(bytes)
    return this.#threads.run({ bytes: own, layout }, [own.buffer]).catch((error: unknown) => {
      throw unread(error)
    })
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
export type ReadWorks = (bytes: Buffer, layout?: BodyLayout) => Promise<unknown>

/** Reads a body of many works with the threads of this process. */
export const readWorksBody: ReadWorks = (bytes, layout) => shared.read(bytes, layout)

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
  return (bytes, layout) => preparation.read(bytes, layout)
}
