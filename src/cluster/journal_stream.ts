import {
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

import type { Appended, StreamMessage, SharedStream } from '#actors/journal/shared_stream.ts'
import {
  competingWrite,
  isRefusal,
  noMessageFound,
  wrongLastSequence,
} from '#src/cluster/engine_refusal.ts'
import { openKeptStream } from '#src/cluster/kept_stream.ts'
import { isPassing, type Patience } from '#src/cluster/passing_fault.ts'
import { insist, pause, StreamContact, unlessEnded } from '#src/cluster/stream_contact.ts'

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
  const stream = { name, subject: subjectOf(name), settings }
  return new JournalStream(await openKeptStream(connection, stream, patience), options)
}

function subjectOf(name: string): string {
  return `arklog.journal.${name}`
}

class JournalStream implements SharedStream {
  readonly #contact: StreamContact
  readonly #manager: JetStreamManager
  readonly #client: JetStreamClient
  readonly #name: string
  readonly #elapsedMs: () => number
  readonly #mayAppend: () => boolean

  constructor(manager: JetStreamManager, options: JournalStreamOptions) {
    const { connection, name, patience, mayAppend = () => true } = options
    this.#contact = new StreamContact(connection)
    this.#manager = manager
    this.#client = jetstream(connection)
    this.#name = name
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
      const { state } = await insist(() => this.#manager.streams.info(this.#name), signal)
      if (state.last_seq >= known || this.#elapsedMs() >= endMs) return state.last_seq
      await pause(signal)
    }
  }

  async oldest(signal: AbortSignal): Promise<number> {
    const { state } = await insist(() => this.#manager.streams.info(this.#name), signal)
    return Math.max(state.first_seq, 1)
  }

  at(sequence: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return insist(async () => {
      try {
        const message = await this.#manager.streams.getMessage(this.#name, { seq: sequence })
        return message?.data
      } catch (error) {
        if (isRefusal(error, [noMessageFound])) return undefined
        throw error
      }
    }, signal)
  }

  follow(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    return this.#contact.follow(this.#client, { name: this.#name, after }, signal)
  }
}
