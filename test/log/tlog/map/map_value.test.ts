import test from 'ava'

import { addFact, decodeMapValue, encodeMapValue, type MapFact } from '#log/tlog/map/map_value.ts'
import { toHex } from '#test/log/_vectors.ts'
import { fact } from '#test/log/tlog/map/_map_entries.ts'

const ark = 'ark:/99999/fk4b'

function valueAfter(...kinds: readonly (readonly [MapFact['kind'], number])[]) {
  return kinds
    .map(([kind, version], at) => fact(ark, kind, version, at, `entry ${at}`))
    .reduce<ReturnType<typeof addFact> | undefined>(addFact, undefined)
}

test('a value has the bytes of the vector', (t) => {
  const registered = addFact(undefined, fact(ark, 'registered', 1, 1, 'two'))
  const withdrawn = addFact(registered, fact(ark, 'tombstoned', 1, 4, 'five'))
  t.is(
    toHex(encodeMapValue(withdrawn)),
    '01020000000100000000000100000000000400000002' +
      '87f73bed634b2abaa6b1b4d87f321e1900ed1fc19bbca6a6de0a67d6792cc230',
  )
  t.deepEqual(decodeMapValue(encodeMapValue(withdrawn)), {
    ...withdrawn,
    history: Buffer.from(withdrawn.history),
  })
})

test('statements about content count, and name no newer version', (t) => {
  const value = valueAfter(['registered', 1], ['registered', 2], ['content', 1])
  t.like(value, { state: 'registered', version: 2, versionLeaf: 1, newestLeaf: 2, statements: 3 })
})

test('what contradicts the statements before it is said, and lowers nothing', (t) => {
  const contradictions = [
    [['content', 1]],
    [['tombstoned', 1]],
    [['registered', 2]],
    [
      ['registered', 1],
      ['registered', 1],
    ],
    [
      ['registered', 1],
      ['registered', 3],
    ],
    [
      ['registered', 1],
      ['tombstoned', 1],
      ['content', 1],
    ],
    [
      ['registered', 1],
      ['tombstoned', 1],
      ['registered', 2],
    ],
    [
      ['registered', 1],
      ['registered', 1],
      ['registered', 2],
    ],
  ] as const
  for (const kinds of contradictions) {
    const version = kinds.length === 1 ? 0 : 1
    const statements = kinds.length
    t.like(valueAfter(...kinds), { state: 'contradictory', version, statements })
  }
})

test('other bytes are no value', (t) => {
  const bytes = Buffer.from(encodeMapValue(addFact(undefined, fact(ark, 'registered', 1, 0, 'a'))))
  t.truthy(decodeMapValue(bytes))
  t.is(decodeMapValue(bytes.subarray(1)), undefined)
  for (const [at, byte] of [
    [0, 2],
    [1, 3],
  ] as const) {
    const altered = Buffer.from(bytes)
    altered[at] = byte
    t.is(decodeMapValue(altered), undefined)
  }
})
