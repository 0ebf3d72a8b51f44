import test from 'ava'
import fc from 'fast-check'
import { explainDate, isPartialDate, recognizeDate } from '#actors/values/date.ts'

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

const spellings: Readonly<Record<string, readonly string[]>> = {
  '2019-05-03': [
    '2019/5/3',
    '2019.05.03',
    '2019-5-3',
    '2019/05/03/',
    '20190503',
    '2019-05-03T23:59:59.999Z',
    '2019-05-03 10:00+02:00',
    '3.5.2019',
    '03. 05. 2019',
    '3 May 2019',
    '03-May-2019',
    '3rd May 2019',
    'May 3, 2019',
    'may 3rd 2019',
    '2019 May 3',
    '2019-May-03',
    '3. Mai 2019',
    '3 mai 2019',
    '3 de mayo de 2019',
    '3 maggio 2019',
    '2019年5月3日',
    '٢٠١٩-٠٥-٠٣',
    '２０１９/５/３',
  ],
  '2019-09': [
    '2019/9',
    '2019-9',
    '2019-09-00',
    '9/2019',
    'Sep 2019',
    'Sept. 2019',
    '2019 September',
  ],
  '2019': [
    '2019-00-00',
    '2019//',
    '2019.',
    'c2019',
    '© 2019',
    '[2019]',
    '(2019)',
    '2019年',
    '२०१९',
    '𝟐𝟎𝟏𝟗',
    'Spring 2019',
    '2019, Fall',
  ],
  '2018': ['Jan-Feb 2018', '2018 Nov/Dec', 'März–April 2018'],
  '2019-05-13': ['13/5/2019', '5/13/2019', '13-05-2019'],
  '2019-05-05': ['5/5/2019'],
}

for (const [date, texts] of Object.entries(spellings)) {
  for (const text of texts) {
    test(`${text} is recognized as ${date}`, (t) => t.is(recognizeDate(text), date))
  }
}

test('what may be two dates, or is none of the calendar, is not recognized', (t) => {
  const twofold = ['5/3/2019', '05-03-2019', '2018-2019', '2018/19', '19-05-03', 'May 19']
  const wrong = ['2019-02-30', '31 Feb 2019', '2019/13/1', '13/13/2019', '0000-05', '00000000']
  const others = [
    'in press',
    'n.d.',
    'ca. 2019',
    '2019?',
    'Foo 2019',
    'foo-bar 2019',
    'ma 2019',
    '',
  ]
  for (const text of [...twofold, ...wrong, ...others]) t.is(recognizeDate(text), undefined, text)
})

test('a text that is no day, month or year is refused with what is right', (t) => {
  const rule = 'a date of the calendar such as 2026-11-21, 2026-11 or 2026'
  t.is(explainDate('04/05/1998'), `${rule}; 04/05/1998 may be 1998-05-04 or 1998-04-05`)
  for (const text of ['1998/1999', '1998?', 'c. 1998', 'circa 1998', '199u', '1998-21', '-0043']) {
    t.regex(explainDate(text), /; a span of time, or a date that is not certain, goes into dates/)
  }
  for (const text of ['n.d.', '1998-13', 'in press', '']) t.is(explainDate(text), rule)
})

test('property: whatever is recognized is a date as it is stored', (t) => {
  const part = fc.constantFrom('2019', '5', '31', '0', '00', 'May', 'mars', '-', '/', '.', ' ', ',')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const date = recognizeDate(parts.join(''))
      t.true(date === undefined || isPartialDate(date), parts.join(''))
    }),
    { numRuns: 2_000 },
  )
})
