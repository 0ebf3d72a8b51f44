import type { ContentFetcher, ContentOutcome } from '#actors/works/fixity/client.ts'
import type { Config } from '#config/schema.ts'
import { FetchThread } from '#src/delivery/fetch/fetch_thread.ts'
import type { Fetcher, FetcherSettings } from '#src/delivery/fetch/fetcher.ts'
import type { PacingLimits } from '#src/delivery/fetch/host_pacing.ts'
import { explainOutcome, type FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import { type Poster, posterOf } from '#src/delivery/fetch/poster.ts'

/** The limits of a fetch that are not configured. */
export const fetchBounds = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyIdleMs: 10_000,
  headerBytesMax: 16_384,
  redirectsMax: 5,
} as const

/** The limits of pacing that are not configured. */
export const pacingBounds = { hostQueueMax: 100, hostsMax: 2_000, pauseMsMax: 3_600_000 } as const

/**
 * The fetcher that a configuration describes, in a thread of its own; `baseUrl` is who we are, and
 * what is not fetched. `report` is told when the thread has died; `bounds` are of what is not
 * configured.
 */
export function configuredFetcher(
  config: Config,
  baseUrl: string,
  report: (fault: Error) => void,
  bounds: Omit<FetcherSettings['limits'], 'totalMs' | 'bytesMax'> = fetchBounds,
): Fetcher {
  const settings = {
    limits: { ...bounds, totalMs: config.FETCH_TOTAL_MS, bytesMax: config.FETCH_BYTES_MAX },
    pacing: pacingOf(config),
    allow: config.FETCH_ALLOW,
    ownUrl: baseUrl,
    nameServers: undefined,
    egressProxy: config.EGRESS_PROXY,
    userAgent: fetcherUserAgent(baseUrl),
  }
  return new FetchThread(settings, report)
}

/** Within how many milliseconds what is sent has to be answered. */
const postMs = 15_000

/**
 * Posts under way at one time, hosts that they go to, and posts that wait for one of these. They
 * are many, because one takes as long as its endpoint likes. Who has them sent sees to it that
 * those which do not answer leave places, and that no host has more waiting than this.
 */
const postBounds = { concurrencyMax: 2_000, hostsMax: 4_000, hostQueueMax: 200 } as const

/** The poster that a configuration describes, in this thread; `baseUrl` is who we are. */
export function configuredPoster(config: Config, baseUrl: string): Poster {
  return posterOf({
    limits: { ...fetchBounds, totalMs: postMs },
    pacing: { ...pacingOf(config), ...postBounds },
    allow: config.FETCH_ALLOW,
    ownUrl: baseUrl,
    nameServers: undefined,
    egressProxy: config.EGRESS_PROXY,
    userAgent: fetcherUserAgent(baseUrl),
  })
}

function pacingOf(config: Config): PacingLimits {
  return {
    ...pacingBounds,
    concurrencyMax: config.FETCH_CONCURRENCY_MAX,
    hostConcurrencyMax: config.FETCH_HOST_CONCURRENCY_MAX,
    hostIntervalMs: config.FETCH_HOST_INTERVAL_MS,
  }
}

// Every registry of this kind begins its name with this, whatever its address.
const productStart = 'Arklog (+'

/** How our requests for content introduce themselves: what asks, and where to learn more. */
function fetcherUserAgent(baseUrl: string): string {
  return `${productStart}${baseUrl})`
}

/** Whether a User-Agent header is that of a registry, this or another, that fetches content. */
export function isFetcherUserAgent(header: string | undefined): boolean {
  return header?.startsWith(productStart) === true
}

/** A host that was not asked, and why its address is no public one. */
export type RefusedHost = { readonly host: string; readonly reason: string }

/**
 * The port by which content is read, served by a fetcher. `report` is told for the operator alone
 * what an outcome does not say: the private address that was refused.
 */
export function contentFetcher(
  fetcher: Pick<Fetcher, 'fetchDigest'>,
  report: (refused: RefusedHost) => void,
): ContentFetcher {
  return async (url, call) => {
    const outcome = await fetcher.fetchDigest(url, call)
    if (outcome.type === 'refused_address') {
      report({ host: URL.parse(outcome.url)?.host ?? '', reason: outcome.reason })
    }
    return contentOutcome(outcome)
  }
}

