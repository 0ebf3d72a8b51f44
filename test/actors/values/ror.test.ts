import test from 'ava'
import fc from 'fast-check'
import { foldRor } from '#actors/values/identifier.ts'

test('takes the spellings of a ROR ID', (t) => {
  for (const text of [
    'https://ror.org/05gq02987',
    'http://ror.org/05GQ02987',
    'ror.org/05gq02987',
    'ror:05gq02987',
    '05gq02987',
    'https://ror.org/05gq02987/',
    'https://api.ror.org/v2/organizations/05gq02987',
  ]) {
    t.is(foldRor(text), 'https://ror.org/05gq02987', text)
  }
  for (const id of ['02s376052', '03yrm5c26', '00f54p054', '052gg0110']) {
    t.is(foldRor(id), `https://ror.org/${id}`)
  }
})

test('refuses what is none', (t) => {
  for (const text of [
    '05gq02986',
    '15gq02987',
    '05gq0298',
    '05gi02987',
    'https://example.org/05gq02987',
    '',
  ]) {
    t.is(foldRor(text), undefined, text)
  }
})

test('property: one checksum of a hundred fits', (t) => {
  const unit = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 6, maxLength: 6 }), (middle) => {
      const checksums = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
      t.is(checksums.filter((checksum) => foldRor(`0${middle}${checksum}`)).length, 1)
    }),
  )
})
