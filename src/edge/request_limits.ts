import type { FastifyRequest } from 'fastify'

import { type Caller, callerName, countedAddress } from '#src/edge/caller.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type Count,
  createLimitMemory,
  type LimitConfig,
  type Limiter,
  type LimitMemory,
  type LimitName,
  limitPolicies,
  type LimitPolicy,
  openLimiters,
  RefusedClients,
} from '#src/edge/limits/limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the account that a form names is counted by, whether or not there is one. */
    countedAccount?: string
    /** The application that a request names, whether or not it is that one; none if unknown. */
    countedApplication?: string
  }
}

/**
 * What the limits of a server need. `elapsedMs` is a clock that only goes forward, and the same on
 * every thread that counts in the memory; `nowMs` is the time of day.
 */
export type RequestLimitOptions = {
  readonly config: LimitConfig
  /** What servers on several threads count in together; memory of its own by default. */
  readonly limitMemory?: LimitMemory
  readonly nowMs: () => number
  readonly elapsedMs: () => number
}

/** The parts of a request by which it is counted. */
export type CountedRequest = Pick<
  FastifyRequest,
  'ip' | 'countedAccount' | 'countedApplication'
> & {
  readonly caller: Caller
}

/** The part of a reply that the limits have. */
type LimitedReply = { headers(values: Readonly<Record<string, string>>): unknown }

/** `RequestLimits.count` as a hook of the framework takes it. */
export type CountRequest = (
  name: LimitName,
  request: CountedRequest,
  reply: LimitedReply,
  calls?: CountedCalls,
) => Promise<void>

/** What a request counts as: so many calls, of which some were counted before. */
export type CountedCalls = { readonly all: number; readonly before?: number }

const clientOf: Readonly<Record<string, (request: CountedRequest) => string>> = {
  address: ({ ip }) => countedAddress(ip),
  key: ({ caller }) => callerName(caller),
  account: ({ countedAccount, ip }) => countedAccount ?? countedAddress(ip),
  // With the address, so that nobody can use up the calls of an application that they only know of.
  application: ({ countedApplication, ip }) => `${countedApplication ?? ''} ${countedAddress(ip)}`,
}

/** Counts requests under the limits of a server. A limit that is off counts nothing. */
export class RequestLimits {
  readonly #limiters: ReadonlyMap<string, Limiter>
  readonly #refused: RefusedClients
  readonly #nowMs: () => number

  constructor(options: RequestLimitOptions) {
    const { config, elapsedMs, nowMs, limitMemory = createLimitMemory(config) } = options
    this.#limiters = openLimiters({ config, elapsedMs, limitMemory })
    this.#refused = new RefusedClients(elapsedMs)
    this.#nowMs = nowMs
  }

  /**
   * Counts a request and sets the `X-RateLimit-` headers of its reply. One that is more than the
   * limit by itself counts as all of it. HttpError `rate_limit_exceeded` beyond the limit, or the
   * code that the limit has in its place.
   */
  count(
    name: LimitName,
    request: CountedRequest,
    reply: LimitedReply,
    { all, before = 0 }: CountedCalls = { all: 1 },
  ): void {
    const limiter = this.#limiters.get(name)
    if (limiter === undefined) return
    const calls = Math.min(all, limiter.max) - Math.min(before, limiter.max)
    if (calls <= 0) return
    const client = nameOf(name, request)
    const count = limiter.count(client, calls)
    reply.headers(this.#headersOf(count))
    if (!count.isExceeded) return
    this.#refused.note(name, client, countedAddress(request.ip), count.ttl)
    throw limitExceeded(name, count.ttl)
  }

  /** Whether a limit has refused anybody from this address, and does so still. */
  isAnyRefused(ip: () => string): boolean {
    return this.#refused.isAnyFrom(() => countedAddress(ip()))
  }

  /** The refusal of a client that a limit refuses still, which is not counted; sets the headers. */
  refusalAgain(
    name: LimitName,
    request: CountedRequest,
    reply: LimitedReply,
  ): HttpError | undefined {
    const limiter = this.#limiters.get(name)
    const ttl = limiter === undefined ? 0 : this.#refused.msLeft(name, nameOf(name, request))
    if (limiter === undefined || ttl === 0) return undefined
    reply.headers(this.#headersOf(limiter.refused(ttl)))
    return limitExceeded(name, ttl)
  }

  #headersOf({ max, remaining, ttl }: Count): Readonly<Record<string, string>> {
    return {
      'x-ratelimit-limit': String(max),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.ceil((this.#nowMs() + ttl) / 1_000)),
    }
  }
}

function nameOf(name: LimitName, request: CountedRequest): string {
  return (clientOf[limitPolicies[name].per] as (typeof clientOf)[string])(request)
}

/** The refusal of a client whose window ends in so many milliseconds. */
function limitExceeded(name: LimitName, waitMs: number): HttpError {
  const retry_after = Math.max(1, Math.ceil(waitMs / 1_000))
  const message = `Retry after ${retry_after} seconds`
  const policy: LimitPolicy = limitPolicies[name]
  return new HttpError(policy.refusal ?? 'rate_limit_exceeded', message, { extra: { retry_after } })
}
