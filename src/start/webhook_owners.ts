import type { Environments } from '#actors/registry/environment.ts'
import type { Realms } from '#src/api/realm.ts'
import type { Endpoint } from '#src/webhooks/endpoint.ts'

/**
 * Writes to the owners of an endpoint's organization that it was given up. They are people of the
 * live registry, whose endpoints of the sandbox are theirs too.
 */
export async function tellOwners(
  {
    environments,
    accounts: { accounts, mail },
  }: Pick<Realms, 'accounts'> & {
    readonly environments: Environments
  },
  { id, organization: slug, url, failure }: Endpoint,
): Promise<void> {
  const { organizations } = environments.live
  const reason = failure?.reason ?? 'nothing was delivered'
  const owner = organizations.read(slug)?.name ?? slug
  const path = `/organizations/${slug}/webhooks/${id}`
  for (const { ppid, role } of organizations.members(slug) ?? []) {
    const account = role === 'owner' ? accounts.find(ppid) : undefined
    if (account !== undefined) mail.sendWebhookFailed(account, { url, owner, reason, path })
  }
}
