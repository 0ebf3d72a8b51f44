import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { alternateWarm, medianOf, mintRounds, type Round } from '#test/bench/_rounds.ts'

const bench = 'mint-map'

const goals = { rate: 0.95, cpu: 1.08, bytes: 1.25, p99: 1.1 }

/** Minting over HTTP with a map leaf a second, beside a registry that keeps no map. */
export async function benchMintMap({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const start = async (interval: string) => {
    const dataDir = await newFolder(cleanup)
    const registry = await startRegistry(dataDir, { SEARCH: 'on', MAP_INTERVAL_MS: interval })
    cleanup.defer(() => registry.child.stop())
    const mint = mintRounds(roundMs)
    return () => mint(registry)
  }
  const seen = await alternateWarm(2 * rounds, await start('1000'), await start('0'))
  const total = (of: readonly Round[], what: (round: Round) => number) =>
    of.reduce((sum, round) => sum + what(round), 0)
  type Measure = readonly [name: string, unit: string, of: (rounds: readonly Round[]) => number]
  const figures: readonly Measure[] = [
    ['rate', '/s', (of) => medianOf(of, (round) => round.perSecond)],
    ['CPU of a mint', 'µs', (of) => medianOf(of, (round) => round.cpuUs)],
    // LevelDB merges as many bytes as some rounds write, now and then: no round has its share.
    [
      'written for a mint, of all rounds',
      'bytes',
      (of) => total(of, (round) => round.writtenBytes) / total(of, (round) => round.requests),
    ],
    ['p99', 'ms', (of) => medianOf(of, (round) => round.p99Ms)],
  ]
  const [rate, cpu, bytes, p99] = figures.map(([, , of]) => of(seen.ours) / of(seen.bare)) as [
    number,
    number,
    number,
    number,
  ]
  return [
    ...figures.flatMap(([name, unit, of]) => [
      { bench, name: `${name}, with a map`, value: of(seen.ours), unit },
      { bench, name: `${name}, without`, value: of(seen.bare), unit },
    ]),
    { bench, name: 'rate, with to without', value: rate, unit: '', goal: { atLeast: goals.rate } },
    { bench, name: 'CPU, with to without', value: cpu, unit: '', goal: { atMost: goals.cpu } },
    {
      bench,
      name: 'bytes, with to without',
      value: bytes,
      unit: '',
      goal: { atMost: goals.bytes },
    },
    { bench, name: 'p99, with to without', value: p99, unit: '', goal: { atMost: goals.p99 } },
  ]
}
