import os from 'node:os'
import { MessageChannel, type Worker } from 'node:worker_threads'

import { KeptWorker, usualBackOff, type WorkerEnd } from '#actors/kernel/kept_worker.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerService } from '#actors/kernel/service.ts'
import { elapsedMs } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { createTurnQueues } from '#src/edge/turns.ts'
import type { LimitMemory } from '#src/edge/limits/limits.ts'
import type { EdgePlace } from '#src/cli/start/registry_server.ts'
import type { EdgeStart } from '#src/cli/start/edge_thread.ts'
import { type RunningRegistry, startThread } from '#src/cli/start/joined_thread.ts'
import { settleAccounts } from '#src/cli/start/realm.ts'
import { offerRenderer, openRenderingThread } from '#src/cli/start/rendering/renderer.ts'
import {
  type CoreServices,
  includeDurations,
  offerKeptReplies,
  offerServices,
  offerTurns,
  usageService,
} from '#src/cli/start/thread_services.ts'
import type { OwnUsage } from '#src/operations/usage/usage.ts'

/** What edge threads serve, and how. */
export type EdgeThreadsOptions = RunningRegistry & {
  /** How many there are. */
  readonly count: number
  readonly place: Pick<EdgePlace, 'host' | 'port'>
  readonly services: CoreServices
  readonly usage: OwnUsage
  readonly metrics: Pick<Metrics, 'requests'>
  readonly limitMemory: LimitMemory
}

/** How long a thread may take to close what it has joined, after the last request has ended. */
const leaveMs = 3_000

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
    this.#options.logger.error(about, 'an edge thread has ended and is replaced')
  }

  #startWorker(number: number): Worker {
    const { config, count, baseUrl, folders } = this.#options
    const rendering = new MessageChannel()
    offerRenderer(rendering.port1, this.#renderer)
    const { usage, services, logger, limitMemory, place } = this.#options
    const worker = startThread<EdgeStart>({
      file: new URL('./edge_thread.ts', import.meta.url),
      name: `edge ${number}`,
      start: {
        config: edgeConfig(config, count),
        baseUrl,
        folders,
        place: { ...place, isShared: count > 1 },
        count,
        limitMemory,
        clickMemory: usage.memory,
        renderingPort: rendering.port2,
        searches: services.search !== undefined,
      },
      ports: [rendering.port2],
      shared: this.#options,
      offer: (remote) => this.#offer(remote),
      youngMegabytesMax: Math.max(youngMegabytesMin, youngMegabytesMax / count),
      logger,
      hangs: () => logger.error({ thread: number }, 'an edge thread hangs and is ended'),
    })
    worker.once('exit', () => rendering.port1.close())
    return worker
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

  /** Offers a thread all that it needs of this one beside the stores. */
  #offer(remote: Remote): void {
    const { services, metrics, usage } = this.#options
    offerKeptReplies(remote, this.#replies)
    offerServices(remote, services)
    offerTurns(remote, this.#turnQueues)
    includeDurations(remote, metrics.requests)
    offerService(remote, usageService, { add: async (batch) => usage.addBatch(batch) })
  }
}

/** What a thread has ended of; undefined for one that listened and said no error. */
function errorOf({ cause, wasReady }: WorkerEnd): unknown {
  return wasReady ? cause : (cause ?? new Error('an edge thread has ended before it listened'))
}

/** Bytes of replies that are kept ready by one thread, at least. */
const replyCacheBytesMin = 1_048_576

/** How many threads serve: as configured, or all cores but the one that the registry runs on. */
export function countEdgeThreads({ EDGE_THREADS }: Pick<Config, 'EDGE_THREADS'>): number {
  return EDGE_THREADS ?? Math.max(1, os.availableParallelism() - 1)
}

/** The configuration of one of so many threads: what they may hold in all is divided among them. */
function edgeConfig(config: Config, threads: number): Config {
  const part = (whole: number, least: number) => Math.max(least, Math.ceil(whole / threads))
  const perAddressMax = config.CONNECTIONS_PER_ADDRESS_MAX
  const unsentBytesMax = part(config.UNSENT_BYTES_MAX, 1_048_576)
  return {
    ...config,
    CONNECTIONS_MAX: part(config.CONNECTIONS_MAX, 1),
    CONNECTIONS_PER_ADDRESS_MAX: perAddressMax === 'off' ? 'off' : part(perAddressMax, 1),
    REPLY_CACHE_BYTES: part(config.REPLY_CACHE_BYTES, replyCacheBytesMin),
    UNSENT_BYTES_MAX: unsentBytesMax,
    UNSENT_CLIENT_BYTES_MAX: Math.min(config.UNSENT_CLIENT_BYTES_MAX, unsentBytesMax),
  }
}
