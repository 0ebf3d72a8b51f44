import type { Worker } from 'node:worker_threads'

import { KeptWorker, usualBackOff, type WorkerEnd } from '#actors/kernel/kept_worker.ts'
import { offerService } from '#actors/kernel/service.ts'
import {
  type EnvironmentName,
  environmentNames,
  type Environments,
  perEnvironment,
} from '#actors/registry/environment.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import type { DelivererStatus } from '#src/delivery/webhooks/deliverer.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { DeliveringStart } from '#src/cli/start/delivering_worker.ts'
import { type DeliveryTurnMemory, shareDeliveryTurns } from '#src/cli/start/delivery_turn.ts'
import { type RunningRegistry, startThread } from '#src/cli/start/joined_thread.ts'
import { deliveryService } from '#src/cli/start/thread_services.ts'
import { realmOf, type Realms } from '#src/use_cases/registry_edge.ts'

/** What is delivered, and where it comes from. */
export type DeliveringThreadOptions = RunningRegistry & {
  /** The node of a cluster that this process is, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'leadsUntilMs'> | undefined
}

/**
 * How long what is under way may take to end. What is not written down then is sent again after the
 * next start, as after a crash.
 */
const leaveMs = 10_000

const youngMegabytesMax = 16

const idle = { waiting: 0, failing: 0, underWay: 0 }
const nothing = { ...idle, delivered: 0, failed: 0 }

/**
 * Delivers webhooks in a thread of its own, so that reading the journal, signing, sending and
 * writing down what became of it take no time of the thread that runs the registry. It starts when
 * there is an endpoint to deliver to, and is started again if it dies: it goes on where it was.
 */
export class DeliveringThread {
  readonly #options: DeliveringThreadOptions
  readonly #closing = new AsyncDisposableStack()
  readonly #deliveryTurn: DeliveryTurnMemory | undefined
  readonly #notices: FailureNotices
  /** What the running thread has said last, and what those before it had counted. */
  readonly #said: Record<EnvironmentName, Omit<DelivererStatus, 'endpoints'>>
  readonly #before: Record<EnvironmentName, Pick<DelivererStatus, 'delivered' | 'failed'>>
  readonly #thread = new KeptWorker({
    start: () => this.#startWorker(),
    backOff: usualBackOff,
    resume: () => this.#startIfNeeded(),
    ended: (end) => this.#noteEnd(end),
  })

  constructor(options: DeliveringThreadOptions) {
    this.#options = options
    const { cluster, environments, realms, logger } = options
    const report = (err: unknown) =>
      logger.error({ err }, 'owners of a webhook could not be notified')
    this.#notices = new FailureNotices({ realms, environments, report })
    this.#deliveryTurn = cluster && shareDeliveryTurns(cluster, environments, this.#closing)
    this.#said = perEnvironment(() => nothing)
    this.#before = perEnvironment(() => nothing)
    for (const name of environmentNames)
      realmOf(realms, name).webhooks.onChange(() => this.#startIfNeeded())
    this.#startIfNeeded()
  }

  /** How deliveries of an environment are doing, as was heard last: half a second ago at most. */
  status(name: EnvironmentName): DelivererStatus {
    const endpoints = { active: 0, paused: 0, failed: 0 }
    for (const { status } of realmOf(this.#options.realms, name).webhooks.all()) {
      endpoints[status] += 1
    }
    const said = this.#said[name]
    const before = this.#before[name]
    const delivered = before.delivered + said.delivered
    return { ...said, endpoints, delivered, failed: before.failed + said.failed }
  }

  /** Ends all deliveries; what was delivered is written down. */
  async close(): Promise<void> {
    await this.#thread.stop(leaveMs)
    this.#notices.close()
    await this.#closing.disposeAsync()
  }

  #startIfNeeded(): void {
    if (!this.#thread.isIdle) return
    const { realms } = this.#options
    if (environmentNames.every((name) => realmOf(realms, name).webhooks.all().length === 0)) return
    this.#thread.wake()
  }

  #noteEnd({ cause, restartMs }: WorkerEnd): void {
    this.#keepCounts()
    if (restartMs === undefined) return
    this.#options.logger.error(
      { err: cause, restart_ms: restartMs },
      'the thread that delivers webhooks has ended and is restarted',
    )
  }

  #startWorker(): Worker {
    const { config, baseUrl, folders, logger } = this.#options
    return startThread<DeliveringStart>({
      file: new URL('./delivering_worker.ts', import.meta.url),
      name: 'webhooks',
      start: {
        // It answers nobody, so it keeps no reply ready: none has so few bytes.
        config: { ...config, REPLY_CACHE_BYTES: 1 },
        baseUrl,
        folders,
        ...(this.#deliveryTurn && { deliveryTurn: this.#deliveryTurn }),
      },
      shared: this.#options,
      offer: (remote) => {
        offerService(remote, deliveryService, {
          noteStatus: (name, status) => void (this.#said[name] = status),
          tellFailure: (name, endpoint) => this.#notices.send(name, endpoint),
        })
      },
      youngMegabytesMax,
      logger,
      hangs: () => logger.error('the thread that delivers webhooks hangs and is ended'),
    })
  }

  #keepCounts(): void {
    for (const name of environmentNames) {
      const { delivered, failed } = this.status(name)
      this.#before[name] = { delivered, failed }
      this.#said[name] = nothing
    }
  }
}

/** Whom notices are for, and what sends them. */
export type FailureNoticesOptions = {
  readonly realms: Realms
  readonly environments: Environments
  readonly report: (fault: unknown) => void
}

/**
 * Mails to the owners of organizations whose endpoints were given up. Once they are in the outbox,
 * it is written down that they were told. Until then the delivering thread asks again, after a
 * crash too.
 */
export class FailureNotices {
  readonly #options: FailureNoticesOptions
  /** Failures of which mails are on their way, each by its endpoint and its time. */
  readonly #underWay = new Set<string>()
  #isClosed = false

  constructor(options: FailureNoticesOptions) {
    this.#options = options
  }

  /** Tells owners that an endpoint was given up, once, however often this is asked meanwhile. */
  send(name: EnvironmentName, id: string): void {
    const { webhooks } = realmOf(this.#options.realms, name)
    const endpoint = webhooks.get(id)
    if (endpoint?.failure?.isTold !== false) return
    const { failure } = endpoint
    const notice = `${id} ${failure.at}`
    if (this.#underWay.has(notice)) return
    this.#underWay.add(notice)
    this.#tellOwners(endpoint, notice)
      .then(() => (this.#isClosed ? undefined : webhooks.tellFailure(id, failure)))
      .catch(this.#options.report)
      .finally(() => this.#underWay.delete(notice))
  }

  /** Has nothing written down any more. What was not is told again after the next start. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * Writes to the owners of the endpoint's organization, who are people of the live registry, as
   * endpoints of the sandbox are theirs too.
   */
  async #tellOwners(
    { id, organization: slug, url, failure }: Endpoint,
    name: string,
  ): Promise<void> {
    const { environments, realms } = this.#options
    const { accounts, mail } = realms.accounts
    const { organizations } = environments.live
    const reason = failure?.reason ?? 'nothing was delivered'
    const owner = organizations.read(slug)?.name ?? slug
    const path = `/organizations/${slug}/webhooks/${id}`
    const owners = (organizations.members(slug) ?? [])
      .filter(({ role }) => role === 'owner')
      .flatMap(({ ppid }) => accounts.find(ppid) ?? [])
    await Promise.all(
      owners.map((account) => mail.sendWebhookFailed(account, { url, owner, reason, path, name })),
    )
  }
}
