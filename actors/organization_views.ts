import type { JournalEvent } from '#actors/journal.ts'
import {
  type OrganizationEvent,
  type OrganizationState,
  streamSlug,
} from '#actors/organization_events.ts'
import { evolveOrganization } from '#actors/organization_rules.ts'
import { encodeRow, type View } from '#actors/view_row.ts'
import type { Operation } from '#log/store.ts'

/** The least key of the rows that name the organizations of a person. */
export function memberPrefix(ppid: string): string {
  return `member/${ppid}/`
}

/** Key of the row that says what a person is in an organization. */
function memberKey(ppid: string, slug: string): string {
  return memberPrefix(ppid) + slug
}

/** The state that an event of an organization leads to, and the rows of its members. */
export function indexOrganization(before: unknown, event: JournalEvent): View {
  const organization = event as JournalEvent & OrganizationEvent
  const was = before as OrganizationState | undefined
  const state = evolveOrganization(was, organization, organization)
  return { state, operations: indexMember(streamSlug(event.stream), organization) }
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
