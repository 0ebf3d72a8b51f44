import test from 'ava'
import fc from 'fast-check'
import { FaultList } from '#actors/values/fault_list.ts'
import {
  doiAtEnd,
  doiKind,
  doiUrl,
  explainDoi,
  foldDoi,
  foldDoiPrefix,
  readShortDoi,
  recognizeDoi,
  shownDoiUrl,
} from '#actors/values/identifier.ts'
import { anyCharacter } from '#test/_any_character.ts'

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
    'doi.org/10.1234/abc.1',
    'dx.doi.org/10.1234/abc.1',
    'www.doi.org/10.1234%2FABC.1',
    'doi 10.1234/abc.1',
    'doi10.1234/abc.1',
    'doi: https://doi.org/10.1234/abc.1',
    'https://doi.org/doi:10.1234/abc.1',
    'urn:doi:10.1234/abc.1',
    'info:doi:10.1234/abc.1',
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

test('refuses what an address could not carry, in every disguise', (t) => {
  const suffixes = [
    '..',
    '.',
    '../x',
    'x/..',
    'x/../y',
    './x',
    'x/.',
    '%2e%2e',
    '.%2E/x',
    'x/%2e/y',
  ]
  const others = ['a\\b', '..\\x', 'a\u0000b', 'a\u007fb', 'a\tb', 'a\u00a0b']
  const unseen = ['a\u200bb', 'a\u202eb', 'a\ufeffb', 'a\u00adb', 'a\u2066b', '\u3164']
  for (const suffix of [...suffixes, ...others, ...unseen]) {
    t.is(foldDoi(`10.1234/${suffix}`), undefined, suffix)
    t.is(foldDoi(`https://doi.org/10.1234/${encodeURIComponent(suffix)}`), undefined, suffix)
  }
  t.is(foldDoi('https://doi.org/10.1234/%zz'), undefined)
  t.is(
    explainDoi('10.1234/a\\b'),
    'a DOI without \\, invisible characters and the segments "." and ".."',
  )
  t.is(explainDoi('10.1/x'), 'a DOI such as 10.1234/abc')
  t.is(foldDoi('10.1234/a..b/...c'), '10.1234/a..b/...c', 'dots within a segment are its own')
})

test('a DOI may have # and ?, which its address has percent-encoded', (t) => {
  for (const doi of [
    '10.1000/(sici)1097(199911)216:1<135::aid-x135>3.0.co;2-#',
    '10.1000/paper/1915/11/27#page-6',
    '10.1000/a?b',
    '10.1000/#',
    '10.1000/a%23b',
  ]) {
    t.is(foldDoi(doi), doi)
    t.is(foldDoi(`doi:${doi}`), doi)
    t.is(foldDoi(doiUrl(doi)), doi)
    t.is(foldDoi(shownDoiUrl(doi)), doi)
    t.is(doiAtEnd(`/articles/${doi}`), doi)
    t.notRegex(doiUrl(doi), /[#?]/)
  }
  t.is(foldDoi('https://doi.org/10.1000/a%23b'), '10.1000/a#b')
  t.is(shownDoiUrl('10.1000/a<b'), 'https://doi.org/10.1000/a<b')
})

test('what follows # or ? in an address is none of its DOI', (t) => {
  for (const text of ['https://doi.org/10.1000/a#b', 'https://doi.org/10.1000/a?utm_source=x']) {
    t.is(foldDoi(text), undefined)
    t.regex(explainDoi(text), /in an address write %23 for a # and %3F for a \?/)
  }
})

test('the number of a registrant may be divided', (t) => {
  t.is(foldDoi('10.1000.10/ABC'), '10.1000.10/abc')
  t.is(foldDoi('https://doi.org/10.1000.10.2/a%3Fb'), '10.1000.10.2/a?b')
  t.is(doiUrl('10.1000.10/abc'), 'https://doi.org/10.1000.10/abc')
  t.is(foldDoiPrefix('doi:10.1000.10/'), '10.1000.10/')
  t.is(foldDoiPrefix('10.1000/'), '10.1000/')
  for (const text of ['10.1000./abc', '10.1000..1/abc', '10.1000.x/abc', '10.100.1000/abc']) {
    t.is(foldDoi(text), undefined, text)
  }
})

test('in an address it may be encoded, and is encoded again', (t) => {
  const doi = '10.1002/(sici)1097-4636(199823)43:4<454::aid-jbm14>3.0.co;2-é'
  const encoded = '10.1002/(SICI)1097-4636(199823)43:4%3C454::AID-JBM14%3E3.0.CO;2-%C3%A9'
  t.is(foldDoi(`https://doi.org/${encoded}`), doi)
  t.is(foldDoi(doi), doi)
  const url =
    'https://doi.org/10.1002/(sici)1097-4636(199823)43:4%3C454::aid-jbm14%3E3.0.co;2-%C3%A9'
  t.is(doiUrl(doi), url)
  t.is(new URL(url).href, url, 'what is put into an address stays what it is')
  t.is(doiUrl('10.1234/a%b?c#d'), 'https://doi.org/10.1234/a%25b%3Fc%23d')
})

test('property: what is folded stays as it is', (t) => {
  const suffixes = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.nat({ max: 99_999 }), suffixes, (registrant, suffix) => {
      const doi = foldDoi(`10.${10_000 + registrant}/${suffix}`)
      if (doi !== undefined) t.is(foldDoi(doi), doi)
    }),
  )
})

test('property: the address of a DOI leads to that DOI at doi.org, and nowhere else', (t) => {
  const suffixes = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(suffixes, (suffix) => {
      const doi = foldDoi(`10.12345/${suffix}`)
      if (doi === undefined) return
      const { origin, pathname, search, hash } = new URL(doiUrl(doi))
      t.is(origin, 'https://doi.org')
      t.is(decodeURIComponent(pathname), `/${doi}`)
      t.is(search + hash, '')
    }),
  )
})

