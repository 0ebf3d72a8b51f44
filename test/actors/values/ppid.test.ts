import { randomBytes } from 'node:crypto'
import test from 'ava'
import { betanumerics } from '#actors/values/ark.ts'
import { isPpid, mintPpid } from '#actors/values/identifier.ts'

test('a ppid is p, ten betanumerics and a check character', (t) => {
  const ppid = mintPpid((count) => Uint8Array.from({ length: count }, (_, index) => index))
  t.is(ppid, 'p0123456789m')
  t.true(isPpid(ppid))
})

test('one wrong character of a ppid is seen, and so are two that changed places', (t) => {
  const ppid = mintPpid((count) => randomBytes(count))
  for (let at = 1; at < ppid.length; at += 1) {
    for (const character of betanumerics) {
      const other = ppid.slice(0, at) + character + ppid.slice(at + 1)
      t.is(isPpid(other), other === ppid, other)
    }
    const [one = '', two = ''] = ppid.slice(at, at + 2)
    const swapped = ppid.slice(0, at) + two + one + ppid.slice(at + 2)
    t.is(isPpid(swapped), swapped === ppid, swapped)
  }
})

for (const text of [
  '',
  'p',
  'P0123456789m',
  'p0123456789',
  'p0123456789mg',
  'q0123456789m',
  'pl12345678g0',
]) {
  test(`'${text}' is no ppid`, (t) => {
    t.false(isPpid(text))
  })
}
