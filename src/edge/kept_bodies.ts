import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { ownMemory } from '#actors/values/serialization.ts'
import { isNotModified } from '#src/edge/conditional.ts'
import { chooseCoding, type ContentCoding, encodeContent } from '#src/edge/content_coding.ts'

/** Bytes of bodies that are kept, in all and of one of them. */
const keptBytesMax = 16 * 1_048_576
const keptBodyBytesMax = 1_048_576

/** What a kept body takes beside its bytes, about. */
const entryBytes = 512

/** The bytes of a reply as they are sent, with their strong entity tag. */
export type TaggedBytes = { readonly bytes: Uint8Array; readonly etag: string }

/**
 * Bodies that do not change under their names, in content codings and without: each is made once,
 * for all who ask for it at that time or later, as long as there is room for it.
 */
export class KeptBodies {
  readonly #kept = new LRUCache<string, TaggedBytes>({
    maxSize: keptBytesMax,
    maxEntrySize: keptBodyBytesMax,
    sizeCalculation: ({ bytes }) => bytes.length + entryBytes,
  })
  readonly #making = new Map<string, Promise<TaggedBytes>>()

  /** A body that is made without waiting. Errors: those of `make`. */
  readAtOnce(name: string, make: () => Uint8Array): TaggedBytes {
    const known = keyOf(name)
    return this.#kept.get(known) ?? this.#keep(known, make())
  }

  /** A body, in a coding if there is one. Errors: those of `make`. */
  async read(
    name: string,
    coding: ContentCoding | undefined,
    make: () => Uint8Array | Promise<Uint8Array>,
  ): Promise<TaggedBytes> {
    const known = keyOf(name, coding)
    const kept = this.#kept.get(known) ?? this.#making.get(known)
    if (kept !== undefined) return kept
    const making = this.#make(name, coding, make)
    this.#making.set(known, making)
    try {
      return await making
    } finally {
      this.#making.delete(known)
    }
  }

  /** A body in the coding that its reader wants most, as the reply says from then on. */
  async readCoded(
    reply: FastifyReply,
    name: string,
    make: () => Uint8Array | Promise<Uint8Array>,
  ): Promise<TaggedBytes> {
    reply.header('vary', 'Accept-Encoding')
    const coding = chooseCoding(reply.request.headers['accept-encoding'])
    const body = await this.read(name, coding, make)
    if (coding !== undefined) reply.header('content-encoding', coding)
    return body
  }

  async #make(
    name: string,
    coding: ContentCoding | undefined,
    make: () => Uint8Array | Promise<Uint8Array>,
  ): Promise<TaggedBytes> {
    if (coding === undefined) return this.#keep(keyOf(name), await make())
    const { bytes } = await this.read(name, undefined, make)
    // Compression runs in threads of its own.
    return this.#keep(keyOf(name, coding), await encodeContent(bytes, coding))
  }

  #keep(known: string, bytes: Uint8Array): TaggedBytes {
    const tagged = tagBytes(ownMemory(bytes))
    this.#kept.set(known, tagged)
    return tagged
  }
}

function keyOf(name: string, coding: ContentCoding | 'identity' = 'identity'): string {
  return `${coding} ${name}`
}

/** Bytes with the tag that they alone have: another content coding of them has another. */
export function tagBytes(bytes: Uint8Array): TaggedBytes {
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` }
}

/** Sends bytes, or 304 to a client that has them. The headers that both have are set already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: TaggedBytes,
): FastifyReply {
  reply.header('etag', etag)
  if (isNotModified(request, etag)) return reply.code(304).removeHeader('content-encoding').send()
  return reply.send(bytes)
}
