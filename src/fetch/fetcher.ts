import { request } from 'undici'

import { type Agents, type ConnectionLimits, createAgents } from '#src/fetch/agent.ts'
import type { HostLookup } from '#src/fetch/checked_lookup.ts'
import { outcomeOfError } from '#src/fetch/failure.ts'
import type { HostPacing } from '#src/fetch/host_pacing.ts'
import type { FetchOutcome } from '#src/fetch/outcome.ts'
import { type Reply, readReply } from '#src/fetch/reply.ts'
import { limitTime, TimeLimitError } from '#src/fetch/time_limit.ts'
import { checkUrl, type FetchableUrl, type UrlRules } from '#src/fetch/url_rule.ts'

/** What one fetch is bound by; times in milliseconds, sizes in bytes. */
export type FetchLimits = ConnectionLimits & {
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
  /** Who asks, with an address where the operator of a server learns more. */
  readonly userAgent: string
  /** The time of the system, against which dates in replies are read. */
  readonly systemMs: () => number
}

/** How to fetch: `fresh` uses no connection of an earlier fetch, nor its look-ups. */
export type FetchCall = { readonly signal: AbortSignal; readonly fresh?: boolean }

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
type Hop = { readonly target: FetchableUrl; redirects: number; readonly agents: Agents }

/** How long a host rests that answers 429 without saying how long. */
const defaultPauseMs = 60_000

/** A fetcher without any connection yet. Its pacing belongs to whoever made that. */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new HopFetcher(options)
}

class HopFetcher implements Fetcher {
  readonly #options: FetcherOptions
  readonly #agents: Agents
  readonly #closing = new AbortController()

  constructor(options: FetcherOptions) {
    this.#options = options
    this.#agents = createAgents(options)
  }

  async fetchDigest(url: string, { signal, fresh = false }: FetchCall): Promise<FetchOutcome> {
    const ends = AbortSignal.any([signal, this.#closing.signal])
    const agents = fresh ? createAgents(this.#options) : this.#agents
    try {
      return await this.#follow(url, agents, ends)
    } catch (error) {
      if (ends.aborted) return { type: 'aborted' }
      throw error
    } finally {
      if (fresh) await agents.destroy()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#agents.destroy()
  }

  /** Every hop is judged, paced and looked up as if it were the first. */
  async #follow(first: string, agents: Agents, signal: AbortSignal): Promise<FetchOutcome> {
    const { limits, rules, pacing } = this.#options
    let leftMs = limits.totalMs
    let target = checkUrl(first, rules)
    for (let redirects = 0; target.type === 'fetchable'; redirects += 1) {
      const { url } = target
      const hop = { target, redirects, agents }
      const ask = async () => {
        const startMs = performance.now()
        const reply = await this.#ask(hop, leftMs, signal)
        leftMs -= performance.now() - startMs
        return reply
      }
      const paced = await pacing.run(url.hostname, ask, signal)
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

  async #ask(hop: Hop, leftMs: number, signal: AbortSignal): Promise<Reply> {
    const { url } = hop.target
    const reply = await limitTime(signal, leftMs, (ends) => this.#request(hop, ends))
    if (reply.type === 'http_status') this.#heed(url.hostname, reply)
    return reply
  }

  async #request({ target, redirects, agents }: Hop, signal: AbortSignal): Promise<Reply> {
    const { limits, userAgent, systemMs, egressProxy } = this.#options
    const { url, isNamed } = target
    let isAnswered = false
    try {
      const response = await request(url, {
        dispatcher: isNamed ? agents.open : agents.guarded,
        headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
        signal,
      })
      isAnswered = true
      const context = { url, redirects, bytesMax: limits.bytesMax, signal, systemMs }
      return await readReply(response, context)
    } catch (error) {
      if (signal.reason instanceof TimeLimitError) {
        return { type: 'timed_out', url: url.href, phase: 'total' }
      }
      signal.throwIfAborted()
      const viaProxy = egressProxy !== undefined && !isNamed
      return outcomeOfError(error, { url: url.href, isAnswered, viaProxy })
    }
  }

  /** Gives a host the rest it asks for; a 503 that names no time may be of one page only. */
  #heed(
    host: string,
    { status, retryAfterMs }: { status: number; retryAfterMs?: number | undefined },
  ) {
    const pauseMs = retryAfterMs ?? (status === 429 ? defaultPauseMs : 0)
    if (status === 429 || status === 503) this.#options.pacing.pauseHost(host, pauseMs)
  }
}
