import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { ownMemory } from '#actors/values/own_memory.ts'
import type { LogReader } from '#log/log_reader.ts'
import { type ContentCoding, encodeContent } from '#src/edge/content_coding.ts'
import { isNotModified } from '#src/edge/conditional.ts'

/** Bytes of compressed bundles that are kept, in all and of one of them. */
const keptBytesMax = 16 * 1_048_576
const keptBundleBytesMax = 1_048_576

/**
 * The entry bundles of a log in content codings. A bundle never changes, so it is compressed once,
 * for all who ask for it at that time or later, as long as there is room for it.
 */
export class EncodedBundles {
  readonly #log: Pick<LogReader, 'entryBundle'>
  readonly #kept = new LRUCache<string, TaggedBytes>({
    maxSize: keptBytesMax,
    maxEntrySize: keptBundleBytesMax,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  readonly #making = new Map<string, Promise<TaggedBytes>>()

  constructor(log: Pick<LogReader, 'entryBundle'>) {
    this.#log = log
  }

  /** The bundle below a level-0 tile of that width. Errors: those of `LogReader.entryBundle`. */
  async read(index: number, width: number, coding: ContentCoding): Promise<TaggedBytes> {
    const name = `${index}.p/${width} ${coding}`
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const known = this.#making.get(name)
    if (known !== undefined) return known
    const making = this.#make(index, width, coding)
    this.#making.set(name, making)
    try {
      const made = await making
      this.#kept.set(name, made)
      return made
    } finally {
      this.#making.delete(name)
    }
  }

  // Compression runs in threads of its own.
  async #make(index: number, width: number, coding: ContentCoding): Promise<TaggedBytes> {
    const bundle = await this.#log.entryBundle(index, width)
    return tagBytes(ownMemory(await encodeContent(bundle, coding)))
  }
}

/** The bytes of a reply as they are sent, with their strong entity tag. */
export type TaggedBytes = { readonly bytes: Uint8Array; readonly etag: string }

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
