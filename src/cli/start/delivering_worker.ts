// The thread that delivers webhooks: it joins the stores of the registry that another thread runs,
// and follows its journal.

import { environmentNames } from '#actors/registry/environment.ts'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import { remoteService } from '#actors/kernel/service.ts'
import { type Clock, monotoneClock } from '#actors/values/clock.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'
import { applicationIdPrefixes, Applications } from '#src/identity/oauth/applications.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { Suspensions } from '#src/identity/store/suspensions.ts'
import { operatorAddress } from '#src/use_cases/operator_address.ts'
import {
  joinParts,
  runThread,
  type ThreadParts,
  type ThreadStart,
} from '#src/cli/start/joined_thread.ts'
import { deliveryService, offerLiveness } from '#src/cli/start/thread_services.ts'
import { deliveryTurnsIn, type DeliveryTurnMemory } from '#src/cli/start/delivery_turn.ts'
import { type DeliveredPart, deliverWebhooks } from '#src/cli/start/webhooks.ts'
import type { JoinedEnvironment } from '#actors/registry/served_environment.ts'
import type { Tenant } from '#src/cli/start/realm.ts'
import { openEndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'

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
  const contact = operatorAddress(config, baseUrl)
  const suspensions = new Suspensions({ store: parts.live.store, clock, contact })
  await suspensions.follow()
  const live = { ...(await openPart(parts.live, clock, logger)), suspensions }
  const sandbox = { ...(await openPart(parts.sandbox, clock, logger)), suspensions }
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
): Promise<Omit<DeliveredPart, 'suspensions'>> {
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
