import { LRUCache } from 'lru-cache'
import type { Rendered } from '#actors/catalogue.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { ResolveParts } from '#actors/representation.ts'
import { streamArk } from '#actors/work_events.ts'

/** A resolution that may be asked for again, until its work changes. */
export type HotReply = Pick<Rendered, 'etag' | 'status'> & ResolveParts

// Slots of the memory of what was asked for lately; a slot holds one ARK's hash.
const recentSlots = 65_536

/**
 * The bytes of the replies that are asked for again and again, `bytesMax` of them at most. A reply
 * is kept from its second request on: of a million works that are asked for evenly none is worth
 * its place, and keeping them would cost more than making them.
 */
export class HotReplies {
  readonly #replies: LRUCache<string, HotReply>
  readonly #recent = new Int32Array(recentSlots)

  constructor(bytesMax: number) {
    this.#replies = new LRUCache({ maxSize: bytesMax, sizeCalculation: bytesOf })
  }

  /** The reply kept for an ARK, `naan/name`. */
  get(ark: string): HotReply | undefined {
    return this.#replies.get(ark)
  }

  /** Keeps the reply if its ARK was asked for before, as far as is remembered. */
  offer(ark: string, reply: HotReply): void {
    const hash = hashOf(ark)
    const slot = hash & (recentSlots - 1)
    // Two ARKs of one hash make a reply kept a request early, which harms nobody.
    if (this.#recent[slot] !== hash) this.#recent[slot] = hash
    else this.#replies.set(ark, { ...reply, after: [Buffer.concat(reply.after)] })
  }

  /**
   * Drops the replies that a commit has made old. A call and not a message: it must come before
   * the answers to the commit, and no full mailbox may lose it.
   */
  forget(events: readonly JournalEvent[]): void {
    for (const { stream } of events) this.#replies.delete(streamArk(stream))
  }
}

function bytesOf({ before, after }: HotReply): number {
  return after.reduce((sum, part) => sum + part.length, before.length)
}

/** FNV-1a over the characters, as a signed 32-bit number; never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash | 1
}
