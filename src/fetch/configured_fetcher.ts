import type { Config } from '#config/schema.ts'
import { dnsLookup } from '#src/fetch/checked_lookup.ts'
import { createFetcher, type Fetcher } from '#src/fetch/fetcher.ts'
import { createHostPacing } from '#src/fetch/host_pacing.ts'
import { fetcherUserAgent } from '#src/fetch/user_agent.ts'

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

/** The fetcher that a configuration describes; `baseUrl` is who we are, and what is not fetched. */
export function configuredFetcher(config: Config, baseUrl: string): Fetcher {
  const pacingLimits = {
    ...pacingBounds,
    concurrencyMax: config.FETCH_CONCURRENCY_MAX,
    hostConcurrencyMax: config.FETCH_HOST_CONCURRENCY_MAX,
    hostIntervalMs: config.FETCH_HOST_INTERVAL_MS,
  }
  const pacing = createHostPacing(pacingLimits, () => performance.now())
  const fetcher = createFetcher({
    limits: { ...fetchBounds, totalMs: config.FETCH_TOTAL_MS, bytesMax: config.FETCH_BYTES_MAX },
    rules: { allow: new Set(config.FETCH_ALLOW), ownUrl: new URL(baseUrl) },
    lookup: dnsLookup(),
    egressProxy: config.EGRESS_PROXY,
    pacing,
    userAgent: fetcherUserAgent(baseUrl),
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
