// The thread that delivers webhooks: it joins the stores of the registry that another thread runs,
// and follows its journal.

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import { lowerPriority } from '#actors/kernel/kept_worker.ts'
import { remoteService } from '#actors/kernel/service.ts'
import {
  type EnvironmentName,
  environmentNames,
  perEnvironment,
} from '#actors/registry/environment.ts'
import type { JoinedEnvironment } from '#actors/registry/join_environment.ts'
import { type Clock, monotoneClock } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { configuredPoster } from '#src/delivery/fetch/content_fetcher.ts'
import { Audience } from '#src/delivery/webhooks/audience.ts'
import {
  Deliverer,
  type DelivererOptions,
  type DeliveryTurn,
} from '#src/delivery/webhooks/deliverer.ts'
import { type EndpointStore, openEndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { applicationIdPrefixes, Applications } from '#src/identity/oauth/applications.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import type { OAuth } from '#src/identity/oauth/oauth.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { type DeliveryTurnMemory, deliveryTurnsIn } from '#src/start/delivery_turn.ts'
import {
  joinParts,
  runThread,
  type ThreadParts,
  type ThreadStart,
} from '#src/start/joined_thread.ts'
import type { Tenant } from '#src/start/realm.ts'
import { deliveryService, offerLiveness } from '#src/start/thread_services.ts'
import { webhookPermissions } from '#src/use_cases/webhook_service.ts'

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
  /** Milliseconds since 1970; the system's unless told. */
  readonly nowMs?: () => number
}

/** What is delivered of one environment, and what says who may hear of it. */
type DeliveredPart = {
  readonly environment: DelivererOptions['environment']
  readonly webhooks: EndpointStore
  readonly oauth: Pick<OAuth, 'applications' | 'grants'>
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

/** What the thread is started with, by the one that runs the registry. */
export type DeliveringStart = ThreadStart & {
  /** Where several nodes share the registry. */
  readonly deliveryTurn?: DeliveryTurnMemory
}

/** How often it says how deliveries are doing. */
const statusEveryMs = 500

async function deliver(
  start: DeliveringStart,
  { remote, logger }: ThreadParts,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { config, baseUrl, deliveryTurn } = start
  const parts = await joinParts(start, remote, opened)
  const clock = monotoneClock(Date.now, '')
  const live = await openPart(parts.live, clock, logger)
  const sandbox = await openPart(parts.sandbox, clock, logger)
  offerLiveness(remote)
  const owner = remoteService(remote, deliveryService)
  const deliverers = deliverWebhooks(
    {
      config,
      baseUrl,
      logger,
      tellFailure: (environment, { id }) => owner.tellFailure(environment, id),
      ...(deliveryTurn && { deliveryTurns: deliveryTurnsIn(deliveryTurn) }),
    },
    { live, sandbox },
    opened,
  )
  const tellStatus = () => {
    for (const environment of environmentNames) {
      owner.noteStatus(environment, deliverers[environment].status())
    }
  }
  const telling = setInterval(tellStatus, statusEveryMs)
  opened.defer(() => clearInterval(telling))
}

/** Opens what says who may hear of an environment. */
async function openPart(
  { environment, store }: Tenant<JoinedEnvironment>,
  clock: Clock,
  logger: Logger,
): Promise<DeliveredPart> {
  const audit = new AuditLog(store)
  const report = (err: unknown) => logger.error({ err }, 'a permission could not be read')
  const idPrefix = applicationIdPrefixes[environment.name]
  const parts = { store, clock, random: randomBytes }
  const applications = new Applications({ ...parts, audit, idPrefix })
  const grants = new Grants({ store, audit, clock, report })
  const webhooks = await openEndpointStore(parts)
  return { environment, webhooks, oauth: { applications, grants } }
}

await runThread('delivering', deliver)
// Not before: a start takes a while of a busy machine, and what happens meanwhile waits for it.
lowerPriority()
