import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { runImport, startRegistry } from '#test/bench/_registry_server.ts'
import { createWork } from '#test/bench/_works.ts'

/** `arklog import` against a running server, which registers through bulk calls. */
export async function benchImport({ importWorks, importFile }: BenchOptions): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true }))
  const file = importFile ?? (await writeWorks(path.join(folder, 'works.jsonl'), importWorks))
  const dataDir = path.join(folder, 'data')
  const { child } = await startRegistry(dataDir)
  cleanup.defer(() => child.stop())
  const report = await runImport(dataDir, file)
  const bench = 'import'
  return [
    { bench, name: 'works', value: report.registered, unit: '' },
    ...(report.failed > 0
      ? [{ bench, name: 'lines refused', value: report.failed, unit: '' }]
      : []),
    { bench, name: 'rate', value: report.works_per_second, unit: '/s', goal: { atLeast: 9_000 } },
  ]
}

async function writeWorks(file: string, count: number): Promise<string> {
  await pipeline(Readable.from(workLines(count)), createWriteStream(file))
  return file
}

function* workLines(count: number): Generator<string> {
  for (let n = 0; n < count; n += 1) yield `${JSON.stringify(createWork(n))}\n`
}
