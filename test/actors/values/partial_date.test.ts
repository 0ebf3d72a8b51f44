import test from 'ava'
import fc from 'fast-check'
import { isPartialDate } from '#actors/values/partial_date.ts'

test('takes years, months and days of the calendar', (t) => {
  for (const date of ['2026', '0850', '2026-11', '2026-11-21', '2024-02-29', '2000-02-29']) {
    t.true(isPartialDate(date), date)
  }
})

test('refuses what the calendar does not have, and other spellings', (t) => {
  for (const date of [
    '0000',
    '26',
    '2026-0',
    '2026-13',
    '2026-00',
    '2026-11-00',
    '2026-04-31',
    '2023-02-29',
    '1900-02-29',
    '2026-1-1',
    '2026/11/21',
    '20261121',
    '2026-11-21T00:00',
    '-2026',
    '٢٠٢٦',
    '',
  ]) {
    t.false(isPartialDate(date), date)
  }
})

test('property: a month has the days that the calendar counts', (t) => {
  const years = fc.integer({ min: 1, max: 9_999 })
  fc.assert(
    fc.property(years, fc.integer({ min: 1, max: 12 }), (year, month) => {
      const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
      const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-`
      t.true(isPartialDate(prefix + days))
      t.false(isPartialDate(prefix + (days + 1)))
    }),
  )
})
