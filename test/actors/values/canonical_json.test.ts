import test from 'ava'
import fc from 'fast-check'
import { canonicalJson } from '#actors/values/serialization.ts'

test('writes the sample of RFC 8785 §3.2.3', (t) => {
  const sample = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const order = ['Carriage', 'One', 'Control', 'Latin', 'Euro', 'Emoji', 'Hebrew']
  const text = canonicalJson(sample)
  const places = order.map((word) => text.indexOf(word))
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.false(places.includes(-1))
})

test('writes numbers as ECMAScript does', (t) => {
  t.is(
    canonicalJson([333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0]),
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
  )
})

test('refuses what has no canonical JSON', (t) => {
  t.throws(() => canonicalJson({ a: '\ud800' }), { message: 'Lone surrogate is not allowed' })
  t.throws(() => canonicalJson(Number.NaN), { message: 'NaN is not allowed' })
  t.throws(() => canonicalJson(undefined), {
    message: 'assertion failed: the value has a JSON form',
  })
})

test('property: the order of members does not matter, and the value stays', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      t.is(canonicalJson(reverseMembers(value)), text)
      t.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
})

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([name, member]) => [name, reverseMembers(member)]))
}
