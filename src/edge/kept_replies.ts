import { LRUCache } from 'lru-cache'

import type { RequestKey } from '#actors/journal/idempotency.ts'
import { ownMemory } from '#actors/values/serialization.ts'

/** A reply as it was sent; plain data, so that it can go to another thread. */
export type KeptReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** What is known of a named write when it comes. */
export type Begun =
  /** Nothing: this caller is to carry it out, and no other. */
  | { readonly type: 'fresh' }
  | { readonly type: 'under_way' }
  /** It was sent before with another body. */
  | { readonly type: 'other_body' }
  | { readonly type: 'kept'; readonly reply: KeptReply }

/**
 * The replies to named writes, and which writes are under way, of every server of one registry: of
 * those who begin a write at once one finds it fresh, on whatever thread. Who does must `finish` or
 * `abandon` it, and send no reply before that has resolved.
 */
export type KeptReplies = {
  /** Begins a write, unless it has begun already. */
  begin(write: RequestKey): Promise<Begun>

  /** Ends a write that was begun, and keeps its reply as long as there is room. */
  finish(write: RequestKey, reply: KeptReply): Promise<void>

  /** Ends a write that was begun and has no reply to keep: it is fresh again. */
  abandon(write: RequestKey): Promise<void>
}

/** How long the reply to a named write is kept, in milliseconds. */
const replyMs = 24 * 3_600_000

/** Bytes of all replies that are kept. */
const repliesBytesMax = 33_554_432

/** What an entry takes beside the body of its reply, about. */
const entryBytes = 1_024

type Entry = { readonly bodyHash: string; readonly reply: KeptReply }

/**
 * Keeps the replies of one process in memory: those that were asked for least lately make room for
 * others. `elapsedMs` is a clock that only goes forward.
 */
export class RepliesInMemory implements KeptReplies {
  readonly #replies: LRUCache<string, Entry>
  readonly #underWay = new Set<string>()

  constructor(elapsedMs: () => number) {
    this.#replies = new LRUCache({
      maxSize: repliesBytesMax,
      sizeCalculation: ({ reply }) => entryBytes + reply.body.length,
      ttl: replyMs,
      ttlResolution: 0,
      perf: { now: elapsedMs },
    })
  }

  async begin({ key, body_hash }: RequestKey): Promise<Begun> {
    const kept = this.#replies.get(key)
    if (kept !== undefined) {
      const { bodyHash, reply } = kept
      return bodyHash === body_hash ? { type: 'kept', reply } : { type: 'other_body' }
    }
    if (this.#underWay.has(key)) return { type: 'under_way' }
    this.#underWay.add(key)
    return { type: 'fresh' }
  }

  async finish({ key, body_hash }: RequestKey, reply: KeptReply): Promise<void> {
    this.#underWay.delete(key)
    const { body } = reply
    const kept = typeof body === 'string' ? reply : { ...reply, body: ownMemory(body) }
    this.#replies.set(key, { bodyHash: body_hash, reply: kept })
  }

  async abandon({ key }: RequestKey): Promise<void> {
    this.#underWay.delete(key)
  }
}
