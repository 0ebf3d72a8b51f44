import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

import { FairQueue, QueueError } from '#actors/kernel/fair_queue.ts'
import { ownMemory } from '#actors/values/serialization.ts'
import { countedAddress } from '#src/edge/caller.ts'
import { codedTag, heldCodedTag } from '#src/edge/conditional.ts'
import { chooseCoding, type ContentCoding, encodeContent } from '#src/edge/content_coding.ts'
import type { CodeBody, EdgeReply, EdgeRequest } from '#src/edge/step.ts'

/** Bytes of a body from which a coding is worth its time. */
const codedBytesMin = 1_024

/** Bytes of bodies that are being coded, or wait for it: all further ones are sent as they are. */
const uncodedBytesMax = 16_777_216

/** Bytes of coded bodies that are kept, and of a body that is looked up among them. */
const keptBytesMax = 16_777_216
const keptBodyBytesMax = 1_048_576

/** What is kept beside a coded body takes about as much. */
const entryBytes = 512

// Half of the threads of the system's pool, where the store writes and files are read as well.
const codingLimits = {
  runningMax: 2,
  runningPerCallerMax: 1,
  waitingMax: 512,
  waitingPerCallerMax: 32,
}

/** What is text: all else is compressed already, or is hashes. */
const textType = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|image\/svg\+xml)/

/** The body of a reply that is to be coded. */
type Wanted = {
  readonly body: Uint8Array
  readonly coding: ContentCoding
  /** The client that the work is done for. */
  readonly caller: string
  /** Whether others may be sent the same, so that it is kept for them. */
  readonly isShared: boolean
}

/**
 * Codes the bodies of replies, within bounds that no client can move: two at a time, the clients
 * by turns. What many ask for again is coded once, and kept by the hash of its bytes, so that
 * nothing that is kept can be old. Owns what is kept, and the count of what is being coded.
 */
export class ReplyCoder {
  readonly #encode: typeof encodeContent
  readonly #queue = new FairQueue(codingLimits)
  readonly #kept = new LRUCache<string, Uint8Array>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ length }) => length + entryBytes,
  })
  readonly #making = new Map<string, Promise<Uint8Array | undefined>>()
  #uncodedBytes = 0

  constructor(encode: typeof encodeContent = encodeContent) {
    this.#encode = encode
  }

  /** The body in its coding; undefined if too much is being coded already. */
  async code(wanted: Wanted): Promise<Uint8Array | undefined> {
    const { body, coding, isShared } = wanted
    if (!isShared || body.length > keptBodyBytesMax) return this.#make(wanted)
    const name = `${coding} ${hash('sha256', body, 'base64url')}`
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const known = this.#making.get(name)
    if (known !== undefined) return known
    const making = this.#make(wanted)
    this.#making.set(name, making)
    try {
      const made = await making
      if (made === undefined) return undefined
      const alone = ownMemory(made)
      this.#kept.set(name, alone)
      return alone
    } finally {
      this.#making.delete(name)
    }
  }

  async #make({ body, coding, caller }: Wanted): Promise<Uint8Array | undefined> {
    const { length } = body
    if (this.#uncodedBytes > 0 && this.#uncodedBytes + length > uncodedBytesMax) return undefined
    this.#uncodedBytes += length
    try {
      return await this.#queue.run(caller, () => this.#encode(body, coding))
    } catch (error) {
      if (error instanceof QueueError) return undefined
      throw error
    } finally {
      this.#uncodedBytes -= length
    }
  }
}

/**
 * Has every text of a server that is worth it sent in the content coding that its client wants
 * most, and says with all of them that there are several (`Vary`). An entity tag names one coding:
 * that of a coded body ends in the coding's name, and both say in a condition what they stand for.
 */
export function codeReplies(): CodeBody {
  const coder = new ReplyCoder()
  return (request, reply, payload) => {
    if (!isText(reply)) return undefined
    varyBy(reply, 'Accept-Encoding')
    if (reply.statusCode === 304) nameHeldTag(request, reply)
    const wanted = wantedOf(request, reply, payload)
    if (wanted === undefined) return undefined
    return coder.code(wanted).then((coded) => {
      if (coded !== undefined) markCoded(request, reply, wanted.coding)
      return coded
    })
  }
}

function isText(reply: EdgeReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && textType.test(type) && !reply.hasHeader('content-encoding')
}

/** Says that a reply depends on one more header of its request (`Vary`, RFC 9110 §12.5.5). */
export function varyBy(reply: EdgeReply, header: string): void {
  const named = reply.getHeader('vary')
  if (named === undefined) return void reply.header('vary', header)
  const names = String(named).split(/\s*,\s*/)
  if (names.some((name) => name === '*' || name.toLowerCase() === header.toLowerCase())) return
  reply.header('vary', [...names, header].join(', '))
}

/** A client that holds a coded body is told the tag of that one. */
function nameHeldTag(request: EdgeRequest, reply: EdgeReply): void {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', heldCodedTag(request, etag) ?? etag)
}

/** The body of a reply, if it is long enough to be coded and its client takes a coding. */
function wantedOf(request: EdgeRequest, reply: EdgeReply, payload: unknown): Wanted | undefined {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return undefined
  // No character takes more than three bytes.
  if (payload.length * 3 < codedBytesMin) return undefined
  const coding = chooseCoding(request.headers['accept-encoding'])
  if (coding === undefined) return undefined
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (body.length < codedBytesMin) return undefined
  return { body, coding, caller: countedAddress(request.ip), isShared: mayBeKept(reply) }
}

// What is one person's is not kept beyond its reply.
function mayBeKept(reply: EdgeReply): boolean {
  const control = reply.getHeader('cache-control')
  return typeof control === 'string' && !/private|no-store/.test(control)
}

function markCoded(request: EdgeRequest, reply: EdgeReply, coding: ContentCoding): void {
  reply.header('content-encoding', coding)
  reply.removeHeader('content-length')
  const etag = reply.getHeader('etag')
  // The tag in the reply to a change is that of the record, and not of what the reply says.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && typeof etag === 'string') reply.header('etag', codedTag(etag, coding))
}
