// A thread of `logAuditThreads`.

import { answerRanges } from '#log/audit_answers.ts'
import { auditRange } from '#log/audit_range.ts'

answerRanges(auditRange)
