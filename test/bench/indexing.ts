import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { indexWorks } from '#test/bench/_indexed_works.ts'

const bench = 'indexing'

/** How fast works are indexed, what comes over to the thread that does it included. */
export async function benchIndexing({ indexedWorks: works }: BenchOptions): Promise<Figure[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  try {
    const { seconds, engine } = await indexWorks(dir, works)
    await engine.close()
    const { size } = await stat(path.join(dir, 'index.db'))
    return [
      {
        bench,
        name: `${works} works`,
        value: works / seconds,
        unit: 'works/s',
        goal: { atLeast: 5_000 },
      },
      { bench, name: 'size of the index', value: size / works, unit: 'bytes/work' },
    ]
  } finally {
    await rm(dir, { recursive: true })
  }
}
