import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { OperationsHistory, spans } from '#src/operations/history.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const beginMs = Date.parse('2026-01-01T00:00:00.000Z')

function failing(t: ExecutionContext): (error: unknown) => void {
  return (error) => t.fail(String(error))
}

async function fileOf(t: ExecutionContext): Promise<string> {
  return path.join(await makeTempDir(t), 'operations.db')
}

test('an hour has each sample, a day means of ten minutes, and a start goes on', async (t) => {
  const file = await fileOf(t)
  const first = OperationsHistory.open(file, failing(t))
  for (let sample = 0; sample < 30; sample += 1) {
    first.add(beginMs + sample * spans.hour.stepMs + 7, { pool: sample })
  }
  first.close()
  const history = OperationsHistory.open(file, failing(t))
  t.teardown(() => history.close())
  const nowMs = beginMs + 30 * spans.hour.stepMs
  const hour = history.read('hour', nowMs)
  t.deepEqual(
    hour.map(({ sample }) => sample['pool']),
    Array.from({ length: 30 }, (_, index) => index),
  )
  t.is(hour[0]?.atMs, beginMs)
  const day = history.read('day', nowMs)
  t.deepEqual(day, [
    { atMs: beginMs, sample: { pool: 9.5 } },
    { atMs: beginMs + spans.day.stepMs, sample: { pool: 24.5 } },
  ])
})

test('a week of samples takes the room of a day, and nothing older is told', async (t) => {
  const file = await fileOf(t)
  const history = OperationsHistory.open(file, failing(t))
  t.teardown(() => history.close())
  const sample = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`s${index}`, 1 / 3]))
  // Each ten minutes one, so that both spans are gone through more than once.
  const steps = (7 * spans.day.lengthMs) / spans.day.stepMs
  for (let step = 0; step < steps; step += 1) {
    history.add(beginMs + step * spans.day.stepMs, sample)
  }
  const nowMs = beginMs + (steps - 1) * spans.day.stepMs
  t.is(history.read('day', nowMs).length, spans.day.lengthMs / spans.day.stepMs)
  t.is(history.read('hour', nowMs).length, spans.hour.lengthMs / spans.day.stepMs)
  t.true((await stat(file)).size < 1_048_576)
})

test('a file that is none is put aside; where none can be, it is in memory', async (t) => {
  const file = await fileOf(t)
  await writeFile(file, 'no database'.repeat(1_000))
  const faults: unknown[] = []
  const history = OperationsHistory.open(file, (error) => faults.push(error))
  history.add(beginMs, { pool: 1 })
  t.is(history.read('hour', beginMs).length, 1)
  history.close()
  t.true((await readdir(path.dirname(file))).includes('operations.db.damaged'))
  const nowhere = path.join(file, 'below', 'a-file.db')
  const inMemory = OperationsHistory.open(nowhere, (error) => faults.push(error))
  t.teardown(() => inMemory.close())
  inMemory.add(beginMs, { pool: 1 })
  t.is(inMemory.read('hour', beginMs).length, 1)
  t.is(faults.length, 2)
})
