import type { RequestKey } from '#actors/journal/idempotency.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { answer } from '#actors/kernel/answer.ts'
import { ask, type Ref, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Begun, KeptReplies, KeptReply } from '#src/edge/kept_replies.ts'

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
