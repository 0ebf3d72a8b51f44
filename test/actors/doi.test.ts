import test from 'ava'
import fc from 'fast-check'
import { foldDoi } from '#actors/doi.ts'

test('takes the address and the label off, and folds case', (t) => {
  for (const text of [
    '10.1234/Abc.1',
    'https://doi.org/10.1234/ABC.1',
    'http://dx.doi.org/10.1234/abc.1',
    'https://www.doi.org/10.1234/abc.1',
    'HTTPS://DOI.ORG/10.1234/abc.1',
    'doi:10.1234/abc.1',
    'DOI: 10.1234/ABC.1',
    'info:doi/10.1234/abc.1',
  ]) {
    t.is(foldDoi(text), '10.1234/abc.1', text)
  }
})

test('folds the case of ASCII letters only', (t) => {
  t.is(foldDoi('10.1234/ÉİA'), '10.1234/Éİa')
})

test('refuses what is no DOI', (t) => {
  for (const text of [
    '10.123/abc',
    '10.1234567890/abc',
    '10.1234',
    '10.1234/',
    '10.1234/a b',
    '11.1234/abc',
    'https://example.org/10.1234/abc',
    'doi:doi:10.1234/abc',
    '',
  ]) {
    t.is(foldDoi(text), undefined, text)
  }
})

test('property: what is folded stays as it is', (t) => {
  const suffixes = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.nat({ max: 99_999 }), suffixes, (registrant, suffix) => {
      const doi = foldDoi(`10.${10_000 + registrant}/${suffix}`)
      if (doi !== undefined) t.is(foldDoi(doi), doi)
    }),
  )
})
