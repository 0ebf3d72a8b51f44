import type { Logger } from 'pino'

import type { Environments } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { type Realms, realmOf } from '#src/api/realm.ts'
import { configuredPoster } from '#src/fetch/configured_fetcher.ts'
import { Deliverer } from '#src/webhooks/deliverer.ts'

/** What deliveries are opened from. */
export type WebhookParts = {
  readonly config: Config
  readonly baseUrl: string
  readonly logger: Logger
}

/** Delivers what organizations want to hear of, in both environments, until `opened` ends. */
export function deliverWebhooks(
  { config, baseUrl, logger }: WebhookParts,
  { environments, ...realms }: Realms & { readonly environments: Environments },
  opened: AsyncDisposableStack,
): void {
  const poster = configuredPoster(config, baseUrl)
  opened.defer(() => poster.close())
  for (const environment of Object.values(environments)) {
    const deliverer = new Deliverer({
      environment,
      endpoints: realmOf(realms, environment.name).webhooks,
      poster,
      baseUrl,
      nowMs: Date.now,
      random: Math.random,
      report: (err) => logger.error({ err }, 'a webhook could not be delivered'),
    })
    opened.defer(() => deliverer.close())
  }
}
