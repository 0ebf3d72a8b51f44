// A thread of `logAuditThreads`.

import { answerRanges } from '#log/store/audit_threads.ts'
import { auditRange } from '#log/store/audit_range.ts'

answerRanges(auditRange)
