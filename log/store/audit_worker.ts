// A thread of `logAuditThreads`.

import { answerRanges } from '#log/store/audit_answers.ts'
import { auditRange } from '#log/store/audit_range.ts'

answerRanges(auditRange)
