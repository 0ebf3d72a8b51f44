import type { Agent } from '#actors/agent.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { Organization } from '#actors/organizations.ts'

/** What describes an organization; its slug never changes and names its stream. */
export type OrganizationProfile = Pick<
  Organization,
  'name' | 'aliases' | 'ror' | 'country' | 'url'
>

/** An organization that the registry did not know before. */
export type OrganizationCreated = {
  readonly type: 'OrganizationCreated'
  readonly schema: 1
  readonly by: Agent
  readonly data: OrganizationProfile
}

/** The whole profile of an organization after a change. */
export type OrganizationUpdated = {
  readonly type: 'OrganizationUpdated'
  readonly schema: 1
  readonly by: Agent
  readonly data: OrganizationProfile & {
    readonly changed_fields: readonly (keyof OrganizationProfile)[]
  }
}

export type OrganizationEvent = OrganizationCreated | OrganizationUpdated

/** Where and when the journal put an event; a `JournalEvent` is one. */
export type OrganizationPlace = Pick<JournalEvent, 'stream' | 'at'>

const streamPrefix = 'organization/'

/** The stream of an organization's events. */
export function organizationStream(slug: string): string {
  return streamPrefix + slug
}

/** The slug of an organization's stream. */
export function streamSlug(stream: string): string {
  return stream.slice(streamPrefix.length)
}
