import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { openLive } from '#test/bench/_live_environment.ts'
import { startLoad } from '#test/bench/_load_client.ts'
import { readCounters } from '#test/bench/_process.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { expectOnly, medianOf } from '#test/bench/_rounds.ts'

const connections = 64
const mebibyte = 1_048_576

/** How soon a filled registry serves, and how much memory it takes while all of it is read. */
export async function benchOpen(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works, pathsFile } = await options.filled()
  const openMs = await timeOpening(dataDir, options.rounds)
  const load = startLoad()
  const opened = []
  for (let seed = 0; seed < options.rounds; seed += 1) {
    const { child, port, readyMs } = await startRegistry(dataDir)
    const idle = await readCounters(child.pid)
    const plan = { type: 'get', port, headers: {}, connections, pathsFile, seed } as const
    expectOnly(await load.run({ ...plan, durationMs: options.roundMs }), 200)
    const serving = await readCounters(child.pid)
    opened.push({ readyMs, idle: idle.residentBytes, serving: serving.residentBytes })
    await child.stop()
  }
  await load.stop()
  const bench = 'open'
  const readyS = medianOf(opened, ({ readyMs }) => readyMs) / 1_000
  const idleMiB = medianOf(opened, ({ idle }) => idle) / mebibyte
  const servingMiB = medianOf(opened, ({ serving }) => serving) / mebibyte
  return [
    { bench, name: 'works', value: works, unit: '' },
    { bench, name: 'store opens in', value: openMs / 1_000, unit: 's', goal: { atMost: 2 } },
    { bench, name: 'server is ready after', value: readyS, unit: 's' },
    { bench, name: 'resident, idle', value: idleMiB, unit: 'MiB' },
    { bench, name: 'resident, serving', value: servingMiB, unit: 'MiB', goal: { atMost: 350 } },
  ]
}

// Opening with every check of a start, and without the modules that a process loads first.
async function timeOpening(dataDir: string, rounds: number): Promise<number> {
  const openMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now()
    const environment = await openLive(dataDir)
    openMs.push(performance.now() - startMs)
    await environment.close()
  }
  return medianOf(openMs, (ms) => ms)
}
