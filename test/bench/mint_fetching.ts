import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, type Child, startNode } from '#test/bench/_process.ts'
import { registerWorks, type RegistryServer, startRegistry } from '#test/bench/_registry_server.ts'
import { alternate, medianOf, mintRounds, type Round } from '#test/bench/_rounds.ts'
import type { TrickleOrder, TrickleReport } from '#test/bench/_trickle_server.ts'

const bench = 'mint-fetching'
/** What each fetch gets a second: next to nothing, and as over a line of 128 kbit/s. */
const bytesPerSecond = [1_000, 16_000]
const roundMsMax = 6_000
const roundsMax = 3

/** Minting while content is fetched, beside another registry that fetches none. */
export async function benchMintFetching(options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const content = startNode(new URL('./_trickle_server.ts', import.meta.url), [])
  cleanup.defer(() => content.stop())
  const fetches = options.openFetches
  const fetching = await startFetching(path.join(folder, 'fetching'), content, fetches)
  cleanup.defer(() => fetching.child.stop())
  const idle = await startRegistry(path.join(folder, 'idle'))
  cleanup.defer(() => idle.child.stop())
  const durationMs = Math.min(options.roundMs, roundMsMax)
  const mintOnce = mintRounds(durationMs, fetches)
  const mint = async (registry: RegistryServer, flow: number): Promise<Round> => {
    await expectOpen(content, flow, fetches)
    const round = await mintOnce(registry)
    await expectOpen(content, flow, fetches)
    return round
  }
  await mint(fetching, 0)
  await mint(idle, 0)
  const figures: Figure[] = []
  for (const flow of bytesPerSecond) {
    const seen = await alternate(
      Math.min(options.rounds, roundsMax),
      () => mint(fetching, flow),
      () => mint(idle, 0),
    )
    figures.push(...figuresOf(`${fetches} fetches of ${flow} bytes/s`, seen.ours, seen.bare))
  }
  return figures
}

function figuresOf(what: string, fetching: readonly Round[], idle: readonly Round[]): Figure[] {
  const pairs = fetching.map((round, index) => ({ round, beside: idle[index] ?? round }))
  const ratio = medianOf(pairs, ({ round, beside }) => round.perSecond / beside.perSecond)
  const figures: Figure[] = []
  for (const [name, rounds] of [
    [what, fetching],
    ['idle beside these', idle],
  ] as const) {
    const perSecond = medianOf(rounds, (round) => round.perSecond)
    figures.push({ bench, name, value: perSecond, unit: '/s' })
    figures.push({ bench, name: `${name}, p99`, value: medianOf(rounds, p99), unit: 'ms' })
  }
  return [
    ...figures,
    { bench, name: `${what}, ratio`, value: ratio, unit: '', goal: { atLeast: 0.8 } },
  ]
}

function p99({ p99Ms }: Round): number {
  return p99Ms
}

/**
 * A registry that has as many fetches under way as it may have, so that none of the works that it
 * mints is fetched. Were one, it would get no further than a proxy at which nobody listens.
 */
async function startFetching(
  dataDir: string,
  content: Child,
  fetches: number,
): Promise<RegistryServer> {
  const { hostPort } = await order(content, { bytesPerSecond: 0 })
  const registry = await startRegistry(dataDir, {
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: hostPort,
    FETCH_CONCURRENCY_MAX: String(fetches),
    FETCH_HOST_CONCURRENCY_MAX: String(fetches),
    FETCH_HOST_INTERVAL_MS: '0',
    FETCH_TOTAL_MS: '86400000',
    FETCH_BYTES_MAX: '1000000000000',
    EGRESS_PROXY: 'http://127.0.0.1:1',
  })
  await registerWorks(registry, fetches, (nth) => `http://${hostPort}/work/${nth}`)
  while ((await order(content, { bytesPerSecond: 0 })).open < fetches) await setTimeout(100)
  return registry
}

async function expectOpen(content: Child, flow: number, fetches: number): Promise<void> {
  const { open } = await order(content, { bytesPerSecond: flow })
  if (open !== fetches) throw new Error(`${open} fetches are under way`)
}

async function order(content: Child, message: TrickleOrder): Promise<TrickleReport> {
  return (await askChild(content, message)) as TrickleReport
}
