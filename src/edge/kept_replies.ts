import { LRUCache } from 'lru-cache'

import type { RequestKey } from '#actors/journal/idempotency.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { answer } from '#actors/kernel/answer.ts'
import { ask, type Ref, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
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

/** How long the reply to a named write is kept, in milliseconds, and of how many writes. */
const replyMs = 24 * 3_600_000
const repliesMax = 65_536

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
      max: repliesMax,
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

/** A reply on its way between threads, as plain JSON. */
type SentReply = Omit<KeptReply, 'body'> & {
  readonly body: { readonly text: string } | { readonly base64: string }
}

type SentBegun =
  | Exclude<Begun, { type: 'kept' }>
  | { readonly type: 'kept'; readonly reply: SentReply }

/** What the thread that keeps the replies is asked. */
type RepliesMessage =
  | { readonly type: 'begin'; readonly write: RequestKey; readonly reply: Reply<SentBegun> }
  | {
      readonly type: 'finish'
      readonly write: RequestKey
      readonly kept: SentReply
      readonly reply: Reply<void>
    }
  | { readonly type: 'abandon'; readonly write: RequestKey; readonly reply: Reply<void> }

const name = 'kept replies'

/** How long a thread waits for the one that keeps the replies. */
const askTimeoutMs = 10_000

/**
 * Lets the other side of a connection share the replies that are kept here (`remoteKeptReplies`).
 * When that side ends, the writes that it has under way are abandoned.
 */
export function offerKeptReplies(remote: Remote, replies: KeptReplies): void {
  const host = new KeptRepliesHost(replies)
  const ref = referTo(name, (message: RepliesMessage) => host.receive(message))
  remote.offer(name, () => ref)
  void remote.ended.then(() => host.close())
}

/** What one other side does with the replies: it owns the writes that this side has begun. */
class KeptRepliesHost {
  readonly #replies: KeptReplies
  readonly #underWay = new Map<string, RequestKey>()
  #isClosed = false

  constructor(replies: KeptReplies) {
    this.#replies = replies
  }

  receive(message: RepliesMessage): true {
    const failure = 'the reply to a named write could not be kept'
    switch (message.type) {
      case 'begin':
        return answer(message.reply, this.#begin(message.write), failure)
      case 'finish':
        this.#underWay.delete(message.write.key)
        return answer(
          message.reply,
          this.#replies.finish(message.write, received(message.kept)),
          failure,
        )
      case 'abandon':
        return answer(message.reply, this.#abandon(message.write), failure)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#underWay.values()].map((write) => this.#abandon(write)))
  }

  async #begin(write: RequestKey): Promise<SentBegun> {
    const begun = await this.#replies.begin(write)
    if (begun.type === 'kept') return { ...begun, reply: sent(begun.reply) }
    if (begun.type === 'fresh') {
      this.#underWay.set(write.key, write)
      if (this.#isClosed) await this.#abandon(write)
    }
    return begun
  }

  async #abandon(write: RequestKey): Promise<void> {
    // What another side has begun is not this one's to end.
    if (this.#underWay.delete(write.key)) await this.#replies.abandon(write)
  }
}

/** The replies that the other side of a connection keeps. Errors: ActorError, when it has ended. */
export function remoteKeptReplies(remote: Remote): KeptReplies {
  const owner = remote.at<RepliesMessage>(name, '')
  return {
    async begin(write) {
      const begun = await begin(owner, write)
      return begun.type === 'kept' ? { ...begun, reply: received(begun.reply) } : begun
    },
    finish: (write, reply) => finish(owner, write, reply),
    abandon: (write) => ask(owner, { type: 'abandon', write }, askTimeoutMs),
  }
}

async function begin(owner: Ref<RepliesMessage>, write: RequestKey): Promise<SentBegun> {
  try {
    return await ask(owner, { type: 'begin', write }, askTimeoutMs)
  } catch (error) {
    // Nobody carries out what begins when it is no longer waited for.
    if (error instanceof ActorError && error.code === 'timeout') {
      ask(owner, { type: 'abandon', write }, askTimeoutMs).catch(() => undefined)
    }
    throw error
  }
}

async function finish(
  owner: Ref<RepliesMessage>,
  write: RequestKey,
  reply: KeptReply,
): Promise<void> {
  try {
    await ask(owner, { type: 'finish', write, kept: sent(reply) }, askTimeoutMs)
  } catch (error) {
    if (!(error instanceof ActorError && error.code === 'fault')) throw error
    // A reply that is too long to travel is not kept; the write was carried out all the same.
    await ask(owner, { type: 'abandon', write }, askTimeoutMs)
  }
}

function sent({ body, ...reply }: KeptReply): SentReply {
  const isText = typeof body === 'string'
  const sentBody = isText ? { text: body } : { base64: Buffer.from(body).toString('base64') }
  return { ...reply, body: sentBody }
}

function received({ body, ...reply }: SentReply): KeptReply {
  return { ...reply, body: 'text' in body ? body.text : Buffer.from(body.base64, 'base64') }
}
