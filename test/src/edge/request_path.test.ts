import test from 'ava'
import fc from 'fast-check'

import { HttpError } from '#src/edge/errors.ts'
import { readArk, routedUrl } from '#src/edge/request_path.ts'

const encoded = 'ark%3A%2F12345%2Fk2bcd'

test('an ARK becomes one segment, in both families, and aliases become one path', (t) => {
  const urls = {
    '/v1/works/ark:/12345/k2bcd': `/v1/works/${encoded}`,
    '/v1/work/ark:/12345/k2bcd': `/v1/works/${encoded}`,
    '/api/v1/works/ark:/12345/k2bcd': `/api/v1/works/${encoded}`,
    '/api/v1/work/ark:/12345/k2bcd': `/api/v1/works/${encoded}`,
    '/v1/resolve/ark:/12345/k2bcd': `/v1/resolve/${encoded}`,
    '/v1/admin/takedowns/ark:/12345/k2bcd/again': `/v1/admin/takedowns/${encoded}/again`,
    '/v1/admin/takedowns': '/v1/admin/takedowns',
    '/v1/admin/suspensions/work/ark:/12345/k2bcd': `/v1/admin/suspensions/work/${encoded}`,
    '/v1/admin/suspensions/account/p2x': '/v1/admin/suspensions/account/p2x',
    '/v1/work': '/v1/works',
    '/v1/work?dry_run=true': '/v1/works?dry_run=true',
    '/v1/work/bulk': '/v1/works/bulk',
    '/v1/receipts/verify': '/v1/receipts/verify',
    '/v1/work/by-doi/10.5555/a/versions?x=/': '/v1/works/by-doi/10.5555%2Fa%2Fversions?x=/',
    '/api/v1/works/by-doi/10.5555%2Fa': '/api/v1/works/by-doi/10.5555%252Fa',
  }
  for (const [url, routed] of Object.entries(urls)) t.is(routedUrl(url), routed, url)
})

test('the words after an ARK stay words', (t) => {
  const words = [
    'versions',
    'history',
    'usage',
    'verify',
    'claim',
    'citation',
    'withdraw',
    'v1',
    'v12',
    'v12/verify',
  ]
  for (const word of words) {
    t.is(routedUrl(`/v1/works/ark:/12345/k2bcd/${word}`), `/v1/works/${encoded}/${word}`)
    const withSlash = `/v1/resolve/ark:/12345/k2bcd/${word}/?x=/v1/`
    t.is(routedUrl(withSlash), `/v1/resolve/${encoded}/${word}?x=/v1/`)
  }
})

test('what only resembles such a word stays part of the ARK', (t) => {
  for (const word of ['v', 'v-1', 'v1e3', 'v%31', 'V1', 'versions%2F', 'version', 'v1/versionss']) {
    const url = `/v1/works/ark:/12345/k2bcd/${word}`
    t.is(routedUrl(url), `/v1/works/${encodeURIComponent(`ark:/12345/k2bcd/${word}`)}`)
  }
})

test('an ARK at the root, and that of a feed, become one segment too', (t) => {
  t.is(routedUrl('/ark:/12345/k2bcd'), `/${encoded}`)
  t.is(routedUrl('/ARK:12345/k2%ff?info'), '/ARK%3A12345%2Fk2%25ff?info')
  t.is(routedUrl('/ark:12345/k2bcd??'), '/ark%3A12345%2Fk2bcd??')
  t.is(routedUrl('/feeds/works/ark:/12345/k2bcd.atom'), `/feeds/works/${encoded}.atom`)
  t.is(
    routedUrl('/feeds/works/ark:12345/k2bcd.atom?before=3'),
    '/feeds/works/ark%3A12345%2Fk2bcd.atom?before=3',
  )
  t.is(routedUrl('/feeds/works.atom?before=3'), '/feeds/works.atom?before=3')
})

test('a query stays a query, and the form with a host loses it', (t) => {
  t.is(routedUrl('/v1/works/ark:/12345/k2bcd?api_key=x/y'), `/v1/works/${encoded}?api_key=x/y`)
  t.is(routedUrl('HTTP://host:1/v1/works/ark:/12345/k2bcd'), `/v1/works/${encoded}`)
})

test('other URLs are left alone, and paths keep their case', (t) => {
  const others = [
    '/',
    '/v1/changes',
    '/V1/works/ark:/1/x',
    '/v1/Works/ark:/1/x',
    '/v2/works/ark:/1/x',
  ]
  for (const url of [...others, '/v1/worksheet/x', '*', '/v1/works/', 'http://host']) {
    t.is(routedUrl(url), url)
  }
})

const routeWord =
  /(?:^|\/)(?:bulk|versions|history|usage|verify|claim|citation|withdraw|v[0-9]+)\/?$/

test('the segment decodes to exactly what the client sent', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', minLength: 1 }), (sent) => {
      fc.pre(!/[?#]/.test(sent) && !routeWord.test(sent))
      const segment = routedUrl(`/v1/works/${sent}`).slice('/v1/works/'.length)
      t.is(decodeURIComponent(segment), sent)
      t.notRegex(segment, /[/?#]/)
    }),
  )
})

test('every spelling of an ARK is read', (t) => {
  const spellings = [
    'ark:/12345/k2bcd',
    'ark:12345/k2bcd',
    'ARK:/12345/k2-bcd',
    encoded,
    'ark%3a12345%2fk2bcd',
    '12345/k2bcd',
    'k2bcd',
  ]
  for (const spelling of spellings) {
    const { requested, parsed } = readArk(spelling, '12345')
    t.is(parsed.normalized, 'ark:12345/k2bcd', spelling)
    t.is(requested, decodeURIComponent(spelling))
  }
})

const malformed: readonly (readonly [segment: string, message: string])[] = [
  ['ark:/1/../../etc/passwd', 'it has a segment "." or ".."'],
  ['ark:%2F1%2F..%2f..%2fetc', 'it has a segment "." or ".."'],
  ['ark:/1/%2e%2e/x', 'it has a segment "." or ".."'],
  ['ark:/12345/x/%2e/y', 'it has a segment "." or ".."'],
  ['ark:%252F12345%252Fx', 'it has a percent sign after it was decoded once'],
  ['ark:/12345/x%2500', 'it has a percent sign after it was decoded once'],
  ['ark:/12345/x%zz', 'its percent-encoding is not that of UTF-8 text'],
  ['ark:/12345/x%ff', 'its percent-encoding is not that of UTF-8 text'],
  ['ark:/12345/x%00', 'its name may only have the characters A-Z a-z 0-9 = ~ * + @ _ $ % . /'],
  [
    `ark:/12345/x/v${encodeURIComponent('２')}`,
    'its name may only have the characters A-Z a-z 0-9 = ~ * + @ _ $ % . /',
  ],
  ['ark:/12345/', 'it has no name after the NAAN 12345'],
]

for (const [segment, reason] of malformed) {
  test(`${segment} is malformed`, (t) => {
    const error = t.throws(() => readArk(segment, '12345'), { instanceOf: HttpError })
    t.is(error.code, 'malformed_ark')
    t.is(error.message, `The ARK is malformed: ${reason}`)
  })
}
