import { MessageChannel, type MessagePort, type Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

import { KeptWorker, usualBackOff, type WorkerEnd } from '#actors/kernel/kept_worker.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Environments } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { threadEnvironment } from '#actors/kernel/thread_environment.ts'
import { includeDurations } from '#src/edge/shared_durations.ts'
import { offerKeptReplies } from '#src/edge/shared_replies.ts'
import { offerTurns } from '#src/edge/shared_turns.ts'
import { createTurnQueues } from '#src/edge/turns.ts'
import { openRenderingThread } from '#src/start/rendering/renderer.ts'
import { offerRenderer } from '#src/start/rendering/shared_rendering.ts'
import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import type { LimitMemory } from '#src/edge/limits.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { type CoreServices, offerServices } from '#src/start/core_services.ts'
import type { EdgePlace } from '#src/start/edge_server.ts'
import type { EdgeStart } from '#src/start/edge_thread.ts'
import { edgeConfig } from '#src/start/edge_config.ts'
import type { OwnUsage } from '#src/usage/usage.ts'
import { watchLiveness } from '#src/start/liveness.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { settleAccounts } from '#src/start/accounts.ts'
import { portsOf, shareParts } from '#src/start/joined_parts.ts'
import { shareRealm } from '#src/start/realm.ts'
import { connectThread } from '#src/start/thread_connection.ts'

/** What edge threads serve, and how. */
export type EdgeThreadsOptions = {
  /** How many there are. */
  readonly count: number
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly place: Pick<EdgePlace, 'host' | 'port'>
  readonly logger: Logger
  readonly realms: Realms
  readonly environments: Environments
  readonly identity: OpenedIdentityStore
  readonly services: CoreServices
  readonly usage: OwnUsage
  readonly metrics: Pick<Metrics, 'requests'>
  readonly limitMemory: LimitMemory
}

/** How long a thread may take to close what it has joined, after the last request has ended. */
const leaveMs = 3_000

/** What a thread's heap may hold: far more than it needs, and it alone ends beyond it. */
const heapMegabytesMax = 1_024

/** What is soon forgotten: of all threads together, and of one at least. */
const youngMegabytesMax = 48
const youngMegabytesMin = 12

/**
 * The threads that serve a registry which runs in this one: each has a server of its own, and all
 * listen at one place. It owns them. In the place of one that ends another one is started; what it
 * held is freed, its connections end, and nobody else notices.
 */
export class EdgeThreads {
  readonly #options: EdgeThreadsOptions
  readonly #replies = new RepliesInMemory(elapsedMs)
  readonly #turnQueues = createTurnQueues()
  readonly #renderer = openRenderingThread()
  readonly #places: readonly KeptWorker[]

  constructor(options: EdgeThreadsOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.count }, (_, index) => {
      const number = index + 1
      const place = new KeptWorker({
        start: () => this.#startWorker(number),
        backOff: usualBackOff,
        resume: () => void place.wake(),
        ended: (end) => this.#noteEnd(number, end),
      })
      return place
    })
  }

  /** How many serve now. */
  get serving(): number {
    return this.#places.filter(({ isReady }) => isReady).length
  }

  /** Starts all; resolves when they listen. Rejects with the error of the first that cannot. */
  async start(): Promise<void> {
    const start = async (place: KeptWorker): Promise<void> => {
      const end = await place.start()
      if (end !== undefined) throw errorOf(end)
    }
    await Promise.all(this.#places.map(start))
  }

  /** Lets the requests under way have their grace, then ends the threads. */
  async close(): Promise<void> {
    const graceMs = this.#options.config.SHUTDOWN_GRACE_MS + leaveMs
    await Promise.all(this.#places.map((place) => place.stop(graceMs)))
    await this.#renderer.close()
  }

  #noteEnd(thread: number, end: WorkerEnd): void {
    const { restartMs } = end
    if (restartMs === undefined) return
    void this.#settle()
    const about = { err: errorOf(end), thread, restart_ms: restartMs }
    this.#options.logger.error(about, 'an edge thread has ended, and another one takes its place')
  }

  #startWorker(number: number): Worker {
    const { config, count, baseUrl, folders } = this.#options
    const { port1: port, port2 } = new MessageChannel()
    const remote = this.#connect(`edge ${number}`, port)
    const joined = shareParts(this.#options, remote)
    const rendering = new MessageChannel()
    offerRenderer(rendering.port1, this.#renderer)
    const start: EdgeStart = {
      config: edgeConfig(config, count),
      baseUrl,
      folders,
      place: { ...this.#options.place, isShared: count > 1 },
      count,
      limitMemory: this.#options.limitMemory,
      clickMemory: this.#options.usage.memory,
      joined,
      port: port2,
      renderingPort: rendering.port2,
      searches: this.#options.services.search !== undefined,
    }
    const transferList: Transferable[] = [port2, rendering.port2, ...portsOf(joined)]
    const worker = new Worker(new URL('./edge_thread.ts', import.meta.url), {
      name: `edge ${number}`,
      workerData: start,
      transferList,
      env: threadEnvironment(),
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytesMax,
        maxYoungGenerationSizeMb: Math.max(youngMegabytesMin, youngMegabytesMax / count),
      },
    })
    worker.once('message', () => watchLiveness(remote, () => this.#endHanging(number, worker)))
    // Where the thread never came to take its ends of the connections, nobody else closes them.
    worker.once('exit', () => {
      remote.close()
      rendering.port1.close()
    })
    return worker
  }

  #endHanging(thread: number, worker: Worker): void {
    this.#options.logger.error({ thread }, 'an edge thread hangs, and is ended')
    void worker.terminate()
  }

  /** Brings to an end what the thread was doing with somebody's account. */
  async #settle(): Promise<void> {
    const { realms, logger } = this.#options
    try {
      await settleAccounts(realms.accounts, logger)
      await settleAccounts(realms.sandbox.accounts, logger)
    } catch (err) {
      logger.error({ err }, 'accounts could not be settled')
    }
  }

  /** A connection to a thread, to which all is offered that it needs of this one. */
  #connect(name: string, port: MessagePort): Remote {
    const { logger, realms, services, metrics, usage } = this.#options
    const remote = connectThread(name, port, (report) => {
      logger.warn({ ...report, thread: name }, 'a message was lost')
    })
    shareRealm(realms, remote)
    shareRealm(realms.sandbox, remote)
    offerKeptReplies(remote, this.#replies)
    offerServices(remote, services)
    offerTurns(remote, this.#turnQueues)
    includeDurations(remote, metrics.requests)
    usage.offer(remote)
    return remote
  }
}

/** What a thread has ended of; undefined for one that listened and said no error. */
function errorOf({ cause, wasReady }: WorkerEnd): unknown {
  return wasReady ? cause : (cause ?? new Error('an edge thread has ended before it listened'))
}
