// Fetches and hashes in a process of its own: gets plans as messages, answers each with a result.

import { createHash } from 'node:crypto'
import { Agent, Client, type Dispatcher, request } from 'undici'

import { dnsLookup } from '#src/delivery/fetch/address_rule.ts'
import { fetchBounds, pacingBounds } from '#src/delivery/fetch/content_fetcher.ts'
import { createFetcher } from '#src/delivery/fetch/fetcher.ts'
import { createHostPacing, type HostPacing } from '#src/delivery/fetch/host_pacing.ts'

/**
 * Who fetches from these hosts in turn, how many fetches at a time, and for how long: a loop that
 * only fetches and hashes, on connections that are kept or on fresh ones, our fetcher, or our
 * fetcher with its pacing.
 */
export type FetchPlan = {
  readonly who: 'bare' | 'bare_fresh' | 'fetcher' | 'paced'
  readonly hostPorts: readonly string[]
  readonly concurrency: number
  readonly durationMs: number
}

/** What a plan came to. */
export type FetchResult = { readonly perSecond: number; readonly cpu: number }

type Subject = { fetchOne(url: string): Promise<void>; close(): Promise<void> }

const { signal } = new AbortController()

const open = {
  bare: openBare,
  bare_fresh: openBareFresh,
  fetcher: (hostPorts: readonly string[]) => openFetcher(unpaced, hostPorts),
  paced: openPaced,
}

process.on('message', (plan: FetchPlan) => {
  void run(plan).then((result) => process.send?.(result))
})
process.once('disconnect', () => process.exit())

async function run({ who, hostPorts, concurrency, durationMs }: FetchPlan): Promise<FetchResult> {
  const { fetchOne, close } = open[who](hostPorts, concurrency)
  const startMs = performance.now()
  const cpuStart = process.cpuUsage()
  let started = 0
  let fetched = 0
  const loop = async () => {
    while (performance.now() - startMs < durationMs) {
      await fetchOne(`http://${hostPorts[((started += 1)) % hostPorts.length]}/work/${started}`)
      fetched += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  const seconds = (performance.now() - startMs) / 1_000
  await close()
  const { user, system } = process.cpuUsage(cpuStart)
  return { perSecond: fetched / seconds, cpu: (user + system) / 1e6 / seconds }
}

// No more than the task itself: both hashes of the body.
async function hashContent(url: string, dispatcher: Dispatcher): Promise<void> {
  const { body } = await request(url, { dispatcher })
  const hashes = [createHash('sha256'), createHash('sha512')]
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    for (const hash of hashes) hash.update(chunk)
  }
  for (const hash of hashes) hash.digest('hex')
}

function openBare(): Subject {
  const agent = new Agent()
  return { fetchOne: (url) => hashContent(url, agent), close: () => agent.destroy() }
}

// Each time on a connection of its own, as a first hash has to be made.
function openBareFresh(): Subject {
  return {
    async fetchOne(url) {
      const client = new Client(new URL(url).origin)
      await hashContent(url, client)
      await client.destroy()
    },
    close: async () => undefined,
  }
}

// No host is spared: that would be all one measures.
function openFetcher(pacing: HostPacing, hostPorts: readonly string[]): Subject {
  const fetcher = createFetcher({
    limits: { ...fetchBounds, totalMs: 120_000, bytesMax: 1_000_000_000 },
    rules: { allow: new Set(hostPorts), ownUrl: new URL('https://ark.example.org') },
    lookup: dnsLookup(),
    egressProxy: undefined,
    pacing,
    userAgent: 'Arklog (bench)',
    systemMs: Date.now,
  })
  return {
    async fetchOne(url) {
      const { type } = await fetcher.fetchDigest(url, { signal })
      if (type !== 'fetched') throw new Error(`a fetch ended as ${type}`)
    },
    async close() {
      await fetcher.close()
      pacing.close()
    },
  }
}

const unpaced: HostPacing = {
  run: async (_host, job) => ({ type: 'ran', value: await job() }),
  pauseHost: () => undefined,
  close: () => undefined,
}

function openPaced(hostPorts: readonly string[], concurrency: number): Subject {
  const limits = { concurrencyMax: concurrency, hostConcurrencyMax: concurrency, hostIntervalMs: 0 }
  const pacing = createHostPacing({ ...pacingBounds, ...limits }, () => performance.now())
  return openFetcher(pacing, hostPorts)
}
