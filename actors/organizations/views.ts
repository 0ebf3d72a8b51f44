import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  type OrganizationEvent,
  type OrganizationState,
  streamSlug,
} from '#actors/organizations/events.ts'
import { evolveOrganization } from '#actors/organizations/rules.ts'
import { encodeRow, positionPart, type View } from '#actors/journal/rows.ts'
import type { Operation } from '#log/base/store.ts'

/** The least key of the rows that name the organizations of a person. */
export function memberPrefix(ppid: string): string {
  return `member/${ppid}/`
}

/** Key of the row that says what a person is in an organization. */
function memberKey(ppid: string, slug: string): string {
  return memberPrefix(ppid) + slug
}

/** The least key of the rows that name the events of an organization. */
export function organizationEventPrefix(slug: string): string {
  return `organization_event/${slug}/`
}

/** Key of the row that names an event of an organization by its position in the journal. */
function organizationEventKey(slug: string, position: number): string {
  return organizationEventPrefix(slug) + positionPart(position)
}

/** The state that an event of an organization leads to, and the rows of its members. */
export function indexOrganization(before: unknown, event: JournalEvent): View {
  const organization = event as JournalEvent & OrganizationEvent
  const was = before as OrganizationState | undefined
  const state = evolveOrganization(was, organization, organization)
  const slug = streamSlug(event.stream)
  const key = organizationEventKey(slug, event.position)
  const noted: Operation = { type: 'put', key, value: new Uint8Array(0) }
  return { state, operations: [noted, ...indexMember(slug, organization)] }
}

function indexMember(slug: string, event: OrganizationEvent): readonly Operation[] {
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
