import test from 'ava'
import fc from 'fast-check'

import type { Ark } from '#actors/values/ark.ts'
import { passThrough, readArkRequest, readNaanRequest } from '#src/http/arks/ark_request.ts'

/** What a URL asks for, in short. */
function read(url: string): unknown {
  const { parsed, inquiry, version, suffix, query } = readArkRequest(url)
  return { ark: parsed.ark, inquiry, version, suffix, query }
}

const plain = {
  ark: '12345/k2x',
  inquiry: 'redirect',
  version: undefined,
  suffix: '',
  query: '',
} as const

test('an ARK is read with either label, in any case, encoded or not', (t) => {
  for (const url of [
    '/ark:/12345/k2x',
    '/ark:12345/k2x',
    '/ARK:/12345/k2-x',
    '/ark:%2F12345%2Fk2x',
  ]) {
    t.deepEqual(read(url), plain, url)
  }
  t.deepEqual(read('/ark:/12345/21112026/k2x'), plain)
  t.deepEqual(read('http://registry.example/ark:/12345/k2x'), plain)
})

test('inflections ask about the object', (t) => {
  t.deepEqual(read('/ark:/12345/k2x?'), { ...plain, inquiry: 'brief', query: '?' })
  t.deepEqual(read('/ark:/12345/k2x??'), { ...plain, inquiry: 'full', query: '??' })
  t.deepEqual(read('/ark:/12345/k2x?info'), { ...plain, inquiry: 'full', query: '?info' })
  t.deepEqual(read('/ark:/12345/k2x?json'), { ...plain, inquiry: 'json', query: '?json' })
})

test('an inflection that was encoded with its ARK is one, at the end alone', (t) => {
  t.deepEqual(read('/ark:/12345/k2x%3F'), { ...plain, inquiry: 'brief', query: '?' })
  t.deepEqual(read('/ark:/12345/k2x%3f%3F'), { ...plain, inquiry: 'full', query: '??' })
  t.deepEqual(read('/ark:/12345/k2x%3Finfo'), { ...plain, inquiry: 'full', query: '?info' })
  t.deepEqual(read('/ark%3A%2F12345%2Fk2x%3FINFO'), { ...plain, inquiry: 'full', query: '?info' })
  t.deepEqual(read('/ark:/12345/k2x%3Fjson'), { ...plain, inquiry: 'json', query: '?json' })
  t.deepEqual(read('/ark:/12345/k2x/a%3Fb'), { ...plain, suffix: '/a?b' })
  const twice = t.throws(() => readArkRequest('/ark:/12345/k2x%253Finfo'))
  t.regex(twice.message, /percent sign after it was decoded once/)
})

test('a version is read from a last /v<n> only', (t) => {
  t.deepEqual(read('/ark:/12345/k2x/v12'), { ...plain, version: 12, suffix: '/v12' })
  for (const suffix of ['/v01', '/v', '/v2/c3', '/c3/v2', '/v2.pdf', '/V2']) {
    t.deepEqual(read(`/ark:/12345/k2x${suffix}`), { ...plain, suffix })
  }
})

test('a suffix and a query keep the spelling of the client, hyphens included', (t) => {
  t.deepEqual(read('/ark:/12345/k2-x/doc-8/chap-7.pdf?a=1&b=%20'), {
    ...plain,
    suffix: '/doc-8/chap-7.pdf',
    query: '?a=1&b=%20',
  })
  t.deepEqual(read('/ark:/12345/21112026/k2x/doc8'), { ...plain, suffix: '/doc8' })
  t.deepEqual(read('/ark:/12345/k2x.v7.xsl'), { ...plain, suffix: '.v7.xsl' })
})

test('decoration before the name does not reach the suffix', (t) => {
  for (const before of ['.k2x', '-k2-x-', '%20/k2x', '%E2%80%91/k2x', '/21112026-//k2x', '//k2x']) {
    t.deepEqual(read(`/ark:/-12345/${before}/d-oc`), { ...plain, suffix: '/d-oc' }, before)
  }
})

