import type { ContentFetcher } from '#actors/fixity/client.ts'

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
