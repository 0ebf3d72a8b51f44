import test from 'ava'
import fc from 'fast-check'

import { betanumerics, bufferedRandom, randomBetanumerics } from '#actors/values/ark.ts'

test('the alphabet is that of NOID: 29 characters in order', (t) => {
  t.is(betanumerics, '0123456789bcdfghjkmnpqrstvwxz')
  t.is(new Set(betanumerics).size, 29)
})

test('bytes below 232 give each character equally often; the others none', (t) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const text = randomBetanumerics(232, () => bytes)
  t.is(text, betanumerics.repeat(8))
})

test('asks again while the bytes do not suffice', (t) => {
  let calls = 0
  const random = (count: number) => {
    calls += 1
    return new Uint8Array(count).fill(calls < 3 ? 255 : 1)
  }
  t.is(randomBetanumerics(4, random), '1111')
  t.is(calls, 3)
})

test('property: as many betanumerics as wanted', (t) => {
  const bytes = fc.infiniteStream(fc.nat(255))
  fc.assert(
    fc.property(fc.nat(40), bytes, (length, stream) => {
      const random = (count: number) => Uint8Array.from(stream.take(count))
      const text = randomBetanumerics(length, random)
      t.is(text.length, length)
      t.true([...text].every((character) => betanumerics.includes(character)))
    }),
  )
})

test('every byte of the source is handed out at most once and in order', (t) => {
  let next = 0
  const source = (count: number) => Uint8Array.from({ length: count }, () => next++ % 251)
  const random = bufferedRandom(source)
  const drawn: number[] = []
  for (let index = 0; index < 2_000; index += 1) drawn.push(...random(1 + (index % 12)))
  // 8,192 bytes are a piece; what is left of one that is too short is dropped.
  const dropped = next - drawn.length
  t.true(dropped < 8_192 + 2 * 12)
  for (const [index, byte] of drawn.entries()) {
    if (index > 0 && index < 8_000) t.is(byte, ((drawn[index - 1] ?? 0) + 1) % 251)
  }
})

test('bytes that were handed out do not change when more are drawn', (t) => {
  let value = 0
  const random = bufferedRandom((count) => new Uint8Array(count).fill(value++))
  const first = random(8)
  const before = [...first]
  for (let index = 0; index < 3_000; index += 1) random(8)
  t.deepEqual([...first], before)
})
