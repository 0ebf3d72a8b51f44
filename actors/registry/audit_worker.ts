// A thread of AuditThreads.

import { workerData } from 'node:worker_threads'

import { answerRanges, type AuditStart } from '#actors/registry/audit_threads.ts'
import { auditJournalRange } from '#actors/registry/journal_audit.ts'
import { auditRange } from '#log/store/audit_range.ts'

const { dir, part } = workerData as AuditStart
if (part === 'log') answerRanges(dir, auditRange)
else answerRanges(dir, auditJournalRange)
