import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { registerWorks, startRegistry } from '#test/bench/_registry_server.ts'
import { alternateWarm, medianOf, mintRounds, type Round } from '#test/bench/_rounds.ts'

const bench = 'grown'
const smallWorks = 10_000

/** Works that are registered in a millisecond at most. */
const mintsMsMax = 10

/** Minting in a filled registry, beside one of 10,000 works that takes turns with it. */
export async function benchGrown(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works } = await options.filled()
  await using cleanup = new AsyncDisposableStack()
  const smallDir = await newFolder(cleanup)
  const grown = await startRegistry(dataDir)
  cleanup.defer(() => grown.child.stop())
  const small = await startRegistry(smallDir)
  cleanup.defer(() => small.child.stop())
  await registerWorks(small, smallWorks, (nth) => `https://example.org/${nth}`)
  // Beyond what either has, also of an earlier run, so that none is a duplicate.
  const mint = mintRounds(options.roundMs, Date.now() * mintsMsMax)
  const seen = await alternateWarm(
    options.rounds,
    () => mint(grown),
    () => mint(small),
  )
  const ratios = seen.ours.map(({ perSecond }, turn) => {
    return perSecond / (seen.bare[turn]?.perSecond ?? Number.NaN)
  })
  return [
    { bench, name: 'works', value: works, unit: '' },
    ...figuresOf(`in a store of ${works}`, seen.ours),
    ...figuresOf(`in a store of ${smallWorks}`, seen.bare),
    {
      bench,
      name: 'ratio of the rates',
      value: medianOf(ratios, (ratio) => ratio),
      unit: '',
      goal: { atLeast: 0.85 },
    },
  ]
}

function figuresOf(where: string, rounds: readonly Round[]): readonly Figure[] {
  const figure = (name: string, unit: string, measure: (round: Round) => number): Figure => {
    return { bench, name: `${name}, ${where}`, value: medianOf(rounds, measure), unit }
  }
  return [
    figure('mints', '/s', ({ perSecond }) => perSecond),
    figure('p99', 'ms', ({ p99Ms }) => p99Ms),
    figure('CPU a mint, all threads', 'µs', ({ cpuUs }) => cpuUs),
    figure('written a mint', 'bytes', ({ writtenBytes, requests }) => writtenBytes / requests),
  ]
}
