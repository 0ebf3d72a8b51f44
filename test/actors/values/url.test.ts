import test from 'ava'
import fc from 'fast-check'
import { FaultList } from '#actors/values/fault_list.ts'
import { foldUrl, urlCharactersMax, urlKind } from '#actors/values/identifier.ts'
import { anyCharacter } from '#test/_any_character.ts'

test('keeps an address as it was given', (t) => {
  for (const url of [
    'https://example.org',
    'HTTP://Example.ORG:8080/a%2fb/../c?q=1&r[]=(2)#f',
    "https://example.org/~a/b;c=d,e!$'*+@:x",
    'http://192.0.2.1/x',
    'http://[2001:db8::1]:80/x',
    `https://example.org/${'x'.repeat(urlCharactersMax - 20)}`,
  ]) {
    t.is(foldUrl(url), url)
  }
})

test('encodes what no URI may have', (t) => {
  t.is(foldUrl('https://example.org/原文?q=é'), 'https://example.org/%E5%8E%9F%E6%96%87?q=%C3%A9')
  t.is(foldUrl('https://bücher.example/'), 'https://xn--bcher-kva.example/')
  t.is(foldUrl('https://example.org/<a>"'), 'https://example.org/%3Ca%3E%22')
})

const refusals = {
  'an http or https address such as https://example.org/paper.pdf': [
    'ftp://example.org/',
    'javascript:alert(1)',
    'example.org/a',
    'https:example.org',
    'https:///example.org',
    'https://',
    'https://example.org:99999/',
    'https://256.256.256.256/',
    'https://exa<mple.org/',
  ],
  'an address without user name and password': [
    'https://ada:secret@example.org/',
    'https://ada@example.org',
    'https://@example.org/',
  ],
  'an address without spaces; write %20 for a space': ['https://example.org/a b.pdf'],
  'an address of at most 2048 characters when percent-encoded': [
    `https://example.org/${'原'.repeat(300)}`,
  ],
}

for (const [right, addresses] of Object.entries(refusals)) {
  for (const address of addresses) {
    test(`refuses ${address.slice(0, 60)}`, (t) => {
      const faults = new FaultList()
      t.is(urlKind.read(address, 'url', faults), undefined)
      t.deepEqual(faults.faults, [
        { field: 'url', code: 'bad_value', message: `url must be ${right}` },
      ])
    })
  }
}

test('property: a stored address needs no more folding, and leads to one place', (t) => {
  const paths = fc.string({ unit: anyCharacter, maxLength: 30 })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        paths.map((path) => `https://example.org/${path}`),
      ),
      (text) => {
        const url = foldUrl(text)
        if (url === undefined) return
        t.is(foldUrl(url), url)
        t.is(new URL(url).href, new URL(text).href)
        t.regex(url, /^[\x21-\x7e]+$/)
        t.is(new URL(url).username, '')
      },
    ),
    { numRuns: 500 },
  )
})
