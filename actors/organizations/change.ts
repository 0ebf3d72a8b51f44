import type { JournalEvent } from '#actors/journal/journal.ts'
import type { OrganizationEvent } from '#actors/organizations/events.ts'
import type { OrganizationChange } from '#actors/organizations/port.ts'

/** An event of an organization as its history tells it. */
export function describeChange(event: JournalEvent & OrganizationEvent): OrganizationChange {
  const { position, at, by, type } = event
  switch (type) {
    case 'OrganizationCreated':
      return { position, at, by, type }
    case 'OrganizationUpdated':
      return { position, at, by, type, changed_fields: event.data.changed_fields }
    case 'MemberAdded':
    case 'MemberRoleChanged':
    case 'MemberRemoved':
      return { position, at, by, type, ...event.data }
  }
}
