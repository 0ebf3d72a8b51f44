import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'

import { parseRetryAfter } from '#actors/values/clock.ts'
import { assert } from '#log/tlog/errors.ts'
import {
  checkUrl,
  dnsLookup,
  type FetchableUrl,
  type HostLookup,
  type UrlRules,
} from '#src/delivery/fetch/address_rule.ts'
import {
  type Agents,
  type ConnectionLimits,
  type Connections,
  createAgents,
} from '#src/delivery/fetch/agent.ts'
import {
  createHostPacing,
  type HostPacing,
  type PacingLimits,
} from '#src/delivery/fetch/host_pacing.ts'
import {
  type Digest,
  type Fetched,
  type FetchOutcome,
  outcomeOfError,
} from '#src/delivery/fetch/outcome.ts'

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
type Reply = FetchOutcome | { readonly type: 'redirect'; readonly location: string }

/** What a reply is read with; `signal` ends the reading with its reason. */
type ReplyContext = {
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
class ReplyReader implements Dispatcher.DispatchHandler {
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

/** What one fetch is bound by; times in milliseconds, sizes in bytes. */
type FetchLimits = ConnectionLimits & {
  /** All requests of a fetch together, without what it waits for its turn. */
  readonly totalMs: number
  readonly bytesMax: number
  readonly redirectsMax: number
}

/** What a fetcher is made of. */
export type FetcherOptions = {
  readonly limits: FetchLimits
  readonly rules: UrlRules
  readonly lookup: HostLookup
  /** An HTTP proxy through which all but the hosts of the allow list is reached. */
  readonly egressProxy: string | undefined
  readonly pacing: HostPacing
  /** What asks, with an address where the operator of a server learns more. */
  readonly userAgent: string
  /** The time of the system, against which dates in replies are read. */
  readonly systemMs: () => number
}

/** How to fetch. */
export type FetchCall = {
  readonly signal: AbortSignal
  /** Uses no connection of an earlier request, nor its look-ups. */
  readonly fresh?: boolean
  /** Is called when the turn of the host has come and it is asked. */
  readonly onStart?: () => void
}

/** Fetches what strangers name, without letting them reach into our network. */
export type Fetcher = {
  /**
   * Reads what an address serves and hashes it. Whatever the address is and its server does is an
   * outcome; only a defect of ours is thrown.
   */
  fetchDigest(url: string, call: FetchCall): Promise<FetchOutcome>
  /** Calls off what is under way and ends every connection. */
  close(): Promise<void>
}

/** One request of a fetch: the first, or one that a redirect led to. */
type Hop = { readonly target: FetchableUrl; readonly redirects: number; readonly by: Connections }

/** How long a host rests that answers 429 without saying how long. */
const defaultPauseMs = 60_000

/** The reason of a fetch that is called off. */
const calledOff = new Error('the fetch is called off')

// What becomes of a used connection that its server ends while a request is on its way.
const lostConnection: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** A fetcher without any connection yet. Its pacing belongs to its maker, who closes it. */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new HopFetcher(options)
}

class HopFetcher implements Fetcher {
  readonly #options: FetcherOptions
  readonly #agents: Agents
  readonly #headers: Readonly<Record<string, string>>
  /** Calls off each fetch that is under way. */
  readonly #running = new Set<() => void>()
  #isClosed = false

  constructor(options: FetcherOptions) {
    this.#options = options
    this.#agents = createAgents(options)
    const { userAgent } = options
    this.#headers = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' }
  }

  async fetchDigest(url: string, call: FetchCall): Promise<FetchOutcome> {
    const { signal, fresh = false } = call
    if (signal.aborted || this.#isClosed) return { type: 'aborted' }
    const by = fresh ? this.#agents.fresh() : this.#agents.kept
    const ends = new AbortController()
    const callOff = () => ends.abort(calledOff)
    this.#running.add(callOff)
    signal.addEventListener('abort', callOff, { once: true })
    try {
      return await this.#follow(url, { ...call, by }, ends)
    } catch (error) {
      if (error === calledOff) return { type: 'aborted' }
      throw error
    } finally {
      if (fresh) void by.destroy()
      this.#running.delete(callOff)
      signal.removeEventListener('abort', callOff)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const callOff of this.#running) callOff()
    await this.#agents.kept.destroy()
  }

  /** Every hop is judged, paced and looked up as if it were the first. */
  async #follow(
    first: string,
    { by, onStart }: FetchCall & { readonly by: Connections },
    ends: AbortController,
  ): Promise<FetchOutcome> {
    const { limits, rules, pacing } = this.#options
    let leftMs = limits.totalMs
    let target = checkUrl(first, rules)
    for (let redirects = 0; target.type === 'fetchable'; redirects += 1) {
      const { url } = target
      const hop = { target, redirects, by }
      const ask = async () => {
        if (redirects === 0) onStart?.()
        const startMs = performance.now()
        const reply = await limitTime(ends, leftMs, () => this.#ask(hop, ends.signal))
        leftMs -= performance.now() - startMs
        return reply
      }
      const paced = await pacing.run(url.hostname, ask, ends.signal)
      if (paced.type === 'postponed') return { ...paced, url: url.href }
      const reply = paced.value
      if (reply.type !== 'redirect') return reply
      if (redirects === limits.redirectsMax) {
        return { type: 'too_many_redirects', url: url.href, redirectsMax: redirects }
      }
      target = checkUrl(reply.location, rules, url)
    }
    return target
  }

  async #ask(hop: Hop, signal: AbortSignal): Promise<Reply> {
    let reply = await this.#request(hop, signal)
    const isUsed = hop.by === this.#agents.kept || hop.redirects > 0
    // The server may have ended the connection just now, which says nothing of what it serves.
    if (isUsed && reply.type === 'connection_failed' && lostConnection.has(reply.code)) {
      const by = this.#agents.fresh()
      reply = await this.#request({ ...hop, by }, signal).finally(() => void by.destroy())
    }
    if (reply.type === 'http_status') this.#pauseAsAsked(hop.target.url.hostname, reply)
    return reply
  }

  async #request({ target, redirects, by }: Hop, signal: AbortSignal): Promise<Reply> {
    const { limits, systemMs, egressProxy } = this.#options
    const { url, isNamed } = target
    const { bytesMax } = limits
    const reader = new ReplyReader({ url, redirects, bytesMax, signal, systemMs })
    try {
      signal.throwIfAborted()
      const { origin, pathname, search } = url
      const path = pathname + search
      by.to(target).dispatch({ origin, path, method: 'GET', headers: this.#headers }, reader)
      return await reader.reply
    } catch (error) {
      if (error instanceof TimeLimitError) {
        return { type: 'timed_out', url: url.href, phase: 'total' }
      }
      signal.throwIfAborted()
      const viaProxy = egressProxy !== undefined && !isNamed
      const { isAnswered } = reader
      return outcomeOfError(error, { url: url.href, isAnswered, viaProxy })
    }
  }

  /** Gives a host the rest it asks for; a 503 that names no time may be of one page only. */
  #pauseAsAsked(
    host: string,
    { status, retryAfterMs }: { status: number; retryAfterMs?: number | undefined },
  ) {
    const pauseMs = retryAfterMs ?? (status === 429 ? defaultPauseMs : 0)
    if (status === 429 || status === 503) this.#options.pacing.pauseHost(host, pauseMs)
  }
}

/** What a fetcher is made of, as plain data that another thread can be sent. */
export type FetcherSettings = {
  readonly limits: FetchLimits
  readonly pacing: PacingLimits
  /** Hosts that may be fetched although they are private, each as `hostPortOf` writes it. */
  readonly allow: readonly string[]
  /** Who we are, and what is not fetched. */
  readonly ownUrl: string
  /** Each as `address:port`; those of the machine if undefined. */
  readonly nameServers: readonly string[] | undefined
  readonly egressProxy: string | undefined
  readonly userAgent: string
}

/** A fetcher in this thread, with a pacing of its own. */
export function fetcherOf(settings: FetcherSettings): Fetcher {
  const { limits, allow, ownUrl, nameServers, egressProxy, userAgent } = settings
  const pacing = createHostPacing(settings.pacing, () => performance.now())
  const fetcher = createFetcher({
    limits,
    rules: { allow: new Set(allow), ownUrl: new URL(ownUrl) },
    lookup: dnsLookup(nameServers && { servers: nameServers }),
    egressProxy,
    pacing,
    userAgent,
    systemMs: Date.now,
  })
  return {
    fetchDigest: (url, call) => fetcher.fetchDigest(url, call),
    async close() {
      await fetcher.close()
      pacing.close()
    },
  }
}

/** The reason of a signal that a time limit has set off. */
class TimeLimitError extends Error {
  readonly code = 'time_limit'

  constructor(limitMs: number) {
    super(`the limit of ${limitMs} ms is reached`)
    this.name = 'TimeLimitError'
  }
}

/** Runs a job, and sets a controller off with a TimeLimitError if it takes over `limitMs`. */
async function limitTime<T>(
  ends: AbortController,
  limitMs: number,
  job: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => ends.abort(new TimeLimitError(limitMs)), Math.max(0, limitMs))
  try {
    return await job()
  } finally {
    clearTimeout(timer)
  }
}
