import test from 'ava'

import { parseRetryAfter } from '#src/delivery/fetch/host_pacing.ts'

const nowMs = Date.parse('1994-11-06T08:49:00Z')

test('seconds and dates are read, dates that have passed as now', (t) => {
  t.is(parseRetryAfter('0', nowMs), 0)
  t.is(parseRetryAfter('120', nowMs), 120_000)
  t.is(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', nowMs), 37_000)
  t.is(parseRetryAfter('Sun, 06 Nov 1994 08:48:00 GMT', nowMs), 0)
})

test('what is neither is not read', (t) => {
  for (const value of [
    '',
    '-1',
    '1.5',
    '1e3',
    ' 7',
    '1'.repeat(20),
    'soon',
    'Sun Nov  6 08:49:37 1994',
    '1994-11-06T08:49:37Z',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    'Sun, 06 Xyz 1994 08:49:37 GMT',
  ]) {
    t.is(parseRetryAfter(value, nowMs), undefined, value)
  }
})
