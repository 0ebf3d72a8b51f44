import fs from 'node:fs/promises'
import test from 'ava'

import { type Batch, lineEntryOf, readBatches } from '#src/cli/import_batch.ts'
import { addToReport, newFieldReport } from '#src/cli/import_report.ts'
import { newProgress, progressFile, readProgress, writeProgress } from '#src/cli/import_run.ts'
import type { Line } from '#src/cli/line_reader.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

function line(number: number, text: string | undefined): Line {
  return { number, bytes: text === undefined ? undefined : Buffer.from(text) }
}

async function batchesOf(groups: readonly Line[][], linesDone = 0): Promise<Batch[]> {
  async function* stream() {
    for (const lines of groups) {
      yield { entries: lines.map((each) => lineEntryOf(each, `line ${each.number}`, 'work')) }
    }
  }
  return Array.fromAsync(readBatches(stream(), { done: linesDone, before: 0 }))
}

test('lines of several groups go in one batch', async (t) => {
  const [batch, ...rest] = await batchesOf([[line(1, '{}')], [], [line(3, '{"a":1}')]])
  t.deepEqual(
    batch?.works.map(({ number }) => number),
    [1, 3],
  )
  t.is(batch?.lastLine, 3)
  t.deepEqual(rest, [])
})

test('a batch ends at 500 lines or at a MiB', async (t) => {
  const many = Array.from({ length: 501 }, (_, index) => line(index + 1, '{}'))
  t.deepEqual(
    (await batchesOf([many])).map(({ works }) => works.length),
    [500, 1],
  )
  const large = `"${'x'.repeat(1_048_574)}"`
  const heavy = [line(1, large), line(2, large), line(3, large)]
  t.deepEqual(
    (await batchesOf([heavy])).map(({ works }) => works.length),
    [1, 1, 1],
  )
})

test('a line that is too long fails with its number; of others the registry judges', async (t) => {
  const [batch] = await batchesOf([
    [line(4, '{"a":1},{"b":2}'), line(5, undefined), line(6, '{"b":'), line(7, '{}')],
  ])
  const message = 'The line has more than 1048576 bytes.'
  t.deepEqual(batch?.failures, [{ line: 5, status: 413, error: 'payload_too_large', message }])
  t.deepEqual(
    batch?.works.map(({ number }) => number),
    [4, 6, 7],
  )
})

test('lines that are done are left out', async (t) => {
  const lines = [line(1, '{}'), line(2, 'not JSON'), line(3, '{}')]
  const [batch] = await batchesOf([lines], 2)
  t.deepEqual(
    batch?.works.map(({ number }) => number),
    [3],
  )
  t.deepEqual(await batchesOf([lines], 3), [])
})

const identity = { fileHash: 'aa', owner: 'org:demo', environment: 'live' }

test('progress is read back as it was written', async (t) => {
  const file = progressFile(await makeTempDir(t), identity)
  const progress = { ...newProgress(), lines_done: 7, registered: 5, failed: 2 }
  await writeProgress(file, progress)
  t.deepEqual(await readProgress(file), progress)
})

test('what is noted of an import has the report of that moment', async (t) => {
  const file = progressFile(await makeTempDir(t), identity)
  const report = newFieldReport()
  const noted = writeProgress(file, { ...newProgress(), report })
  addToReport(report, { work_title: 1 }, [])
  await noted
  t.deepEqual((await readProgress(file)).report, newFieldReport())
})

test('an import that was never begun, or whose progress is damaged, starts anew', async (t) => {
  const file = progressFile(await makeTempDir(t), identity)
  const { run, ...fresh } = await readProgress(file)
  t.deepEqual(fresh, { schema: 1, lines_done: 0, registered: 0, failed: 0, complete: false })
  await writeProgress(file, newProgress())
  for (const damaged of ['', '{', '{"schema": 2}', 'null']) {
    await fs.writeFile(file, damaged)
    const progress = await readProgress(file)
    t.is(progress.lines_done, 0)
    t.not(progress.run, run)
  }
})

test('file, owner and environment tell imports apart', (t) => {
  const files = [
    identity,
    { ...identity, fileHash: 'ab' },
    { ...identity, owner: 'org:other' },
    { ...identity, environment: 'sandbox' },
  ].map((each) => progressFile('/data', each))
  t.is(new Set(files).size, 4)
  t.true(files.includes(progressFile('/data', { ...identity })))
})
