import os from 'node:os'
import path from 'node:path'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { type RegistryServer, startRegistry } from '#test/bench/_registry_server.ts'
import { expectAnswers, measureRound, medianOf, type Round } from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const bench = 'scaling'
const connections = 64

/** What is asked of servers, for so long. */
type Ask = (server: RegistryServer, durationMs: number) => Promise<Round>

/** Minting and resolving by a server that is held to one core, beside one that has two. */
export async function benchScaling(options: BenchOptions): Promise<Figure[]> {
  if (os.availableParallelism() < 2) return []
  const { pathsFile, works } = await options.filled()
  let first = 1
  let seed = 1
  const mint: Ask = async ({ port, headers, child }, durationMs) => {
    const plan = { type: 'mint', path: '/v1/works', port, headers, connections } as const
    const round = await measureRound(child.pid, () => runLoad({ ...plan, durationMs, first }))
    first += round.sent
    return round
  }
  const resolve: Ask = ({ port, child }, durationMs) => {
    const plan = { type: 'get', port, headers: {}, connections, pathsFile } as const
    return measureRound(child.pid, () =>
      runLoad({ ...plan, pathsMax: works, seed: seed++, durationMs }),
    )
  }
  return [
    ...(await compare('mint', options, mint)),
    ...(await compare('resolve', options, resolve)),
  ]
}

/** The rates of two servers by turns, of one core and of two. */
async function compare(name: string, options: BenchOptions, ask: Ask): Promise<Figure[]> {
  const seen: Round[][] = [[], []]
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, rounds] of seen.entries()) {
      const cores = index === 0 ? '0' : '0,1'
      rounds.push(await runPinned(name, cores, options, ask))
    }
  }
  const [one = [], two = []] = seen
  const rateOf = (rounds: readonly Round[]) => medianOf(rounds, (round) => round.perSecond)
  return [
    { bench, name: `${name}, one core`, value: rateOf(one), unit: '/s' },
    { bench, name: `${name}, two cores`, value: rateOf(two), unit: '/s' },
    { bench, name: `${name}, two cores of one`, value: rateOf(two) / rateOf(one), unit: '' },
  ]
}

// Mints need a store of their own, so that no server has more in it than the other.
async function runPinned(
  name: string,
  cores: string,
  { filled, roundMs }: BenchOptions,
  ask: Ask,
): Promise<Round> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dataDir = name === 'mint' ? path.join(folder, 'data') : (await filled()).dataDir
  const server = await startRegistry(dataDir, { SEARCH: 'on' }, cores)
  cleanup.defer(() => server.child.stop())
  await ask(server, roundMs)
  const round = await ask(server, roundMs)
  expectAnswers(round)
  return round
}
