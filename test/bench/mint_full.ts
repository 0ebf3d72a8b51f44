import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { alternateWarm, medianOf, mintRounds } from '#test/bench/_rounds.ts'

const bench = 'mint-full'

/** Minting works of 12 kB over HTTP, beside plain ones in the same registry. */
export async function benchMintFull({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup)
  const registry = await startRegistry(dataDir, { SEARCH: 'on' })
  cleanup.defer(() => registry.child.stop())
  const mint = mintRounds(roundMs)
  const { ours: full, bare: plain } = await alternateWarm(
    rounds,
    () => mint({ ...registry, isFull: true }),
    () => mint(registry),
  )
  const rate = medianOf(full, (round) => round.perSecond)
  const [cpuUs, plainUs] = [full, plain].map((all) => medianOf(all, (round) => round.cpuUs))
  const ratio = (cpuUs ?? Number.NaN) / (plainUs ?? Number.NaN)
  return [
    { bench, name: 'full works, 12 kB', value: rate, unit: '/s' },
    { bench, name: 'CPU of a full mint', value: cpuUs ?? Number.NaN, unit: 'µs' },
    { bench, name: 'CPU of a plain mint', value: plainUs ?? Number.NaN, unit: 'µs' },
    { bench, name: 'CPU, full to plain', value: ratio, unit: '', goal: { atMost: 2.5 } },
  ]
}
