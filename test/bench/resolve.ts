import { readFile } from 'node:fs/promises'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startBare } from '#test/bench/_bare.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { alternateWarm, compareRounds, expectAnswers, measureRound } from '#test/bench/_rounds.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const connections = 64
const hotWorks = 1_000

/** Resolving, over all works of a store evenly and over a few hot ones, beside a bare GET. */
export async function benchResolve({ rounds, roundMs, filled }: BenchOptions): Promise<Figure[]> {
  const { dataDir, works, pathsFile } = await filled()
  await using cleanup = new AsyncDisposableStack()
  const registry = await startRegistry(dataDir)
  cleanup.defer(() => registry.child.stop())
  const bare = await startBare('get', await resolveOne(registry.port, pathsFile))
  cleanup.defer(() => bare.child.stop())
  let seed = 1
  const compare = async (name: string, pathsMax: number, ratio: number) => {
    const get = async ({ port, child }: { port: number; child: { pid: number } }) => {
      const plan = { type: 'get', port, headers: {}, connections, durationMs: roundMs } as const
      const round = await measureRound(child.pid, () =>
        runLoad({ ...plan, pathsFile, pathsMax, seed: seed++ }),
      )
      expectAnswers(round)
      return round
    }
    const seen = await alternateWarm(
      rounds,
      () => get(registry),
      () => get(bare),
    )
    return compareRounds('resolve', name, seen, { ratio })
  }
  return [
    ...(await compare(`${works} works evenly`, works, 0.5)),
    ...(await compare(`${hotWorks} hot works`, hotWorks, 0.85)),
  ]
}

async function resolveOne(port: number, pathsFile: string): Promise<string> {
  const [path = ''] = (await readFile(pathsFile, 'utf8')).split('\n', 1)
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  if (response.status !== 200) throw new Error(`resolving answers ${response.status}`)
  return response.text()
}
