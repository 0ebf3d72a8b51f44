import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { expectAnswers, medianOf } from '#test/bench/_rounds.ts'
import { seededRandom } from '#test/bench/_works.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const proofs = 10_000

/** Inclusion proofs of leaves all over the tree, asked one after the other over HTTP. */
export async function benchInclusion(options: BenchOptions): Promise<Figure[]> {
  const { dataDir, works } = await options.filled()
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const { child, port } = await startRegistry(dataDir)
  cleanup.defer(() => child.stop())
  const pathsFile = path.join(folder, 'paths.txt')
  await writeFile(pathsFile, proofPaths(works).join('\n'))
  const rounds = []
  for (let seed = 0; seed <= options.rounds; seed += 1) {
    const plan = { type: 'get', port, headers: {}, connections: 1, pathsFile, seed } as const
    const result = await runLoad({ ...plan, durationMs: options.roundMs })
    expectAnswers(result)
    // The first round warms the server up.
    if (seed > 0) rounds.push(result)
  }
  const bench = 'inclusion'
  const p99Ms = medianOf(rounds, (round) => round.p99Ms)
  return [
    { bench, name: 'leaves', value: works, unit: '' },
    { bench, name: 'p50', value: medianOf(rounds, (round) => round.p50Ms), unit: 'ms' },
    { bench, name: 'p99', value: p99Ms, unit: 'ms', goal: { atMost: 2 } },
  ]
}

function proofPaths(works: number): string[] {
  const random = seededRandom(works)
  return Array.from(
    { length: proofs },
    () => `/v1/log/inclusion?leaf_index=${Math.floor(random() * works)}`,
  )
}
