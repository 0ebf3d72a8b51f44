import type { EventOf, JournalEvent } from '#actors/journal/journal.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { MemberRole } from '#actors/values/authority.ts'
import type { Precondition, PreconditionFailed } from '#actors/values/entity_tag.ts'
import type { Order } from '#actors/journal/rows.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** An organization as the registry knows it: the owner of keys and works. */
export type Organization = {
  readonly slug: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly ror?: string
  readonly country?: string
  readonly url?: string
  /** The slug of the organization above it, as of the consortium that it is part of. */
  readonly parent?: string
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
    | 'ParentInvited'
    | 'ParentInvitationEnded'
    | 'ParentChanged'
  /** The organization above it that was invited to, joined or left. */
  readonly parent?: string
  /** Whom it happened to, and what they are since. */
  readonly ppid?: string
  readonly role?: MemberRole
  /** The fields that an update has changed. */
  readonly changed_fields?: readonly string[]
}

/**
 * What is done about the organization above one. `invite`: an owner of the one above asks;
 * `end_invitation`: either side; `join`: an owner who was asked, or an administrator; `leave`:
 * either side.
 */
export type ParentStep = 'invite' | 'end_invitation' | 'join' | 'leave'

/**
 * What became of it. `no_parent`: there is no such organization above; `circle`: that one is the
 * organization itself, or below it; `has_parent`: it is part of another one; `too_deep`,
 * `too_many`: of the levels and of the organizations below one; `not_invited`, `not_below`: what is
 * to be accepted or ended is not there.
 */
export type ParentAnswer = {
  readonly type:
    | 'changed'
    | 'unchanged'
    | 'not_found'
    | 'forbidden'
    | 'no_parent'
    | 'circle'
    | 'has_parent'
    | 'too_deep'
    | 'too_many'
    | 'not_invited'
    | 'not_below'
}

/** Which organization, which person, and who wants the change. */
type MemberCommand = { readonly slug: string; readonly ppid: string; readonly by: Agent }

/** Which of the organizations, by slug; `after` is empty for the first page. */
export type OrganizationsPage = {
  readonly after: string
  readonly limit: number
  readonly order?: Order
}

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
  /** Puts an organization below another one, invites it there, or ends either. */
  changeParent(command: {
    readonly slug: string
    readonly parent: string
    readonly step: ParentStep
    readonly by: Agent
  }): Promise<ParentAnswer>
  /** The organizations that have asked one to be part of them, by slug. */
  invitationsOf(slug: string): readonly string[]
  /** The organizations above one by slug, the nearest first. */
  above(slug: string): readonly string[]
  /** The organizations right below one, in the order in which they came. */
  below(slug: string): readonly string[]
  /** The organizations that one has invited, and that have not answered. */
  invited(slug: string): readonly string[]
  read(slug: string): Organization | undefined
  /** The members in the order in which they came; undefined without the organization. */
  members(slug: string): readonly Member[] | undefined
  /** What a person is in an organization; undefined for one that is no member. */
  roleOf(slug: string, ppid: string): MemberRole | undefined
  /** The organizations of a person, by slug. */
  organizationsOf(ppid: string): Promise<readonly Membership[]>
  /** By slug, from the one behind `after` on; `newest`: from the last one to the first. */
  list(page: OrganizationsPage): Promise<readonly Organization[]>
}

/** What describes an organization. The slug never changes. */
export type OrganizationProfile = Omit<Organization, 'parent' | 'created_at' | 'updated_at'>

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

/** An organization is asked to be part of another one. */
type ParentInvited = EventOf<'ParentInvited', { readonly parent: string }>

/** It is not asked any more: it declined, or was not waited for. */
type ParentInvitationEnded = EventOf<'ParentInvitationEnded', { readonly parent: string }>

/**
 * An organization became part of another one, or left it. `change`: how many such changes there
 * are with it: two at one time cannot both count, so that no circle closes.
 */
type ParentChanged = EventOf<
  'ParentChanged',
  { readonly parent: string; readonly isBelow: boolean; readonly change: number }
>

export type ParentEvent = ParentInvited | ParentInvitationEnded | ParentChanged

export type OrganizationEvent =
  | ParentEvent
  | OrganizationCreated
  | OrganizationUpdated
  | MemberAdded
  | MemberRoleChanged
  | MemberRemoved

/** An organization as it stands: all that its rules need to know, and the row stored of it. */
export type OrganizationState = Organization & {
  readonly members: readonly Member[]
  /** The organizations that ask it to be part of them. */
  readonly invited_by?: readonly string[]
}

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
  const { members: _, invited_by: __, ...organization } = state
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
    case 'ParentInvited':
    case 'ParentInvitationEnded':
    case 'ParentChanged':
      return { position, at, by, type, parent: event.data.parent }
  }
}
