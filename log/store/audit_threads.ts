import { Worker } from 'node:worker_threads'

import type { RangeAnswer } from '#log/store/audit_answers.ts'
import type { AuditedRange, RangeReport } from '#log/store/audit_range.ts'
import { assert, LogError } from '#log/base/errors.ts'

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
