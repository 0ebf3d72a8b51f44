import { LRUCache } from 'lru-cache'
import type { Rendered } from '#actors/catalogue.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { ResolveParts } from '#actors/representation.ts'
import { streamArk } from '#actors/work_events.ts'

/** A resolution that may be asked for again, until its work changes. */
export type HotReply = Pick<Rendered, 'etag' | 'status'> & ResolveParts

/** The bytes of the newest replies by ARK, `bytesMax` of them at most. */
export class HotReplies {
  readonly #replies: LRUCache<string, HotReply>

  constructor(bytesMax: number) {
    this.#replies = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: ({ before, after }) => before.length + after.length,
    })
  }

  /** The reply kept for an ARK, `naan/name`. */
  get(ark: string): HotReply | undefined {
    return this.#replies.get(ark)
  }

  keep(ark: string, reply: HotReply): void {
    this.#replies.set(ark, reply)
  }

  /**
   * Drops the replies that a commit has made old. A call and not a message: it must come before
   * the answers to the commit, and no full mailbox may lose it.
   */
  forget(events: readonly JournalEvent[]): void {
    for (const { stream } of events) this.#replies.delete(streamArk(stream))
  }
}
