import { LRUCache } from 'lru-cache'
import type { CommitNotice } from '#actors/catalogue/commit_notice.ts'
import { textHash } from '#actors/kernel/shards.ts'
import type { Rendered } from '#actors/catalogue/port.ts'
import { type ResolveParts, spellBefore } from '#actors/catalogue/resolution.ts'
import { bytesOf } from '#actors/values/byte_text.ts'
import { ownMemory } from '#actors/values/own_memory.ts'

/**
 * A resolution that may be asked for again, until its work changes, or one of the `people` who have
 * claims on it, or a checkpoint is witnessed while its receipt is not.
 */
export type CachedReply = Pick<Rendered, 'etag' | 'status' | 'organization'> &
  ResolveParts & { readonly people: readonly string[]; readonly isWitnessed: boolean }

/** A reply that is kept; what follows the spelling of its ARK lies in the one asked for last. */
type KeptReply = Omit<CachedReply, 'after'> & {
  after: Uint8Array
  full?: { readonly requested: string; readonly rendered: Rendered }
}

// Slots of the memory of what was asked for lately; a slot holds one ARK's hash.
const recentSlots = 65_536

/**
 * The bytes of the replies that are asked for again and again, `bytesMax` of them at most. A reply
 * is kept from its second request on: of a million works that are asked for evenly none is worth
 * its place, and keeping them would cost more than making them.
 */
export class ReplyCache {
  readonly #replies: LRUCache<string, KeptReply>
  /** The ARKs of the replies that depend on a person, by ppid. */
  readonly #claimed = new Map<string, Set<string>>()
  /** The ARKs of the replies whose receipts no witnessed checkpoint covers. */
  readonly #unwitnessed = new Set<string>()
  readonly #recent = new Int32Array(recentSlots)

  constructor(bytesMax: number) {
    this.#replies = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: sizeOf,
      dispose: ({ people }, ark) => this.#unlink(ark, people),
    })
  }

  /**
   * The reply kept for an ARK, `naan/name`, in full; `requested` is the ARK as the client spelled
   * it. As long as it is kept and spelled alike, it is the same object each time.
   */
  inFull(ark: string, requested: string): Rendered | undefined {
    const kept = this.#replies.get(ark)
    return kept && (kept.full?.requested === requested ? kept.full.rendered : join(kept, requested))
  }

  /** Keeps the reply if its ARK was asked for before, as far as is remembered. */
  offer(ark: string, reply: CachedReply): void {
    // Never 0, which marks an empty slot.
    const hash = textHash(ark) | 1
    const slot = hash & (recentSlots - 1)
    // Two ARKs of one hash make a reply kept a request early, which harms nobody.
    if (this.#recent[slot] !== hash) this.#recent[slot] = hash
    else this.#keep(ark, { ...reply, after: ownMemory(bytesOf(reply.after)) })
  }

  #keep(ark: string, reply: KeptReply): void {
    this.#replies.set(ark, reply)
    // One that is larger than all the room was not kept.
    if (!this.#replies.has(ark)) return
    if (!reply.isWitnessed) this.#unwitnessed.add(ark)
    for (const ppid of reply.people) {
      const arks = this.#claimed.get(ppid) ?? new Set()
      this.#claimed.set(ppid, arks.add(ark))
    }
  }

  #unlink(ark: string, people: readonly string[]): void {
    this.#unwitnessed.delete(ark)
    for (const ppid of people) {
      const arks = this.#claimed.get(ppid)
      arks?.delete(ark)
      if (arks?.size === 0) this.#claimed.delete(ppid)
    }
  }

  /**
   * Drops the replies that a commit has made old. A call and not a message: it must come before
   * the answers to the commit, and no full mailbox may lose it.
   */
  published({ arks, ppids }: CommitNotice): void {
    for (const ark of arks) this.#replies.delete(ark)
    for (const ppid of ppids) {
      for (const ark of this.#claimed.get(ppid) ?? []) this.#replies.delete(ark)
    }
  }

  /** Drops the replies whose receipts a witnessed checkpoint may cover from now on. */
  witnessed(): void {
    for (const ark of this.#unwitnessed) this.#replies.delete(ark)
  }
}

function join(kept: KeptReply, requested: string): Rendered {
  const { before, after } = kept
  const body = ownMemory(Buffer.concat([bytesOf(spellBefore(before, requested)), after]))
  kept.after = body.subarray(body.length - after.length)
  const rendered = renderedReply(kept, body)
  kept.full = { requested, rendered }
  return rendered
}

/** A resolution in full. */
export function renderedReply(reply: Omit<CachedReply, 'after'>, body: Uint8Array): Rendered {
  const { etag, status } = reply
  return { type: 'found', body, etag, status, ...ownerOf(reply) }
}

/** The organization that owns the work of a reply, where one does. */
export function ownerOf({
  organization,
}: Pick<CachedReply, 'organization'>): Pick<Rendered, 'organization'> {
  return organization === undefined ? {} : { organization }
}

// What the memory of a reply's dependence on a person takes, about.
const bytesPerPerson = 128

function sizeOf({ before, after, people }: KeptReply): number {
  return before.length + after.length + people.length * bytesPerPerson
}
