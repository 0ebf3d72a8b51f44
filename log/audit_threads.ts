import { Worker } from 'node:worker_threads'

import type { AuditedRange, RangeReport } from '#log/audit_range.ts'
import { assert, LogError, type LogErrorCode } from '#log/errors.ts'

/** What a thread answers for a range, or that it cannot judge it. */
export type RangeAnswer =
  | { readonly type: 'audited'; readonly report: RangeReport }
  | { readonly type: 'failed'; readonly code: LogErrorCode; readonly message: string }

type Waiting = {
  readonly resolve: (report: RangeReport) => void
  readonly reject: (error: unknown) => void
}

/** A thread, and who waits for its answers, in the order of what it was sent. */
type Auditor = { readonly worker: Worker; readonly waiting: Waiting[]; isAlive: boolean }

/**
 * Audits ranges of the log in a LevelDB directory that this process has open; each thread reads it
 * by itself. Threads start with the first ranges. They must be closed before the store is.
 */
export class AuditThreads {
  readonly threadsMax: number
  readonly #dir: string
  readonly #auditors: Auditor[] = []

  constructor(dir: string, threadsMax: number) {
    assert(threadsMax >= 1, 'one thread at least')
    this.#dir = dir
    this.threadsMax = threadsMax
  }

  /** Audits a range as `auditRange` does. Rejects if the thread has died. */
  audit(range: AuditedRange): Promise<RangeReport> {
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
  #choose(): Auditor {
    const [first] = this.#auditors.toSorted((a, b) => a.waiting.length - b.waiting.length)
    const isEnough = this.#auditors.length === this.threadsMax || first?.waiting.length === 0
    return first !== undefined && isEnough ? first : this.#start()
  }

  #start(): Auditor {
    const url = new URL('./audit_worker.ts', import.meta.url)
    const auditor = {
      worker: new Worker(url, { name: 'audit', workerData: this.#dir }),
      waiting: [],
      isAlive: true,
    }
    const { worker }: Auditor = auditor
    const waiting: Waiting[] = auditor.waiting
    const end = (error: unknown) => {
      auditor.isAlive = false
      for (const { reject } of waiting.splice(0)) reject(error)
    }
    worker.on('message', (answer: RangeAnswer) => {
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
