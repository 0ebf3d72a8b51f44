import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { type RegistryServer, registerWorks, startRegistry } from '#test/bench/_registry_server.ts'
import {
  alternate,
  expectAnswers,
  measureRound,
  medianOf,
  type Round,
} from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const bench = 'grown'
const connections = 64
const smallWorks = 10_000

/** Works that are registered in a millisecond at most. */
const mintsMsMax = 10

/** Minting in a filled registry, beside one of 10,000 works that takes turns with it. */
export async function benchGrown(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works } = await options.filled()
  await using cleanup = new AsyncDisposableStack()
  const smallDir = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  cleanup.defer(() => rm(smallDir, { recursive: true }))
  const grown = await startRegistry(dataDir)
  cleanup.defer(() => grown.child.stop())
  const small = await startRegistry(smallDir)
  cleanup.defer(() => small.child.stop())
  await registerWorks(small, smallWorks, (nth) => `https://example.org/${nth}`)
  // Beyond what either has, also of an earlier run, so that none is a duplicate.
  let first = Date.now() * mintsMsMax
  const mint = async ({ child, port, headers }: RegistryServer): Promise<Round> => {
    const durationMs = options.roundMs
    const plan = {
      type: 'mint',
      path: '/v1/works',
      connections,
      durationMs,
      port,
      headers,
    } as const
    const round = await measureRound(child.pid, () => runLoad({ ...plan, first }))
    first += round.sent
    expectAnswers(round)
    return round
  }
  await mint(grown)
  await mint(small)
  const seen = await alternate(
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
