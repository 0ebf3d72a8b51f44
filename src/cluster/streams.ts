import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  StoreCompression,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'

import type { Appended, SharedStream, StreamMessage } from '#actors/journal/shared_stream.ts'
import { checkStream } from '#src/cluster/engine.ts'
import {
  competingWrite,
  isPassing,
  isRefusal,
  nameInUse,
  noMessageFound,
  type Patience,
  patiently,
  wrongLastSequence,
} from '#src/cluster/passing_fault.ts'
import {
  journalAgeMs,
  journalReplicas,
  judgeCountStream,
  type judgeStream,
} from '#src/cluster/engine_state.ts'

/** What streams that nodes share differ in: its subject, and what it does when it is full. */
export type KeptStream = {
  readonly name: string
  readonly subject: string
  readonly settings: Pick<StreamConfig, 'discard'> &
    Partial<Pick<StreamConfig, 'max_bytes' | 'compression'>>
  /** Says what is wrong with a stream that is there; if it is left out, what a journal needs. */
  readonly judge?: typeof judgeStream
}

/**
 * Opens a stream that nodes share, and makes it if it is missing: on three servers, in files, of
 * which nothing can be deleted before its time. ClusterError `engine_unsafe` where there is one of
 * that name that is not fit.
 */
async function openKeptStream(
  connection: NatsConnection,
  { name, subject, settings, judge }: KeptStream,
  patience: Patience,
): Promise<StreamContact> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const configuration = {
    name,
    subjects: [subject],
    num_replicas: journalReplicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(journalAgeMs),
    deny_delete: true,
    deny_purge: true,
    allow_direct: false,
    ...settings,
  }
  await patiently(() => makeStream(manager, configuration), patience)
  await checkStream(connection, name, patience, judge)
  return new StreamContact(connection, manager, name)
}

// A stream that is there stays as it is: the same configuration is no change of it.
async function makeStream(
  manager: JetStreamManager,
  configuration: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  try {
    await manager.streams.add(configuration)
  } catch (error) {
    if (!isRefusal(error, [nameInUse])) throw error
  }
}

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

/**
 * For how long a server is asked again that knows less of the journal than is known here: one that
 * has lost the others does not know for some seconds that it leads them no more.
 */
const shorterMs = 15_000

/**
 * A journal that is a stream of JetStream: its messages are the stream's, in the stream's order.
 * ClusterError `engine_unsafe` where there is a stream of that name that cannot hold a journal.
 */
export async function openJournalStream(options: JournalStreamOptions): Promise<SharedStream> {
  const { connection, name, patience } = options
  const settings = { discard: DiscardPolicy.New }
  const stream = { name, subject: journalSubject(name), settings }
  return new JournalStream(await openKeptStream(connection, stream, patience), options)
}

function journalSubject(name: string): string {
  return `arklog.journal.${name}`
}

class JournalStream implements SharedStream {
  readonly #contact: StreamContact
  readonly #elapsedMs: () => number
  readonly #mayAppend: () => boolean

  constructor(contact: StreamContact, options: JournalStreamOptions) {
    const { patience, mayAppend = () => true } = options
    this.#contact = contact
    this.#elapsedMs = patience.elapsedMs
    this.#mayAppend = mayAppend
  }

