import test from 'ava'

import {
  readDoi,
  readDois,
  readOrcid,
  readRor,
  readUrls,
} from '#src/discovery/citation_files/addresses.ts'

const dois = [
  '10.1000/a',
  'DOI: 10.1000/A.',
  'http://dx.doi.org/10.1000/a',
  'doi.org/10.1000/a',
  'https://doi.org/doi:10.1000/a',
  'doi: https://doi.org/10.1000/a/',
  'https://doi-org.proxy.example.edu/10.1000/a?x=1',
  '10.1000%2Fa',
  '<10.1000/a>',
  '10.1000/a [doi]',
  '10.1000/ a',
  'urn:doi:10.1000/a',
  'Digital Object Identifier 10.1000/a;',
  '10.1000/a\u200b',
  '10.1000/a</doi>',
]

test('a DOI is read from any spelling', (t) => {
  for (const text of dois) t.is(readDoi(text), '10.1000/a', text)
  const sici = '10.1000/s1097(199806)49:8<693::aid>3.0'
  t.is(readDoi(sici.replace('<', '&lt;').replace('>', '&gt;')), sici)
  t.is(readDoi('10.1000.10/123456'), '10.1000.10/123456')
  t.is(readDoi('none'), undefined)
  t.is(readDoi('10.1000/a; 10.1000/b'), undefined)
  t.deepEqual(readDois('10.1000/a; https://doi.org/10.1000/b'), ['10.1000/a', '10.1000/b'])
  t.deepEqual(readDois('https://doi.org/10.1000/X:1<2>3.0.CO;2-#'), ['10.1000/x:1<2>3.0.co;2-#'])
})

test('ORCID iDs and ROR IDs are read from any spelling', (t) => {
  const orcids = [
    'https://orcid.org/0000-0002-1694-233X/',
    '0000-0002-1694-233x',
    '0000 0002 1694 233X',
    'ORCID iD: 0000–0002–1694–233X',
    '(http://www.orcid.org/000000021694233X)',
  ]
  for (const text of orcids) t.is(readOrcid(text), '0000-0002-1694-233X', text)
  t.is(readOrcid('0000-0002-1694-2330'), undefined)
  for (const text of ['05gq02987', 'ror.org/05gq02987/', 'http://www.ror.org/05gq02987']) {
    t.is(readRor(text), 'https://ror.org/05gq02987', text)
  }
  t.is(readRor('https://ror.org/05gq02988'), undefined)
})

const two = ['https://example.org/a', 'https://example.org/b']

const urls: readonly (readonly [text: string, urls: readonly string[], rest?: string])[] = [
  ['https://example.org/a; https://example.org/b', two],
  ['https://example.org/a;https://example.org/b', two],
  ['https://example.org/a https://example.org/b', two],
  ['https://example.org/a and https://example.org/b', two],
  ['www.example.org/x', ['https://www.example.org/x']],
  ['<URL:https://example.org/x>', ['https://example.org/x']],
  ['https://example.org/a b.pdf', ['https://example.org/a%20b.pdf']],
  ['https://example.org/x (accessed 3 May)', ['https://example.org/x'], 'accessed 3 May'],
  ['http:/example.org/x', ['http://example.org/x']],
  ['https://example.org/x?a=1&amp;b=2', ['https://example.org/x?a=1&b=2']],
  [
    'https://archive.org/2019/https://example.org/x',
    ['https://archive.org/2019/https://example.org/x'],
  ],
  ['Available at: https://example.org/a_(b).', ['https://example.org/a_(b)']],
  ['https://example.org/x;id=1', ['https://example.org/x;id=1']],
  ['internal-pdf://1/x.pdf', [], 'internal-pdf://1/x.pdf'],
  ['http://https://example.org/x\u00ad', ['https://example.org/x']],
  ['http://http://example.org/x', ['http://example.org/x']],
]

test('addresses are read, several of one field too, and what is none is told', (t) => {
  for (const [text, expected, rest = ''] of urls) {
    t.deepEqual(readUrls(text), { urls: expected, rest }, text)
  }
})