test('whatever decoration an ARK has, its suffix means what the ARK says', (t) => {
  const decoration = fc.constantFrom('', '-', '%20', '%0A', '\u2010')
  const decorated = (text: string) =>
    fc.array(decoration, { minLength: text.length, maxLength: text.length }).map((signs) => {
      return [...text].map((character, index) => signs[index] + character).join('')
    })
  const part = fc.stringMatching(/^[0-9A-Za-z=~*+@_$]{1,6}$/)
  const suffix = fc
    .tuple(fc.array(part, { maxLength: 3 }), fc.array(part, { maxLength: 2 }))
    .map(([parts, forms]) => [...parts.map((one) => `/${one}`), ...forms.map((one) => `.${one}`)])
  const body = fc.constantFrom('12345/k2x', '12345/21112026/k2x')
  fc.assert(
    fc.property(
      body.chain(decorated),
      suffix.map((all) => all.join('')).chain(decorated),
      (a, b) => {
        const asked = readArkRequest(`/ark:${a}${b}`)
        t.is(asked.parsed.ark, '12345/k2x' as Ark)
        const { components, variants } = asked.parsed
        t.is(asked.suffix.replaceAll(/[-\u2010]/g, ''), components + variants)
      },
    ),
  )
})

test('an ARK without a name asks about its NAAN', (t) => {
  for (const url of ['/ark:12345', '/ark:/12345', '/ARK:12-345/', '/ark:%2F12345', '/ark:12345?']) {
    t.deepEqual(readNaanRequest(url), { naan: '12345', query: '' }, url)
  }
  t.deepEqual(readNaanRequest('/ark:12345?info'), { naan: '12345', query: '?info' })
  for (const url of ['/ark:12345/x', '/ark:', '/ark:12a45', '/ark:12345/x?u=ark:12345']) {
    t.is(readNaanRequest(url), undefined, url)
  }
})

test('a key in the query is not passed on, however it is spelled', (t) => {
  t.deepEqual(read('/ark:/12345/k2x?api_key=s'), plain)
  t.deepEqual(read('/ark:/12345/k2x?a=1&api_key=s&b=2'), { ...plain, query: '?a=1&b=2' })
  t.deepEqual(read('/ark:/12345/k2x?%61pi%5Fkey=s&b=2'), { ...plain, query: '?b=2' })
})

test('what is no ARK is refused', (t) => {
  const malformed = { code: 'malformed_ark', message: /^The ARK is malformed: / }
  for (const url of [
    '/ark:/12345',
    '/ark:/12a45/x',
    '/ark:/12345/../x',
    '/ark:/12345/%2e%2e/x',
    '/ark:/12345/k2x/.%20./.%0A./etc',
    '/ark:/12345/k2x/%09./etc',
    '/ark:/12345/%252e',
    '/ark:/12345/%zz',
    '/ark:/12345/x<y',
  ]) {
    t.throws(() => readArkRequest(url), malformed, url)
  }
})

test('a suffix is appended below the address of the object', (t) => {
  t.is(passThrough('http://h/d', '/doc8/chap7', ''), 'http://h/d/doc8/chap7')
  t.is(passThrough('http://h/d/', '/doc8', ''), 'http://h/d/doc8')
  t.is(passThrough('http://h/d', '.pdf', ''), 'http://h/d.pdf')
  t.is(passThrough('http://h', '/doc8', '?a=1'), 'http://h/doc8?a=1')
  t.is(passThrough('http://h/d?id=3', '/doc8', '?a=1'), 'http://h/d?id=3/doc8&a=1')
  t.is(passThrough('http://h/d#part', '/doc8', '?a=1'), 'http://h/d/doc8?a=1#part')
  t.is(passThrough('http://h/d', '', ''), 'http://h/d')
  t.is(passThrough('http://h/d?id=3#part', '', ''), 'http://h/d?id=3#part')
})

test('no suffix leads to another host, and every address fits a header', (t) => {
  for (const suffix of ['.evil.example', '@evil.example', '//evil.example/', '/@evil', ':8080']) {
    t.is(new URL(passThrough('https://h.example', suffix, '')).host, 'h.example', suffix)
  }
  t.regex(passThrough('https://h.example/späte Wörter', '', '?ü=\u0001'), /^[\x21-\x7e]+$/)
})
