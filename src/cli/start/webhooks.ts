import type { Logger } from 'pino'

import { type EnvironmentName, perEnvironment } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { webhookPermissions } from '#src/use_cases/webhook_service.ts'
import { configuredPoster } from '#src/delivery/fetch/content_fetcher.ts'
import type { Suspensions } from '#src/identity/store/suspensions.ts'
import type { OAuth } from '#src/identity/oauth/oauth.ts'
import { Audience } from '#src/delivery/webhooks/audience.ts'
import {
  Deliverer,
  type DelivererOptions,
  type DeliveryTurn,
} from '#src/delivery/webhooks/deliverer.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'

/** What deliveries are opened from. */
export type WebhookParts = {
  readonly config: Config
  readonly baseUrl: string
  readonly logger: Logger
  /** Has the owners of an endpoint of an environment told that it was given up. */
  readonly tellFailure: (
    name: EnvironmentName,
    ...told: Parameters<DelivererOptions['tellFailure']>
  ) => void
  /** Where several nodes share the registry. */
  readonly deliveryTurns?: Readonly<Record<EnvironmentName, DeliveryTurn>> | undefined
  /** Milliseconds since 1970; by default those of the system. */
  readonly nowMs?: () => number
}

/** What is delivered of one environment, and what says who may hear of it. */
export type DeliveredPart = {
  readonly environment: DelivererOptions['environment']
  readonly webhooks: EndpointStore
  readonly oauth: Pick<OAuth, 'applications' | 'grants'>
  readonly suspensions: Pick<Suspensions, 'first' | 'onChange'>
}

/** The deliverers of both environments. */
export type Deliverers = Readonly<Record<EnvironmentName, Pick<Deliverer, 'status'>>>

/** Delivers what happens to who wants to hear of it, in both environments, until `opened` ends. */
export function deliverWebhooks(
  { config, baseUrl, logger, tellFailure, deliveryTurns, nowMs = Date.now }: WebhookParts,
  delivered: Readonly<Record<EnvironmentName, DeliveredPart>>,
  opened: AsyncDisposableStack,
): Deliverers {
  const poster = configuredPoster(config, baseUrl)
  opened.defer(() => poster.close())
  const open = (name: EnvironmentName): Deliverer => {
    const { environment, webhooks } = delivered[name]
    const deliverer = new Deliverer({
      environment,
      ...(deliveryTurns && { deliveryTurn: deliveryTurns[name] }),
      endpoints: webhooks,
      audience: new Audience(webhooks, webhookPermissions(delivered[name], environment)),
      suspensions: delivered[name].suspensions,
      poster,
      baseUrl,
      logUrl: `${baseUrl}${name === 'sandbox' ? '/sandbox' : ''}/log`,
      tellFailure: (endpoint) => tellFailure(name, endpoint),
      nowMs,
      random: Math.random,
      report: (err) => logger.error({ err }, 'a webhook could not be delivered'),
    })
    opened.defer(() => deliverer.close())
    return deliverer
  }
  return perEnvironment(open)
}
