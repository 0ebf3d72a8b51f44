import test from 'ava'

import { isMadeByTableProgram } from '#src/discovery/citation_files/table_programs.ts'

// What LibreOffice 7.4 and Excel write for cells that nobody has changed.
const made: readonly (readonly [text: string, cell: string])[] = [
  ['007', '7'],
  ['+12', '12'],
  ['000123', '123'],
  ['.5', '0.5'],
  ['1.50', '1.5'],
  ['3.10', '3.1'],
  ['1.000', '1'],
  ['1,234', '1234'],
  ['1.000', '1000'],
  ['1e5', '100000'],
  ['5E-2', '0.05'],
  ['12345678901234567890', '1.23456789012346E+019'],
  ['12345678901234567890', '1.23457E+19'],
  ['123456789012345678', '123456789012346000'],
  ['1.23456789012345678', '1.23456789012346'],
  ['50%', '0.5'],
  ['50%', '50.00%'],
  ['$5', '5'],
  ['5 €', '5'],
  ['100 %', '100%'],
  ['１２', '12'],
  ['١٢', '12'],
  ['Sep 5', '09/01/2005'],
  ['4-5-6', '2004-05-06'],
  ['Sep 5 986', '09/05/0986'],
  ['19/3/5', '03/19/2005'],
  ['(5)', '-5'],
  ['1 1/2', '1.5'],
  ['1/2', '01/02/2026'],
  ['1/2', '2-Jan'],
  ['10/12', '10/12/2026'],
  ['1-9', '9-Jan'],
  ['1-9', '01.09.2026'],
  ['3.10', '03.10.26'],
  ['Mar-05', '03/05/2026'],
  ['March 2019', '03/01/2019'],
  ['2019-03', 'Mar-19'],
  ['1843-07', 'Jul-43'],
  ['2019-03-05', '03/05/2019'],
  ['2019-03-05', '05.03.19'],
  ['2019-03-05', '5 mars 2019'],
  ['12-Mar-2019', '03/12/2019'],
  ['2019-03-05', '43529'],
  ['12:30', '12:30:00 PM'],
  ['1:2', '01:02:00 AM'],
  ['12:30', '0.520833333333333'],
  ['true', 'TRUE'],
  ['True', 'WAHR'],
  ['=1+1', '2'],
  ['=A1', '#NAME?'],
  ['-press', '#NAME?'],
  ['+a', 'Err:508'],
  ['A title', '########'],
  ['Über 1–9', 'Ãœber 1â€“9'],
  ['Moss – 山', 'Moss ? ?'],
  [`x${'y'.repeat(40_000)}`, `x${'y'.repeat(32_766)}`],
]

test('what a program for tables makes of a text by itself is known', (t) => {
  for (const [text, cell] of made) {
    t.true(isMadeByTableProgram(text, cell), `${text.slice(0, 40)} → ${cell.slice(0, 40)}`)
  }
})

test('what somebody has written is no such thing', (t) => {
  const written: readonly (readonly [text: string, cell: string])[] = [
    ['7', '007'],
    ['7', '8'],
    ['12', '21'],
    ['1-9', '1-10'],
    ['1-9', '9-1'],
    ['10-12', '12-10'],
    ['3', '3–4'],
    ['2019', '2019-03'],
    ['2019-03', '2019-03-01'],
    ['2019-03-05', '2019-05-03'],
    ['2019-03-05', '2019-03'],
    ['2019-03-05', '2020-03-05'],
    ['12:30', '12:45'],
    ['true', 'false'],
    ['', '7'],
    ['=1+1, or so', 'One and one'],
    ['A title', 'A Title'],
    ['Über', 'Uber'],
    ['Moss?', 'Moss!'],
    ['The long text', 'The long'],
    ['1.5', '1.50'],
    ['A same text', 'A same text'],
  ]
  for (const [text, cell] of written) t.false(isMadeByTableProgram(text, cell), `${text} → ${cell}`)
})
