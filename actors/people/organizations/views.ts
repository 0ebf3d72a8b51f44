import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  type OrganizationEvent,
  type OrganizationState,
  streamSlug,
} from '#actors/people/organizations/events.ts'
import { evolveOrganization } from '#actors/people/organizations/rules.ts'
import {
  decodeRow,
  encodeRow,
  type Index,
  positionPart,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import type { Operation } from '#log/store/store.ts'

/** The least key of the rows that name the organizations of a person. */
export function memberPrefix(ppid: string): string {
  return `member/${ppid}/`
}

function memberKey(ppid: string, slug: string): string {
  return memberPrefix(ppid) + slug
}

/** The least key of the rows that name the events of an organization. */
export function organizationEventPrefix(slug: string): string {
  return `organization_event/${slug}/`
}

function organizationEventKey(slug: string, position: number): string {
  return organizationEventPrefix(slug) + positionPart(position)
}

type OrganizationStep = {
  readonly event: JournalEvent & OrganizationEvent
  readonly state: OrganizationState
}

const belowPrefix = 'organization_below/'

/** Key of the row that names the organizations right below one, as a list of slugs. */
export function belowKey(parent: string): string {
  return belowPrefix + parent
}

const invitedPrefix = 'organization_invited/'

/** Key of the row that names the organizations that one has invited, as a list of slugs. */
export function invitedKey(parent: string): string {
  return invitedPrefix + parent
}

const parentChangePrefix = 'organization_parent/'

/** Key of the row of the change of a parent with a number. */
export function parentChangeKey(change: number): string {
  return parentChangePrefix + positionPart(change)
}

/** Key of the row with the number of the newest of these changes. */
export const newestParentChangeKey = `${parentChangePrefix}newest`

/** What an event changes of an organization. */
export function organizationStep(
  before: StreamRow | undefined,
  event: JournalEvent & OrganizationEvent,
): OrganizationStep {
  const was = before?.state as OrganizationState | undefined
  return { event, state: evolveOrganization(was, event, event) }
}

export const organizationIndexes: readonly Index<OrganizationStep>[] = [
  { keys: ['organization_event/'], rows: indexEvent },
  {
    keys: ['member/'],
    on: ['MemberAdded', 'MemberRoleChanged', 'MemberRemoved'],
    rows: indexMember,
  },
  {
    keys: [belowPrefix, invitedPrefix, parentChangePrefix],
    on: ['ParentInvited', 'ParentInvitationEnded', 'ParentChanged'],
    rows: indexParent,
  },
]

function indexEvent({ event: { stream, position } }: OrganizationStep): readonly Operation[] {
  const key = organizationEventKey(streamSlug(stream), position)
  return [{ type: 'put', key, value: new Uint8Array(0) }]
}

/** The slugs that a row lists; none without the row. */
export function readSlugs(key: string, read: ReadRow): readonly string[] {
  return decodeRow<readonly string[]>(read(key)) ?? []
}

function indexParent({ event }: OrganizationStep, read: ReadRow): readonly Operation[] {
  const slug = streamSlug(event.stream)
  /** The list of a row with this organization at its end, or without it. */
  const listed = (key: string, isIn: boolean): Operation => {
    const others = readSlugs(key, read).filter((each) => each !== slug)
    const now = isIn ? [...others, slug] : others
    return now.length === 0 ? { type: 'del', key } : { type: 'put', key, value: encodeRow(now) }
  }
  if (event.type === 'ParentInvited') return [listed(invitedKey(event.data.parent), true)]
  if (event.type === 'ParentInvitationEnded') return [listed(invitedKey(event.data.parent), false)]
  if (event.type !== 'ParentChanged') return []
  const { parent, isBelow, change } = event.data
  return [
    listed(belowKey(parent), isBelow),
    listed(invitedKey(parent), false),
    { type: 'put', key: parentChangeKey(change), value: encodeRow(slug) },
    { type: 'put', key: newestParentChangeKey, value: encodeRow(change) },
  ]
}

function indexMember({ event }: OrganizationStep): readonly Operation[] {
  const slug = streamSlug(event.stream)
  switch (event.type) {
    case 'OrganizationCreated':
    case 'OrganizationUpdated':
    case 'ParentInvited':
    case 'ParentInvitationEnded':
    case 'ParentChanged':
      return []
    case 'MemberAdded':
    case 'MemberRoleChanged': {
      const { ppid, role } = event.data
      return [{ type: 'put', key: memberKey(ppid, slug), value: encodeRow(role) }]
    }
    case 'MemberRemoved':
      return [{ type: 'del', key: memberKey(event.data.ppid, slug) }]
  }
}
