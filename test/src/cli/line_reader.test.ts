import test from 'ava'
import fc from 'fast-check'
import { type Line, readLines } from '#src/cli/line_reader.ts'

async function linesOf(chunks: readonly (string | Buffer)[], lineBytesMax = 100): Promise<Line[]> {
  async function* stream(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const lines: Line[] = []
  for await (const group of readLines(stream(), lineBytesMax)) lines.push(...group)
  return lines
}

function shown(lines: readonly Line[]): [number, string | undefined][] {
  return lines.map(({ number, bytes }) => [number, bytes?.toString()])
}

test('lines are numbered from 1, blank ones counted but left out', async (t) => {
  t.deepEqual(shown(await linesOf(['{"a":1}\n\n  \t\r\n{"b":2}\r\n'])), [
    [1, '{"a":1}'],
    [4, '{"b":2}\r'],
  ])
})

test('the last line needs no newline, an empty file has none', async (t) => {
  t.deepEqual(shown(await linesOf(['a\nb'])), [
    [1, 'a'],
    [2, 'b'],
  ])
  t.deepEqual(shown(await linesOf([])), [])
  t.deepEqual(shown(await linesOf(['\n'])), [])
})

test('a byte order mark is dropped at the start and nowhere else', async (t) => {
  t.deepEqual(
    shown(await linesOf([Buffer.from([0xef, 0xbb]), Buffer.from([0xbf]), 'a\n\ufeffb'])),
    [
      [1, 'a'],
      [2, '\ufeffb'],
    ],
  )
})

test('a line over the limit comes without its bytes, and the next one is whole', async (t) => {
  t.deepEqual(shown(await linesOf(['12345\n1234', '56\n', '7\n'], 5)), [
    [1, '12345'],
    [2, undefined],
    [3, '7'],
  ])
})

test('the chunks of a stream do not matter', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', 'é', ' ', '\n') }),
      fc.nat(7),
      async (text, step) => {
        const bytes = Buffer.from(text)
        const chunks: Buffer[] = []
        for (let at = 0; at < bytes.length; at += step + 1)
          chunks.push(bytes.subarray(at, at + step + 1))
        const expected = text
          .split('\n')
          .map((line, index): [number, string] => [index + 1, line])
          .filter(([, line]) => line.trim() !== '')
        t.deepEqual(shown(await linesOf(chunks)), expected)
      },
    ),
  )
})
