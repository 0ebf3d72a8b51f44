import test from 'ava'

import { elapsedSince, inWords } from '#src/web/public/landing/elapsed.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test('a span is told in whole units of the largest that it fills', (t) => {
  const spans: readonly (readonly [number, string])[] = [
    [0, 'less than a minute'],
    [minuteMs, '1 minute'],
    [59 * minuteMs, '59 minutes'],
    [60 * minuteMs, '1 hour'],
    [47 * 60 * minuteMs, '1 day'],
    [30 * dayMs, '30 days'],
    [31 * dayMs, '1 month'],
    [400 * dayMs, '1 year'],
    [3_000 * dayMs, '8 years'],
  ]
  for (const [span, words] of spans) t.is(inWords(span), words)
})

test('a time just gone, or a little ahead, is just now', (t) => {
  const at = '2026-01-01T00:00:00.000Z'
  t.is(elapsedSince(at, Date.parse(at) + 59_999), 'just now')
  t.is(elapsedSince(at, Date.parse(at) - 5_000), 'just now')
  t.is(elapsedSince(at, Date.parse(at) + 2 * 60 * minuteMs), '2 hours ago')
})