  // An acknowledgement that is lost says nothing, and a refusal may be of this very message, which
  // was repeated: what stands at the place decides.
  async append(message: Uint8Array, after: number, signal: AbortSignal): Promise<Appended> {
    try {
      for (;;) {
        signal.throwIfAborted()
        if (!this.#contact.isConnected || !this.#mayAppend()) {
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
      const { client, name } = this.#contact
      await client.publish(journalSubject(name), message, {
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
      const { state } = await this.#contact.info(signal)
      if (state.last_seq >= known || this.#elapsedMs() >= endMs) return state.last_seq
      await pause(signal)
    }
  }

  async oldest(signal: AbortSignal): Promise<number> {
    const { state } = await this.#contact.info(signal)
    return Math.max(state.first_seq, 1)
  }

  at(sequence: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { manager, name } = this.#contact
    return insist(async () => {
      try {
        const message = await manager.streams.getMessage(name, { seq: sequence })
        return message?.data
      } catch (error) {
        if (isRefusal(error, [noMessageFound])) return undefined
        throw error
      }
    }, signal)
  }

  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    return this.#contact.follow(after, signal)
  }
}

/** What a stream of counts holds at the moment. */
export type CountStreamState = {
  /** When it was made: another one of the same name has another time. */
  readonly made: string
  /** The places of the oldest message that it holds, and of the newest one; 0 where none came. */
  readonly oldest: number
  readonly newest: number
}

/**
 * What nodes tell all others in one order, where it is no harm if something is missing: unlike a
 * journal, it drops what is oldest when it is full. `signal` frees the caller, with its
 * reason. Errors that do not pass are thrown as they come.
 */
export type CountStream = {
  /** Appends a message; false where it is not known what has become of it. `id` names it. */
  publish(message: Uint8Array, id: string, signal: AbortSignal): Promise<boolean>
  state(signal: AbortSignal): Promise<CountStreamState>
  /** The messages after a place, until `signal` or a lost connection ends them. */
  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage>
}

/** Where counts are kept. `name` is that of the stream, and of its subject below `arklog`. */
export type CountStreamOptions = {
  readonly connection: NatsConnection
  readonly name: string
  /** Bounds the wait for the stream when it is opened. */
  readonly patience: Patience
}

const publishMs = 2_000

/** Bytes of the messages that a stream holds at most, on each server. */
const streamBytesMax = 512 * 1_048_576

/**
 * Opens a stream of counts, and makes it if it is missing. ClusterError `engine_unsafe` where there
 * is a stream of that name that cannot hold counts.
 */
export async function openCountStream(options: CountStreamOptions): Promise<CountStream> {
  const { connection, name, patience } = options
  const settings = {
    discard: DiscardPolicy.Old,
    max_bytes: streamBytesMax,
    compression: StoreCompression.S2,
  }
  const stream = { name, subject: countSubject(name), settings, judge: judgeCountStream }
  return new JetstreamCounts(await openKeptStream(connection, stream, patience))
}

function countSubject(name: string): string {
  return `arklog.counts.${name}`
}

class JetstreamCounts implements CountStream {
  readonly #contact: StreamContact

  constructor(contact: StreamContact) {
    this.#contact = contact
  }

  async publish(message: Uint8Array, id: string, signal: AbortSignal): Promise<boolean> {
    const { client, name, isConnected } = this.#contact
    if (isConnected) {
      try {
        const options = { msgID: id, timeout: publishMs }
        await unlessEnded(client.publish(countSubject(name), message, options), signal)
        return true
      } catch (error) {
        if (!isPassing(error)) throw error
      }
    }
    await pause(signal)
    return false
  }

  async state(signal: AbortSignal): Promise<CountStreamState> {
    const { created, state } = await this.#contact.info(signal)
    return { made: created, oldest: state.first_seq, newest: state.last_seq }
  }

  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    return this.#contact.follow(after, signal)
  }
}

const pauseMs = 100

/** Messages that are on their way to a node at one time, in bytes, about. */
const fetchBytesMax = 8 * 1_048_576

/**
 * How often a server that has no message says that it is there: who hears nothing for two of these
 * asks another one, where by default that would take half a minute. A request lasts for a few.
 */
const idleMs = 1_000
const requestMs = 5_000

/** A stream over a connection: whether that is there, and what is followed for as long as it is. */
class StreamContact {
  readonly manager: JetStreamManager
  readonly client: JetStreamClient
  readonly name: string
  readonly #connection: NatsConnection
  #isConnected = true
  /** Comes when the connection was lost and is back. */
  #interruption = new AbortController()

  constructor(connection: NatsConnection, manager: JetStreamManager, name: string) {
    this.#connection = connection
    this.manager = manager
    this.client = jetstream(connection)
    this.name = name
    void this.#watch()
  }

  /** What is sent without a connection is sent when there is one, to whatever stream is there. */
  get isConnected(): boolean {
    return this.#isConnected && !this.#connection.isClosed()
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

  /** What the servers say of the stream. */
  info(signal: AbortSignal): Promise<StreamInfo> {
    return insist(() => this.manager.streams.info(this.name), signal)
  }

  /** The messages after a place, until `signal` or a lost connection ends them. */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    const end = AbortSignal.any([signal, this.#interruption.signal])
    const place = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
    try {
      const consumer = await insist(() => this.client.consumers.get(this.name, place), end)
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
}

/** Asks until there is an answer, or `signal` ends it. */
async function insist<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
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

/** What is done, unless `signal` comes first: then it rejects with its reason. */
export function unlessEnded<Done>(done: Promise<Done>, signal: AbortSignal): Promise<Done> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    signal.addEventListener('abort', end, { once: true })
    done.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

/** A moment, after which something is tried again. */
function pause(signal: AbortSignal): Promise<void> {
  return sleep(pauseMs, undefined, { signal })
}
