import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { type Realms, realmOf } from '#src/api/realm.ts'
import { webhookPermissions } from '#src/api/webhook_permissions.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import { configuredPoster } from '#src/fetch/configured_fetcher.ts'
import { Audience } from '#src/webhooks/audience.ts'
import { Deliverer } from '#src/webhooks/deliverer.ts'
import type { Endpoint } from '#src/webhooks/endpoint.ts'

/** What deliveries are opened from. */
export type WebhookParts = {
  readonly config: Config
  readonly baseUrl: string
  readonly logger: Logger
  /** The node of a cluster that this process is, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'leads'> | undefined
  /** Milliseconds since 1970; the system's unless told. */
  readonly nowMs?: () => number
}

/** The deliverers of both environments. */
export type Deliverers = Readonly<Record<EnvironmentName, Pick<Deliverer, 'status'>>>

/** Delivers what happens to who wants to hear of it, in both environments, until `opened` ends. */
export function deliverWebhooks(
  { config, baseUrl, logger, cluster, nowMs = Date.now }: WebhookParts,
  { environments, ...realms }: Realms & { readonly environments: Environments },
  opened: AsyncDisposableStack,
): Deliverers {
  const poster = configuredPoster(config, baseUrl)
  opened.defer(() => poster.close())
  const open = (name: EnvironmentName): Deliverer => {
    const environment = environments[name]
    const realm = realmOf(realms, name)
    const { part } = environment
    const duty = cluster && {
      // It has carried out all that others have written, and is still the one that leads.
      isDue: () => part?.member.leads === true && cluster.leads,
      drawTerm: () => randomBytes(12).toString('hex'),
    }
    const deliverer = new Deliverer({
      environment,
      ...(duty && { duty }),
      endpoints: realm.webhooks,
      audience: new Audience(realm.webhooks, webhookPermissions(realm, environment)),
      poster,
      baseUrl,
      logUrl: `${baseUrl}${name === 'sandbox' ? '/sandbox' : ''}/log`,
      tellFailure: (endpoint) => tellOwners(endpoint, { environments, realms }),
      nowMs,
      random: Math.random,
      report: (err) => logger.error({ err }, 'a webhook could not be delivered'),
    })
    opened.defer(() => deliverer.close())
    return deliverer
  }
  return { live: open('live'), sandbox: open('sandbox') }
}

/**
 * Writes to the owners of an endpoint's organization. They are people of the live registry, whose
 * endpoints of the sandbox are theirs too.
 */
async function tellOwners(
  { id, organization: slug, url, failure }: Endpoint,
  { environments, realms }: { readonly environments: Environments; readonly realms: Realms },
): Promise<void> {
  const { organizations } = environments.live
  const { accounts, mail } = realms.accounts
  const reason = failure?.reason ?? 'nothing was delivered'
  const owner = organizations.read(slug)?.name ?? slug
  const path = `/organizations/${slug}/webhooks/${id}`
  for (const { ppid, role } of organizations.members(slug) ?? []) {
    const account = role === 'owner' ? accounts.find(ppid) : undefined
    if (account !== undefined) mail.sendWebhookFailed(account, { url, owner, reason, path })
  }
}
