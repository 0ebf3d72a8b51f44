import test from 'ava'
import fc from 'fast-check'
import { explainOrcid, foldOrcid } from '#actors/values/identifier.ts'

test('takes the spellings of an ORCID iD', (t) => {
  for (const text of [
    '0000-0002-1825-0097',
    '0000000218250097',
    'https://orcid.org/0000-0002-1825-0097',
    'http://www.orcid.org/0000-0002-1825-0097',
    'ORCID:0000-0002-1825-0097',
    'ORCID iD: 0000-0002-1825-0097',
    'orcid.org/0000-0002-1825-0097',
    'https://orcid.org/0000-0002-1825-0097/',
    'ISNI 0000 0002 1825 0097',
    '0000 0002 1825 0097',
    '0000‐0002–1825−0097',
    '<https://orcid.org/0000-0002-1825-0097>',
    'https://pub.orcid.org/v3.0/0000-0002-1825-0097',
    'https://orcid.org/my-orcid?orcid=0000-0002-1825-0097',
  ]) {
    t.is(foldOrcid(text), '0000-0002-1825-0097', text)
  }
  t.is(foldOrcid('0000-0002-1694-233x'), '0000-0002-1694-233X')
  t.is(foldOrcid('0000-0001-5109-3700'), '0000-0001-5109-3700')
})

test('takes labels and addresses, of ISNI too', (t) => {
  for (const text of [
    'ORCID iD: https://orcid.org/0000-0002-1694-233X',
    'https://orcid.org/0000-0002-1694-233X?lang=en',
    'https://isni.org/isni/000000021694233X',
    'info:orcid/0000-0002-1694-233X',
  ]) {
    t.is(foldOrcid(text), '0000-0002-1694-233X', text)
  }
})

test('says of an ISNI that it is none of ORCID', (t) => {
  const rule = 'an ORCID iD such as 0000-0002-1825-0097, with the right check digit'
  t.is(explainOrcid('0000 0001 2103 2683'), `${rule}; this is an ISNI, which is none of ORCID`)
  t.is(explainOrcid('0000-0002-1825-0098'), rule)
})

test('refuses what is none', (t) => {
  for (const text of [
    '0000-0002-1825-0098',
    '0000-0002-1825-009',
    '0000-0002-1825-00977',
    'https://example.org/0000-0002-1825-0097',
    'X000-0002-1825-0097',
    // ISNIs that are right, in no block of ORCID.
    '0000-0007-0000-0002',
    '0000-0000-0000-0001',
    '0000-0003-5000-001X',
    '',
  ]) {
    t.is(foldOrcid(text), undefined, text)
  }
})

test('property: one digit of sixteen fits the fifteen before it', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 15_000_000, max: 35_000_000 }), (number) => {
      const body = String(number).padStart(15, '0')
      const fitting = [...'0123456789X'].map((digit) => foldOrcid(body + digit)).filter(Boolean)
      t.is(fitting.length, 1)
      t.is(foldOrcid(fitting[0] ?? ''), fitting[0])
    }),
  )
})

test('knows the blocks of ISNIs that are ORCID iDs', (t) => {
  for (const orcid of ['0000-0001-5000-0007', '0000-0003-5000-0001', '0009-0000-0000-0009']) {
    t.is(foldOrcid(orcid), orcid)
  }
})
