import type { NatsConnection } from '@nats-io/transport-node'

import {
  surveyServers,
  surveyStream,
  type StreamState,
  type StreamSurvey,
} from '#src/cluster/engine.ts'
import type { EngineNeeds } from '#src/cluster/engine_state.ts'

/** What a watch needs. */
export type EngineWatchOptions = {
  readonly connection: NatsConnection
  readonly needs: EngineNeeds
  /** The streams that hold something, asked at each check. */
  readonly streams: () => readonly string[]
  /** Whether the node is in contact: servers that are silent then do not want to tell. */
  readonly isConnected: () => boolean
  readonly everyMs: number
  /** For how long servers may take to answer. */
  readonly waitMs: number
  /** Hears of a check that could not be made. */
  readonly report: (error: unknown) => void
}

/** Checks in which no server has told anything, after which that is a fault. */
const silentChecksMax = 3

/**
 * Checks the engine again and again while a node runs: a server that is restarted with another
 * configuration, or a stream that somebody has changed, is no longer what the start has found. What
 * does not answer at a check is judged as it was before.
 */
export class EngineWatch {
  readonly #options: EngineWatchOptions
  readonly #ofStreams = new Map<string, StreamSurvey>()
  readonly #checking: NodeJS.Timeout
  #ofServers: readonly string[] = []
  #silentChecks = 0
  #check: Promise<void> | undefined

  constructor(options: EngineWatchOptions) {
    this.#options = options
    this.#checking = setInterval(() => void this.check(), options.everyMs).unref()
  }

  /** Everything that makes the engine unsafe: a sentence each, with what to change. */
  get faults(): readonly string[] {
    return [...this.#ofServers, ...[...this.#ofStreams.values()].flatMap(({ faults }) => faults)]
  }

  /** The streams as they were at the last check. */
  get streams(): readonly StreamState[] {
    return [...this.#ofStreams.values()].flatMap(({ state }) => state ?? [])
  }

  /** Checks now. It never fails: what keeps it from checking is reported. */
  check(): Promise<void> {
    this.#check ??= this.#checkAll().finally(() => {
      this.#check = undefined
    })
    return this.#check
  }

  async close(): Promise<void> {
    clearInterval(this.#checking)
    await this.#check
  }

  async #checkAll(): Promise<void> {
    const { connection, streams, report } = this.#options
    if (connection.isClosed()) return
    try {
      await this.#checkServers()
      for (const name of streams()) {
        const survey = await surveyStream(connection, name)
        if (survey !== undefined) this.#ofStreams.set(name, survey)
      }
    } catch (error) {
      if (!connection.isClosed()) report(error)
    }
  }

  async #checkServers(): Promise<void> {
    const { connection, needs, waitMs, isConnected } = this.#options
    const { servers, faults } = await surveyServers(connection, needs, waitMs)
    if (servers.length === 0 && isConnected()) this.#silentChecks += 1
    else this.#silentChecks = 0
    if (servers.length > 0 || this.#silentChecks >= silentChecksMax) this.#ofServers = faults
  }
}
