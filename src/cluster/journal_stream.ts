import { setTimeout as rest } from 'node:timers/promises'
import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'

import type { Appended, JournalMessage, SharedJournal } from '#actors/journal/port.ts'
import { checkStream } from '#src/cluster/engine.ts'
import { journalAgeMs, journalReplicas } from '#src/cluster/engine_state.ts'
import { isPassing, type Patience, patiently } from '#src/cluster/passing_fault.ts'

/** Where a journal is kept. `name` is that of its stream, and of its subject below `arklog`. */
export type JournalStreamOptions = {
  readonly connection: NatsConnection
  readonly name: string
  /** Bounds the wait for the stream when it is opened. */
  readonly patience: Patience
  /** Whether anything may be appended at this moment; if it is left out, always. */
  readonly mayAppend?: () => boolean
}

const appendMs = 2_000
const pauseMs = 100

/**
 * For how long a server is asked again that knows less of the journal than is known here: one that
 * has lost the others does not know for some seconds that it leads them no more.
 */
const shorterMs = 15_000

/** Messages that are on their way to a node at one time, in bytes, about. */
const fetchBytesMax = 8 * 1_048_576

/**
 * How often a server that has no message says that it is there: who hears nothing for two of these
 * asks another one, where by default that would take half a minute. A request lasts for a few.
 */
const idleMs = 1_000
const requestMs = 5_000

/**
 * A journal that is a stream of JetStream: its messages are the stream's, in the stream's order.
 * ClusterError `engine_unsafe` where there is a stream of that name that cannot hold a journal.
 */
export async function openJournalStream(options: JournalStreamOptions): Promise<SharedJournal> {
  const { connection, name, patience } = options
  const manager = await jetstreamManager(connection, { checkAPI: false })
  await patiently(() => makeStream(manager, name), patience)
  await checkStream(connection, name, patience)
  return new JournalStream(manager, options)
}

// A stream that is there stays as it is: the same configuration is no change of it.
async function makeStream(manager: JetStreamManager, name: string): Promise<void> {
  try {
    await manager.streams.add({
      name,
      subjects: [subjectOf(name)],
      num_replicas: journalReplicas,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      max_age: nanos(journalAgeMs),
      deny_delete: true,
      deny_purge: true,
      allow_direct: false,
    })
  } catch (error) {
    if (!isRefusal(error, [nameInUse])) throw error
  }
}

function subjectOf(name: string): string {
  return `arklog.journal.${name}`
}

// Codes of JetStream's own (`err_code`).
const wrongLastSequence = 10_071
const competingWrite = 10_164
const noMessageFound = 10_037
const nameInUse = 10_058

function isRefusal(error: unknown, codes: readonly number[]): boolean {
  return error instanceof JetStreamApiError && codes.includes(error.code)
}

class JournalStream implements SharedJournal {
  readonly #connection: NatsConnection
  readonly #manager: JetStreamManager
  readonly #client: JetStreamClient
  readonly #name: string
  readonly #elapsedMs: () => number
  readonly #mayAppend: () => boolean
  #isConnected = true
  /** Comes when the connection was lost and is back. */
  #interruption = new AbortController()

  constructor(manager: JetStreamManager, options: JournalStreamOptions) {
    const { connection, name, patience, mayAppend = () => true } = options
    this.#connection = connection
    this.#manager = manager
    this.#client = jetstream(connection)
    this.#name = name
    this.#elapsedMs = patience.elapsedMs
    this.#mayAppend = mayAppend
    void this.#watch()
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#isConnected = false
      if (type !== 'reconnect') continue
      this.#isConnected = true
      this.#interruption.abort()
      this.#interruption = new AbortController()
    }
  }

  // An acknowledgement that is lost says nothing, and a refusal may be of this very message, which
  // was repeated: what stands at the place decides.
  async append(message: Uint8Array, after: number, signal: AbortSignal): Promise<Appended> {
    try {
      for (;;) {
        signal.throwIfAborted()
        // What is sent without a connection is sent when there is one, to whatever stream is there.
        if (!this.#isConnected || !this.#mayAppend()) {
          await pause(signal)
          continue
        }
        if (await unlessEnded(this.#publish(message, after), signal)) return 'appended'
        const found = await this.at(after + 1, signal)
        if (found !== undefined) return Buffer.compare(found, message) === 0 ? 'appended' : 'fenced'
        if ((await this.newest(signal)) > after + 1) return 'fenced'
        await pause(signal)
      }
    } catch (error) {
      if (signal.aborted) return 'undecided'
      throw error
    }
  }

  /** True once it is acknowledged; false where it is not known what has become of it. */
  async #publish(message: Uint8Array, after: number): Promise<boolean> {
    try {
      await this.#client.publish(subjectOf(this.#name), message, {
        expect: { lastSequence: after },
        timeout: appendMs,
      })
      return true
    } catch (error) {
      if (isRefusal(error, [wrongLastSequence, competingWrite]) || isPassing(error)) return false
      throw error
    }
  }

  async newest(signal: AbortSignal, known = 0): Promise<number> {
    const endMs = this.#elapsedMs() + shorterMs
    for (;;) {
      const { state } = await this.#insist(() => this.#manager.streams.info(this.#name), signal)
      if (state.last_seq >= known || this.#elapsedMs() >= endMs) return state.last_seq
      await pause(signal)
    }
  }

  async oldest(signal: AbortSignal): Promise<number> {
    const { state } = await this.#insist(() => this.#manager.streams.info(this.#name), signal)
    return Math.max(state.first_seq, 1)
  }

  at(sequence: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#insist(async () => {
      try {
        const message = await this.#manager.streams.getMessage(this.#name, { seq: sequence })
        return message?.data
      } catch (error) {
        if (isRefusal(error, [noMessageFound])) return undefined
        throw error
      }
    }, signal)
  }

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<JournalMessage> {
    const end = AbortSignal.any([signal, this.#interruption.signal])
    const place = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
    try {
      const consumer = await this.#insist(() => this.#client.consumers.get(this.#name, place), end)
      const messages = await consumer.consume({
        max_bytes: fetchBytesMax,
        idle_heartbeat: idleMs,
        expires: requestMs,
      })
      end.addEventListener('abort', () => messages.stop(), { once: true })
      if (end.aborted) messages.stop()
      for await (const { seq: sequence, data } of messages) yield { sequence, message: data }
    } catch (error) {
      if (!end.aborted) throw error
    }
  }

  /** Asks until there is an answer, or `signal` ends it. */
  async #insist<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      signal.throwIfAborted()
      try {
        return await unlessEnded(ask(), signal)
      } catch (error) {
        if (!isPassing(error)) throw error
      }
      await pause(signal)
    }
  }
}

/** What is done, unless `signal` comes first: then it rejects with its reason. */
function unlessEnded<Done>(done: Promise<Done>, signal: AbortSignal): Promise<Done> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    signal.addEventListener('abort', end, { once: true })
    done.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

function pause(signal: AbortSignal): Promise<void> {
  return rest(pauseMs, undefined, { signal })
}
