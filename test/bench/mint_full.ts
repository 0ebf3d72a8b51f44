import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { alternate, expectAnswers, measureRound, medianOf } from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const bench = 'mint-full'
const connections = 64

/** Minting works of 12 kB over HTTP, beside plain ones in the same registry. */
export async function benchMintFull({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(dataDir, { recursive: true }))
  const { child, port, headers } = await startRegistry(dataDir, { SEARCH: 'on' })
  cleanup.defer(() => child.stop())
  let first = 1
  const mint = async (isFull: boolean) => {
    const plan = { type: 'mint', path: '/v1/works', port, headers, connections, isFull } as const
    const round = await measureRound(child.pid, () =>
      runLoad({ ...plan, durationMs: roundMs, first }),
    )
    first += round.sent
    expectAnswers(round)
    return round
  }
  await mint(true)
  await mint(false)
  const { ours: full, bare: plain } = await alternate(
    rounds,
    () => mint(true),
    () => mint(false),
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
