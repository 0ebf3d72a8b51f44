import test from 'ava'
import { explainEdtf, isEdtf, recognizeEdtf } from '#actors/values/date.ts'

const dates =
  '2026 2026-02 2026-02-28 2024-02-29 -0054 0000 -0001-02-28 Y170000002 Y-170000002 2026-21 ' +
  '2026-24 2004? 2004-06~ 2004-06-11% 201X 20XX XXXX 2004-XX 1985-04-XX 1985-XX-XX ' +
  '1985-04-12T23:20:30 1985-04-12T23:20:30Z 1985-04-12T23:20:30-04 1985-04-12T23:20:30+04:30'

const ranges =
  '1964/2008 2004-06/2006-08 2004-02-01/2005-02-08 2004-02-01/2005 2001/.. ../2001 2001/ /2001 ' +
  '-0054/2004 1984?/2004~ 2004-21/2006-23 201X/2020 2024/2024-06'

for (const text of [...dates.split(' '), ...ranges.split(' ')]) {
  test(`${text} is a date of level 1`, (t) => {
    t.true(isEdtf(text))
  })
}

const none =
  '26 2026-13 2026-00 2026-02-30 2023-02-29 -0000 Y2026 2026-25 201x 2X26 20X6 2026/2024 ' +
  '2026-03/2026-02 ../.. / ../ 2026/2027/2028 2026-02-28T24:00:00Z 2026-02-28T10:61:00Z ' +
  '2026-02-30T10:00:00Z 2026-1 1985-XX-04 2004?~ ?2004 unknown open'

for (const text of none.split(' ')) {
  test(`${text} is no date of level 1`, (t) => {
    t.false(isEdtf(text))
  })
}

for (const [text, meant] of [
  ['199u', '199X'],
  ['199x', '199X'],
  ['19uu', '19XX'],
  ['2004-uu', '2004-XX'],
  ['2004?~', '2004%'],
  ['2001/open', '2001/..'],
  ['unknown/2001', '/2001'],
  ['2001 / 2003', '2001/2003'],
  ['2001 – 2003', '2001/2003'],
  ['3 May 2019/4 May 2019', '2019-05-03/2019-05-04'],
  ['2026-02-28T10:00:00.123Z', '2026-02-28T10:00:00Z'],
  ['2026-02-28T10:00Z', '2026-02-28T10:00:00Z'],
  ['May 2019', '2019-05'],
  ['2019/5/3', '2019-05-03'],
] as const) {
  test(`${text} means ${meant}`, (t) => {
    t.is(recognizeEdtf(text), meant)
    t.true(isEdtf(meant))
  })
}

test('what nobody can know is not recognized', (t) => {
  for (const text of ['', '5/3/2019', 'soon', '2026-02-30', 'open/open', '2026/2024', '/']) {
    t.is(recognizeEdtf(text), undefined, text)
  }
})

test('says which end is wrong', (t) => {
  t.regex(explainEdtf('2026-02-30'), /; the calendar has no 2026-02-30$/)
  t.regex(explainEdtf('2024/2026-13'), /; the calendar has no 2026-13$/)
  t.regex(explainEdtf('2026/2024'), /, which does not end before it begins$/)
  t.regex(explainEdtf('soon'), /2024\/2026$/)
})
