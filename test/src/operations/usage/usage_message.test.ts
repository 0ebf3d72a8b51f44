import test from 'ava'

import { decodeUsageMessage, encodeUsageMessage } from '#src/operations/usage/usage_batch.ts'

const message = {
  life: 'a1',
  number: 7,
  batch: {
    day: 20_000,
    works: [
      ['live', '12345/fk4a', 'press', [1, 2, 3, 4]],
      ['sandbox', '12345/fk4b', null, [0, 0, 0, 1]],
      ['live', '12345/fk4c', 'press', [9, 0, 0, 0]],
    ],
  },
} as const

test('a message is read as it was spelled, and names each organization once', (t) => {
  const bytes = encodeUsageMessage(message)
  t.deepEqual(decodeUsageMessage(bytes), message)
  t.is(Buffer.from(bytes).toString().split('press').length, 2)
})

const good = JSON.parse(Buffer.from(encodeUsageMessage(message)).toString()) as object

for (const [what, told] of [
  ['no JSON', 'counts'],
  ['no object', 'null'],
  ['another format', { ...good, format: 2 }],
  ['no life', { ...good, life: '' }],
  ['a number that is none', { ...good, number: -1 }],
  ['a day far off', { ...good, day: 1e9 }],
  ['works that are no list', { ...good, works: {} }],
  ['a work of no environment', { ...good, works: [[2, '1/a', 0, 1, 0, 0, 0]] }],
  ['a work without a name', { ...good, works: [[0, '', 0, 1, 0, 0, 0]] }],
  ['a name that is too long', { ...good, works: [[0, 'x'.repeat(5_000), 0, 1, 0, 0, 0]] }],
  ['an organization that is not named', { ...good, works: [[0, '1/a', 9, 1, 0, 0, 0]] }],
  ['a count too few', { ...good, works: [[0, '1/a', 0, 1, 0, 0]] }],
  ['a count that is none', { ...good, works: [[0, '1/a', 0, 1, 0, 0, -1]] }],
  ['a count that is no number', { ...good, works: [[0, '1/a', 0, 1, 0, 0, '1']] }],
  ['an organization that is no name', { ...good, organizations: [5] }],
] as const) {
  test(`a message is refused: ${what}`, (t) => {
    const text = typeof told === 'string' ? told : JSON.stringify(told)
    t.is(decodeUsageMessage(Buffer.from(text)), undefined)
  })
}
