import type { NatsConnection } from '@nats-io/transport-node'

import { isNodeName } from '#src/cluster/node_name.ts'

/**
 * What nodes say to all others about a topic, on `arklog.<topic>.<node>`. NATS delivers it at most
 * once, and what one node says in order; while there is no connection, nothing is delivered.
 */
export class NodeBroadcast {
  readonly #connection: NatsConnection
  readonly #topic: string
  readonly #node: string

  constructor(connection: NatsConnection, topic: string, node: string) {
    this.#connection = connection
    this.#topic = topic
    this.#node = node
  }

  /** Says something to all other nodes that listen. */
  say(text: string): void {
    if (this.#connection.isClosed()) return
    this.#connection.publish(`arklog.${this.#topic}.${this.#node}`, text)
  }

  /** Hears what nodes say, this one included, until what it returns is called. */
  hear(heard: (from: string, text: string) => void): () => void {
    const subscription = this.#connection.subscribe(`arklog.${this.#topic}.*`, {
      callback: (error, message) => {
        const from = message?.subject.split('.').at(-1) ?? ''
        if (error === null && isNodeName(from)) heard(from, message.string())
      },
    })
    return () => subscription.unsubscribe()
  }
}
