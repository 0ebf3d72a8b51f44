import { Worker } from 'node:worker_threads'

import { answerOrders, AskedWorker, WorkerError } from '#actors/kernel/asked_worker.ts'
import type { JournalRange, JournalReport } from '#actors/registry/journal_audit.ts'
import { LogError, type LogErrorCode } from '#log/tlog/errors.ts'
import type { AuditedRange, RangeAuditor, RangeReport } from '#log/store/audit_range.ts'
import { type JoinedStore, joinLevelStore } from '#log/store/level_store.ts'

/** What a thread is started with: the directory of a store, and what of it is audited. */
export type AuditStart = { readonly dir: string; readonly part: 'log' | 'journal' }

/** What a thread is asked for: to audit a range, or to leave the store. */
type AuditOrder<Range> = { readonly range: Range } | 'leave'

/** What it answers; `failed`: it cannot judge the range. */
type AuditAnswer<Report> =
  | { readonly type: 'audited'; readonly report: Report }
  | { readonly type: 'failed'; readonly code: LogErrorCode; readonly message: string }
  | { readonly type: 'left' }

type Auditor<Range, Report> = {
  readonly thread: AskedWorker<AuditOrder<Range>, AuditAnswer<Report>>
  underWay: number
}

/** Threads for ranges of a log, as `auditRange` audits them. */
export function logAuditThreads(
  dir: string,
  threadsMax: number,
): AuditThreads<AuditedRange, RangeReport> {
  return new AuditThreads({ dir, part: 'log' }, threadsMax)
}

/** Threads for ranges of the journal in a LevelDB directory, as `auditJournalRange` audits them. */
export function journalAuditThreads(
  dir: string,
  threadsMax: number,
): AuditThreads<JournalRange, JournalReport | undefined> {
  return new AuditThreads({ dir, part: 'journal' }, threadsMax)
}

// Twice as many ranges are under way as threads can be at; far more than one thread gets.
const waitingMax = 1_024

/**
 * Audits ranges of what is in a LevelDB directory that this process has open; each thread reads it
 * by itself. Threads start with the first ranges. They must be closed before the store is.
 */
export class AuditThreads<Range, Report> implements RangeAuditor<Range, Report> {
  readonly threadsMax: number
  readonly #auditors: readonly Auditor<Range, Report>[]

  constructor(start: AuditStart, threadsMax: number) {
    this.threadsMax = threadsMax
    this.#auditors = Array.from({ length: threadsMax }, () => {
      return {
        thread: new AskedWorker({ start: () => startWorker(start), waitingMax }),
        underWay: 0,
      }
    })
  }

  /** Audits a range in the thread that has least to do. Rejects if the thread has died. */
  async audit(range: Range): Promise<Report> {
    const auditor = this.#auditors.reduce((least, each) =>
      each.underWay < least.underWay ? each : least,
    )
    auditor.underWay += 1
    try {
      const answer = await auditor.thread.ask({ range })
      if (answer.type === 'audited') return answer.report
      if (answer.type === 'failed') throw new LogError(answer.code, answer.message)
      throw new Error('a thread that audits has left the store')
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      const { cause } = error
      throw cause instanceof Error ? cause : new Error('a thread that audits has ended')
    } finally {
      auditor.underWay -= 1
    }
  }

  /** Lets the threads end what they are at, and close the store. */
  async close(): Promise<void> {
    await Promise.all(
      this.#auditors.map(async ({ thread }) => {
        if (thread.running !== undefined) await thread.ask('leave').catch(() => undefined)
        await thread.stop()
      }),
    )
  }
}

function startWorker(workerData: AuditStart): Worker {
  return new Worker(new URL('./audit_worker.ts', import.meta.url), { name: 'audit', workerData })
}

/**
 * What a thread of AuditThreads runs: audits the ranges that it is asked for, in their order, in
 * the store of a directory.
 */
export function answerRanges<Range, Report>(
  dir: string,
  audit: (store: JoinedStore, range: Range) => Promise<Report>,
): void {
  const joining = joinLevelStore(dir)
  // The callers that wait for a range get the error.
  joining.catch(() => undefined)
  const answerTo = async (order: AuditOrder<Range>): Promise<AuditAnswer<Report>> => {
    if (order === 'leave') {
      const [joined] = await Promise.allSettled([joining])
      if (joined.status === 'fulfilled') await joined.value.close()
      return { type: 'left' }
    }
    try {
      return { type: 'audited', report: await audit(await joining, order.range) }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      return { type: 'failed', code: error.code, message: error.message }
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  answerOrders<AuditOrder<Range>, AuditAnswer<Report>>((order) => {
    const answer = last.then(() => answerTo(order))
    last = answer.catch(() => undefined)
    return answer
  })
}
