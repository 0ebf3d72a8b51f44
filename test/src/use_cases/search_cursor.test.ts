import test from 'ava'
import fc from 'fast-check'

import { cursorCharactersMax, formatCursor, parseCursor } from '#src/use_cases/search_parameters.ts'
import { rankedGivenMax, type SearchPlace } from '#src/discovery/search/search_engine.ts'

const asked = '["works","entropy"]'

const place: SearchPlace = {
  engine: 'embedded',
  sort: 'relevance',
  ranked: [],
  total: 12,
  isExact: true,
  meant: [{ typed: 'entropi', meant: 'entropy' }],
  beginnings: ['entropy', 'entropies'],
}

test('a place is read from its cursor as it was, and from that of no other search', (t) => {
  const seqs = fc.uniqueArray(fc.maxSafeNat(), { maxLength: 50 })
  const check = fc.property(seqs, fc.option(fc.string({ maxLength: 400 })), (given, value) => {
    const ranked = given.toSorted((one, other) => one - other)
    const whole = { ...place, ranked, ...(value !== null && { last: { value, seq: 7 } }) }
    const cursor = formatCursor(whole, asked)
    t.deepEqual(parseCursor(cursor, asked), whole)
    t.is(parseCursor(cursor, '["works","enthalpy"]'), undefined)
  })
  t.notThrows(() => fc.assert(check))
})

test('the longest cursor stands in an address', (t) => {
  // Of a hundred million events, in a script whose letters take three bytes.
  const ranked = Array.from({ length: rankedGivenMax }, (_, index) => (index + 1) * 100_000)
  const beginnings = Array.from({ length: 32 }, () => '\u10d0'.repeat(40))
  const meant = Array.from({ length: 8 }, () => ({
    typed: 'a'.repeat(100),
    meant: 'b'.repeat(102),
  }))
  const whole = { ...place, ranked, meant, beginnings, last: { value: 9, seq: 9 } }
  t.true(formatCursor(whole, asked).length <= cursorCharactersMax)
  t.true(formatCursor({ ...place, ranked }, asked).length <= 4_500)
})

test('what is no cursor is none', (t) => {
  const cursor = formatCursor({ ...place, ranked: [1, 2] }, asked)
  for (const wrong of ['', '.', 'AAAA', '!', cursor.slice(1), `${cursor.slice(0, 20)}.AQ`]) {
    t.is(parseCursor(wrong, asked), undefined, wrong)
  }
  fc.assert(fc.property(fc.string(), (text) => parseCursor(text, asked) === undefined))
})
