import test from 'ava'
import fc from 'fast-check'
import { decodeFrame, encodeFrame } from '#src/cluster/node_links.ts'
import { anyCharacter } from '#test/_any_character.ts'

test('texts arrive as they were, whatever they hold', (t) => {
  const texts = fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 })
  fc.assert(
    fc.property(fc.nat(), texts, (number, given) => {
      const frame = { type: 'texts', number, texts: given } as const
      t.deepEqual(decodeFrame(encodeFrame(frame)), frame)
    }),
  )
})

test('the frames without texts are read as they were written', (t) => {
  for (const frame of [{ type: 'open' }, { type: 'end' }, { type: 'beat', sent: 12 }] as const) {
    t.deepEqual(decodeFrame(encodeFrame(frame)), frame)
  }
})

const malformed: readonly string[] = [
  '',
  'beat',
  'beat -1',
  'beat 1 2',
  'beat 1\n',
  'open\n',
  'texts 1\n',
  'texts 1 2',
  'texts 1 2\na',
  'texts 1 2\nabc',
  'texts 1 1,\na',
  'texts 1 9999999999\na',
  'words 1 1\na',
]

for (const message of malformed) {
  test(`${JSON.stringify(message)} is no frame`, (t) => {
    t.is(decodeFrame(message), undefined)
  })
}
