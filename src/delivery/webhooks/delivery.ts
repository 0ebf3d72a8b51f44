import type { MessageKind } from '#src/delivery/webhooks/event.ts'

/** Tries that are kept of an endpoint, and for how long. A try has 2 kB at most. */
export const deliveriesMax = 200
export const deliveriesKeptMs = 7 * 24 * 3_600_000

/** How one try to deliver a message ended. */
export type Delivery = {
  /** Its place among the tries of its endpoint, from 1. */
  readonly number: number
  readonly message: string
  readonly type: MessageKind
  /** The change that the message is about; undefined for one that is about none. */
  readonly seq?: number
  readonly at: string
  readonly duration_ms: number
  readonly body: string
  readonly delivered: boolean
  /** The status and the beginning of the body of the answer, if there was one. */
  readonly answer?: { readonly status: number; readonly text: string }
  /** Why there was none. */
  readonly problem?: string
}

/**
 * Messages about one subject that wait for the first of them, which was refused: those about others
 * go on meanwhile. Times are in ms since 1970.
 */
export type DeferredMessages = {
  readonly subject: string
  /** The changes that they are about, oldest first. */
  readonly seqs: readonly number[]
  readonly failures: number
  readonly sinceMs: number
  readonly nextMs: number
}

/** How far the deliveries of an endpoint have come. */
export type EndpointProgress = {
  /** Of `start` of the endpoint. */
  readonly starts: number
  /** All changes up to this `seq` are delivered, or held. */
  readonly after: number
  /**
   * Whether there may be something for the endpoint between `after` and what its deliverer has
   * seen of the journal.
   */
  readonly isBehind: boolean
  readonly pings: number
  /** The newest replay that was carried out, and how far the one after it has come. */
  readonly replays: number
  readonly replayed?: number
  /** Tries that have failed in a row, since when, and when the next is made, in ms since 1970. */
  readonly failures: number
  readonly failingSinceMs?: number
  readonly nextMs?: number
  readonly held: readonly DeferredMessages[]
  /** The newest checkpoint that was sent, and when. */
  readonly checkpoint?: { readonly treeSize: number; readonly atMs: number }
  /** The numbers of the tries that are kept: the first, and the one that comes next. */
  readonly deliveries: { readonly first: number; readonly next: number }
}
