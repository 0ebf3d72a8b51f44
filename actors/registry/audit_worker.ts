// A thread of `journalAuditThreads`.

import { auditJournalRange } from '#actors/registry/journal_audit.ts'
import { answerRanges } from '#log/store/audit_threads.ts'

answerRanges(auditJournalRange)
