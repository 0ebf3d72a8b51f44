import { setTimeout as sleep } from 'node:timers/promises'
import { DeliverPolicy, type JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

import type { StreamMessage } from '#actors/journal/shared_stream.ts'
import { isPassing } from '#src/cluster/passing_fault.ts'

const pauseMs = 100

/** Messages that are on their way to a node at one time, in bytes, about. */
const fetchBytesMax = 8 * 1_048_576

/**
 * How often a server that has no message says that it is there: who hears nothing for two of these
 * asks another one, where by default that would take half a minute. A request lasts for a few.
 */
const idleMs = 1_000
const requestMs = 5_000

/** Whether a connection is there, and what is followed over it for as long as it is. */
export class StreamContact {
  readonly #connection: NatsConnection
  #isConnected = true
  /** Comes when the connection was lost and is back. */
  #interruption = new AbortController()

  constructor(connection: NatsConnection) {
    this.#connection = connection
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

  /** The messages of a stream after a place, until `signal` or a lost connection ends them. */
  async *follow(
    client: JetStreamClient,
    { name, after }: { readonly name: string; readonly after: number },
    signal: AbortSignal,
  ): AsyncGenerator<StreamMessage> {
    const end = AbortSignal.any([signal, this.#interruption.signal])
    const place = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }
    try {
      const consumer = await insist(() => client.consumers.get(name, place), end)
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
export async function insist<Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
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
export function pause(signal: AbortSignal): Promise<void> {
  return sleep(pauseMs, undefined, { signal })
}
