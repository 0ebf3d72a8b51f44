import test from 'ava'
import { type Batch, readBatches } from '#src/cli/import_batch.ts'
import type { Line } from '#src/cli/line_reader.ts'

function line(number: number, text: string | undefined): Line {
  return { number, bytes: text === undefined ? undefined : Buffer.from(text) }
}

async function batchesOf(groups: readonly Line[][], linesDone = 0): Promise<Batch[]> {
  async function* stream(): AsyncGenerator<Line[]> {
    yield* groups
  }
  return Array.fromAsync(readBatches(stream(), linesDone))
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

test('a batch ends at 500 lines or at 2 MiB', async (t) => {
  const many = Array.from({ length: 501 }, (_, index) => line(index + 1, '{}'))
  t.deepEqual(
    (await batchesOf([many])).map(({ works }) => works.length),
    [500, 1],
  )
  const large = `"${'x'.repeat(1_048_574)}"`
  const heavy = [line(1, large), line(2, large), line(3, large)]
  t.deepEqual(
    (await batchesOf([heavy])).map(({ works }) => works.length),
    [2, 1],
  )
})

test('lines that cannot be sent fail with their numbers', async (t) => {
  const [batch] = await batchesOf([
    [line(4, '{"a":1},{"b":2}'), line(5, undefined), line(6, '{"b":'), line(7, '{}')],
  ])
  t.deepEqual(batch?.failures, [
    { line: 4, status: 400, error: 'bad_request', message: 'The line is not one JSON value.' },
    {
      line: 5,
      status: 413,
      error: 'payload_too_large',
      message: 'The line has more than 1048576 bytes.',
    },
    { line: 6, status: 400, error: 'bad_request', message: 'The line is not one JSON value.' },
  ])
  t.deepEqual(
    batch?.works.map(({ number }) => number),
    [7],
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
