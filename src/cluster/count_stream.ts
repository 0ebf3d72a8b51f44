import {
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  StoreCompression,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

import type { StreamMessage } from '#actors/journal/shared_stream.ts'
import { judgeCountStream } from '#src/cluster/engine_state.ts'
import { openKeptStream } from '#src/cluster/kept_stream.ts'
import { isPassing, type Patience } from '#src/cluster/passing_fault.ts'
import { insist, pause, StreamContact, unlessEnded } from '#src/cluster/stream_contact.ts'

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
 * journal, it drops what is oldest when it is full. Whoever waits is freed by `signal`, with its
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
  const stream = { name, subject: subjectOf(name), settings, judge: judgeCountStream }
  return new JetstreamCounts(await openKeptStream(connection, stream, patience), options)
}

function subjectOf(name: string): string {
  return `arklog.counts.${name}`
}

class JetstreamCounts implements CountStream {
  readonly #contact: StreamContact
  readonly #manager: JetStreamManager
  readonly #client: JetStreamClient
  readonly #name: string

  constructor(manager: JetStreamManager, { connection, name }: CountStreamOptions) {
    this.#contact = new StreamContact(connection)
    this.#manager = manager
    this.#client = jetstream(connection)
    this.#name = name
  }

  async publish(message: Uint8Array, id: string, signal: AbortSignal): Promise<boolean> {
    if (this.#contact.isConnected) {
      try {
        const options = { msgID: id, timeout: publishMs }
        await unlessEnded(this.#client.publish(subjectOf(this.#name), message, options), signal)
        return true
      } catch (error) {
        if (!isPassing(error)) throw error
      }
    }
    await pause(signal)
    return false
  }

  async state(signal: AbortSignal): Promise<CountStreamState> {
    const { created, state } = await insist(() => this.#manager.streams.info(this.#name), signal)
    return { made: created, oldest: state.first_seq, newest: state.last_seq }
  }

  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    return this.#contact.follow(this.#client, { name: this.#name, after }, signal)
  }
}
