import type { MessagePort } from 'node:worker_threads'

/** What becomes of the other side's texts, and of its end. */
export type TransportListener = {
  /** Is given texts in the order in which they were sent. */
  received(texts: readonly string[]): void
  /** Nothing comes any more: the other side has ended, or the connection was closed here. */
  ended(): void
}

/**
 * One end of a connection to another side, which is a thread of this process or a node on another
 * machine. It carries texts, in order, loses none before it ends, and ends at once when the other
 * side does.
 */
export type Transport = {
  /** Sends texts; into nothing once the connection has ended. */
  send(texts: readonly string[]): void
  /** Hands over what has arrived and will; called once. */
  listen(listener: TransportListener): void
  /** Ends the connection, for both sides. */
  close(): void
}

/** The connection to another thread over a port of a `MessageChannel`, which is then its own. */
export function threadTransport(port: MessagePort): Transport {
  return {
    send: (texts) => port.postMessage(texts),
    listen(listener) {
      port.on('message', (texts: readonly string[]) => listener.received(texts))
      port.once('close', () => listener.ended())
    },
    close: () => port.close(),
  }
}
