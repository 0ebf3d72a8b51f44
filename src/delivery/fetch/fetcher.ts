import {
  type Agents,
  type ConnectionLimits,
  type Connections,
  createAgents,
} from '#src/delivery/fetch/agent.ts'
import { dnsLookup, type HostLookup } from '#src/delivery/fetch/checked_lookup.ts'
import { outcomeOfError } from '#src/delivery/fetch/failure.ts'
import {
  createHostPacing,
  type HostPacing,
  type PacingLimits,
} from '#src/delivery/fetch/host_pacing.ts'
import type { FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import { type Reply, ReplyReader } from '#src/delivery/fetch/reply.ts'
import { checkUrl, type FetchableUrl, type UrlRules } from '#src/delivery/fetch/url_rule.ts'

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
