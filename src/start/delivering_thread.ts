import { MessageChannel, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

import { referTo } from '#actors/kernel/kernel.ts'
import { KeptWorker, usualBackOff, type WorkerEnd } from '#actors/kernel/kept_worker.ts'
import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { threadEnvironment } from '#actors/kernel/thread_environment.ts'
import { realmOf, type Realms } from '#src/use_cases/registry_edge.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { deliveriesName, type DeliveriesMessage } from '#src/start/deliveries_message.ts'
import type { DeliveringStart } from '#src/start/delivering_worker.ts'
import { FailureNotices } from '#src/start/failure_notices.ts'
import { portsOf, shareParts } from '#src/start/joined_parts.ts'
import { watchLiveness } from '#src/start/liveness.ts'
import { type DeliveryTurnMemory, shareDeliveryTurns } from '#src/start/delivery_turn.ts'
import { connectThread } from '#src/start/thread_connection.ts'
import type { DelivererStatus } from '#src/delivery/webhooks/deliverer.ts'

/** What is delivered, and where it comes from. */
export type DeliveringThreadOptions = {
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly logger: Logger
  readonly realms: Realms
  readonly environments: Environments
  readonly identity: OpenedIdentityStore
  /** The node of a cluster that this process is, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'leadsUntilMs'> | undefined
}

/**
 * How long what is under way may take to end. What is not written down then is sent again after the
 * next start, as after a crash.
 */
const leaveMs = 10_000

/** What the heap may hold: far more than deliveries need, and the thread alone ends beyond it. */
const heapMegabytesMax = 1_024
const youngMegabytesMax = 16

const names = ['live', 'sandbox'] as const satisfies readonly EnvironmentName[]

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
    const report = (err: unknown) => logger.error({ err }, 'owners of a webhook could not be told')
    this.#notices = new FailureNotices({ realms, environments, report })
    this.#deliveryTurn = cluster && shareDeliveryTurns(cluster, environments, this.#closing)
    this.#said = { live: nothing, sandbox: nothing }
    this.#before = { live: nothing, sandbox: nothing }
    for (const name of names) realmOf(realms, name).webhooks.onChange(() => this.#startIfNeeded())
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
    if (names.every((name) => realmOf(realms, name).webhooks.all().length === 0)) return
    this.#thread.wake()
  }

  #noteEnd({ cause, restartMs }: WorkerEnd): void {
    this.#keepCounts()
    if (restartMs === undefined) return
    this.#options.logger.error(
      { err: cause, restart_ms: restartMs },
      'the thread that delivers webhooks has ended, and is started again',
    )
  }

  #startWorker(): Worker {
    const { config, baseUrl, folders, logger } = this.#options
    const { port1, port2: port } = new MessageChannel()
    const remote = connectThread('webhooks', port1, (report) => {
      logger.warn({ ...report, thread: 'webhooks' }, 'a message was lost')
    })
    const ref = referTo(deliveriesName, (message: DeliveriesMessage) => this.#hear(message))
    remote.offer(deliveriesName, () => ref)
    const joined = shareParts(this.#options, remote)
    const start: DeliveringStart = {
      // It answers nobody, so it keeps no reply ready: none has so few bytes.
      config: { ...config, REPLY_CACHE_BYTES: 1 },
      baseUrl,
      folders,
      joined,
      port,
      ...(this.#deliveryTurn && { deliveryTurn: this.#deliveryTurn }),
    }
    const worker = new Worker(new URL('./delivering_worker.ts', import.meta.url), {
      name: 'webhooks',
      workerData: start,
      transferList: [port, ...portsOf(joined)],
      env: threadEnvironment(),
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytesMax,
        maxYoungGenerationSizeMb: youngMegabytesMax,
      },
    })
    worker.once('message', () => {
      watchLiveness(remote, () => {
        logger.error('the thread that delivers webhooks hangs, and is ended')
        void worker.terminate()
      })
    })
    // Where the thread never came to take its end of the connection, nobody else closes it.
    worker.once('exit', () => remote.close())
    return worker
  }

  #hear(message: DeliveriesMessage): true {
    if (message.type === 'note_status') {
      this.#said[message.environment] = message.status
    } else {
      this.#notices.send(message.environment, message.endpoint)
    }
    return true
  }

  #keepCounts(): void {
    for (const name of names) {
      const { delivered, failed } = this.status(name)
      this.#before[name] = { delivered, failed }
      this.#said[name] = nothing
    }
  }
}
