import { once } from 'node:events'
import { MessageChannel, type Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

import { Remote } from '#actors/kernel/remote.ts'
import { threadTransport } from '#actors/kernel/transport.ts'
import type { Environments } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { threadEnvironment } from '#src/fairness/thread_environment.ts'
import { includeDurations } from '#src/metrics/shared_durations.ts'
import { offerKeptReplies } from '#src/edge/shared_replies.ts'
import { offerTurns } from '#src/edge/shared_turns.ts'
import { createTurnQueues } from '#src/edge/turns.ts'
import { openRenderingThread } from '#src/rendering/renderer.ts'
import { offerRenderer } from '#src/rendering/shared_rendering.ts'
import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import type { LimitMemory } from '#src/edge/limits.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import type { Realms } from '#src/api/realm.ts'
import type { DataFolders } from '#src/data_dir/data_dir.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { type CoreServices, offerServices } from '#src/start/core_services.ts'
import type { EdgePlace } from '#src/start/edge_server.ts'
import type { EdgeStart } from '#src/start/edge_thread.ts'
import { edgeConfig } from '#src/start/edge_config.ts'
import type { OwnUsage } from '#src/usage/usage.ts'
import { watchLiveness } from '#src/start/liveness.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { connectionLimits } from '#src/start/connection_limits.ts'
import { settleAccounts } from '#src/start/accounts.ts'
import { portsOf, shareParts } from '#src/start/joined_parts.ts'
import { shareRealm } from '#src/start/realm.ts'

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

/** How long the place of a thread that has ended stays empty, longer each time it ends at once. */
const restartMsMin = 100
const restartMsMax = 30_000

/** A thread that has served for so long did not end at once. */
const settledMs = 60_000

/** How long a thread may take to close what it has joined, after the last request has ended. */
const leaveMs = 3_000

/** What a thread's heap may hold: far more than it needs, and it alone ends beyond it. */
const heapMegabytesMax = 1_024

/** What is soon forgotten: of all threads together, and of one at least. */
const youngMegabytesMax = 48
const youngMegabytesMin = 12

/** One place among the threads, in which one serves after another. */
type Place = {
  readonly number: number
  worker: Worker | undefined
  isListening: boolean
  /** How often one has ended soon after it was started. */
  failures: number
}

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
  readonly #places: readonly Place[]
  readonly #restarts = new Set<NodeJS.Timeout>()
  #isClosing = false

  constructor(options: EdgeThreadsOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.count }, (_, index) => {
      return { number: index + 1, worker: undefined, isListening: false, failures: 0 }
    })
  }

  /** How many serve now. */
  get serving(): number {
    return this.#places.filter(({ isListening }) => isListening).length
  }

  /** Starts all; resolves when they listen. Rejects with the error of the first that cannot. */
  async start(): Promise<void> {
    await Promise.all(this.#places.map((place) => this.#fill(place)))
  }

  /** Lets the requests under way have their grace, then ends the threads. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const restart of this.#restarts) clearTimeout(restart)
    await Promise.all(this.#places.map((place) => this.#stop(place)))
    await this.#renderer.close()
  }

  /** Starts a thread; resolves when it listens. */
  async #fill(place: Place): Promise<void> {
    const { worker, remote } = this.#startWorker(place)
    place.worker = worker
    const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
    let cause: unknown
    let listenedAtMs: number | undefined
    worker.once('message', () => {
      listenedAtMs = elapsedMs()
      place.isListening = true
      watchLiveness(remote, () => this.#endHanging(place, worker))
      resolve()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.once('exit', () => {
      place.worker = undefined
      place.isListening = false
      if (listenedAtMs !== undefined && elapsedMs() - listenedAtMs >= settledMs) place.failures = 0
      if (listenedAtMs !== undefined) this.#replace(place, cause)
      else reject(cause ?? new Error('an edge thread has ended before it listened'))
    })
    await listening
  }

  #endHanging({ number }: Place, worker: Worker): void {
    this.#options.logger.error({ thread: number }, 'an edge thread hangs, and is ended')
    void worker.terminate()
  }

  #replace(place: Place, cause: unknown): void {
    if (this.#isClosing) return
    void this.#settle()
    const restartMs = Math.min(restartMsMax, restartMsMin * 2 ** place.failures)
    place.failures += 1
    const about = { err: cause, thread: place.number, restart_ms: restartMs }
    this.#options.logger.error(about, 'an edge thread has ended, and another one takes its place')
    const restart = setTimeout(() => {
      this.#restarts.delete(restart)
      this.#fill(place).catch((error: unknown) => this.#replace(place, error))
    }, restartMs)
    this.#restarts.add(restart)
  }

  #startWorker(place: Place): { readonly worker: Worker; readonly remote: Remote } {
    const { config, count, baseUrl, folders } = this.#options
    const { port1: port, port2 } = new MessageChannel()
    const remote = this.#connect(place, threadTransport(port))
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
      name: `edge ${place.number}`,
      workerData: start,
      transferList,
      env: threadEnvironment(),
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytesMax,
        maxYoungGenerationSizeMb: Math.max(youngMegabytesMin, youngMegabytesMax / count),
      },
    })
    // Where the thread never came to take its ends of the connections, nobody else closes them.
    worker.once('exit', () => {
      remote.close()
      rendering.port1.close()
    })
    return { worker, remote }
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
  #connect({ number }: Place, transport: ReturnType<typeof threadTransport>): Remote {
    const { logger, realms, services, metrics, usage } = this.#options
    const name = `edge ${number}`
    const remote = new Remote({
      ...connectionLimits,
      name,
      transport,
      elapsedMs,
      report: (report) => logger.warn({ ...report, thread: name }, 'a message was lost'),
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

  async #stop({ worker, isListening }: Place): Promise<void> {
    if (worker === undefined) return
    if (!isListening) return void (await worker.terminate())
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    const { SHUTDOWN_GRACE_MS } = this.#options.config
    const late = setTimeout(() => void worker.terminate(), SHUTDOWN_GRACE_MS + leaveMs)
    await ended
    clearTimeout(late)
  }
}
