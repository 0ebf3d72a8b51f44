import { dnsLookup } from '#src/fetch/checked_lookup.ts'
import { createFetcher, type FetchLimits, type Fetcher } from '#src/fetch/fetcher.ts'
import { createHostPacing, type PacingLimits } from '#src/fetch/host_pacing.ts'

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
