import test from 'ava'
import fc from 'fast-check'

import { ByteWriter } from '#actors/values/serialization.ts'
import { anyCharacter } from '#test/_any_character.ts'

const part = fc.oneof(
  fc.record({ text: fc.string({ unit: anyCharacter }) }),
  fc.record({ ascii: fc.string({ unit: 'binary-ascii' }) }),
  fc.record({ bytes: fc.uint8Array(), start: fc.nat(4), more: fc.nat(4) }),
  // More than a writer has room for at first.
  fc.record({ text: fc.constantFrom('é'.repeat(30_000), 'a'.repeat(70_000)) }),
)

test('what is written is the parts, one after the other, whatever came before', (t) => {
  const out = new ByteWriter()
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, isTaken) => {
      const expected: Uint8Array[] = []
      out.begin()
      for (const one of parts) {
        if ('ascii' in one) {
          out.ascii(one.ascii)
          expected.push(Buffer.from(one.ascii))
        } else if ('text' in one) {
          out.text(one.text)
          expected.push(Buffer.from(one.text))
        } else {
          const start = Math.min(one.start, one.bytes.length)
          const end = Math.max(start, one.bytes.length - one.more)
          out.bytes(one.bytes, start, end)
          expected.push(one.bytes.slice(start, end))
        }
      }
      const whole = Buffer.concat(expected)
      return out.length === whole.length && (!isTaken || out.take().equals(whole))
    }),
  )
  t.pass()
})

test('what was taken stays as it is', (t) => {
  const out = new ByteWriter()
  for (const length of [4, 5_000, 200_000]) {
    const taken = out.begin().ascii('a'.repeat(length)).take()
    out.begin().ascii('b'.repeat(length))
    t.is(taken.toString(), 'a'.repeat(length))
  }
})
