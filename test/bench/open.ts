import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { openLive } from '#test/bench/_live_environment.ts'
import { readCounters } from '#test/bench/_process.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { expectAnswers, medianOf } from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const connections = 64
const mebibyte = 1_048_576

/** How soon a filled registry serves, and how much memory it takes while all of it is read. */
export async function benchOpen(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works, pathsFile } = await options.filled()
  const openMs = await timeOpening(dataDir, options.rounds)
  const served: Served[] = []
  for (let seed = 0; seed < options.rounds; seed += 1) {
    served.push(await serveOnce(dataDir, { pathsFile, seed, durationMs: options.roundMs }))
  }
  const bench = 'open'
  const readyS = medianOf(served, ({ readyMs }) => readyMs) / 1_000
  const idleMiB = medianOf(served, ({ idleBytes }) => idleBytes) / mebibyte
  const servingMiB = medianOf(served, ({ servingBytes }) => servingBytes) / mebibyte
  const ownMiB = medianOf(served, ({ ownBytes }) => ownBytes) / mebibyte
  return [
    { bench, name: 'works', value: works, unit: '' },
    { bench, name: 'store opens in', value: openMs / 1_000, unit: 's', goal: { atMost: 2 } },
    { bench, name: 'server is ready after', value: readyS, unit: 's' },
    { bench, name: 'resident, idle', value: idleMiB, unit: 'MiB' },
    { bench, name: 'resident, serving', value: servingMiB, unit: 'MiB', goal: { atMost: 350 } },
    { bench, name: 'without mapped files, serving', value: ownMiB, unit: 'MiB' },
  ]
}

type Served = {
  readonly readyMs: number
  readonly idleBytes: number
  readonly servingBytes: number
  readonly ownBytes: number
}

async function serveOnce(
  dataDir: string,
  reads: { readonly pathsFile: string; readonly seed: number; readonly durationMs: number },
): Promise<Served> {
  await using cleanup = new AsyncDisposableStack()
  const { child, port, readyMs } = await startRegistry(dataDir)
  cleanup.defer(() => child.stop())
  const idle = await readCounters(child.pid)
  expectAnswers(await runLoad({ type: 'get', port, headers: {}, connections, ...reads }))
  const serving = await readCounters(child.pid)
  const { residentBytes: servingBytes, ownBytes } = serving
  return { readyMs, idleBytes: idle.residentBytes, servingBytes, ownBytes }
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
