import { ConnectionError, RefusedError } from '#src/client/errors.ts'
import { ArklogError } from '#src/client/verify/evidence_error.js'
import { isObject } from '#src/client/verify/receipt_form.js'

/** A key or a token; or what gives one, asked before each call. */
export type Credential =
  | string
  | ((refused?: { readonly rejected: string }) => string | Promise<string>)

/** Time and chance, which tests make themselves. */
export type Surroundings = {
  readonly nowMs: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly newId: () => string
}

export type TransportOptions = Surroundings & {
  readonly baseUrl: string
  readonly credential: Credential | undefined
  readonly fetch: typeof globalThis.fetch
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly waitMsMax: number
}

/** Values of a query string; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The options of every call. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs?: number | undefined
}

/** The further options of a call that writes. */
export type WriteOptions = CallOptions & {
  /** Your own name for the write: sent again within 24 hours, it is carried out once. */
  readonly idempotencyKey?: string | undefined
}

export type Call = WriteOptions & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With its query, if it is taken from a link. */
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  /** `*`: nothing that is there is replaced. */
  readonly ifNoneMatch?: '*' | undefined
  /** Calls of one name are counted by the registry together. */
  readonly limit: string
}

/** The facts of an answer beside its body. */
export type AnswerFacts = {
  readonly status: number
  readonly requestId: string | undefined
  readonly etag: string | undefined
  /** Whether the write was carried out by an earlier call of the same `idempotencyKey`. */
  readonly replayed: boolean
  readonly idempotencyKey: string | undefined
}

/**
 * The body of an answer. `response` tells the rest of it; it is not enumerable, so that a record
 * can be changed and sent back as it is.
 */
export type Answered<T> = T & { readonly response: AnswerFacts }

const retriedStatuses = new Set([408, 429, 502, 503, 504])
const firstPauseMs = 500
const pauseMsMax = 20_000

/** Sends calls to one registry: again where that is safe and worth while, and within its limits. */
export class Transport {
  readonly #options: TransportOptions
  readonly #pacing = new Pacing()

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** A new name for a write. */
  newId(): string {
    return this.#options.newId()
  }

  /** Waits before whatever failed is tried once more, for the n-th time from 0. */
  pause(attempt: number, signal?: AbortSignal): Promise<void> {
    return this.#options.sleep(this.#pauseMs(attempt, undefined), signal)
  }

  /** The time, in milliseconds since 1970. */
  nowMs(): number {
    return this.#options.nowMs()
  }

  get maxRetries(): number {
    return this.#options.maxRetries
  }

  /**
   * Makes a call and gives the JSON of its answer. Errors: RefusedError, ConnectionError; and the
   * reason of `signal`, once it is aborted.
   */
  async send<T>(call: Call): Promise<Answered<T>> {
    const isWrite = call.method !== 'GET'
    const named = isWrite ? { ...call, idempotencyKey: call.idempotencyKey ?? this.newId() } : call
    let credential = await this.#credential()
    let isRenewed = false
    for (let attempt = 0; ; ) {
      await this.#keepToLimit(named)
      const outcome = await this.#attempt<T>(named, credential).catch(asFailure)
      if (!(outcome instanceof ArklogError)) return outcome
      call.signal?.throwIfAborted()
      if (isRejected(outcome) && this.#isProvided && !isRenewed) {
        isRenewed = true
        credential = await this.#credential({ rejected: credential ?? '' })
      } else {
        const waitMs = this.#retryMs(outcome, attempt++)
        if (waitMs === undefined) throw outcome
        await this.#options.sleep(waitMs, call.signal)
      }
    }
  }

