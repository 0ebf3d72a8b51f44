import type { EventOf, JournalEvent } from '#actors/journal/journal.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { MemberRole } from '#actors/values/authority.ts'
import type { Precondition, PreconditionFailed } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** An organization as the registry knows it: the owner of keys and works. */
export type Organization = {
  readonly slug: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly ror?: string
  readonly country?: string
  readonly url?: string
  readonly created_at: string
  readonly updated_at: string
}

/** A person in an organization. `since` is when the person was added. */
export type Member = { readonly ppid: string; readonly role: MemberRole; readonly since: string }

/** An organization of a person, and what the person is in it. */
export type Membership = { readonly slug: string; readonly role: MemberRole }

/** Why a change of an organization was not made; nothing was written. */
type OrganizationRefusal =
  | { readonly type: 'not_found' }
  | { readonly type: 'forbidden' }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

export type OrganizationAnswer =
  | { readonly type: 'created'; readonly organization: Organization }
  | { readonly type: 'taken'; readonly organization: Organization }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/** `unchanged`: all that was asked for is so already. */
export type OrganizationUpdateAnswer =
  | { readonly type: 'changed' | 'unchanged'; readonly organization: Organization }
  | PreconditionFailed
  | OrganizationRefusal

/**
 * What became of a change of the members, and who they are now. `no_person`: there is none with the
 * ppid; `last_owner`: nobody would be left who can change the members.
 */
export type MembersAnswer =
  | { readonly type: 'changed' | 'unchanged'; readonly members: readonly Member[] }
  | { readonly type: 'no_person' | 'not_member' | 'already_member' }
  | { readonly type: 'last_owner' | 'too_many_members' }
  | Exclude<OrganizationRefusal, { type: 'invalid' }>

/** Something that happened to an organization or its members. */
export type OrganizationChange = {
  /** Of its event in the journal. */
  readonly position: number
  readonly at: string
  readonly by: Agent
  readonly type:
    | 'OrganizationCreated'
    | 'OrganizationUpdated'
    | 'MemberAdded'
    | 'MemberRoleChanged'
    | 'MemberRemoved'
  /** Whom it happened to, and what they are since. */
  readonly ppid?: string
  readonly role?: MemberRole
  /** The fields that an update has changed. */
  readonly changed_fields?: readonly string[]
}

/** Which organization, which person, and who wants the change. */
type MemberCommand = { readonly slug: string; readonly ppid: string; readonly by: Agent }

/** The commands and queries on organizations. */
export type Organizations = {
  /** Creates one from an unchecked body `{slug, name, aliases?, ror?, country?, url?}`. */
  create(command: { readonly body: unknown; readonly by: Agent }): Promise<OrganizationAnswer>
  /**
   * Merges an unchecked body `{name?, aliases?, ror?, country?, url?}`; null removes a member. The
   * others of `record`, which is the organization as it is read, may stand in it as they are.
   */
  update(
    command: Precondition & {
      readonly slug: string
      readonly body: unknown
      readonly record?: Readonly<Record<string, unknown>> | undefined
      readonly by: Agent
    },
  ): Promise<OrganizationUpdateAnswer>
  addMember(command: MemberCommand & { readonly role: MemberRole }): Promise<MembersAnswer>
  changeRole(command: MemberCommand & { readonly role: MemberRole }): Promise<MembersAnswer>
  /** Members may leave by themselves. */
  removeMember(command: MemberCommand): Promise<MembersAnswer>
  /** Ends all memberships of a person whose account is being deleted, also as the last owner. */
  leaveAll(ppid: string): Promise<void>
  read(slug: string): Organization | undefined
  /** The members in the order in which they came; undefined without the organization. */
  members(slug: string): readonly Member[] | undefined
  /** What a person is in an organization; undefined for one that is no member. */
  roleOf(slug: string, ppid: string): MemberRole | undefined
  /** The organizations of a person, by slug. */
  organizationsOf(ppid: string): Promise<readonly Membership[]>
  list(page: { after: string; limit: number }): Promise<readonly Organization[]>
}

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
