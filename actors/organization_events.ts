import type { Agent } from '#actors/agent.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { Organization } from '#actors/organizations.ts'

/** What describes an organization. The slug never changes. */
export type OrganizationProfile = Omit<Organization, 'created_at' | 'updated_at'>

/** An organization that the registry did not know before. */
export type OrganizationCreated = {
  readonly type: 'OrganizationCreated'
  readonly schema: 1
  readonly by: Agent
  readonly data: OrganizationProfile
}

export type OrganizationEvent = OrganizationCreated

/** When the journal put an event; a `JournalEvent` says it. */
export type OrganizationPlace = Pick<JournalEvent, 'at'>

/** The stream of an organization's events. */
export function organizationStream(slug: string): string {
  return `organization/${slug}`
}
