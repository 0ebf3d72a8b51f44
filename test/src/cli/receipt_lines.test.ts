import test from 'ava'

import { readReceipts } from '#src/cli/verify.ts'

async function receiptsOf(...chunks: readonly (string | Buffer)[]) {
  async function* stream(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  return Array.fromAsync(readReceipts(stream()))
}

test('JSON lines are one receipt each, by the number of their line', async (t) => {
  t.deepEqual(await receiptsOf('{"a":1}\n\n{"b"', ':2}\n[3]'), [
    { line: 1, value: { a: 1 } },
    { line: 3, value: { b: 2 } },
    { line: 4, value: [3] },
  ])
})

test('a line that is no JSON is told by its number, and the next is read', async (t) => {
  t.deepEqual(await receiptsOf('{"a":1}\n{"b"\n{"c":3}\n'), [
    { line: 1, value: { a: 1 } },
    { line: 2, value: undefined },
    { line: 3, value: { c: 3 } },
  ])
})

test('one receipt may be spread over many lines', async (t) => {
  const value = { ark: 'ark:/12345/x', proof: { hashes: ['a', 'b'] } }
  t.deepEqual(await receiptsOf(JSON.stringify(value, undefined, 2)), [{ line: 1, value }])
  t.deepEqual(await receiptsOf('\n\n', JSON.stringify(value, undefined, 2)), [{ line: 1, value }])
})

test('nothing is no receipt, and rubbish is one that cannot be read', async (t) => {
  t.deepEqual(await receiptsOf(), [])
  t.deepEqual(await receiptsOf('\n \n'), [])
  t.deepEqual(await receiptsOf('rubbish\n{"a":1}\n'), [{ line: 1, value: undefined }])
  t.deepEqual(await receiptsOf(Buffer.from([0xff, 0xfe])), [{ line: 1, value: undefined }])
})

test('a receipt without an end is given up after a mebibyte', async (t) => {
  const lines = Array.from({ length: 3_000 }, () => `${' '.repeat(1_000)}"x",`)
  const chunks = ['[\n', ...lines.map((line) => `${line}\n`)]
  t.deepEqual(await receiptsOf(...chunks), [{ line: 1, value: undefined }])
})

test('a line over a mebibyte is a receipt that cannot be read', async (t) => {
  t.deepEqual(await receiptsOf('{}\n', `"${'x'.repeat(1_048_576)}"\n`, '{}\n'), [
    { line: 1, value: {} },
    { line: 2, value: undefined },
    { line: 3, value: {} },
  ])
})

test('a member that stands there twice makes a receipt unreadable', async (t) => {
  t.deepEqual(await receiptsOf('{"ark":1,"ark":2}\n{"ark":3}\n'), [
    { line: 1, value: undefined },
    { line: 2, value: { ark: 3 } },
  ])
})
