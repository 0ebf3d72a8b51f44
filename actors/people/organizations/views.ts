import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  type OrganizationEvent,
  type OrganizationState,
  streamSlug,
} from '#actors/people/organizations/events.ts'
import { evolveOrganization } from '#actors/people/organizations/rules.ts'
import { encodeRow, type Index, positionPart, type StreamRow } from '#actors/journal/rows.ts'
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

/** What an event changes of an organization. */
export function organizationStep(
  before: StreamRow | undefined,
  event: JournalEvent & OrganizationEvent,
): OrganizationStep {
  const was = before?.state as OrganizationState | undefined
  return { event, state: evolveOrganization(was, event, event) }
}

/** The indexes of organizations. */
export const organizationIndexes: readonly Index<OrganizationStep>[] = [
  { keys: ['organization_event/'], rows: indexEvent },
  {
    keys: ['member/'],
    on: ['MemberAdded', 'MemberRoleChanged', 'MemberRemoved'],
    rows: indexMember,
  },
]

function indexEvent({ event: { stream, position } }: OrganizationStep): readonly Operation[] {
  const key = organizationEventKey(streamSlug(stream), position)
  return [{ type: 'put', key, value: new Uint8Array(0) }]
}

function indexMember({ event }: OrganizationStep): readonly Operation[] {
  const slug = streamSlug(event.stream)
  switch (event.type) {
    case 'OrganizationCreated':
    case 'OrganizationUpdated':
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
