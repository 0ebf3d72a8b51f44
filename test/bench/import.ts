import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import { readCpuMs } from '#test/bench/_cpu_time.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { createFullRecord } from '#test/bench/_full_records.ts'
import { runImport, startRegistry } from '#test/bench/_registry_server.ts'
import { medianOf } from '#test/bench/_rounds.ts'
import { createWork } from '#test/bench/_works.ts'

/** Turns in which plain works and whole records are imported, one after the other. */
const turns = 3

/** A whole record is some 16 plain works long. */
const worksPerRecord = 16

/** `arklog import` against a running server, which registers through bulk calls. */
export async function benchImport({ importWorks, importFile }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dataDir = path.join(folder, 'data')
  const { child } = await startRegistry(dataDir)
  cleanup.defer(() => child.stop())
  const run = async (file: string) => {
    const before = readCpuMs(child.pid)
    const report = await runImport(dataDir, file)
    return { ...report, cpuMs: readCpuMs(child.pid) - before }
  }
  if (importFile !== undefined) return figuresOf('', [await run(importFile)])
  const plain: Imported[] = []
  const whole: Imported[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const [works, records] = [path.join(folder, 'works'), path.join(folder, 'records')]
    const count = Math.ceil(importWorks / turns)
    await writeLines(works, count, (n) => createWork(turn * count + n))
    const fewer = Math.ceil(count / worksPerRecord)
    await writeLines(records, fewer, (n) => createFullRecord(turn * fewer + n, '1'))
    plain.push(await run(works))
    whole.push(await run(records))
  }
  const value = rateOf(whole) / rateOf(plain)
  const ratio = { bench, name: 'whole records to plain works', value, unit: '' }
  return [
    ...figuresOf('', plain),
    ...figuresOf('whole records: ', whole),
    { ...ratio, goal: { atLeast: 0.6 } },
  ]
}

const bench = 'import'

type Imported = {
  readonly registered: number
  readonly failed: number
  readonly works_per_second: number
  readonly cpuMs: number
}

function rateOf(all: readonly Imported[]): number {
  return medianOf(all, (each) => each.works_per_second)
}

function figuresOf(kind: string, all: readonly Imported[]): Figure[] {
  const sum = (count: (each: Imported) => number) =>
    all.reduce((total, each) => total + count(each), 0)
  const [registered, failed] = [sum((each) => each.registered), sum((each) => each.failed)]
  const cpuUs = medianOf(all, (each) => (each.cpuMs * 1_000) / each.registered)
  const goal = kind === '' ? { goal: { atLeast: 9_000 } } : {}
  return [
    { bench, name: `${kind}works`, value: registered, unit: '' },
    ...(failed > 0 ? [{ bench, name: `${kind}lines refused`, value: failed, unit: '' }] : []),
    { bench, name: `${kind}rate`, value: rateOf(all), unit: '/s', ...goal },
    { bench, name: `${kind}CPU of the registry`, value: cpuUs, unit: 'µs' },
  ]
}

async function writeLines(
  file: string,
  count: number,
  valueOf: (n: number) => object,
): Promise<void> {
  const lines = function* () {
    for (let n = 0; n < count; n += 1) yield `${JSON.stringify(valueOf(n))}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
}
