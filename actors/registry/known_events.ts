import { JournalError, type JournalEvent } from '#actors/journal/journal.ts'
import type { OrganizationEvent } from '#actors/organizations/events.ts'
import type { ClaimEvent, PersonEvent } from '#actors/people/events.ts'
import type { ReceiptKeyRotated } from '#actors/receipts/keys.ts'
import type { WorkEvent } from '#actors/works/events.ts'

/** The newest shape of each event that this program knows, by its type. */
type Schemas<Type extends string> = Readonly<Record<Type, number>>

const works: Schemas<WorkEvent['type']> = {
  WorkRegistered: 1,
  WorkVersioned: 1,
  WorkWithdrawn: 1,
  FixityChecked: 1,
  SupersededChecked: 1,
  FixityRequested: 1,
  WorkErased: 1,
  MetadataLost: 1,
}

const organizations: Schemas<OrganizationEvent['type']> = {
  OrganizationCreated: 1,
  OrganizationUpdated: 1,
  MemberAdded: 1,
  MemberRoleChanged: 1,
  MemberRemoved: 1,
}

const people: Schemas<(PersonEvent | ClaimEvent)['type']> = {
  PersonCreated: 1,
  ProfileUpdated: 1,
  ItemAdded: 1,
  ItemChanged: 1,
  ItemRemoved: 1,
  ItemMarked: 1,
  WriteUndone: 1,
  PersonErased: 1,
  ClaimMade: 1,
  ClaimChanged: 1,
}

const receiptKeys: Schemas<ReceiptKeyRotated['type']> = { ReceiptKeyRotated: 1 }

const known: ReadonlyMap<string, number> = new Map(
  [works, organizations, people, receiptKeys].flatMap((schemas) => Object.entries(schemas)),
)

/**
 * Refuses an event that a newer program has written: what it means is not guessed. JournalError
 * `unknown_event`.
 */
export function checkKnown({ type, schema, position }: JournalEvent): void {
  if (schema <= (known.get(type) ?? 0)) return
  throw new JournalError(
    'unknown_event',
    `event ${position} (${type}, schema ${schema}) is of a newer version of Arklog than this: ` +
      'install the version that has written it, as the other nodes of a cluster run it, and ' +
      'start again; nothing of the event was carried out here',
  )
}
