import { createHash } from 'node:crypto'

import type { Dispatcher } from 'undici'

import { assert } from '#log/base/errors.ts'
import type { Digest, Fetched, FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import { parseRetryAfter } from '#src/delivery/fetch/retry_after.ts'

/**
 * Hashes a body in one pass, as it comes. A chunk is hashed before the next is asked for, so a body
 * of any length takes the memory of one chunk.
 */
export class BodyDigest {
  readonly #bytesMax: number
  readonly #sha256 = createHash('sha256')
  readonly #sha512 = createHash('sha512')
  #bytes = 0

  /** For a body of no more than `bytesMax`. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Adds the next chunk; false if the body is too long, and nothing is to follow. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) return false
    this.#sha256.update(chunk)
    this.#sha512.update(chunk)
    return true
  }

  /** The digest of all that was added; to be called once. */
  end(): Digest {
    const bytes = this.#bytes
    return { sha256: this.#sha256.digest('hex'), sha512: this.#sha512.digest('hex'), bytes }
  }
}

/** The header fields of a reply as undici gives them: names in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What of a reply is left to read: nothing more of it, its content, or the end of its body. */
type Body =
  | { readonly type: 'content'; readonly digest: BodyDigest; readonly head: ContentHead }
  | { readonly type: 'dropped'; readonly reply: Reply; bytes: number }

/** What a server says of content that it begins to send. */
type ContentHead = Pick<Fetched, 'mediaType' | 'etag'>

/** A reply that names another address, not yet checked, or the outcome of the fetch. */
export type Reply = FetchOutcome | { readonly type: 'redirect'; readonly location: string }

/** What a reply is read with; `signal` ends the reading with its reason. */
export type ReplyContext = {
  readonly url: URL
  readonly redirects: number
  readonly bytesMax: number
  readonly signal: AbortSignal
  readonly systemMs: () => number
}

/** Bytes of a redirect's body that are read so that its connection can be used again. */
const redirectBytesMax = 16_384

const etagCharactersMax = 256

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

// RFC 9110 §8.3.1, with the lengths of RFC 6838 §4.2.
const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

// Made once: an error takes longer to make than all else about the end of a reply.
const readEnough = new Error('the reply was read as far as it is needed')

/**
 * Reads a reply as it comes: where it redirects to, or its body if it is 200 and served as it is.
 * It is the handler of one request, and hashes in the turn in which bytes come, without a stream
 * between. `reply` rejects with an error of undici, or with the reason of the signal.
 */
export class ReplyReader implements Dispatcher.DispatchHandler {
  readonly reply: Promise<Reply>
  readonly #context: ReplyContext
  readonly #settle: { resolve: (reply: Reply) => void; reject: (error: unknown) => void }
  readonly #onAbort = () => this.#cut(this.#context.signal.reason as Error)
  #controller: Dispatcher.DispatchController | undefined
  #body: Body | undefined
  /** The memory of the newest bytes, which the parser of undici may still read. */
  #newest: ArrayBufferLike | undefined

  constructor(context: ReplyContext) {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    this.reply = promise
    this.#context = context
    this.#settle = { resolve, reject }
    context.signal.addEventListener('abort', this.#onAbort)
  }

  /** Whether the head of a reply has come. */
  get isAnswered(): boolean {
    return this.#body !== undefined
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    const { signal } = this.#context
    if (signal.aborted) controller.abort(signal.reason as Error)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    // A head that only announces another, RFC 9110 §15.2.
    if (status < 200) return
    this.#body = this.#readHead(status, headers)
    if (this.#body.type === 'dropped' && !redirectStatuses.has(status)) {
      // Whatever is still on its way is not waited for.
      this.#end(this.#body.reply)
      controller.abort(readEnough)
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const body = this.#body
    assert(body !== undefined, 'a body comes after its head')
    this.#freeBefore(chunk)
    if (body.type === 'content') {
      if (body.digest.add(chunk)) return
      this.#end(this.#tooLarge())
    } else {
      body.bytes += chunk.length
      if (body.bytes <= redirectBytesMax) return
      this.#end(body.reply)
    }
    controller.abort(readEnough)
  }

  onResponseEnd(): void {
    const body = this.#body
    assert(body !== undefined, 'a reply that ends has begun')
    if (body.type === 'dropped') return this.#end(body.reply)
    const { url, redirects } = this.#context
    const told = { ...body.head, finalUrl: url.href, redirects }
    return this.#end({ type: 'fetched', status: 200, ...body.digest.end(), ...told })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    // How the body of a redirect ends does not matter.
    if (this.#body?.type === 'dropped') this.#end(this.#body.reply)
    else this.#fail(error)
  }

  // The garbage collector would keep tens of megabytes of them, more where bytes come fast.
  #freeBefore({ buffer }: Uint8Array): void {
    if (this.#newest === buffer) return
    if (this.#newest !== undefined) free(this.#newest)
    this.#newest = buffer
  }

  #readHead(status: number, headers: Headers): Body {
    const { bytesMax } = this.#context
    const reply = redirectStatuses.has(status)
      ? this.#readRedirect(headers)
      : this.#judgeHead(status, headers)
    if (reply !== undefined) return { type: 'dropped', reply, bytes: 0 }
    const head = {
      mediaType: readMediaType(firstOf(headers['content-type'])),
      etag: readEtag(firstOf(headers['etag'])),
    }
    return { type: 'content', digest: new BodyDigest(bytesMax), head }
  }

  #readRedirect({ location }: Headers): Reply {
    if (typeof location === 'string') return { type: 'redirect', location }
    const { url } = this.#context
    return { type: 'bad_response', url: url.href, reason: 'a redirect without one location' }
  }

  #judgeHead(status: number, headers: Headers): FetchOutcome | undefined {
    const { url, bytesMax, systemMs } = this.#context
    if (status !== 200) {
      const retryAfterMs = parseRetryAfter(firstOf(headers['retry-after']), systemMs())
      return { type: 'http_status', url: url.href, status, retryAfterMs }
    }
    // What is hashed are the bytes of the content itself; nothing is ever unpacked.
    const encoding = [headers['content-encoding'], headers['transfer-encoding']]
      .flat()
      .find((value) => value !== undefined && !/^(?:identity|chunked|)$/i.test(value))
    if (encoding !== undefined) return { type: 'content_encoding', url: url.href, encoding }
    return Number(firstOf(headers['content-length'])) > bytesMax ? this.#tooLarge() : undefined
  }

  #tooLarge(): FetchOutcome {
    const { url, bytesMax } = this.#context
    return { type: 'too_large', url: url.href, bytesMax }
  }

  // Before the request was sent there is nothing to abort yet; it is aborted as soon as it is.
  #cut(reason: Error): void {
    this.#fail(reason)
    this.#controller?.abort(reason)
  }

  #end(reply: Reply): void {
    this.#stopListening()
    this.#settle.resolve(reply)
  }

  #fail(error: unknown): void {
    this.#stopListening()
    this.#settle.reject(error)
  }

  #stopListening(): void {
    this.#context.signal.removeEventListener('abort', this.#onAbort)
  }
}

/** Gives the memory of bytes back that nobody reads any more; what Node shares stays as it is. */
function free(memory: ArrayBufferLike): void {
  if (!(memory instanceof ArrayBuffer)) return
  try {
    memory.transfer(0)
  } catch (error) {
    // Small buffers are slices of one that cannot be detached.
    if (!(error instanceof TypeError)) throw error
  }
}

function readMediaType(value: string): string | undefined {
  const [type = ''] = value.split(';', 1)
  const folded = type.trim().toLowerCase()
  return mediaType.test(folded) ? folded : undefined
}

function readEtag(value: string): string | undefined {
  return value.length <= etagCharactersMax && /^(?:W\/)?"[!#-~]*"$/.test(value) ? value : undefined
}

/** The first value of a header field, or an empty text. */
function firstOf(value: string | string[] | undefined): string {
  return [value].flat()[0] ?? ''
}
