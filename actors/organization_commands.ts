import type { Directory } from '#actors/directory.ts'
import { ask } from '#actors/kernel.ts'
import { type OrganizationMessage, readOrganization } from '#actors/organization.ts'
import { organizationStream } from '#actors/organization_events.ts'
import { checkOrganization } from '#actors/organization_rules.ts'
import type { Organization, Organizations } from '#actors/organizations.ts'
import { decodeRow, type StreamRow } from '#actors/view_row.ts'
import type { Store } from '#log/store.ts'

/** What the commands and queries on organizations need. */
export type OrganizationCommandsOptions = {
  readonly organizations: Directory<OrganizationMessage>
  readonly store: Store
  readonly askTimeoutMs: number
}

/** The commands on organizations, as calls on their actors, and the queries on their rows. */
export function openOrganizations(options: OrganizationCommandsOptions): Organizations {
  const { organizations, store, askTimeoutMs } = options
  const read = (key: string) => store.get(key)
  return {
    async create({ body, by }) {
      const checked = checkOrganization(body)
      if (checked.type === 'invalid') return checked
      const { profile } = checked
      return ask(organizations.at(profile.slug), { type: 'create', profile, by }, askTimeoutMs)
    },
    read: (slug) => readOrganization(slug, read),
    async list({ after, limit }) {
      const range = { gt: organizationStream(after), lt: organizationStream('~'), limit }
      const found: Organization[] = []
      for await (const [, row] of store.scan(range)) {
        found.push(decodeRow<StreamRow>(row)?.state as Organization)
      }
      return found
    },
  }
}
