import type { JournalEvent } from '#actors/journal.ts'
import type { OrganizationEvent } from '#actors/organization_events.ts'
import { evolveOrganization } from '#actors/organization_rules.ts'
import type { Organization } from '#actors/organizations.ts'
import type { View } from '#actors/view_row.ts'

/** The state that an event of an organization leads to; it has no index rows. */
export function indexOrganization(before: unknown, event: JournalEvent): View {
  const organization = event as JournalEvent & OrganizationEvent
  const state = evolveOrganization(before as Organization | undefined, organization, organization)
  return { state, operations: [] }
}
