import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import {
  alternate,
  expectAnswers,
  measureRound,
  medianOf,
  type Round,
} from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const bench = 'mint-map'
const connections = 64

const goals = { rate: 0.95, cpu: 1.08, bytes: 1.25, p99: 1.1 }

/** Minting over HTTP with a map leaf a second, beside a registry that keeps no map. */
export async function benchMintMap({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const start = async (interval: string) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
    cleanup.defer(() => rm(dataDir, { recursive: true }))
    const settings = { SEARCH: 'on', MAP_INTERVAL_MS: interval }
    const { child, port, headers } = await startRegistry(dataDir, settings)
    cleanup.defer(() => child.stop())
    let first = 1
    return async () => {
      const plan = { type: 'mint', path: '/v1/works', port, headers, connections } as const
      const load = () => runLoad({ ...plan, durationMs: roundMs, first })
      const round = await measureRound(child.pid, load)
      first += round.sent
      expectAnswers(round)
      return round
    }
  }
  const mapped = await start('1000')
  const plain = await start('0')
  await mapped()
  await plain()
  const seen = await alternate(rounds, mapped, plain)
  type Measure = readonly [name: string, unit: string, of: (round: Round) => number]
  const figures: readonly Measure[] = [
    ['rate', '/s', (round) => round.perSecond],
    ['CPU of a mint', 'µs', (round) => round.cpuUs],
    ['written for a mint', 'bytes', (round) => round.writtenBytes / round.requests],
    ['p99', 'ms', (round) => round.p99Ms],
  ]
  const [rate, cpu, bytes, p99] = figures.map(([, , of]) => {
    return medianOf(seen.ours, of) / medianOf(seen.bare, of)
  }) as [number, number, number, number]
  return [
    ...figures.flatMap(([name, unit, of]) => [
      { bench, name: `${name}, with a map`, value: medianOf(seen.ours, of), unit },
      { bench, name: `${name}, without`, value: medianOf(seen.bare, of), unit },
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
