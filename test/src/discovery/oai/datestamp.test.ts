import test from 'ava'
import * as fc from 'fast-check'

import { formatDatestamp, lastSecond, parseDatestamp } from '#src/discovery/oai/oai_request.ts'

test('property: a second is read back', (t) => {
  const second = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })
  fc.assert(
    fc.property(second, (seconds) => {
      t.deepEqual(parseDatestamp(formatDatestamp(seconds)), { granularity: 'second', seconds })
    }),
  )
})

test('a day goes from its first second to its last', (t) => {
  const day = parseDatestamp('2024-02-29')
  t.deepEqual(day, { granularity: 'day', seconds: Date.UTC(2024, 1, 29) / 1_000 })
  t.is(day && formatDatestamp(lastSecond(day)), '2024-02-29T23:59:59Z')
})

for (const text of [
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '2026-00-01',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '2026-1-1',
  '2026-01',
  '2026',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00.5Z',
  '2026-01-01T00:00:00+00:00',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01t00:00:00z',
  ' 2026-01-01',
  '+002026-01-01',
  '10000-01-01',
  'junk',
  '',
]) {
  test(`${JSON.stringify(text)} is no datestamp`, (t) => t.is(parseDatestamp(text), undefined))
}

test('the ends of what can be written are datestamps', (t) => {
  t.truthy(parseDatestamp('0001-01-01'))
  t.truthy(parseDatestamp('9999-12-31T23:59:59Z'))
})
