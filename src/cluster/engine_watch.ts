import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'

import {
  surveyServers,
  surveyStream,
  type StreamState,
  type StreamSurvey,
} from '#src/cluster/engine.ts'
import type { EngineNeeds } from '#src/cluster/engine_state.ts'

export type EngineWatchOptions = {
  readonly connection: NatsConnection
  readonly needs: EngineNeeds
  /** The streams that hold something, asked at each check. */
  readonly streams: () => readonly string[]
  /** Streams that nothing depends on: they are looked at as well, and make nothing unsafe. */
  readonly optionalStreams?: () => readonly string[]
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

/** How often a stream is looked at that nobody could say anything of yet. */
const lookPauseMs = 500

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
  readonly #closing = new AbortController()

  constructor(options: EngineWatchOptions) {
    this.#options = options
    this.#checking = setInterval(() => void this.check(), options.everyMs).unref()
  }

  /** Everything that makes the engine unsafe: a sentence each, with what to change. */
  get faults(): readonly string[] {
    return [...this.#ofServers, ...[...this.#ofStreams.values()].flatMap(({ faults }) => faults)]
  }

  /** The streams that were looked at, as they were then, by their names; undefined: it was gone. */
  get streams(): ReadonlyMap<string, StreamState | undefined> {
    return new Map([...this.#ofStreams].map(([name, { state }]) => [name, state]))
  }

  /** Looks at a stream now, and until it has seen it: one that has just been opened. */
  async look(name: string): Promise<void> {
    const { signal } = this.#closing
    try {
      while (!signal.aborted && !(await this.#survey(name))) {
        await sleep(lookPauseMs, undefined, { signal, ref: false })
      }
    } catch (error) {
      if (!signal.aborted) this.#options.report(error)
    }
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
    this.#closing.abort()
    await this.#check
  }

  async #checkAll(): Promise<void> {
    const { connection, streams, optionalStreams = () => [], report } = this.#options
    if (connection.isClosed()) return
    try {
      await this.#checkServers()
      for (const name of [...streams(), ...optionalStreams()]) await this.#survey(name)
    } catch (error) {
      if (!connection.isClosed()) report(error)
    }
  }

  /** Whether anybody could say what the stream is like. */
  async #survey(name: string): Promise<boolean> {
    const { connection, optionalStreams } = this.#options
    const survey = await surveyStream(connection, name)
    const isOptional = optionalStreams?.().includes(name) === true
    if (survey !== undefined)
      this.#ofStreams.set(name, isOptional ? { ...survey, faults: [] } : survey)
    return survey !== undefined
  }

  async #checkServers(): Promise<void> {
    const { connection, needs, waitMs, isConnected } = this.#options
    const { servers, faults } = await surveyServers(connection, needs, waitMs)
    if (servers.length === 0 && isConnected()) this.#silentChecks += 1
    else this.#silentChecks = 0
    if (servers.length > 0 || this.#silentChecks >= silentChecksMax) this.#ofServers = faults
  }
}
