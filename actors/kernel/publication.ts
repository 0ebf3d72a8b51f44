import { type MessagePort, MessageChannel, receiveMessageOnPort } from 'node:worker_threads'

/**
 * What a reader in another thread begins with: the port that brings what is published from now on,
 * and how much was published before, in a number that all threads share.
 */
export type Subscription = {
  readonly seen: number
  readonly port: MessagePort
  readonly published: Int32Array
}

/**
 * Tells readers in other threads what one thread publishes, which is plain data: `P`. It owns the
 * ports to them.
 */
export class Publisher<P> {
  readonly #published = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #ports = new Set<MessagePort>()

  /** A subscription, whose port is to be transferred to its reader. It ends with the reader. */
  subscribe(): Subscription {
    const { port1: kept, port2: port } = new MessageChannel()
    kept.unref()
    kept.once('close', () => this.#ports.delete(kept))
    this.#ports.add(kept)
    return { seen: Atomics.load(this.#published, 0), port, published: this.#published }
  }

  /**
   * Tells every reader, and counts it: a reader that sees the count has the publication in its
   * port. The caller that asked for the change is answered afterwards.
   */
  publish(publication: P): void {
    for (const port of this.#ports) port.postMessage(publication)
    Atomics.add(this.#published, 0, 1)
  }

  close(): void {
    for (const port of this.#ports) port.close()
  }
}

/** Follows what another thread publishes. */
export class Subscriber<P> {
  readonly #subscription: Subscription
  readonly #take: (publication: P) => void
  #seen: number

  /** `take` is called for each publication, in order, and returns at once. */
  constructor(subscription: Subscription, take: (publication: P) => void) {
    this.#subscription = subscription
    this.#take = take
    // What was published since the subscription was made lies in the port.
    this.#seen = subscription.seen
    subscription.port.on('message', (publication: P) => this.#see(publication))
  }

  /** After this, all is seen that was acknowledged anywhere before. It waits for nothing. */
  catchUp(): void {
    const { port, published } = this.#subscription
    // The count begins anew after 2^32 publications, so it is compared and not ordered.
    while (this.#seen !== Atomics.load(published, 0)) {
      const received = receiveMessageOnPort(port)
      if (received === undefined) return
      this.#see(received.message as P)
    }
  }

  close(): void {
    this.#subscription.port.close()
  }

  #see(publication: P): void {
    this.#seen = (this.#seen + 1) | 0
    this.#take(publication)
  }
}
