import { parentPort, workerData } from 'node:worker_threads'

import { assert, LogError, type LogErrorCode } from '#log/base/errors.ts'
import { type JoinedStore, joinLevelStore } from '#log/store/level_store.ts'

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
