import type { JournalEvent } from '#actors/journal/journal.ts'
import { eventMetadata } from '#actors/journal/rows.ts'
import type { ReceiptKeyRotated } from '#actors/receipts/keys.ts'
import {
  type KeyStatement,
  metadataHash,
  type SignedStatement,
  type Statement,
} from '#actors/receipts/statement.ts'
import { parseArk } from '#actors/values/ark.ts'
import {
  type FixityChecked,
  streamArk,
  type SupersededChecked,
  type WorkEvent,
  type WorkRegistered,
  type WorkVersioned,
} from '#actors/works/events.ts'

type StatementAboutWork = Exclude<Statement, KeyStatement>

/** An event whose entries are statements. */
export type StatedEvent = JournalEvent & (WorkEvent | ReceiptKeyRotated)

/** Whether a statement says what its event says; `row` is the event's. */
export function isStatementOf(
  { statement }: SignedStatement,
  event: JournalEvent & WorkEvent,
  row: Uint8Array,
): boolean {
  if (statement.statement === 'key_rotated') return false
  const ark = parseArk(statement.ark)
  if (ark.type !== 'ark' || ark.ark !== streamArk(event.stream)) return false
  if (statement.timestamp !== event.at) return false
  switch (event.type) {
    case 'WorkWithdrawn':
      return statement.statement === 'tombstoned' && statement.reason === event.data.reason
    case 'FixityChecked':
    case 'SupersededChecked':
      return isContentOf(statement, event)
    case 'FixityRequested':
    case 'WorkErased':
    case 'MetadataLost':
      return false
    case 'WorkRegistered':
    case 'WorkVersioned':
      return isRegistrationOf(statement, event, row)
  }
}

function isContentOf(
  statement: StatementAboutWork,
  { data }: FixityChecked | SupersededChecked,
): boolean {
  return (
    statement.statement === 'content' &&
    data.status === 'verified' &&
    statement.version === data.version &&
    statement.receipt_id === data.receipt_id &&
    statement.content_hash === `sha256:${data.sha256}` &&
    statement.content_hash === data.content?.content_hash &&
    statement.metadata_hash === data.content.metadata_hash
  )
}

function isRegistrationOf(
  statement: StatementAboutWork,
  event: WorkRegistered | WorkVersioned,
  row: Uint8Array,
): boolean {
  const hash =
    event.data.metadata === null
      ? event.data.metadata_hash
      : metadataHash(Buffer.from(eventMetadata(row)).toString('utf8'))
  return (
    statement.statement === 'registered' &&
    statement.version === (event.type === 'WorkRegistered' ? 1 : event.data.version) &&
    statement.receipt_id === event.data.receipt_id &&
    statement.content_hash === event.data.content_hash &&
    statement.metadata_hash === event.data.metadata_hash &&
    statement.metadata_hash === hash
  )
}
