import { createFetcher, type Fetcher, type FetcherOptions } from '#src/delivery/fetch/fetcher.ts'
import { createHostPacing, type PacingLimits } from '#src/delivery/fetch/host_pacing.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** Limits of time that no test reaches, however busy the machine is. */
export const testLimits = {
  connectMs: 60_000,
  headersMs: 60_000,
  bodyIdleMs: 60_000,
  totalMs: 60_000,
  headerBytesMax: 16_384,
  bytesMax: 1_000_000,
  redirectsMax: 5,
}

/** What a test waits for where something must time out: give it as the one limit that is meant. */
export const briefMs = 300

export const testPacing: PacingLimits = {
  concurrencyMax: 100,
  hostConcurrencyMax: 100,
  hostIntervalMs: 0,
  hostQueueMax: 100,
  hostsMax: 100,
  pauseMsMax: 60_000,
}

export const testMs = Date.parse('2026-03-04T05:06:07Z')

type Changes = Partial<Omit<FetcherOptions, 'limits' | 'rules'>> & {
  readonly allow?: readonly string[]
  readonly ownUrl?: string
  readonly limits?: Partial<FetcherOptions['limits']>
}

/** A fetcher that resolves no name, until the test ends. */
export function openFetcher(t: Owner, changes: Changes = {}): Fetcher {
  const { allow = [], ownUrl = 'https://ark.example.org', limits = {}, ...rest } = changes
  const pacing = rest.pacing ?? createHostPacing(testPacing, () => performance.now())
  const fetcher = createFetcher({
    limits: { ...testLimits, ...limits },
    rules: { allow: new Set(allow), ownUrl: new URL(ownUrl) },
    lookup: () => Promise.reject(Object.assign(new Error('no names'), { code: 'ENOTFOUND' })),
    egressProxy: undefined,
    pacing,
    userAgent: 'Arklog (+https://ark.example.org)',
    systemMs: () => testMs,
    ...rest,
  })
  t.teardown(async () => {
    await fetcher.close()
    pacing.close()
  })
  return fetcher
}

/** A signal that nothing sets off. */
export const { signal: never } = new AbortController()
