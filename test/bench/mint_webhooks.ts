import path from 'node:path'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, startNode } from '#test/bench/_process.ts'
import { type RegistryServer, runArklog, startRegistry } from '#test/bench/_registry_server.ts'
import { alternateWarm, medianOf, mintRounds, type Round } from '#test/bench/_rounds.ts'

const bench = 'mint-webhooks'

/** Webhooks that hear of every mint, each at a host of its own. */
const webhooks = 5

/** Minting while webhooks hear of it, beside another registry that has none. */
export async function benchMintWebhooks({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const args = ['0', String(webhooks)]
  const subscriber = startNode(new URL('./_content_server.ts', import.meta.url), args)
  cleanup.defer(() => subscriber.stop())
  const { hostPorts } = (await askChild(subscriber, {})) as { readonly hostPorts: string[] }
  const telling = await startTelling(path.join(folder, 'telling'), hostPorts)
  cleanup.defer(() => telling.child.stop())
  const silent = await startRegistry(path.join(folder, 'silent'))
  cleanup.defer(() => silent.child.stop())
  const mint = mintRounds(roundMs)
  const seen = await alternateWarm(
    rounds,
    () => mint(telling),
    () => mint(silent),
  )
  return figuresOf(seen.ours, seen.bare)
}

async function startTelling(
  dataDir: string,
  hostPorts: readonly string[],
): Promise<RegistryServer> {
  const allowed = { FETCH_ALLOW: hostPorts.join(','), FETCH_HOST_INTERVAL_MS: '0' }
  const registry = await startRegistry(dataDir, allowed)
  for (const hostPort of hostPorts) {
    await runArklog(dataDir, ['webhook', 'create', 'demo', `http://${hostPort}/hook`])
  }
  return registry
}

function figuresOf(telling: readonly Round[], silent: readonly Round[]): Figure[] {
  const figures = [
    [`with ${webhooks} webhooks`, telling],
    ['with none', silent],
  ] as const
  const pairs = telling.map((round, index) => ({ round, beside: silent[index] ?? round }))
  const ratio = medianOf(pairs, ({ round, beside }) => round.perSecond / beside.perSecond)
  const delivering = medianOf(telling, ({ namedUs }) => namedUs.get('webhooks') ?? 0)
  return [
    { bench, name: 'CPU of the thread that delivers', value: delivering, unit: 'µs' },
    ...figures.flatMap(([name, rounds]): Figure[] => [
      { bench, name, value: medianOf(rounds, ({ perSecond }) => perSecond), unit: '/s' },
      { bench, name: `${name}, p99`, value: medianOf(rounds, ({ p99Ms }) => p99Ms), unit: 'ms' },
      { bench, name: `CPU ${name}`, value: medianOf(rounds, ({ cpuUs }) => cpuUs), unit: 'µs' },
      {
        bench,
        name: `CPU of the busiest thread ${name}`,
        value: medianOf(rounds, ({ busiestUs }) => busiestUs),
        unit: 'µs',
      },
    ]),
    { bench, name: 'ratio', value: ratio, unit: '', goal: { atLeast: 0.97 } },
  ]
}
