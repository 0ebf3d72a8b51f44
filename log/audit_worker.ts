// A thread of AuditThreads: audits the ranges that it is sent, in order.

import { parentPort, workerData } from 'node:worker_threads'

import { type AuditedRange, auditRange } from '#log/audit_range.ts'
import type { RangeAnswer } from '#log/audit_threads.ts'
import { assert, LogError } from '#log/errors.ts'
import { joinLevelStore } from '#log/level_store.ts'

const port = parentPort
assert(port !== null, 'this file runs as a thread')

const joining = joinLevelStore(workerData as string)
// Who waits for a range is told.
joining.catch(() => undefined)
let last: Promise<void> = Promise.resolve()

port.on('message', (message: AuditedRange | 'close') => {
  last = last.then(() => (message === 'close' ? close() : answer(message)))
})

async function answer(range: AuditedRange): Promise<void> {
  port?.postMessage(await audit(range))
}

async function audit(range: AuditedRange): Promise<RangeAnswer> {
  try {
    return { type: 'audited', report: await auditRange(await joining, range) }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return { type: 'failed', code: error.code, message: error.message }
  }
}

async function close(): Promise<void> {
  const [joined] = await Promise.allSettled([joining])
  if (joined.status === 'fulfilled') await joined.value.close()
  port?.close()
}