test('recognizes a DOI with what HTML and the text around it left there', (t) => {
  const sici = '10.1000/(sici)1097(199806)49:8<693::aid-x5>3.0.co;2-o'
  for (const [text, doi] of [
    ['10.1000/(SICI)1097(199806)49:8&lt;693::AID-X5&gt;3.0.CO;2-O', sici],
    ['10.1000/(SICI)1097(199806)49:8&amp;lt;693::AID-X5&#62;3.0.CO;2-O', sici],
    ['https://doi.org/10.1000/(SICI)1097(199806)49:8&#x3c;693::AID-X5&gt;3.0.CO;2-O', sici],
    [
      'https://doi.org/10.1000/X(1999)1:1<1::AID-X1>3.0.CO;2-#',
      '10.1000/x(1999)1:1<1::aid-x1>3.0.co;2-#',
    ],
    ['https://doi.org/10.1000/X1:1%3C1::AID-X1%3E3.0.CO;2-#', '10.1000/x1:1<1::aid-x1>3.0.co;2-#'],
    ['10.1000/abc,', '10.1000/abc'],
    ['10.1000/a(b);', '10.1000/a(b)'],
    ['<https://doi.org/10.1000/abc>', '10.1000/abc'],
    ['(10.1000/abc)', '10.1000/abc'],
    ['10.1000%2Fabc', '10.1000/abc'],
    ['https%3A%2F%2Fdoi.org%2F10.1000%2Fabc', '10.1000/abc'],
    ['https://hdl.handle.net/10.1000/abc', '10.1000/abc'],
    ['"10.1000/abc"', '10.1000/abc'],
    ['hdl:10.1000/abc', '10.1000/abc'],
  ] as const) {
    t.is(foldDoi(text), undefined, text)
    t.is(recognizeDoi(text), doi, text)
  }
  for (const text of ['&lt;&gt;', 'https://example.org/10.1000/abc', '10.1000%2F%zz', '']) {
    t.is(recognizeDoi(text), undefined, text)
  }
})

test('what may be of an address or a text is kept in a DOI, and told', (t) => {
  for (const [doi, code] of [
    ['10.1000/a%3cb', 'percent_encoded'],
    ['10.1000/abc.', 'ends_with_stop'],
    ['10.1000/50%', undefined],
    ['10.1000/abc/full', 'unusual_identifier'],
    ['10.1000/abc.pdf', 'unusual_identifier'],
    ['10.1000/abc?utm_source=x', 'unusual_identifier'],
    ['10.1000/abc#page-6', 'unusual_identifier'],
    ['10.1000/s1‐2', 'unusual_identifier'],
    ['10.1000/x〈1:ab〉2', 'unusual_identifier'],
    ['10.1000/abc)', 'unusual_identifier'],
    ['10.1000/a(b)', undefined],
    ['10.1000/(sici)1(1999)2:1<135::aid-x135>3.0.co;2-#', undefined],
  ] as const) {
    const faults = new FaultList()
    t.is(doiKind.read(doi, 'doi', faults), doi)
    t.deepEqual(
      faults.warnings.map((warning) => warning.code),
      code === undefined ? [] : [code],
    )
  }
})

test('a short DOI is none, in any spelling, and is told with what is right', (t) => {
  for (const text of [
    '10/abc123',
    'doi:10/ABC123',
    'doi.org/abc123',
    'https://doi.org/abc123',
    'https://doi.org/10/abc123',
    'http://dx.doi.org/10%2Fabc123?x=1',
    'http://shortdoi.org/10/abc123',
  ]) {
    t.is(foldDoi(text), undefined, text)
    t.is(recognizeDoi(text), undefined, text)
    t.is(readShortDoi(text), '10/abc123', text)
    t.regex(explainDoi(text), /^a DOI: 10\/abc123 is a short DOI; give the DOI for which it stands/)
  }
  for (const text of ['10.1000/abc', 'https://example.org/10/abc', 'abc123', '10/a/b', '1/2']) {
    t.is(readShortDoi(text), undefined, text)
  }
})

test('what is no DOI is refused with the one that it may have in it', (t) => {
  const rule = 'a DOI such as 10.1234/abc'
  t.is(explainDoi('https://example.org/doi/10.1000/ABC'), `${rule}; did you mean 10.1000/abc?`)
  t.is(explainDoi('10.1000/a b'), `${rule}, without spaces`)
  t.is(explainDoi('see 10.1000/abc'), `${rule}; did you mean 10.1000/abc?`)
  t.is(explainDoi('doi:doi:10.1000/abc'), `${rule}; did you mean 10.1000/abc?`)
  t.is(explainDoi('arXiv:2101.00001v2'), `${rule}; did you mean 10.48550/arxiv.2101.00001?`)
  t.is(explainDoi('no 10.1'), rule)
  for (const text of [
    '10.1000/a;10.1000/b',
    'doi:10.1000/a, 10.1000/b',
    '10.1000/a doi:10.1000/b',
  ]) {
    t.is(foldDoi(text), undefined)
    t.is(explainDoi(text), `${rule}, and only one`)
  }
  t.is(foldDoi('10.1000/10.1002/abc'), '10.1000/10.1002/abc')
})
