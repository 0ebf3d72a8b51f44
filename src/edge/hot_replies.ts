import { LRUCache } from 'lru-cache'

import { type ByteText, ownMemory } from '#actors/values/serialization.ts'
import type { Use } from '#src/edge/uses.ts'

/** What is sent, but for the headers that differ from request to request; names and values. */
export type ReadyReply = {
  readonly body: Uint8Array | ByteText
  readonly headers: readonly string[]
  readonly uses: readonly Use[] | undefined
}

/** A reply that is kept, and whether its route would still reply the same. */
export type HotReply = ReadyReply & {
  readonly body: Uint8Array
  readonly isCurrent: () => boolean
}

/** Bytes of the replies that are kept; their bodies are mostly those of other caches. */
const keptBytesMax = 33_554_432

/** What a kept reply takes beside its body, about. */
const entryBytes = 2_048

/** The replies that are asked for again and again, by the names of the requests for them. */
export class HotReplies {
  readonly #replies = new LRUCache<string, HotReply>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  })

  keep(name: string, reply: HotReply): void {
    this.#replies.set(name, { ...reply, body: ownMemory(reply.body) })
  }

  /** The reply that is kept for a name, if it is still right: that is asked each time. */
  find(name: string): HotReply | undefined {
    const hot = this.#replies.get(name)
    if (hot === undefined || hot.isCurrent()) return hot
    this.#replies.delete(name)
    return undefined
  }
}
