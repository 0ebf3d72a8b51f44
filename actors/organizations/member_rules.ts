import type { Agent } from '#actors/values/agent.ts'
import { may, type MemberRole } from '#actors/values/authority.ts'
import type { MemberAdded, MemberRemoved, MemberRoleChanged } from '#actors/organizations/events.ts'
import type { Member } from '#actors/organizations/port.ts'
import { assert } from '#log/base/errors.ts'

/** Members of an organization, at most: its row holds them all. */
export const membersMax = 500

/** A change of the members of an organization. `isPerson`: whether there is one with the ppid. */
export type MemberChange =
  | {
      readonly type: 'add_member'
      readonly ppid: string
      readonly isPerson: boolean
      readonly role: MemberRole
      readonly by: Agent
    }
  | {
      readonly type: 'change_role'
      readonly ppid: string
      readonly role: MemberRole
      readonly by: Agent
    }
  | { readonly type: 'remove_member'; readonly ppid: string; readonly by: Agent }

type MemberEvent = MemberAdded | MemberRoleChanged | MemberRemoved

/** What becomes of a change of the members. */
export type MemberDecision =
  | { readonly type: 'accepted'; readonly event: MemberEvent }
  | { readonly type: 'unchanged' | 'forbidden' | 'no_person' | 'not_member' | 'already_member' }
  | { readonly type: 'last_owner' | 'too_many_members' }

/** Decides a change of the members: by an owner, an administrator, or one who leaves. */
export function decideMember(members: readonly Member[], command: MemberChange): MemberDecision {
  const { ppid, by } = command
  const member = members.find((known) => known.ppid === ppid)
  const about = { members, ppid }
  const leaves = command.type === 'remove_member' && may(by, 'organization', 'leave', about)
  const mayChange = may(by, 'organization', 'manage members', about) || (leaves && member)
  if (!mayChange) return { type: 'forbidden' }
  if (command.type === 'add_member') return add(members, member, command)
  if (member === undefined) return { type: 'not_member' }
  const isLastOwner = member.role === 'owner' && ownersOf(members) === 1
  if (command.type === 'remove_member') {
    // Whoever leaves the registry leaves every organization; an administrator names other owners.
    if (isLastOwner && !may(by, 'organization', 'abandon', about)) return { type: 'last_owner' }
    const event = { type: 'MemberRemoved', schema: 1, by, data: { ppid } } as const
    return { type: 'accepted', event }
  }
  const { role } = command
  if (role === member.role) return { type: 'unchanged' }
  if (isLastOwner) return { type: 'last_owner' }
  const event = { type: 'MemberRoleChanged', schema: 1, by, data: { ppid, role } } as const
  return { type: 'accepted', event }
}

/** The members after an event at a time. */
export function evolveMembers(
  members: readonly Member[],
  event: MemberEvent,
  at: string,
): readonly Member[] {
  const { ppid } = event.data
  const isMember = members.some((member) => member.ppid === ppid)
  assert(isMember === (event.type !== 'MemberAdded'), 'who is added is no member, others are')
  switch (event.type) {
    case 'MemberAdded':
      return [...members, { ppid, role: event.data.role, since: at }]
    case 'MemberRoleChanged': {
      const { role } = event.data
      return members.map((member) => (member.ppid === ppid ? { ...member, role } : member))
    }
    case 'MemberRemoved':
      return members.filter((member) => member.ppid !== ppid)
  }
}

function add(
  members: readonly Member[],
  member: Member | undefined,
  { ppid, isPerson, role, by }: Extract<MemberChange, { type: 'add_member' }>,
): MemberDecision {
  if (member !== undefined) return { type: member.role === role ? 'unchanged' : 'already_member' }
  if (!isPerson) return { type: 'no_person' }
  if (members.length >= membersMax) return { type: 'too_many_members' }
  const event = { type: 'MemberAdded', schema: 1, by, data: { ppid, role } } as const
  return { type: 'accepted', event }
}

function ownersOf(members: readonly Member[]): number {
  return members.filter(({ role }) => role === 'owner').length
}
