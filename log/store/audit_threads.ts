import { parentPort, Worker, workerData } from 'node:worker_threads'

import { assert, LogError, type LogErrorCode } from '#log/base/errors.ts'
import type { AuditedRange, RangeReport } from '#log/store/audit_range.ts'
import { type JoinedStore, joinLevelStore } from '#log/store/level_store.ts'

type Waiting<Report> = {
  readonly resolve: (report: Report) => void
  readonly reject: (error: unknown) => void
}

/** A thread, and who waits for its answers, in the order of what it was sent. */
type Auditor<Report> = {
  readonly worker: Worker
  readonly waiting: Waiting<Report>[]
  isAlive: boolean
}

/** Threads for ranges of a log, as `auditRange` audits them. */
export function logAuditThreads(
  dir: string,
  threadsMax: number,
): AuditThreads<AuditedRange, RangeReport> {
  return new AuditThreads(dir, new URL('./audit_worker.ts', import.meta.url), threadsMax)
}

/**
 * Audits ranges of what is in a LevelDB directory that this process has open; each thread reads it
 * by itself, and runs a file that calls `answerRanges`. Threads start with the first ranges. They
 * must be closed before the store is.
 */
export class AuditThreads<Range, Report> {
  readonly threadsMax: number
  readonly #dir: string
  readonly #file: URL
  readonly #auditors: Auditor<Report>[] = []

  constructor(dir: string, file: URL, threadsMax: number) {
    assert(threadsMax >= 1, 'one thread at least')
    this.#dir = dir
    this.#file = file
    this.threadsMax = threadsMax
  }

  /** Audits a range as the threads' file does. Rejects if the thread has died. */
  audit(range: Range): Promise<Report> {
    return new Promise((resolve, reject) => {
      const auditor = this.#choose()
      if (!auditor.isAlive) return reject(new Error('a thread that audits has died'))
      auditor.waiting.push({ resolve, reject })
      auditor.worker.postMessage(range)
    })
  }

  /** Lets the threads end what they are at, and close the store. */
  async close(): Promise<void> {
    const alive = this.#auditors.filter(({ isAlive }) => isAlive)
    const ends = alive.map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const { worker } of alive) worker.postMessage('close')
    await Promise.all(ends)
  }

  /** The one that has least to do; a new one as long as all have something. */
  #choose(): Auditor<Report> {
    const [first] = this.#auditors.toSorted((a, b) => a.waiting.length - b.waiting.length)
    const isEnough = this.#auditors.length === this.threadsMax || first?.waiting.length === 0
    return first !== undefined && isEnough ? first : this.#start()
  }

  #start(): Auditor<Report> {
    const worker = new Worker(this.#file, { name: 'audit', workerData: this.#dir })
    const waiting: Waiting<Report>[] = []
    const auditor: Auditor<Report> = { worker, waiting, isAlive: true }
    const end = (error: unknown) => {
      auditor.isAlive = false
      for (const { reject } of waiting.splice(0)) reject(error)
    }
    worker.on('message', (answer: RangeAnswer<Report>) => {
      const asker = waiting.shift()
      if (answer.type === 'audited') asker?.resolve(answer.report)
      else asker?.reject(new LogError(answer.code, answer.message))
    })
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`a thread that audits has ended with code ${code}`)))
    this.#auditors.push(auditor)
    return auditor
  }
}

/** What a thread answers for a range, or that it cannot judge it. */
export type RangeAnswer<Report> =
  | { readonly type: 'audited'; readonly report: Report }
  | { readonly type: 'failed'; readonly code: LogErrorCode; readonly message: string }

/**
 * What a thread of AuditThreads runs: audits the ranges that it is sent, in order, in the store
 * whose directory it was given.
 */
export function answerRanges<Range, Report>(
  audit: (store: JoinedStore, range: Range) => Promise<Report>,
): void {
  const port = parentPort
  assert(port !== null, 'this file runs as a thread')
  const joining = joinLevelStore(workerData as string)
  // The callers that wait for a range get the error.
  joining.catch(() => undefined)
  let last: Promise<void> = Promise.resolve()

  const answerOf = async (range: Range): Promise<RangeAnswer<Report>> => {
    try {
      return { type: 'audited', report: await audit(await joining, range) }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      return { type: 'failed', code: error.code, message: error.message }
    }
  }
  const close = async () => {
    const [joined] = await Promise.allSettled([joining])
    if (joined.status === 'fulfilled') await joined.value.close()
    port.close()
  }
  port.on('message', (message: Range | 'close') => {
    last = last.then(async () => {
      if (message === 'close') await close()
      else port.postMessage(await answerOf(message))
    })
  })
}
