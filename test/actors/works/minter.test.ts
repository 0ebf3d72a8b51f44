import { randomBytes } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { checkZoneMax, hasValidCheck, parseArk } from '#actors/values/ark.ts'
import { betanumerics } from '#actors/values/betanumeric.ts'
import { bladeCharacters, mintName, readsAsTail } from '#actors/works/minter.ts'

const byte = fc.nat(255)
const stem = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...betanumerics), minLength, maxLength })

test('property: a minted name is an ARK with a right check and no tail', (t) => {
  const shoulders = fc.constantFrom('k2', 'v2', 'fk4', 'x', 'v')
  fc.assert(
    fc.property(stem(1, 12), shoulders, fc.infiniteStream(byte), (naan, shoulder, stream) => {
      const random = (count: number) => Uint8Array.from(stream.take(count))
      const name = mintName({ naan, shoulder, random })
      t.is(name.length, shoulder.length + bladeCharacters + 1)
      t.true(name.startsWith(shoulder))
      t.true(hasValidCheck(`${naan}/${name}`))
      t.notRegex(name.slice(shoulder.length), /[a-z]{3}/)
      t.false(readsAsTail(name))
      t.like(parseArk(`ark:/${naan}/${name}`), { naan, name })
    }),
  )
})

test('never mints a name that reads as a version', (t) => {
  // Only digits: with the shoulder v2, most such names are a v and a number.
  const random = (count: number) =>
    randomBytes(count).map((drawn) => (drawn % 8) * 29 + (drawn % 10))
  for (let round = 0; round < 200; round++) {
    t.notRegex(mintName({ naan: '12345', shoulder: 'v2', random }), /^v\d+$/)
  }
})

test('knows the tails of paths', (t) => {
  for (const tail of ['v2', 'v17', 'versions', 'history', 'verify', 'claim']) {
    t.true(readsAsTail(tail), tail)
  }
  for (const name of ['v', 'v2x', 'xv2', 'k2bcdfghjk9', 'claims']) t.false(readsAsTail(name), name)
})

test('randomness that never leads to a fit name is a bug', (t) => {
  const consonants = (count: number) => new Uint8Array(count).fill(10)
  t.throws(() => mintName({ naan: '12345', shoulder: 'k2', random: consonants }), {
    message: 'assertion failed: random bytes lead to a fit name',
  })
})

test('a NAAN and shoulder too long for the check character are a bug', (t) => {
  const naan = '9'.repeat(checkZoneMax - bladeCharacters - 2)
  t.throws(() => mintName({ naan, shoulder: 'k2', random: randomBytes }), {
    message: 'assertion failed: the check character covers the whole zone',
  })
  t.notThrows(() => mintName({ naan: naan.slice(1), shoulder: 'k2', random: randomBytes }))
})
