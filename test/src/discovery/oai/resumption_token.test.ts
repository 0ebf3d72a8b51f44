import test from 'ava'
import * as fc from 'fast-check'

import { ResumptionTokens, type TokenState } from '#src/discovery/oai/oai_request.ts'

const key = Buffer.alloc(32, 7)
const tokens = new ResumptionTokens(key, 3_600)
const now = 1_790_000_000

const slug = fc.stringMatching(/^[a-z0-9]{2,20}$/)
const count = fc.nat({ max: 2 ** 48 })
const state: fc.Arbitrary<TokenState> = fc.oneof(
  fc.record(
    {
      verb: fc.constantFrom('ListRecords' as const, 'ListIdentifiers' as const),
      prefix: fc.constantFrom('oai_dc', 'svc'),
      set: slug.map((name) => `org:${name}`),
      from: count,
      until: count,
      after: count,
      last: slug.map((name) => `ark:/12345/${name}`),
      cursor: count,
      size: count,
    },
    {
      requiredKeys: ['verb', 'prefix', 'from', 'until', 'after', 'last', 'cursor', 'size'],
      noNullPrototype: true,
    },
  ),
  fc.record(
    { verb: fc.constant('ListSets' as const), last: slug, cursor: count },
    { noNullPrototype: true },
  ),
)

test('property: a token holds the state of its list, at any instance with the key', (t) => {
  fc.assert(
    fc.property(state, (before) => {
      const { text, expires } = tokens.issue(before, now)
      t.is(expires, now + 3_600)
      t.deepEqual(new ResumptionTokens(key, 1).read(text, now), before)
      // Nothing in it has to be escaped in an address.
      t.regex(text, /^[A-Za-z0-9._-]+$/)
      t.is(encodeURIComponent(text), text)
    }),
  )
})

test('property: a token with any change is none', (t) => {
  fc.assert(
    fc.property(state, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (before, at, sign) => {
      const { text } = tokens.issue(before, now)
      const place = at % text.length
      const changed = text.slice(0, place) + sign + text.slice(place + 1)
      t.is(tokens.read(changed, now) === undefined, changed !== text)
      t.is(tokens.read(text.slice(0, place), now), undefined)
      t.is(tokens.read(text + sign, now), undefined)
    }),
  )
})

test('property: no text is a token by chance', (t) => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (body, mac) => {
      t.is(tokens.read(body, now), undefined)
      t.is(tokens.read(`${body}.${mac}`, now), undefined)
    }),
  )
})

test('a token is good until it expires, and with its own key only', (t) => {
  const { text } = tokens.issue({ verb: 'ListSets', last: 'demo', cursor: 1 }, now)
  t.truthy(tokens.read(text, now + 3_599))
  t.is(tokens.read(text, now + 3_600), undefined)
  t.is(new ResumptionTokens(Buffer.alloc(32, 8), 3_600).read(text, now), undefined)
})
