import { type MessagePort, MessageChannel, receiveMessageOnPort } from 'node:worker_threads'

import type { CommitNotice } from '#actors/catalogue/commit_notice.ts'
import type { JournalHead } from '#actors/journal/pool.ts'

/** A commit as readers in other threads are told of it. */
export type Publication = { readonly head: JournalHead; readonly notice: CommitNotice }

/**
 * What a reader in another thread begins with: the newest head, the port that brings those after
 * it, and the number of commits, which all threads share.
 */
export type Subscription = {
  readonly head: JournalHead
  /** The number of commits that led to that head. */
  readonly seen: number
  readonly port: MessagePort
  readonly commits: Int32Array
}

/** What a thread begins with that serves a registry of another one. */
export type Share = Subscription & {
  /** The receipt key, 64 hex digits, of before the first rotation in the log. */
  readonly firstReceiptKey: string
}

/** Tells readers in other threads of the commits of one registry. It owns the ports to them. */
export class Publisher {
  readonly #commits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #ports = new Set<MessagePort>()
  #head: JournalHead

  constructor(head: JournalHead) {
    this.#head = head
  }

  /** A subscription, whose port is to be transferred to its reader. It ends with the reader. */
  subscribe(): Subscription {
    const { port1: kept, port2: port } = new MessageChannel()
    kept.unref()
    kept.once('close', () => this.#ports.delete(kept))
    this.#ports.add(kept)
    return { head: this.#head, seen: Atomics.load(this.#commits, 0), port, commits: this.#commits }
  }

  /**
   * Tells every reader of a commit, and counts it: whoever sees the count has the commit in its
   * port. Whoever asked for the commit is answered afterwards.
   */
  published(publication: Publication): void {
    this.#head = publication.head
    for (const port of this.#ports) port.postMessage(publication)
    Atomics.add(this.#commits, 0, 1)
  }

  close(): void {
    for (const port of this.#ports) port.close()
  }
}

/** Follows the commits of a registry that another thread owns. */
export class Subscriber {
  readonly #subscription: Subscription
  readonly #published: (publication: Publication) => void
  #seen: number

  /** `published` is called for each commit, in order, and returns at once. */
  constructor(subscription: Subscription, published: (publication: Publication) => void) {
    this.#subscription = subscription
    this.#published = published
    // What was published since the subscription was made lies in the port.
    this.#seen = subscription.seen
    subscription.port.on('message', (publication: Publication) => this.#take(publication))
  }

  /** After this, all is seen that was acknowledged anywhere before. It waits for nothing. */
  catchUp(): void {
    const { port, commits } = this.#subscription
    // The count begins anew after 2^32 commits, so it is compared and not ordered.
    while (this.#seen !== Atomics.load(commits, 0)) {
      const received = receiveMessageOnPort(port)
      if (received === undefined) return
      this.#take(received.message as Publication)
    }
  }

  close(): void {
    this.#subscription.port.close()
  }

  #take(publication: Publication): void {
    this.#seen = (this.#seen + 1) | 0
    this.#published(publication)
  }
}