  get #isProvided(): boolean {
    return typeof this.#options.credential === 'function'
  }

  #credential(refused?: { readonly rejected: string }): string | undefined | Promise<string> {
    const { credential } = this.#options
    return typeof credential === 'function' ? credential(refused) : credential
  }

  async #keepToLimit({ limit, signal }: Call): Promise<void> {
    for (;;) {
      const waitMs = this.#pacing.take(limit, this.#options.nowMs())
      // The registry tells a caller who would wait too long how long it is.
      if (waitMs === 0 || waitMs > this.#options.waitMsMax) return
      await this.#options.sleep(waitMs, signal)
    }
  }

  /** How long to wait before the call is made again; undefined if it is not. */
  #retryMs(error: ArklogError, attempt: number): number | undefined {
    if (attempt >= this.#options.maxRetries) return undefined
    if (error instanceof ConnectionError) {
      const isPassing = error.code === 'network_error' || error.code === 'timeout'
      return isPassing ? this.#pauseMs(attempt, undefined) : undefined
    }
    if (!(error instanceof RefusedError)) return undefined
    // An earlier attempt, of which no answer came, may still be at work.
    const isAtWork = attempt > 0 && error.code === 'conflict'
    if (!isAtWork && !retriedStatuses.has(error.status)) return undefined
    const waitMs = this.#pauseMs(attempt, error.retryAfterMs)
    return waitMs > this.#options.waitMsMax ? undefined : waitMs
  }

  /** Exponential, with full jitter, and never before the registry wants it. */
  #pauseMs(attempt: number, retryAfterMs: number | undefined): number {
    const { random } = this.#options
    if (retryAfterMs !== undefined) return retryAfterMs + random() * firstPauseMs
    return random() * Math.min(pauseMsMax, firstPauseMs * 2 ** attempt)
  }

  async #attempt<T>(call: Call, credential: string | undefined): Promise<Answered<T>> {
    const { fetch, timeoutMs } = this.#options
    const limitMs = call.timeoutMs ?? timeoutMs
    const timeout = AbortSignal.timeout(limitMs)
    const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout])
    const { idempotencyKey } = call
    let response: Response
    let text: string
    try {
      response = await fetch(this.#urlOf(call), { ...requestOf(call, credential), signal })
      text = await response.text()
    } catch (cause) {
      call.signal?.throwIfAborted()
      if (timeout.aborted) {
        const message = `The registry did not answer within ${limitMs} ms`
        throw new ConnectionError('timeout', message, { idempotencyKey, cause })
      }
      const message = `The registry cannot be reached: ${reasonOf(cause)}`
      throw new ConnectionError('network_error', message, { idempotencyKey, cause })
    }
    this.#pacing.observe(call.limit, response.headers, this.#options.nowMs())
    return readAnswer(call, response, text, this.#options.nowMs())
  }

  #urlOf({ path, query = {} }: Call): string {
    const url = new URL(this.#options.baseUrl + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return url.href
  }
}

/** Failures that say something; everything else is the caller's own, and goes on. */
function asFailure(error: unknown): ArklogError {
  if (error instanceof ArklogError) return error
  throw error
}

function isRejected(error: ArklogError): boolean {
  return error instanceof RefusedError && error.status === 401
}

function requestOf(call: Call, credential: string | undefined): RequestInit {
  const { method, body, idempotencyKey, ifMatch, ifNoneMatch } = call
  const headers = {
    accept: 'application/json',
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  // A credential is never sent on to where an answer points.
  return { method, headers, redirect: 'manual', ...(body !== undefined && { body: text }) }
}

function readAnswer<T>(call: Call, response: Response, text: string, nowMs: number): Answered<T> {
  const { status, headers } = response
  const { idempotencyKey } = call
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const where = headers.get('location') ?? 'another address'
    const message = `The registry sends calls on to ${where}: give its own address as baseUrl`
    throw new ConnectionError('redirected', message, { idempotencyKey })
  }
  const requestId = headers.get('x-request-id') ?? undefined
  const body = parseObject(text)
  if (!response.ok) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), nowMs)
    throw new RefusedError({ status, body: body ?? {}, requestId, retryAfterMs })
  }
  if (body === undefined) {
    const message = `The answer ${status} is no JSON object: is this the address of a registry?`
    throw new ConnectionError('malformed_reply', message, { idempotencyKey })
  }
  const facts: AnswerFacts = {
    status,
    requestId,
    etag: headers.get('etag') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    idempotencyKey,
  }
  return Object.defineProperty(body, 'response', { value: facts }) as Answered<T>
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

/** The reason of a failed fetch: Node tells it by a cause, browsers do not. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}

/** How many calls a limit has left, as the last answer under it said. */
type Count = { remaining: number; readonly resetAtMs: number }

/**
 * Keeps to the limits that answers tell of (`X-RateLimit-Remaining` and `-Reset`): a call that
 * would be refused waits until the count begins anew. It owns the counts; each limit has one.
 */
class Pacing {
  readonly #counts = new Map<string, Count>()

  /** How long to wait before a call under a limit, in milliseconds; the call is counted. */
  take(limit: string, nowMs: number): number {
    const count = this.#counts.get(limit)
    if (count === undefined || nowMs >= count.resetAtMs) return 0
    if (count.remaining <= 0) return count.resetAtMs - nowMs
    count.remaining -= 1
    return 0
  }

  /** Reads what an answer says of the limit; calls that are under way are not in its count. */
  observe(limit: string, headers: Headers, nowMs: number): void {
    const remaining = readCount(headers, 'x-ratelimit-remaining')
    const reset = readCount(headers, 'x-ratelimit-reset')
    if (remaining === undefined || reset === undefined) return
    // The time of the answer is the registry's; without it, as in browsers, one's own must do.
    const date = Date.parse(headers.get('date') ?? '')
    const resetInMs = Math.max(0, reset * 1_000 - (Number.isNaN(date) ? nowMs : date))
    const before = this.#counts.get(limit)
    const isSameWindow = before !== undefined && before.resetAtMs > nowMs
    this.#counts.set(limit, {
      remaining: isSameWindow ? Math.min(before.remaining, remaining) : remaining,
      resetAtMs: nowMs + resetInMs,
    })
  }
}

function readCount(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
