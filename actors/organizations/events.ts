import type { EventOf, JournalEvent } from '#actors/journal/journal.ts'
import type { Member, Organization, OrganizationChange } from '#actors/organizations/port.ts'
import type { MemberRole } from '#actors/values/authority.ts'

/** What describes an organization. The slug never changes. */
export type OrganizationProfile = Omit<Organization, 'created_at' | 'updated_at'>

/** An organization that the registry did not know before. */
type OrganizationCreated = EventOf<'OrganizationCreated', OrganizationProfile>

/** Another description of an organization: all of it, and the names of what differs now. */
export type OrganizationUpdated = EventOf<
  'OrganizationUpdated',
  { readonly changed_fields: readonly string[]; readonly profile: OrganizationProfile }
>

// A member's name is the person's to show or to erase: events know the ppid alone.

/** A person became a member. */
export type MemberAdded = EventOf<
  'MemberAdded',
  { readonly ppid: string; readonly role: MemberRole }
>

/** A member may do other things than before. */
export type MemberRoleChanged = EventOf<
  'MemberRoleChanged',
  { readonly ppid: string; readonly role: MemberRole }
>

/** A person is no member any more. */
export type MemberRemoved = EventOf<'MemberRemoved', { readonly ppid: string }>

export type OrganizationEvent =
  | OrganizationCreated
  | OrganizationUpdated
  | MemberAdded
  | MemberRoleChanged
  | MemberRemoved

/** An organization as it stands: all that its rules need to know, and the row stored of it. */
export type OrganizationState = Organization & { readonly members: readonly Member[] }

/** When the journal put an event; a `JournalEvent` says it. */
export type OrganizationPlace = Pick<JournalEvent, 'at'>

const streamPrefix = 'organization/'

/** The stream of an organization's events. */
export function organizationStream(slug: string): string {
  return streamPrefix + slug
}

/** The slug of an organization's stream. */
export function streamSlug(stream: string): string {
  return stream.slice(streamPrefix.length)
}

/** What everybody may know of an organization: not its members. */
export function publicOrganization(state: OrganizationState): Organization {
  const { members: _, ...organization } = state
  return organization
}

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