/** What the outcome of a fetch says of content. */
export function contentOutcome(outcome: FetchOutcome): ContentOutcome {
  const { type: ended } = outcome
  if (ended === 'postponed' || ended === 'aborted' || ended === 'interrupted') return outcome
  if (outcome.type === 'fetched') {
    const { type, sha256, sha512, bytes, mediaType, finalUrl } = outcome
    return { type, sha256, sha512, bytes, mediaType, finalUrl }
  }
  const answered = outcome.type === 'http_status' ? outcome : undefined
  return {
    type: 'unavailable',
    reason: outcome.type,
    message: explainOutcome(outcome),
    url: outcome.url,
    httpStatus: answered?.status,
    retryAfterMs: answered?.retryAfterMs,
  }
}

/** What an address serves now, `sha256:<hex>` of it, or why that is not known. */
export type ContentReading =
  | { readonly type: 'read'; readonly contentHash: string }
  | { readonly type: 'not_read'; readonly reason: string }

/** How much may be read at one time while callers wait for it. */
export type ReadingLimits = {
  readonly readingsMax: number
  /** At one host: beside those that wait for its turn, others find a place at other hosts. */
  readonly hostReadingsMax: number
  /** Time for one reading, its wait for the host's turn included. */
  readonly readingMs: number
}

/** The time ends before that of the request, or of a proxy in front, is over. */
export const readingLimits: ReadingLimits = {
  readingsMax: 16,
  hostReadingsMax: 4,
  readingMs: 20_000,
}

/**
 * Reads content while a caller waits. Whatever the caller names, only a few fetches run at one
 * time, and none for long: what does not get its turn is not read. The fetcher paces the hosts.
 */
export class ContentReader {
  readonly #fetch: ContentFetcher | undefined
  readonly #limits: ReadingLimits
  readonly #hosts = new Map<string, number>()
  #readings = 0

  /** Without a fetcher nothing is read. */
  constructor(fetch: ContentFetcher | undefined, limits: ReadingLimits = readingLimits) {
    this.#fetch = fetch
    this.#limits = limits
  }

  /** Reads what an address serves; `gone` is set off when nobody waits for it any more. */
  async read(url: string, gone: AbortSignal): Promise<ContentReading> {
    const { readingsMax, hostReadingsMax } = this.#limits
    if (this.#fetch === undefined) return notRead('this registry fetches no content')
    // The fetcher refuses a malformed address.
    const host = URL.parse(url)?.hostname ?? ''
    const atHost = this.#hosts.get(host) ?? 0
    if (this.#readings >= readingsMax || atHost >= hostReadingsMax) {
      return notRead('as much is being read as may be at one time; try again after a while')
    }
    this.#readings += 1
    this.#hosts.set(host, atHost + 1)
    try {
      return await this.#readNow(this.#fetch, url, gone)
    } finally {
      this.#readings -= 1
      this.#leave(host)
    }
  }

  async #readNow(fetch: ContentFetcher, url: string, gone: AbortSignal): Promise<ContentReading> {
    const { readingMs } = this.#limits
    const late = AbortSignal.timeout(readingMs)
    const outcome = await fetch(url, { signal: AbortSignal.any([gone, late]), fresh: true })
    switch (outcome.type) {
      case 'fetched':
        return { type: 'read', contentHash: `sha256:${outcome.sha256}` }
      case 'unavailable':
        return notRead(outcome.message)
      case 'postponed':
        return notRead('its host has to be left alone for a while')
      case 'interrupted':
        return notRead('it was interrupted; try again after a while')
      case 'aborted':
        return notRead(
          late.aborted ? `it took longer than ${readingMs / 1_000} seconds` : 'it was called off',
        )
    }
  }

  #leave(host: string): void {
    const others = (this.#hosts.get(host) ?? 1) - 1
    if (others === 0) this.#hosts.delete(host)
    else this.#hosts.set(host, others)
  }
}

function notRead(reason: string): ContentReading {
  return { type: 'not_read', reason: `the content was not read: ${reason}` }
}
